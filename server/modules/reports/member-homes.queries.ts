import { sql } from 'kysely'
import { addDays } from '#contract/core/calendar.ts'
import { Level } from '#contract/core/levels.ts'
import type * as contract from '#contract/reports/member-homes.ts'
import { agreementUrgentDays, agreementWarningDays } from '#contract/sites/sites-rules.ts'
import type { Db } from '#server/core/database/pool.ts'

/** Somebody who is assigned to sites of a program. */
export interface TiedPerson {
  programId: number
  accountId: number
}
interface Paging {
  page: number
  pageSize: number
}

const paged = <R extends { total: number }>(rows: readonly R[], { page, pageSize }: Paging) => ({
  Items: rows.map(({ total: _total, ...row }) => row),
  Total: rows[0]?.total ?? 0,
  Page: page,
  PageSize: pageSize,
})

const maxContacts = 6

/** Coordinators first, then directors; those with access alone. */
export const listContacts = async (db: Db, programId: number): Promise<contract.ProgramContact[]> => {
  const { rows } = await sql<contract.ProgramContact>`
    select a.id as "Id", trim(a.first_name || ' ' || a.last_name) as "Name", a.access_level as "AccessLevel",
      a.phone as "PhoneNumber", a.email as "EmailAddress"
    from account a
    where a.program_id = ${programId} and a.access_level in (${Level.Coord}, ${Level.Director})
      and a.deleted_at is null and a.deactivated_at is null
    order by a.access_level, lower(a.last_name), a.id limit ${maxContacts}`.execute(db)
  return rows
}

/** What the program keeps of a person. */
export const readOwnDetails = (db: Db, accountId: number) =>
  db
    .selectFrom('account as a')
    .select([
      sql<string>`trim(concat_ws(' ', a.first_name, nullif(a.middle_name, ''), a.last_name, nullif(a.suffix, '')))`.as(
        'Name',
      ),
      'a.phone as PhoneNumber',
      'a.zip as Zip',
      'a.institution as Institution',
      sql<
        string | null
      >`case when a.access_level = ${Level.Student} then nullif(a.student_number, '') end`.as(
        'StudentNumber',
      ),
    ])
    .where('a.id', '=', accountId)
    .executeTakeFirstOrThrow()

/** The sites that the person is assigned to, as `t`. */
const ownSites = ({ programId, accountId }: TiedPerson) => sql`
  supervisor_site v join site t on t.program_id = v.program_id and t.id = v.site_id and t.deleted_at is null and t.is_active
  where v.program_id = ${programId} and v.account_id = ${accountId}`

/** Own sites by name; `weekStart` is that of this week. */
export const pageOwnSites = async (
  db: Db,
  person: TiedPerson,
  { today, weekStart, ...paging }: Paging & { today: string; weekStart: string },
) => {
  const { rows } = await sql<contract.OwnSite & { total: number }>`
    select t.id as "Id", t.name as "Name", t.phone as "PhoneNumber", t.total,
      concat_ws(', ', nullif(t.address, ''), nullif(t.city, ''), nullif(trim(t.state || ' ' || t.zip), '')) as "Address",
      n.today as "Today", n.week as "Week", n.next as "NextWeek"
    from (select t.*, count(*) over () as total from ${ownSites(person)}
      order by lower(t.name), t.id limit ${paging.pageSize} offset ${(paging.page - 1) * paging.pageSize}) t
    cross join lateral (
      select count(distinct a.student_id) filter (where a.date = ${today}::date) as today,
        count(distinct a.student_id) filter (where a.date < ${weekStart}::date + 7) as week,
        count(distinct a.student_id) filter (where a.date >= ${weekStart}::date + 7) as next
      from shift_assignment a where a.program_id = t.program_id and a.site_id = t.id and a.removed_at is null
        and a.date between ${weekStart}::date and ${weekStart}::date + 13) n
    order by lower(t.name), t.id`.execute(db)
  return paged(rows, paging)
}

/** Who comes to the person's own sites in these days, by day and time; a shift of the night before counts while it runs. */
export const pageExpected = async (
  db: Db,
  { programId, accountId }: TiedPerson,
  {
    from,
    through,
    SiteId,
    isFromNow,
    ...paging
  }: Paging & { from: string; through: string; SiteId?: number | undefined; isFromNow: boolean },
) => {
  const { rows } = await sql<contract.ExpectedStudent & { total: number }>`
    select a.id as "AssignmentId", u.id as "StudentId", listed_name(u.last_name, u.first_name) as "Student", l.name as "StudentLevel",
      a.date as "Date", to_char(a.starts_at at time zone t.time_zone, 'HH24:MI') as "StartTime",
      to_char(a.ends_at at time zone t.time_zone, 'HH24:MI') as "EndTime", s.type as "ShiftType", s.name as "ShiftName",
      a.site_id as "SiteId", t.name as "Site",
      case when r.is_out then 'left' when r.is_in then case when a.ends_at + interval '4 hours' < now() then 'left' else 'here' end
        when r.is_absent then 'absent' when a.starts_at > now() then 'ahead' else 'awaited' end as "State", a.total
    from (select a.*, count(*) over () as total from shift_assignment a
      where a.program_id = ${programId} and a.removed_at is null
        and a.site_id in (select v.site_id from supervisor_site v
          where v.program_id = ${programId} and v.account_id = ${accountId})
        and a.date >= ${addDays(from, -1)}::date and a.date <= ${through}::date
        and (a.date >= ${from}::date or (${isFromNow}::boolean and a.ends_at > now()))
        and ${SiteId === undefined ? sql`true` : sql`a.site_id = ${SiteId}`}
      order by a.starts_at, a.id limit ${paging.pageSize} offset ${(paging.page - 1) * paging.pageSize}) a
    join account u on u.program_id = a.program_id and u.id = a.student_id
    left join student_level l on l.program_id = u.program_id and l.id = u.student_level_id
    join site t on t.program_id = a.program_id and t.id = a.site_id
    join site_shift s on s.program_id = a.program_id and s.id = a.site_shift_id
    cross join lateral (
      select bool_or(r.kind = 'in') as is_in, bool_or(r.kind in ('out', 'exception', 'makeup')) as is_out,
        bool_or(r.kind = 'absence') as is_absent
      from time_record r where r.program_id = a.program_id and r.assignment_id = a.id and r.deleted_at is null
        and r.status <> 'rejected') r
    order by a.starts_at, a.id`.execute(db)
  return paged(rows, paging)
}

const maxDocuments = 50

/** The end of the agreement of each own site, those that end first first, as the list of sites shows it. */
export const listOwnAgreements = async (
  db: Db,
  person: TiedPerson,
  today: string,
): Promise<{ SiteId: number; Site: string; EndDate: string | null; State: 'none' }[]> => {
  const { rows } = await sql<{ SiteId: number; Site: string; EndDate: string | null; State: 'none' }>`
    select t.id as "SiteId", t.name as "Site", g.ends as "EndDate",
      case when g.found is null then 'none' when g.ends < ${today}::date then 'expired'
        when g.ends <= ${today}::date + ${sql.lit(agreementUrgentDays)} then 'urgent'
        when g.ends <= ${today}::date + ${sql.lit(agreementWarningDays)} then 'ending' else 'in-force' end as "State"
    from (select t.* from ${ownSites(person)}) t
    left join lateral (
      select true as found, case when bool_or(x.termination_date is null) then null else max(x.termination_date) end as ends
      from affiliate_agreement x where x.program_id = t.program_id and x.site_id = t.id and x.deleted_at is null
        and x.is_active having count(*) > 0) g on true
    order by g.ends nulls last, lower(t.name), t.id limit 100`.execute(db)
  return rows
}

export const listOwnDocuments = async (db: Db, person: TiedPerson) => {
  const { rows } = await sql<{
    Id: number
    SiteId: number
    Site: string
    Name: string
    MediaType: string
    ByteCount: number
  }>`
    select x.id as "Id", t.id as "SiteId", t.name as "Site", x.name as "Name", f.media_type as "MediaType",
      f.byte_count as "ByteCount"
    from (select t.* from ${ownSites(person)}) t
    join site_file x on x.program_id = t.program_id and x.site_id = t.id and x.deleted_at is null
    join stored_file f on f.id = x.file_id
    order by x.created_at desc, x.id desc limit ${maxDocuments}`.execute(db)
  return rows
}

/** A document of a site that the person is assigned to. */
export const findOwnDocument = async (
  db: Db,
  person: TiedPerson,
  { siteId, documentId }: { siteId: number; documentId: number },
) => {
  const { rows } = await sql<{ name: string; fileName: string; media_type: string; store_key: string }>`
    select x.name, f.name as "fileName", f.media_type, f.store_key
    from (select t.* from ${ownSites(person)}) t
    join site_file x on x.program_id = t.program_id and x.site_id = t.id and x.deleted_at is null
    join stored_file f on f.id = x.file_id
    where t.id = ${siteId} and x.id = ${documentId}`.execute(db)
  return rows[0]
}

/** Approved hours of a person by rotation, the latest first, with the sites they were worked at. */
export const listHoursByRotation = async (
  db: Db,
  { programId, accountId }: TiedPerson,
): Promise<contract.HoursRecord['Rotations']> => {
  const { rows } = await sql<contract.HoursRecord['Rotations'][number]>`
    with worked as (
      select coalesce(r.rotation_id, 0) as rotation_id, array_agg(distinct t.name order by t.name) as sites
      from time_record r join site t on t.program_id = r.program_id and t.id = r.site_id
      where r.program_id = ${programId} and r.student_id = ${accountId} and r.deleted_at is null
        and r.status = 'approved' and r.is_matched and r.minutes > 0 and r.kind <> 'absence'
      group by 1)
    select h.rotation_id as "Id", coalesce(o.name, '') as "Name", o.start_date as "StartDate", o.end_date as "EndDate",
      coalesce(w.sites, '{}') as "Sites", h.approved_minutes as "ApprovedMinutes",
      coalesce(o.target_minutes, 0) as "TargetMinutes"
    from student_hours h
    left join rotation o on o.program_id = h.program_id and o.id = h.rotation_id
    left join worked w on w.rotation_id = h.rotation_id
    where h.program_id = ${programId} and h.student_id = ${accountId} and h.approved_minutes > 0
    order by o.start_date desc nulls last, h.rotation_id`.execute(db)
  return rows
}

export const findCohort = async (db: Db, { programId, accountId }: TiedPerson): Promise<string> => {
  const row = await db
    .selectFrom('account')
    .select('cohort')
    .where('program_id', '=', programId)
    .where('id', '=', accountId)
    .executeTakeFirst()
  return row?.cohort ?? ''
}
