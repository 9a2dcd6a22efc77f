import { type RawBuilder, sql } from 'kysely'
import type { PersonalFilterSettings } from '#contract/scheduling/personal-filters.ts'
import type { Db } from '#server/core/database/pool.ts'

/** Which personal filters an account uses; all off while it never chose. */
export const readPersonalFilterSettings = async (
  db: Db,
  accountId: number,
): Promise<PersonalFilterSettings> => {
  const kept = await db
    .selectFrom('personal_filter')
    .select([
      'is_student_enabled as IsStudentFilterEnabled',
      'is_site_enabled as IsSiteFilterEnabled',
      'is_shift_enabled as IsShiftFilterEnabled',
    ])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return kept ?? { IsStudentFilterEnabled: false, IsSiteFilterEnabled: false, IsShiftFilterEnabled: false }
}

interface Named {
  Id: number
  Name: string
}

/** What the personal filters hold, as far as it is there in the program. */
export const readPersonalFilters = async (db: Db, accountId: number, programId: number) => {
  const { rows } = await sql<{ Kind: 'student' | 'site' | 'shift' } & Named>`
    with f as (select * from personal_filter where account_id = ${accountId})
    select 'student' as "Kind", u.id as "Id", listed_name(u.last_name, u.first_name) as "Name"
      from f join account u on u.program_id = ${programId} and u.id = any (f.student_ids) and u.deleted_at is null
    union all
    select 'site', s.id, s.name from f join site s on s.program_id = ${programId} and s.id = any (f.site_ids)
      and s.deleted_at is null
    union all
    select 'shift', h.id, h.code from f join site_shift h on h.program_id = ${programId} and h.id = any (f.shift_ids)
      and h.deleted_at is null
    order by 1, 3`.execute(db)
  const of = (kind: string): Named[] =>
    rows.filter(({ Kind }) => Kind === kind).map(({ Id, Name }) => ({ Id, Name }))
  return { Students: of('student'), Sites: of('site'), SiteShifts: of('shift') }
}

/** Which of the ids are students, sites and shifts of the program. */
export const findChosen = async (
  db: Db,
  programId: number,
  chosen: { studentIds: readonly number[]; siteIds: readonly number[]; shiftIds: readonly number[] },
): Promise<{ students: number[]; sites: number[]; shifts: number[] }> => {
  const { rows } = await sql<{ students: number[]; sites: number[]; shifts: number[] }>`select
    to_json(array(select id from account where program_id = ${programId} and access_level = 39
      and id = any (${[...chosen.studentIds]}::bigint[]))) as students,
    to_json(array(select id from site where program_id = ${programId} and id = any (${[...chosen.siteIds]}::bigint[]))) as sites,
    to_json(array(select id from site_shift where program_id = ${programId}
      and id = any (${[...chosen.shiftIds]}::bigint[]))) as shifts`.execute(db)
  return rows[0]!
}

/**
 * The personal filter of a list: rows whose `column` is not among the chosen ones are left out while the filter is on. What was chosen
 * is looked up once, not with each row.
 */
export const personalFilter = (
  accountId: number,
  which: 'student' | 'site' | 'shift',
  column: RawBuilder<unknown>,
): RawBuilder<boolean> =>
  sql<boolean>`coalesce(${column} = any ((select f.${sql.ref(`${which}_ids`)} from personal_filter f
    where f.account_id = ${accountId} and f.${sql.ref(`is_${which}_enabled`)})::bigint[]), true)`
