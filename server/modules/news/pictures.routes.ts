import { sql } from 'kysely'
import * as contract from '#contract/news/pictures.ts'
import { handle } from '#server/core/http/handle.ts'
import { notFound } from '#server/core/runtime/failure.ts'
import { keep } from './pictures.commands.ts'

export const pictureRoutes = [
  handle(contract.addPicture, (call) => keep(call, call.params.programId)),

  handle(contract.addInstallationPicture, (call) => keep(call, null)),

  handle(contract.getPicture, async ({ db, params, services, user }) => {
    const { rows } = await sql<{
      program_id: number | null
      name: string
      media_type: string
      store_key: string
    }>`select * from find_picture(${params.key})`.execute(db)
    const [picture] = rows
    const isOwn = picture && [null, user.ProgramId].includes(picture.program_id)
    if (!picture || !(isOwn || user.isSuperAdmin)) throw notFound('This picture')
    return {
      name: picture.name || 'picture',
      type: picture.media_type,
      chunks: await services.files.read(picture.store_key),
    }
  }),
]
