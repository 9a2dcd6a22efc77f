import { type RawBuilder, sql } from 'kysely'
import type { Site, SiteDetail, SiteListItem } from '#contract/sites/sites.ts'
import {
  type AgreementState,
  agreementUrgentDays,
  agreementWarningDays,
} from '#contract/sites/sites-rules.ts'
import type { User } from '#server/core/auth/session.ts'
import { personName } from '#server/core/database/names.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'
import { inScope, siteScopeOf } from './scope.queries.ts'
import {
  detailFields,
  type ExportedSite,
  exportedFields,
  selectionOf,
  siteFields,
  specifiedFields,
} from './site-fields.rules.ts'

/** A supervisor sees the sites they are assigned to, everyone else all of the program. `s` is the site. */
const visibleTo = (user: User): RawBuilder<boolean> => inScope(siteScopeOf(user), 's.program_id', 's.id')

const plainName = sql<string>`regexp_replace(s.name, '</?[a-zA-Z][^<>]*>', '', 'g')`

const specifiedSites = (db: Db, programId: number, user: User) =>
  db
    .selectFrom('site as s')
    .leftJoin('account as m', 'm.id', 's.updated_by')
    .select(['s.id as Id', plainName.as('Name'), 's.created_at as CreateDate', 's.updated_at as ModDate'])
    .select(selectionOf(specifiedFields))
    .select(personName('m').as('ModBy'))
    .select(sql<boolean>`s.deleted_at is not null`.as('DelFlag'))
    .where('s.program_id', '=', programId)
    .where('s.deleted_at', 'is', null)
    .where(visibleTo(user))

/** The sites of a program by name, in the specification's fields; of one area where it is given. */
export const listSites = (db: Db, programId: number, user: User, areaId?: number): Promise<Site[]> =>
  specifiedSites(db, programId, user)
    .$if(areaId !== undefined, (query) => query.where('s.area_id', '=', areaId!))
    .orderBy(sql`lower(s.name)`)
    .orderBy('s.id')
    .execute()

const containsWords = (words: string) =>
  isFound(sql`s.name || ' ' || s.code || ' ' || s.city || ' ' || s.state`, words)

/** Active sites whose name, code or place contains the words, by name: the first few, for the finder. */
export const findSites = (
  db: Db,
  programId: number,
  user: User,
  words: string,
  most: number,
): Promise<{ Id: number; Name: string; Detail: string }[]> =>
  db
    .selectFrom('site as s')
    .select(['s.id as Id', plainName.as('Name')])
    .select(sql<string>`concat_ws(' · ', nullif(s.code, ''), nullif(s.city, ''))`.as('Detail'))
    .where('s.program_id', '=', programId)
    .where('s.deleted_at', 'is', null)
    .where('s.is_active', '=', true)
    .where(visibleTo(user))
    .where(containsWords(words))
    .orderBy(sql`lower(s.name)`)
    .orderBy('s.id')
    .limit(most)
    .execute()

export const listSiteNames = (
  db: Db,
  programId: number,
  user: User,
): Promise<{ Id: number; Name: string }[]> =>
  db
    .selectFrom('site as s')
    .select(['s.id as Id', plainName.as('Name')])
    .where('s.program_id', '=', programId)
    .where('s.deleted_at', 'is', null)
    .where('s.is_active', '=', true)
    .where(visibleTo(user))
    .orderBy(sql`lower(s.name)`)
    .orderBy('s.id')
    .execute()

/** Active sites with what tells two of the same name apart, by name. */
export const listSiteChoices = (
  db: Db,
  programId: number,
  user: User,
): Promise<{ Id: number; Name: string; Code: string; Place: string }[]> =>
  db
    .selectFrom('site as s')
    .select(['s.id as Id', plainName.as('Name'), 's.code as Code'])
    .select(sql<string>`concat_ws(', ', nullif(s.city, ''), nullif(s.state, ''))`.as('Place'))
    .where('s.program_id', '=', programId)
    .where('s.deleted_at', 'is', null)
    .where('s.is_active', '=', true)
    .where(visibleTo(user))
    .orderBy(sql`lower(s.name)`)
    .orderBy('s.id')
    .execute()

export const areaExists = async (db: Db, programId: number, areaId: number): Promise<boolean> =>
  Boolean(
    await db
      .selectFrom('area')
      .select('id')
      .where('program_id', '=', programId)
      .where('id', '=', areaId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst(),
  )

/** What the lists need of the program: its day and the place of its college. */
export interface ListContext {
  Today: string
  TimeZone: string
  CollegeName: string
  Latitude: number | null
  Longitude: number | null
}
export const getListContext = async (db: Db, programId: number): Promise<ListContext> => {
  const { rows } = await sql<ListContext>`select (now() at time zone p.time_zone)::date as "Today",
      p.time_zone as "TimeZone", c.name as "CollegeName", c.latitude as "Latitude", c.longitude as "Longitude"
    from program p join college c on c.id = p.college_id where p.id = ${programId}`.execute(db)
  return rows[0]!
}

export interface SiteFilter {
  search?: string | undefined
  AreaIds?: number[] | undefined
  Status: 'active' | 'inactive' | 'all'
  Agreement?: AgreementState | undefined
  Places?: 'free' | 'full' | 'none' | undefined
  IdleFrom?: string | undefined
  IdleThrough?: string | undefined
}
export interface SiteBounds {
  South?: number | undefined
  West?: number | undefined
  North?: number | undefined
  East?: number | undefined
}

/** Today's places of each site, its students of today, and its agreement: one pass each over the program's rows. */
const facts = (programId: number, today: string): RawBuilder<unknown> => sql`
  left join (select site_id, sum(capacity) as places from site_shift
    where program_id = ${programId} and deleted_at is null and ${today}::date between start_date and end_date
      and extract(dow from ${today}::date)::smallint = any (weekdays) group by site_id) places on places.site_id = s.id
  left join (select site_id, count(*) as placed from shift_assignment
    where program_id = ${programId} and date = ${today}::date and removed_at is null
    group by site_id) placed on placed.site_id = s.id
  left join (select site_id,
      case when bool_or(termination_date is null) then null else max(termination_date) end as ends
    from affiliate_agreement where program_id = ${programId} and deleted_at is null and is_active
    group by site_id) agreement on agreement.site_id = s.id`

const places = sql<number>`least(coalesce(places.places, 0), coalesce(s.capacity, 2147483647))`
const placed = sql<number>`coalesce(placed.placed, 0)`
const agreementStateOf = (today: string): RawBuilder<AgreementState> => sql<AgreementState>`case
  when agreement.site_id is null then 'none'
  when agreement.ends < ${today}::date then 'expired'
  when agreement.ends <= ${today}::date + ${agreementUrgentDays}::integer then 'urgent'
  when agreement.ends <= ${today}::date + ${agreementWarningDays}::integer then 'ending'
  else 'in-force' end`

const conditions = (
  programId: number,
  user: User,
  filter: SiteFilter,
  bounds: SiteBounds,
  today: string,
): RawBuilder<unknown> => {
  const all: RawBuilder<unknown>[] = [
    sql`s.program_id = ${programId}`,
    sql`s.deleted_at is null`,
    sql`${visibleTo(user)}`,
  ]
  if (filter.search) all.push(containsWords(filter.search))
  if (filter.AreaIds && filter.AreaIds.length > 0)
    all.push(sql`s.area_id = any (${filter.AreaIds}::bigint[])`)
  if (filter.Status !== 'all') all.push(sql`s.is_active = ${filter.Status === 'active'}`)
  if (filter.Agreement) {
    // An agreement that ends soon is in force, and one that ends within 30 days ends within 90.
    const states = { 'in-force': ['in-force', 'ending', 'urgent'], ending: ['ending', 'urgent'] } as Record<
      string,
      string[]
    >
    all.push(
      sql`${agreementStateOf(today)} = any (${states[filter.Agreement] ?? [filter.Agreement]}::text[])`,
    )
  }
  if (filter.Places === 'free') all.push(sql`${places} > ${placed}`)
  if (filter.Places === 'full') all.push(sql`${places} > 0 and ${placed} >= ${places}`)
  if (filter.Places === 'none') all.push(sql`${places} = 0`)
  if (filter.IdleFrom || filter.IdleThrough)
    all.push(sql`not exists (select from shift_assignment a where a.program_id = ${programId} and a.site_id = s.id
      and a.removed_at is null
      and a.date >= ${filter.IdleFrom ?? '1900-01-01'}::date and a.date <= ${filter.IdleThrough ?? '2099-12-31'}::date)`)
  const { South, West, North, East } = bounds
  if (South !== undefined && North !== undefined) all.push(sql`s.latitude between ${South} and ${North}`)
  // A map that was turned past the date line has bounds beyond 180: a place counts in any of its turns.
  if (West !== undefined && East !== undefined)
    all.push(sql`(s.longitude between ${West} and ${East} or s.longitude + 360 between ${West} and ${East}
      or s.longitude - 360 between ${West} and ${East})`)
  return sql.join(all, sql` and `)
}

const distance = ({ Latitude, Longitude }: ListContext): RawBuilder<number | null> =>
  Latitude === null || Longitude === null
    ? sql<null>`null::integer`
    : // `least` passes over null, and would put what has no place at the other end of the world.
      sql<
        number | null
      >`case when s.latitude is not null and s.longitude is not null then round(12742000 * asin(least(1, sqrt(
        power(sin(radians(s.latitude - ${Latitude}::double precision) / 2), 2)
        + cos(radians(${Latitude}::double precision)) * cos(radians(s.latitude))
          * power(sin(radians(s.longitude - ${Longitude}::double precision) / 2), 2)))))::integer end`

const byName = sql`lower(s.name), s.id`
const orders: Record<string, RawBuilder<unknown>> = {
  Name: byName,
  '-Name': sql`lower(s.name) desc, s.id desc`,
  Distance: sql`"DistanceMeters" nulls last, lower(s.name), s.id`,
  '-Distance': sql`"DistanceMeters" desc nulls last, lower(s.name), s.id`,
  Today: sql`"PlacesToday" - "PlacedToday", lower(s.name), s.id`,
  '-Today': sql`"PlacesToday" - "PlacedToday" desc, lower(s.name), s.id`,
  Agreement: sql`agreement.site_id is null, agreement.ends nulls last, lower(s.name), s.id`,
  '-Agreement': sql`agreement.site_id is null desc, agreement.ends desc nulls first, lower(s.name), s.id`,
}

export type SiteListRow = Omit<SiteListItem, 'Tag'>

const rowsOf = (
  programId: number,
  user: User,
  filter: SiteFilter,
  bounds: SiteBounds,
  around: ListContext,
  sort: string,
): RawBuilder<SiteListRow> => sql<SiteListRow>`with found as materialized (
    select s.id as "Id", ${plainName} as "Name", s.name, s.id, s.code as "Code", a.name as "AreaName", s.city as "City",
      s.state as "State", s.is_active as "IsActive", s.latitude as "Latitude", s.longitude as "Longitude",
      ${distance(around)} as "DistanceMeters", ${placed}::integer as "PlacedToday", ${places}::integer as "PlacesToday",
      ${agreementStateOf(around.Today)} as "AgreementState", agreement.ends as "AgreementEnd",
      agreement.site_id, agreement.ends
    from site s left join area a on a.program_id = s.program_id and a.id = s.area_id ${facts(programId, around.Today)}
    where ${conditions(programId, user, filter, bounds, around.Today)})
  select "Id", "Name", "Code", "AreaName", "City", "State", "IsActive", "Latitude", "Longitude", "DistanceMeters",
    "PlacedToday", "PlacesToday", "AgreementState", "AgreementEnd"
  from found s cross join lateral (select s.site_id, s.ends) agreement
  order by ${orders[sort] ?? byName}`

/** A page of the list screen, with how many there are. */
export const pageSites = async (
  db: Db,
  programId: number,
  user: User,
  around: ListContext,
  {
    filter,
    bounds,
    sort,
    page,
    pageSize,
  }: {
    filter: SiteFilter
    bounds: SiteBounds
    sort: string
    page: number
    pageSize: number
  },
): Promise<{
  Items: SiteListRow[]
  Total: number
  ActiveCount: number
  AllCount: number
  InactiveHidden: number
}> => {
  const { rows } = await sql<SiteListRow>`${rowsOf(programId, user, filter, bounds, around, sort)}
    limit ${pageSize} offset ${(page - 1) * pageSize}`.execute(db)
  // What the filter of the active ones hides is counted with them.
  const [shown, counted] =
    filter.Status === 'active'
      ? [sql`s.is_active`, { ...filter, Status: 'all' as const }]
      : [sql`true`, filter]
  const counts = await sql<{
    Total: number
    ActiveCount: number
    AllCount: number
    InactiveHidden: number
  }>`with found as (
      select count(*) filter (where ${shown}) as total, count(*) filter (where not (${shown})) as hidden
      from site s ${facts(programId, around.Today)}
      where ${conditions(programId, user, counted, bounds, around.Today)})
    select (select total from found) as "Total", (select hidden from found) as "InactiveHidden",
      count(*) filter (where s.is_active) as "ActiveCount", count(*) as "AllCount"
    from site s where s.program_id = ${programId} and s.deleted_at is null and ${visibleTo(user)}`.execute(db)
  return { Items: rows, ...counts.rows[0]! }
}

/** The places of all sites of a filter. */
export const listPlaces = async (
  db: Db,
  programId: number,
  user: User,
  around: ListContext,
  filter: SiteFilter,
): Promise<
  { Id: number; Name: string; Code: string; Lat: number | null; Lng: number | null; State: number }[]
> => {
  const { rows } = await sql<{
    Id: number
    Name: string
    Code: string
    Lat: number | null
    Lng: number | null
    State: number
  }>`select s.id as "Id", ${plainName} as "Name", s.code as "Code", round(s.latitude::numeric, 5)::double precision as "Lat",
      round(s.longitude::numeric, 5)::double precision as "Lng", case when not s.is_active then 2
        when ${agreementStateOf(around.Today)} = 'expired' then 1 else 0 end as "State"
    from site s ${facts(programId, around.Today)}
    where ${conditions(programId, user, filter, {}, around.Today)} order by s.id`.execute(db)
  return rows
}

/** The sites of a filter with all that an import reads, as a stream. */
export const streamSites = (
  db: Db,
  programId: number,
  user: User,
  around: ListContext,
  filter: SiteFilter,
): AsyncIterableIterator<ExportedSite> =>
  db
    .selectFrom(
      sql<ExportedSite>`(select s.id as "Id", ${plainName} as "Name", a.name as "AreaName", s.is_active as "IsActive",
        ${distance(around)} as "DistanceMeters", ${placed}::integer as "PlacedToday", ${places}::integer as "PlacesToday",
        ${agreementStateOf(around.Today)} as "AgreementState", agreement.ends as "AgreementEnd",
        ${sql.join(exportedFields.map((name) => sql`s.${sql.ref(siteFields[name].column)} as ${sql.ref(name)}`))}
      from site s left join area a on a.program_id = s.program_id and a.id = s.area_id ${facts(programId, around.Today)}
      where ${conditions(programId, user, filter, {}, around.Today)} order by lower(s.name), s.id)`.as(
        'sites',
      ),
    )
    .selectAll()
    .stream(500) as AsyncIterableIterator<ExportedSite>

type DetailRow = Omit<SiteDetail, 'AgreementState' | 'AgreementEnd'>

const rowsAs = (body: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`coalesce((select jsonb_agg(to_jsonb(x)) from (${body}) x), '[]'::jsonb)`

/** A site with its contacts, documents and everything else that belongs to it, in one statement. */
export const findSite = async (
  db: Db,
  programId: number,
  siteId: number,
  user: User,
  today: string,
): Promise<DetailRow | undefined> => {
  const here = sql`where x.program_id = s.program_id and x.site_id = s.id`
  const row = await specifiedSites(db, programId, user)
    .leftJoin('area as a', (join) =>
      join.onRef('a.program_id', '=', 's.program_id').onRef('a.id', '=', 's.area_id'),
    )
    .select('a.name as AreaName')
    .select(selectionOf(detailFields))
    .select(
      sql<
        DetailRow['Contacts']
      >`${rowsAs(sql`select id as "Id", name as "Name", role as "Role", email as "Email",
        phone as "Phone" from site_contact x ${here} order by id`)}`.as('Contacts'),
    )
    .select(
      sql<
        DetailRow['Departments']
      >`${rowsAs(sql`select id as "Id", name as "Name" from site_department x ${here}
        order by lower(name), id`)}`.as('Departments'),
    )
    .select(
      sql<DetailRow['Networks']>`${rowsAs(sql`select id as "Id", name as "Name", range::text as "Range"
        from site_network x ${here} order by lower(name), id`)}`.as('Networks'),
    )
    .select(
      sql<DetailRow['Agreements']>`${rowsAs(sql`select id as "Id", initial_date as "InitialDate",
        last_renewal_date as "LastRenewalDate", terms as "Terms", is_active as "IsActive", is_approved as "IsApproved",
        termination_date as "TerminationDate", notes as "Notes" from affiliate_agreement x ${here}
        and x.deleted_at is null order by is_active desc, termination_date desc nulls first, id`)}`.as(
        'Agreements',
      ),
    )
    .select(
      sql<
        DetailRow['Documents']
      >`${rowsAs(sql`select x.id as "Id", x.name as "Name", f.media_type as "MediaType",
        f.byte_count as "ByteCount", to_char(x.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "CreateDate",
        ${personName('b')} as "CreateBy"
        from site_file x join stored_file f on f.id = x.file_id left join account b on b.id = x.created_by ${here}
        and x.deleted_at is null order by lower(x.name), x.id`)}`.as('Documents'),
    )
    .select(
      sql<
        DetailRow['Supervisors']
      >`${rowsAs(sql`select u.id as "Id", trim(u.first_name || ' ' || u.last_name) as "Name"
        from supervisor_site x join account u on u.program_id = x.program_id and u.id = x.account_id ${here}
        and u.deleted_at is null and u.deactivated_at is null
        order by lower(u.last_name), lower(u.first_name), u.id`)}`.as('Supervisors'),
    )
    .select(
      sql<DetailRow['Shifts']>`${rowsAs(sql`select id as "Id", code as "Code", name as "Name", type as "Type",
        to_char(start_time, 'HH24:MI') as "StartTime", to_char(end_time, 'HH24:MI') as "EndTime", capacity as "Capacity"
        from site_shift x ${here} and x.deleted_at is null and x.end_date >= ${today}::date
        order by start_time, code`)}`.as('Shifts'),
    )
    .select(
      sql<number>`(select count(*) from shift_assignment x ${here} and x.date = ${today}::date
        and x.removed_at is null)`.as('PlacedToday'),
    )
    .select(
      sql<number>`least(coalesce((select sum(capacity) from site_shift x ${here} and x.deleted_at is null
        and ${today}::date between x.start_date and x.end_date
        and extract(dow from ${today}::date)::smallint = any (x.weekdays)), 0), coalesce(s.capacity, 2147483647))::integer`.as(
        'PlacesToday',
      ),
    )
    .select(
      sql<number>`(select count(distinct x.student_id) from shift_assignment x ${here} and x.date >= ${today}::date
        and x.removed_at is null)`.as('StudentsPlaced'),
    )
    .where('s.id', '=', siteId)
    .executeTakeFirst()
  return row as DetailRow | undefined
}

/** Whether the site is there for the person; documents and supervisors hang on it. */
export const siteExists = async (db: Db, programId: number, siteId: number, user: User): Promise<boolean> =>
  Boolean(
    await db
      .selectFrom('site as s')
      .select('s.id')
      .where('s.program_id', '=', programId)
      .where('s.id', '=', siteId)
      .where('s.deleted_at', 'is', null)
      .where(visibleTo(user))
      .executeTakeFirst(),
  )

/** The other site of the program that has the external id. */
export const findSiteByExternalId = (
  db: Db,
  programId: number,
  externalId: string,
  exceptId: number,
): Promise<{ name: string } | undefined> =>
  db
    .selectFrom('site')
    .select('name')
    .where('program_id', '=', programId)
    .where('external_location_id', '=', externalId)
    .where('deleted_at', 'is', null)
    .where('id', '!=', exceptId)
    .executeTakeFirst()

export interface FuturePlacements {
  Students: number
  Assignments: number
  FirstDate: string
  FirstStudent: string
}
/** Who is still to come to the site, from `today` on. */
export const findFuturePlacements = async (
  db: Db,
  programId: number,
  siteId: number,
  today: string,
): Promise<FuturePlacements | undefined> => {
  const { rows } = await sql<FuturePlacements>`select count(distinct x.student_id) as "Students",
      count(*) as "Assignments", min(x.date) as "FirstDate",
      (array_agg(trim(u.first_name || ' ' || u.last_name) order by x.date, x.id))[1] as "FirstStudent"
    from shift_assignment x join account u on u.program_id = x.program_id and u.id = x.student_id
    where x.program_id = ${programId} and x.site_id = ${siteId} and x.date >= ${today}::date and x.removed_at is null
    having count(*) > 0`.execute(db)
  return rows[0]
}
