import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'

/** Which user names are taken anywhere in the installation: of those wanted, and of those made of a stem and digits. */
export const listTakenUserNames = async (
  db: Db,
  { wanted, stems }: { wanted: string[]; stems: string[] },
): Promise<string[]> =>
  (
    await sql<{ name: string }>`select taken_user_names(${wanted}::text[], ${stems}::text[]) as name`.execute(
      db,
    )
  ).rows.map(({ name }) => name)
