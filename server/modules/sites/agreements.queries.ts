import { type RawBuilder, sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'
import type { AffiliateAgreement, AgreementContact } from '#contract/sites/agreements.ts'
import type { AgreementStanding, AgreementStandingFilter } from '#contract/sites/agreements-rules.ts'
import { agreementUrgentDays, agreementWarningDays } from '#contract/sites/sites-rules.ts'
import { personName } from '#server/core/database/names.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'

/** An agreement as it is kept, seen on the program's day; where its file is downloaded only the server's address tells. */
export type AgreementRow = Omit<AffiliateAgreement, 'File'> & {
  File: Omit<NonNullable<AffiliateAgreement['File']>, 'Url'> | null
}

export interface AgreementFilter {
  search: string
  AreaIds?: number[] | undefined
  SiteId?: number | undefined
  SiteIds?: number[] | undefined
  Standing?: AgreementStandingFilter | undefined
  sort: string
}

export const today = sql<string>`(now() at time zone p.time_zone)::date`

/** As `standingOf` tells it. */
const standing = sql<AgreementStanding>`case
  when not a.is_active then 'inactive'
  when a.termination_date < ${today} then 'expired'
  when not a.is_approved then 'unapproved'
  when a.termination_date <= ${today} + ${sql.lit(agreementUrgentDays)} then 'urgent'
  when a.termination_date <= ${today} + ${sql.lit(agreementWarningDays)} then 'ending'
  else 'in-force' end`

/** What a filter shows: an agreement that ends soon is in force, and one that ends within 30 days ends within 90. */
const shown: Record<AgreementStanding, readonly AgreementStanding[]> = {
  'in-force': ['in-force', 'ending', 'urgent'],
  ending: ['ending', 'urgent'],
  urgent: ['urgent'],
  expired: ['expired'],
  unapproved: ['unapproved'],
  inactive: ['inactive'],
}

/** Shifts that are still to come at the site of an agreement. */
const shiftsAhead = sql`from shift_assignment h where h.program_id = a.program_id and h.site_id = a.site_id
  and h.removed_at is null and h.date >= ${today}`

const hasEnded = sql<boolean>`a.termination_date < ${today}`

/** The last agreement of its site, ended while students still go there. */
const isEndedAhead = sql<boolean>`(a.is_active and ${hasEnded} and exists (select ${shiftsAhead})
  and not exists (select from affiliate_agreement n
    where n.program_id = a.program_id and n.site_id = a.site_id and n.is_active and n.deleted_at is null
      and (n.termination_date is null or (n.termination_date, n.id) > (a.termination_date, a.id))))`

const isShown = (which: AgreementStandingFilter): RawBuilder<boolean> =>
  which === 'to-renew'
    ? sql`(${standing} = 'urgent' or ${isEndedAhead})`
    : sql`${standing} = any (${[...shown[which]]}::text[])`

/** Those of sites that are there; `a` is the agreement, `s` its site, `p` the program. */
const agreements = (db: Db, programId: number) =>
  db
    .selectFrom('affiliate_agreement as a')
    .innerJoin('program as p', 'p.id', 'a.program_id')
    .innerJoin('site as s', (join) =>
      join.onRef('s.program_id', '=', 'a.program_id').onRef('s.id', '=', 'a.site_id'),
    )
    .where('a.program_id', '=', programId)
    .where('a.deleted_at', 'is', null)
    .where('s.deleted_at', 'is', null)

/** How many agreements are to be renewed, as the list of them shows, and which ends first. */
export const countToRenew = (
  db: Db,
  programId: number,
): Promise<{ Count: number; FirstEnd: string | null; Ended: number; ShiftsAhead: number }> =>
  agreements(db, programId)
    .where(isShown('to-renew'))
    .select(({ fn }) => [
      fn.countAll<number>().as('Count'),
      sql<string | null>`min(a.termination_date) filter (where not ${hasEnded})`.as('FirstEnd'),
      sql<number>`count(*) filter (where ${hasEnded})`.as('Ended'),
      sql<number>`coalesce(sum((select count(*) ${shiftsAhead})) filter (where ${hasEnded}), 0)::integer`.as(
        'ShiftsAhead',
      ),
    ])
    .executeTakeFirstOrThrow()

/** How many agreements of a program are in that state, as the list of them shows, and which ends first. */
export const countStanding = (
  db: Db,
  programId: number,
  which: AgreementStanding,
): Promise<{ Count: number; FirstEnd: string | null }> =>
  agreements(db, programId)
    .where(isShown(which))
    .select(({ fn }) => [
      fn.countAll<number>().as('Count'),
      fn.min<string | null>('a.termination_date').as('FirstEnd'),
    ])
    .executeTakeFirstOrThrow()

const matching = (db: Db, programId: number, filter: Omit<AgreementFilter, 'sort'>) => {
  const { search, AreaIds = [], SiteId, SiteIds = [], Standing } = filter
  return agreements(db, programId)
    .$if(search !== '', (rows) =>
      rows.where(isFound(sql`s.name || ' ' || s.code || ' ' || a.terms || ' ' || a.notes`, search)),
    )
    .$if(AreaIds.length > 0, (rows) => rows.where(sql<boolean>`s.area_id = any (${AreaIds}::bigint[])`))
    .$if(SiteId !== undefined, (rows) => rows.where('a.site_id', '=', SiteId!))
    .$if(SiteIds.length > 0, (rows) => rows.where(sql<boolean>`a.site_id = any (${SiteIds}::bigint[])`))
    .$if(Standing !== undefined, (rows) => rows.where(isShown(Standing!)))
}

const withColumns = (query: ReturnType<typeof agreements>) =>
  query
    .leftJoin('area as r', (join) =>
      join.onRef('r.program_id', '=', 's.program_id').onRef('r.id', '=', 's.area_id'),
    )
    .leftJoin('stored_file as f', 'f.id', 'a.file_id')
    .leftJoin('account as m', 'm.id', 'a.updated_by')
    .select(['a.id as Id', 'a.site_id as SiteId', 's.name as Site', 'r.name as Area'])
    .select(['a.initial_date as InitialDate', 'a.last_renewal_date as LastRenewalDate', 'a.terms as Terms'])
    .select(['a.is_active as IsActive', 'a.is_approved as IsApproved'])
    .select(['a.termination_date as TerminationDate', 'a.capacity as Capacity', 'a.notes as Notes'])
    .select(standing.as('Standing'))
    .select(sql<number | null>`a.termination_date - ${today}`.as('Days'))
    .select(sql<AgreementContact[]>`a.contacts`.as('Contacts'))
    .select(
      sql<AgreementRow['File']>`case when f.id is not null then json_build_object('Name', f.name,
        'MediaType', f.media_type, 'ByteCount', f.byte_count, 'Date', f.created_at) end`.as('File'),
    )
    .select(['a.updated_at as ModDate', personName('m').as('ModBy')])

const orders: Record<string, RawBuilder<unknown>> = {
  Site: sql`lower(s.name)`,
  InitialDate: sql`a.initial_date`,
  LastRenewalDate: sql`a.last_renewal_date`,
  TerminationDate: sql`a.termination_date`,
}

const inOrder = (db: Db, programId: number, { sort, ...filter }: AgreementFilter) => {
  const direction = sort.startsWith('-') ? sql`desc` : sql`asc`
  return withColumns(matching(db, programId, filter)).orderBy(
    sql`${orders[sort.replace('-', '')]!} ${direction} nulls last, lower(s.name), a.id`,
  )
}

export const pageAgreements = async (
  db: Db,
  programId: number,
  { page, pageSize, ...filter }: AgreementFilter & { page: number; pageSize: number },
) => {
  const { Total } = await matching(db, programId, filter)
    .select(({ fn }) => fn.countAll<number>().as('Total'))
    .executeTakeFirstOrThrow()
  const Items: AgreementRow[] = await inOrder(db, programId, filter)
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute()
  return { Items, Total, Page: page, PageSize: pageSize }
}

/** The agreements of a filter in its order, for a file. */
export const streamAgreements = (
  db: Db,
  programId: number,
  filter: AgreementFilter,
): AsyncIterable<AgreementRow> => inOrder(db, programId, filter).stream(500)

export const findAgreement = (
  db: Db,
  programId: number,
  agreementId: number,
): Promise<AgreementRow | undefined> =>
  withColumns(agreements(db, programId)).where('a.id', '=', agreementId).executeTakeFirst()

/** The file of an agreement. */
export const findAgreementFile = (db: Db, programId: number, agreementId: number) =>
  agreements(db, programId)
    .innerJoin('stored_file as f', 'f.id', 'a.file_id')
    .select(['s.name as site', 'f.name', 'f.media_type', 'f.store_key'])
    .where('a.id', '=', agreementId)
    .executeTakeFirst()

/** The names of the areas and the site that a list is narrowed to. */
export const filterNames = async (
  db: Db,
  programId: number,
  { AreaIds = [], SiteId, SiteIds = [] }: Pick<AgreementFilter, 'AreaIds' | 'SiteId' | 'SiteIds'>,
): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select name from area where program_id = ${programId} and id = any (${AreaIds}::bigint[])
    union all
    select name from site where program_id = ${programId} and id = any (${[...SiteIds, ...(SiteId === undefined ? [] : [SiteId])]}::bigint[])`.execute(
    db,
  )
  return rows.map(({ name }) => name)
}

/** Who is reminded: the program's coordinators, or where it has none its directors, or its administrators. */
export const listReminded = async (
  db: Db,
  programId: number,
): Promise<{ Id: number; FirstName: string; Email: string }[]> => {
  const { rows } = await sql<{ Id: number; FirstName: string; Email: string }>`
    select id as "Id", first_name as "FirstName", email as "Email" from (
      select id, first_name, email, access_level, min(access_level) over () as lowest from account
      where program_id = ${programId} and access_level in (${Level.Coord}, ${Level.Director}, ${Level.Admin})
        and email <> '' and deleted_at is null and deactivated_at is null) a
    where access_level = lowest order by id`.execute(db)
  return rows
}
