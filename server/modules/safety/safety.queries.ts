import { sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'
import type { Declaration } from '#contract/safety/declarations.ts'
import type { Incident } from '#contract/safety/incidents.ts'
import type { Db } from '#server/core/database/pool.ts'

// Declarations of pregnancy ------------------------------------------------------------------------------------

export const findDeclared = async (
  db: Db,
  programId: number,
  studentId: number,
): Promise<{ SignedAt: string; ConceivedOn: string } | undefined> => {
  const { rows } = await sql<{ SignedAt: string; ConceivedOn: string }>`
    select signed_at as "SignedAt", conceived_on as "ConceivedOn" from pregnancy_declaration
    where program_id = ${programId} and student_id = ${studentId} and withdrawn_at is null`.execute(db)
  return rows[0]
}

export const pageDeclarations = async (
  db: Db,
  programId: number,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<{ Items: Declaration[]; Total: number }> => {
  const { rows } = await sql<Declaration & { total: number }>`
    select d.id as "Id", d.student_id as "StudentId", listed_name(u.last_name, u.first_name) as "Student",
      d.conceived_on as "ConceivedOn", d.signed_at as "SignedAt", d.withdrawn_at as "WithdrawnAt", count(*) over () as total
    from pregnancy_declaration d join account u on u.program_id = d.program_id and u.id = d.student_id and u.deleted_at is null
    where d.program_id = ${programId}
    order by d.id desc limit ${pageSize} offset ${(page - 1) * pageSize}`.execute(db)
  return { Items: rows.map(({ total: _, ...row }) => row), Total: rows[0]?.total ?? 0 }
}

export const listOfficers = async (db: Db, programId: number): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`select account_id as id from radiation_officer
    where program_id = ${programId} order by account_id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Whether somebody sees declarations: the director and whoever is named besides. */
export const readsDeclarations = async (
  db: Db,
  programId: number,
  { Id: id, AccessLevel }: { Id: number; AccessLevel: number },
): Promise<boolean> => AccessLevel >= Level.Director || (await listOfficers(db, programId)).includes(id)

/** Active staff of the program below its directors, who see declarations anyway. */
export const listStaff = async (db: Db, programId: number): Promise<{ Id: number; Name: string }[]> => {
  const { rows } = await sql<{ Id: number; Name: string }>`
    select id as "Id", listed_name(last_name, first_name) as "Name" from account
    where program_id = ${programId} and access_level >= ${Level.Faculty} and access_level < ${Level.Director}
      and deleted_at is null and deactivated_at is null order by lower(last_name), lower(first_name), id`.execute(
    db,
  )
  return rows
}

export interface Told {
  id: number
  first: string
  email: string
}

/** The active directors of a program, and whoever is named besides. */
export const listTold = async (
  db: Db,
  programId: number,
  besides: { fromLevel?: number; ids?: readonly number[] },
): Promise<Told[]> => {
  const { rows } = await sql<Told>`
    select id, first_name as first, coalesce(email, '') as email from account
    where program_id = ${programId} and deleted_at is null and deactivated_at is null
      and (access_level between ${besides.fromLevel ?? Level.Director} and ${Level.Director}
        or id = any (${[...(besides.ids ?? [])]}::bigint[]))
    order by id`.execute(db)
  return rows
}

// Incidents ----------------------------------------------------------------------------------------------------

const incidentColumns = sql`i.id as "Id", i.student_id as "StudentId", listed_name(u.last_name, u.first_name) as "Student", i.kind as "Kind",
  i.occurred_on as "Date", i.site_id as "SiteId", coalesce(s.name, '') as "Site", i.description as "Description",
  i.action_taken as "Action", i.told as "Told", i.created_at as "ReportedAt", i.state as "State", i.follow_up as "FollowUp",
  i.closed_at as "ClosedAt", nullif(trim(c.first_name || ' ' || c.last_name), '') as "ClosedBy"`

export const pageIncidents = async (
  db: Db,
  programId: number,
  filter: { State?: 'open' | 'closed'; studentId?: number; id?: number; key?: string },
  { page = 1, pageSize = 200 }: { page?: number; pageSize?: number } = {},
): Promise<{ Items: Incident[]; Total: number }> => {
  const { State, studentId, id, key } = filter
  const { rows } = await sql<Incident & { total: number }>`
    select ${incidentColumns}, count(*) over () as total
    from incident_report i
    join account u on u.program_id = i.program_id and u.id = i.student_id and u.deleted_at is null
    left join site s on s.program_id = i.program_id and s.id = i.site_id
    left join account c on c.id = i.closed_by
    where i.program_id = ${programId}
      and ${State === undefined ? sql`true` : sql`i.state = ${State}`}
      and ${studentId === undefined ? sql`true` : sql`i.student_id = ${studentId}`}
      and ${id === undefined ? sql`true` : sql`i.id = ${id}`}
      and ${key === undefined ? sql`true` : sql`i.key = ${key}::uuid`}
    order by i.id desc limit ${pageSize} offset ${(page - 1) * pageSize}`.execute(db)
  return { Items: rows.map(({ total: _, ...row }) => row), Total: rows[0]?.total ?? 0 }
}

/** The sites of a student's shifts, past and ahead. */
export const listOwnSites = async (
  db: Db,
  programId: number,
  studentId: number,
): Promise<{ Id: number; Name: string }[]> => {
  const { rows } = await sql<{ Id: number; Name: string }>`
    select s.id as "Id", s.name as "Name" from site s
    where s.program_id = ${programId} and s.deleted_at is null and s.id in (
      select a.site_id from shift_assignment a
      where a.program_id = ${programId} and a.student_id = ${studentId} and a.removed_at is null)
    order by lower(s.name), s.id`.execute(db)
  return rows
}
