import { sql } from 'kysely'
import type { Db } from './pool.ts'

/** Notes that what is asked of the students of a program has changed: their progress is counted anew when it is looked at. */
export const noteGoals = async (db: Db, programId: number): Promise<void> => {
  await sql`insert into progress_count (program_id, goals_at) values (${programId}, pg_current_xact_id())
    on conflict (program_id) do update set goals_at = excluded.goals_at`.execute(db)
}
