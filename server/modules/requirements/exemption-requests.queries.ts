import { sql } from 'kysely'
import type { ExemptionRequest, OwnRequest } from '#contract/requirements/exemption-requests.ts'
import type { Db } from '#server/core/database/pool.ts'

const ownColumns = sql`r.id as "Id", r.kind as "Kind", r.state as "State", r.reason as "Reason", r.until_on as "Until",
  r.answer as "Answer", r.created_at as "AskedAt"`

/** The newest request of a student by requirement; withdrawn ones are gone. */
export const listOwnRequests = async (
  db: Db,
  programId: number,
  studentId: number,
): Promise<ReadonlyMap<number, OwnRequest>> => {
  const { rows } = await sql<OwnRequest & { RequirementId: number }>`
    select distinct on (r.requirement_id) r.requirement_id as "RequirementId", ${ownColumns} from requirement_request r
    where r.program_id = ${programId} and r.student_id = ${studentId} and r.state <> 'withdrawn'
    order by r.requirement_id, r.id desc`.execute(db)
  return new Map(rows.map(({ RequirementId, ...request }) => [RequirementId, request]))
}

/** Requests of students who are there, of requirements that are asked. */
export const pageRequests = async (
  db: Db,
  programId: number,
  {
    id,
    Show = 'open',
    page = 1,
    pageSize = 1,
  }: { id?: number; Show?: 'open' | 'decided'; page?: number; pageSize?: number },
): Promise<{ Items: ExemptionRequest[]; Total: number; Page: number; PageSize: number }> => {
  const { rows } = await sql<ExemptionRequest & { total: number }>`
    select ${ownColumns}, u.id as "StudentId", listed_name(u.last_name, u.first_name) as "Student", coalesce(l.name, '') as "StudentLevel",
      q.id as "RequirementId", q.name as "Requirement", r.decided_at as "DecidedAt",
      nullif(trim(d.first_name || ' ' || d.last_name), '') as "DecidedBy", count(*) over () as total
    from requirement_request r
    join requirement q on q.program_id = r.program_id and q.id = r.requirement_id and q.deleted_at is null
    join account u on u.program_id = r.program_id and u.id = r.student_id and u.deleted_at is null and u.deactivated_at is null
    left join student_level l on l.program_id = u.program_id and l.id = u.student_level_id
    left join account d on d.id = r.decided_by
    where r.program_id = ${programId}
      and ${id === undefined ? (Show === 'open' ? sql`r.state = 'open'` : sql`r.state in ('granted', 'declined')`) : sql`r.id = ${id}`}
    order by ${Show === 'open' ? sql`r.id` : sql`r.id desc`} limit ${pageSize} offset ${(page - 1) * pageSize}`.execute(
    db,
  )
  return {
    Items: rows.map(({ total: _, ...row }) => row),
    Total: rows[0]?.total ?? 0,
    Page: page,
    PageSize: pageSize,
  }
}
