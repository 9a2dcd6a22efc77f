import pg from 'pg'
import type { FileStore } from '#server/core/runtime/file-store.ts'
import { generate } from './generate.ts'

/** Fills an installation that has no program yet with the demo; says what it does through `say`. */
export const loadDemo = async (
  ownerUrl: string,
  files: FileStore,
  secretKey: string,
  say: (text: string) => void,
): Promise<void> => {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  const { rows } = await client.query(
    'select exists (select from program) or exists (select from account) as used',
  )
  await client.end()
  if (rows[0].used) return
  say('Loading the demo …')
  await generate(ownerUrl, { scale: 1, files, secretKey })
}
