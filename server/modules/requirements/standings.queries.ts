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

export interface Which {
  studentIds?: readonly number[]
  requirementIds?: readonly number[]
}

/** Everything that was shown and granted, by key; of everything that is named. */
export const readFacts = async (
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
export const judgeFacts = (rows: readonly FactsRow[]): (StandingKey & { standing: Standing })[] =>
  rows.map(({ rule, textVersion, proofs, exemptions, ...key }) => {
    const facts: RequirementFacts = { Rule: rule, TextVersion: textVersion }
    return { ...key, standing: judge(facts, proofs, exemptions) }
  })

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
