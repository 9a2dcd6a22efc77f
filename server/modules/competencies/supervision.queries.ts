import { sql } from 'kysely'
import { supervisionOf } from '#contract/competencies/exam-rules.ts'
import type { Supervised } from '#contract/competencies/supervision.ts'
import { type Db, workOn } from '#server/core/database/pool.ts'
import { holdPeople } from '#server/core/runtime/people-lock.ts'
import { findLinkedPage, type SupervisionLink } from './supervision.across.ts'

/** The page behind a link; works on its program from then on. */
export const findSupervisionLink = async (db: Db, hash: Buffer): Promise<SupervisionLink | undefined> => {
  const found = await findLinkedPage(db, hash)
  if (!found) return undefined
  await workOn(db, [found.programId])
  await holdPeople(db, found.programId)
  return found
}

export interface Of {
  programId: number
  siteId: number | null
  studentId: number | null
}

/** Of which page the token is sealed. */
export const supervisionContext = ({ programId, siteId, studentId }: Of): string =>
  `supervision:${programId}:${siteId ?? ''}:${studentId ?? ''}`

/** The sealed token of the page that is open now. */
export const findSealed = async (
  db: Db,
  { programId, siteId, studentId }: Of,
): Promise<string | undefined> => {
  const { rows } = await sql<{ sealed: string }>`select sealed_token as sealed from supervision_link
    where program_id = ${programId} and ended_at is null
      and ${siteId === null ? sql`student_id = ${studentId}` : sql`site_id = ${siteId}`}`.execute(db)
  return rows[0]?.sealed
}

/** The name of a site that is there. */
export const findSiteName = async (
  db: Db,
  programId: number,
  siteId: number,
): Promise<string | undefined> => {
  const { rows } = await sql<{ name: string }>`select name from site
    where program_id = ${programId} and id = ${siteId} and deleted_at is null`.execute(db)
  return rows[0]?.name
}

/** The program with its day, or that of one of its sites. */
export const findPlace = async (
  db: Db,
  programId: number,
  siteId: number | null,
): Promise<{ program: string; site: string | null; today: string } | undefined> => {
  const { rows } = await sql<{ program: string; site: string | null; today: string }>`
    select p.name as program, s.name as site, (now() at time zone coalesce(s.time_zone, p.time_zone))::date as today
    from program p left join site s on s.program_id = p.id and s.id = ${siteId}::bigint and s.deleted_at is null
    where p.id = ${programId}`.execute(db)
  return rows[0]
}

/** Who is at a site on a day, and in the small hours also who came the evening before. */
export const listPresent = async (
  db: Db,
  programId: number,
  siteId: number,
  today: string,
): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select distinct a.student_id as id from shift_assignment a
    where a.program_id = ${programId} and a.site_id = ${siteId} and a.removed_at is null
      and (a.date = ${today}::date or a.date = ${today}::date - 1 and a.ends_at > now())`.execute(db)
  return rows.map(({ id }) => id)
}

interface Row {
  studentId: number
  name: string
  study: string | null
  procedure: string | null
  isAlwaysDirect: boolean | null
  lineage: string | null
  attempts: { At: string; State: 'passed' | 'failed'; IsRecheck: boolean }[]
}

/**
 * What students may do under indirect supervision, by the procedures of their own lists; attempts at earlier versions of a
 * procedure are its own. One statement, however many students there are.
 */
export const listSupervised = async (
  db: Db,
  programId: number,
  studentIds: readonly number[],
): Promise<(Supervised & { StudentId: number })[]> => {
  const { rows } = await sql<Row>`
    with graded as materialized (
      select a.student_id, k.lineage, jsonb_agg(jsonb_build_object('At', a.graded_at, 'State', a.state,
        'IsRecheck', a.recheck_id is not null)) as attempts
      from exam_attempt a join skill k on k.program_id = a.program_id and k.id = a.skill_id
      where a.program_id = ${programId} and a.student_id = any (${[...studentIds]}::bigint[]) and a.state in ('passed', 'failed')
      group by a.student_id, k.lineage),
    listed as (
      select g.student_id, m.name as study, k.name as procedure, k.is_always_direct, k.lineage, g.attempts,
        m.position as major_position, k.position
      from graded g join account u on u.program_id = ${programId} and u.id = g.student_id
      left join competency_list_cohort c on c.program_id = u.program_id and c.cohort = u.cohort
      join competency_list l on l.program_id = u.program_id and l.deleted_at is null
        and (l.id = c.list_id or c.list_id is null and l.is_for_others)
      join major_study m on m.program_id = l.program_id and m.list_id = l.id and m.deleted_at is null
      join skill k on k.program_id = m.program_id and k.major_study_id = m.id and k.lineage = g.lineage and k.deleted_at is null)
    select u.id as "studentId", trim(u.first_name || ' ' || left(u.last_name, 1)) || '.' as name, d.study, d.procedure,
      d.is_always_direct as "isAlwaysDirect", d.lineage, coalesce(d.attempts, '[]') as attempts
    from account u left join listed d on d.student_id = u.id
    where u.program_id = ${programId} and u.id = any (${[...studentIds]}::bigint[]) and u.deleted_at is null
      and u.deactivated_at is null
    order by lower(u.first_name), lower(u.last_name), u.id, d.major_position, d.study, d.position, d.procedure`.execute(
    db,
  )
  return [...Map.groupBy(rows, ({ studentId }) => studentId)].map(([StudentId, own]) => {
    const indirect = own.filter(
      ({ procedure, isAlwaysDirect, attempts }) =>
        procedure !== null && supervisionOf(isAlwaysDirect ?? true, attempts) === 'indirect',
    )
    return {
      StudentId,
      // Each group has a row.
      Name: own[0]!.name,
      Studies: [...Map.groupBy(indirect, ({ study }) => study ?? '')].map(([Name, procedures]) => ({
        Name,
        Procedures: procedures.flatMap(({ procedure }) => procedure ?? []),
      })),
    }
  })
}
