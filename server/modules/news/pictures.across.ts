import { sql } from 'kysely'
import { acrossPrograms } from '#server/core/database/across.ts'
import type { Db } from '#server/core/database/pool.ts'

/** Everybody who is signed in sees the installation's pictures, a program's people those of the program. */
export const findPicture = async (db: Db, key: string) => {
  const [picture] = await acrossPrograms(
    db,
    sql<{ program_id: number | null; name: string; media_type: string; store_key: string }>`
      select p.program_id, f.name, f.media_type, f.store_key
      from picture p join stored_file f on f.id = p.file_id where p.key = ${key}`,
  )
  return picture
}
