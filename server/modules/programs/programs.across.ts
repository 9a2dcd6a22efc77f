import { sql } from 'kysely'
import type * as contract from '#contract/programs/programs.ts'
import { acrossPrograms, oneAcrossPrograms } from '#server/core/database/across.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'

export interface ProgramFilter {
  Activity: number
  CollegeIds: number[]
  ModalityIds: number[]
  ClassIds: number[]
  HasCredit?: number | undefined
  search: string
  sort: string
}

const sortColumns = {
  Id: sql`p.id`,
  CollegeName: sql`lower(c.name)`,
  Name: sql`lower(p.name)`,
  Modality: sql`lower(m.name)`,
  Class: sql`lower(k.name)`,
  State: sql`p.state`,
}

interface Standing {
  program_id: number
  arrangement_id: number
  standing: string
}

/** Where the payments of each program stand: the arrangement of today, else the next, else the last. */
const standings = sql<Standing>`(
  select distinct on (a.program_id) a.program_id, a.id as arrangement_id, s.standing
  from payment_arrangement a
  join program p on p.id = a.program_id
  cross join lateral (select (now() at time zone p.time_zone)::date as today) t
  cross join lateral (select case when a.starts_on > t.today then 'upcoming' when a.ends_on < t.today then 'ended'
    when a.is_exempt and a.evidence_file_id is null then 'evidence' else 'active' end as standing) s
  where a.deleted_at is null
  order by a.program_id, case s.standing when 'upcoming' then 2 when 'ended' then 3 else 1 end,
    case when s.standing = 'upcoming' then a.starts_on end, a.starts_on desc, a.id desc)`

/** The rows of Manage programs for a filter, in their order. */
const programRows = (db: Db, filter: ProgramFilter, deletedDays: number) =>
  db
    .selectFrom('program as p')
    .innerJoin('college as c', 'c.id', 'p.college_id')
    .leftJoin('modality as m', 'm.id', 'p.modality_id')
    .leftJoin('program_class as k', 'k.id', 'p.program_class_id')
    .select([
      'p.id as Id',
      'p.college_id as CollegeId',
      'c.name as CollegeName',
      'p.name as Name',
      'm.name as Modality',
    ])
    .select(['k.name as Class', 'p.state as State', 'p.has_credit as Credit', 'p.requires_totp as TwoFactor'])
    .leftJoin(standings.as('s'), 's.program_id', 'p.id')
    .select(['p.is_payment_enabled as Payments', 'p.deleted_at as DeletedAt'])
    .select(
      sql<contract.ProgramRow['Arrangement']>`case when s.arrangement_id is not null then
        json_build_object('Id', s.arrangement_id, 'Standing', s.standing) end`.as('Arrangement'),
    )
    .$if(filter.Activity === 0, (query) => query.where('p.deleted_at', 'is', null))
    .$if(filter.Activity === 1, (query) =>
      query.where(sql<boolean>`p.deleted_at > now() - make_interval(days => ${deletedDays})`),
    )
    .$if(filter.CollegeIds.length > 0, (query) => query.where('p.college_id', 'in', filter.CollegeIds))
    .$if(filter.ModalityIds.length > 0, (query) => query.where('p.modality_id', 'in', filter.ModalityIds))
    .$if(filter.ClassIds.length > 0, (query) => query.where('p.program_class_id', 'in', filter.ClassIds))
    .$if(filter.HasCredit !== undefined, (query) => query.where('p.has_credit', '=', filter.HasCredit === 1))
    .$if(filter.search !== '', (query) => query.where(isFound(sql`c.name || ' - ' || p.name`, filter.search)))
    .orderBy(
      sortColumns[filter.sort.replace('-', '') as keyof typeof sortColumns],
      filter.sort.startsWith('-') ? 'desc' : 'asc',
    )
    .orderBy(sql`lower(p.name)`)
    .orderBy('p.id')

export const pagePrograms = async (
  db: Db,
  filter: ProgramFilter,
  { deletedDays, page, pageSize }: { deletedDays: number; page: number; pageSize: number },
) => {
  const rows = programRows(db, filter, deletedDays)
  const counted = await oneAcrossPrograms(
    db,
    db.selectFrom(rows.as('r')).select(({ fn }) => fn.countAll<number>().as('Total')),
  )
  const Items = await acrossPrograms(db, rows.limit(pageSize).offset((page - 1) * pageSize))
  return { Items, Total: counted.Total, Page: page, PageSize: pageSize }
}

export const listProgramRows = (db: Db, filter: ProgramFilter, deletedDays: number) =>
  acrossPrograms(db, programRows(db, filter, deletedDays))
