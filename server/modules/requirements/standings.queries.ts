import { sql } from 'kysely'
import {
  type ExemptionFacts,
  judge,
  type ProofFacts,
  type RequirementFacts,
  type Rule,
  type Standing,
} from '#contract/requirements/requirement-rules.ts'
import type { Db } from '#server/core/database/pool.ts'

/**
 * What students have shown comes to one row a student and requirement (`student_requirement`), kept with each change. It is judged by
 * `judge` of the contract, here and nowhere else; a job proves the rows.
 */

/** A student, a requirement, and the site where each site asks by itself; 0 otherwise. */
export interface StandingKey {
  studentId: number
  requirementId: number
  siteId: number
}

/**
 * Makes every other change of what these students have shown wait, and every change of a rule. A statement of its own, before anything is
 * read: a statement sees what was committed when it began.
 */
export const lockStudentsOfProofs = async (
  db: Db,
  programId: number,
  studentIds: readonly number[],
): Promise<void> => {
  await sql`select pg_advisory_xact_lock_shared(hashtext('requirements'), ${programId}::integer)`.execute(db)
  await sql`select pg_advisory_xact_lock(hashtextextended('requirement:' || student, 0))
    from (select distinct unnest(${[...studentIds]}::bigint[]) as student order by 1) s`.execute(db)
}

/** Makes every other change of what anybody in the program has shown wait: a rule changes for all. */
export const lockRules = async (db: Db, programId: number): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('requirements'), ${programId}::integer)`.execute(db)
}

interface FactsRow extends StandingKey {
  rule: Rule
  textVersion: number
  proofs: ProofFacts[]
  exemptions: ExemptionFacts[]
}

interface Which {
  studentIds?: readonly number[]
  requirementIds?: readonly number[]
}

/** Everything that was shown and granted, by key; of everything that is named. */
const readFacts = async (
  db: Db,
  programId: number,
  { studentIds, requirementIds }: Which,
): Promise<FactsRow[]> => {
  const named = (alias: string) => sql`${sql.ref(`${alias}.program_id`)} = ${programId}
    and ${studentIds ? sql`${sql.ref(`${alias}.student_id`)} = any (${[...studentIds]}::bigint[])` : sql`true`}
    and ${requirementIds ? sql`${sql.ref(`${alias}.requirement_id`)} = any (${[...requirementIds]}::bigint[])` : sql`true`}`
  const { rows } = await sql<FactsRow>`
    with proofs as (
      select p.student_id, p.requirement_id, coalesce(p.site_id, 0) as site_id,
        jsonb_agg(jsonb_build_object('State', p.state, 'Events', p.events, 'Version', p.version)
          order by p.decided_at nulls last, p.id) as list
      from requirement_proof p where ${named('p')} and p.deleted_at is null group by 1, 2, 3),
    exemptions as (
      select e.student_id, e.requirement_id, jsonb_agg(jsonb_build_object('Kind', e.kind, 'Until', e.until_on) order by e.id) as list
      from requirement_exemption e where ${named('e')} and e.ended_at is null group by 1, 2),
    keys as (
      select student_id, requirement_id, site_id from proofs
      union select student_id, requirement_id, 0 from exemptions)
    select k.student_id as "studentId", k.requirement_id as "requirementId", k.site_id as "siteId", q.rule,
      q.text_version as "textVersion", coalesce(p.list, '[]') as proofs, coalesce(e.list, '[]') as exemptions
    from keys k join requirement q on q.program_id = ${programId} and q.id = k.requirement_id
    left join proofs p on p.student_id = k.student_id and p.requirement_id = k.requirement_id and p.site_id = k.site_id
    left join exemptions e on e.student_id = k.student_id and e.requirement_id = k.requirement_id`.execute(db)
  return rows
}

/** The rows as they should be. */
const judgeFacts = (rows: readonly FactsRow[]): (StandingKey & { standing: Standing })[] =>
  rows.map(({ rule, textVersion, proofs, exemptions, ...key }) => {
    const facts: RequirementFacts = { Rule: rule, TextVersion: textVersion }
    return { ...key, standing: judge(facts, proofs, exemptions) }
  })

/** Keeps what these students and requirements come to now; all of the program where neither is named. */
export const keepStandings = async (db: Db, programId: number, which: Which): Promise<void> => {
  const judged = judgeFacts(await readFacts(db, programId, which))
  const rows = judged.map(({ studentId, requirementId, siteId, standing }) => ({
    student_id: studentId,
    requirement_id: requirementId,
    site_id: siteId,
    status: standing.Status,
    completed_on: standing.CompletedOn,
    expires_on: standing.ExpiresOn,
    is_waiting: standing.IsWaiting,
    is_returned: standing.IsReturned,
    exemption: standing.Exemption,
    next: standing.Next,
  }))
  const { studentIds, requirementIds } = which
  await sql`
    with kept as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n (student_id bigint, requirement_id bigint, site_id bigint,
        status text, completed_on date, expires_on date, is_waiting boolean, is_returned boolean, exemption text, next jsonb)),
    gone as (
      delete from student_requirement s where s.program_id = ${programId}
        and ${studentIds ? sql`s.student_id = any (${[...studentIds]}::bigint[])` : sql`true`}
        and ${requirementIds ? sql`s.requirement_id = any (${[...requirementIds]}::bigint[])` : sql`true`}
        and not exists (select from kept k where k.student_id = s.student_id and k.requirement_id = s.requirement_id
          and k.site_id = s.site_id))
    insert into student_requirement as s (program_id, student_id, requirement_id, site_id, status, completed_on, expires_on,
      is_waiting, is_returned, exemption, next)
    select ${programId}, k.student_id, k.requirement_id, k.site_id, k.status, k.completed_on, k.expires_on, k.is_waiting,
      k.is_returned, k.exemption, nullif(k.next, 'null')
    from kept k
    on conflict (program_id, student_id, requirement_id, site_id) do update set status = excluded.status,
      completed_on = excluded.completed_on, expires_on = excluded.expires_on, is_waiting = excluded.is_waiting,
      is_returned = excluded.is_returned, exemption = excluded.exemption, next = excluded.next
    where (s.status, s.completed_on, s.expires_on, s.is_waiting, s.is_returned, s.exemption, s.next) is distinct from
      (excluded.status, excluded.completed_on, excluded.expires_on, excluded.is_waiting, excluded.is_returned, excluded.exemption,
        excluded.next)`.execute(db)
}

interface KeptRow extends StandingKey {
  Status: string
  CompletedOn: string | null
  ExpiresOn: string | null
  IsWaiting: boolean
  IsReturned: boolean
  Exemption: string | null
  Next: Standing['Next']
}

/** How many rows of a program differ from what was shown, in whatever way. */
export const countWrongStandings = async (db: Db, programId: number): Promise<number> => {
  const { rows: kept } = await sql<KeptRow>`
    select student_id as "studentId", requirement_id as "requirementId", site_id as "siteId", ${standingColumns('s')}
    from student_requirement s where program_id = ${programId}`.execute(db)
  const nameOf = ({ studentId, requirementId, siteId }: StandingKey) =>
    `${studentId} ${requirementId} ${siteId}`
  const textOf = (standing: Omit<KeptRow, keyof StandingKey> | Standing) =>
    JSON.stringify([
      standing.Status,
      standing.CompletedOn,
      standing.ExpiresOn,
      standing.IsWaiting,
      standing.IsReturned,
      standing.Exemption,
      standing.Next && [
        standing.Next.Kind,
        standing.Next.Number,
        standing.Next.Of,
        standing.Next.From,
        standing.Next.By,
      ],
    ])
  const right = new Map(
    judgeFacts(await readFacts(db, programId, {})).map(({ standing, ...key }) => [
      nameOf(key),
      textOf(standing),
    ]),
  )
  let wrong = 0
  for (const row of kept) {
    if (right.get(nameOf(row)) !== textOf(row)) wrong++
    right.delete(nameOf(row))
  }
  return wrong + right.size
}

/** The columns of a standing, under their names on the wire. */
export const standingColumns = (alias: string) => {
  const of = (name: string) => sql.ref(`${alias}.${name}`)
  return sql`coalesce(${of('status')}, 'missing') as "Status", ${of('completed_on')} as "CompletedOn",
    ${of('expires_on')} as "ExpiresOn", coalesce(${of('is_waiting')}, false) as "IsWaiting",
    coalesce(${of('is_returned')}, false) as "IsReturned", ${of('exemption')} as "Exemption", ${of('next')} as "Next"`
}
