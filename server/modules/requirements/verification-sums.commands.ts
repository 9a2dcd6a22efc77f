import { sql } from 'kysely'
import type { StoredSums } from '#server/core/runtime/sum-check.ts'

/** What the results of vendors come to. They are not compared where the day is not today's, since nobody reads the rows then. */
export const verificationSums: StoredSums = {
  of: 'verification',
  wrong: (programId) => sql`
      with days as (
        select d.* from verification_day d join program p on p.id = d.program_id
        where d.program_id = ${programId} and d.day = (now() at time zone p.time_zone)::date)
      select 'verification_standing' as name, count(distinct (a.type, a.student_id)) as keys from (
        (select s.* from days d cross join lateral judge_verifications(${programId}, d.type, d.day, null) s
          except select s.* from verification_standing s where s.program_id = ${programId})
        union all
        (select s.* from verification_standing s join days d on d.program_id = s.program_id and d.type = s.type
          except select s.* from days d cross join lateral judge_verifications(${programId}, d.type, d.day, null) s)) a
      union all
      select 'verification_named_item', count(distinct (a.type, a.name)) from (
        (select i.* from days d cross join lateral count_verification_items(${programId}, d.type, null) i
          except select i.* from verification_named_item i where i.program_id = ${programId})
        union all
        (select i.* from verification_named_item i join days d on d.program_id = i.program_id and d.type = i.type
          except select i.* from days d cross join lateral count_verification_items(${programId}, d.type, null) i)) a`,
  async recount(db, programId) {
    for (const type of [1, 2])
      await sql`call keep_verifications(${programId}, ${type}::smallint, null, null)`.execute(db)
  },
}
