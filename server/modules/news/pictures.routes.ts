import { newsFailures } from '#contract/news/failures.ts'
import * as contract from '#contract/news/pictures.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { findPicture } from './pictures.across.ts'
import { keep } from './pictures.commands.ts'

export const pictureRoutes = [
  handle(contract.addPicture, (call) => keep(call, call.params.programId)),

  handle(contract.addInstallationPicture, (call) => keep(call, null)),

  handle(contract.getPicture, async ({ db, params, services, user }) => {
    const picture = await findPicture(db, params.key)
    const isOwn = picture && [null, user.ProgramId].includes(picture.program_id)
    if (!picture || !(isOwn || user.isSuperAdmin)) throw fail(newsFailures.no_picture)
    return {
      name: picture.name || 'picture',
      type: picture.media_type,
      chunks: await services.files.read(picture.store_key),
    }
  }),
]
