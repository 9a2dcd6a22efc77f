import { sql } from 'kysely'
import type { ColumnMapping } from '#contract/imports/imports-rules.ts'
import type { Db } from '#server/core/database/pool.ts'
import type {
  ImportDefinition,
  ImportStore,
  KeptRow,
  ProgramRunScope,
  ProgramScope,
} from '#server/core/imports/definition.ts'
import { listNamedStudents } from '#server/core/imports/named-students.ts'
import { emptyPlan, type Plan, type ReadRow } from '#server/core/imports/plan.ts'
import {
  fieldOfRule,
  findRequests,
  type PlacingNames,
  type RequestedRow,
} from './assignments-import.rules.ts'
import { getPlacingProgram } from './placement.queries.ts'
import { placeNew } from './placing.commands.ts'
import { checkPlacing } from './placing.queries.ts'

const listPlacingNames = async (db: Db, programId: number): Promise<PlacingNames> => {
  const students = await listNamedStudents(db, programId)
  const rotations = await db
    .selectFrom('rotation')
    .select(['id', 'name', 'start_date as startDate', 'end_date as endDate'])
    .where('program_id', '=', programId)
    .where('deleted_at', 'is', null)
    .execute()
  const shifts = await db
    .selectFrom('site_shift as h')
    .innerJoin('site as s', (join) =>
      join.onRef('s.program_id', '=', 'h.program_id').onRef('s.id', '=', 'h.site_id'),
    )
    .select(['h.id', 'h.code', 's.code as siteCode', 's.name as site'])
    .where('h.program_id', '=', programId)
    .where('h.deleted_at', 'is', null)
    .where('s.deleted_at', 'is', null)
    .execute()
  return { students, rotations, shifts }
}

/** The requests that exist already, as lines of the file. */
const findStanding = async (
  db: Db,
  programId: number,
  requests: readonly RequestedRow[],
): Promise<Set<number>> => {
  const asked = requests.map(({ line, StudentId, SiteShiftId, Date: date }) => ({
    line,
    student_id: StudentId,
    site_shift_id: SiteShiftId,
    date,
  }))
  const { rows } = await sql<{ line: number }>`
    select w.line from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb)
      as w (line integer, student_id bigint, site_shift_id bigint, date date)
    join shift_assignment a on a.program_id = ${programId} and a.student_id = w.student_id and a.date = w.date
      and a.site_shift_id = w.site_shift_id and a.removed_at is null`.execute(db)
  return new Set(rows.map(({ line }) => line))
}

/** What an import of assignments would do, by the rules of the dialog that places students. */
const planAssignments = async (
  { db, programId }: ProgramScope,
  rows: readonly ReadRow[],
  mapping: ColumnMapping,
): Promise<Plan> => {
  const { requests: named, errors } = findRequests(rows, mapping, await listPlacingNames(db, programId))
  const plan = emptyPlan(errors)
  if (named.length === 0) return plan
  const standing = await findStanding(db, programId, named)
  const requests = named.filter(({ line }) => !standing.has(line))
  plan.unchanged = standing.size
  if (requests.length === 0) return plan
  const program = await getPlacingProgram(db, programId)
  const { Accepted, Refused } = await checkPlacing(db, { programId, program, requests })
  // Placing hands on the requests it was given, with their lines.
  const accepted = new Set((Accepted as unknown as RequestedRow[]).map(({ line }) => line))
  // Refusals come in the order of the requests, one for each.
  const refused = requests.filter(({ line }) => !accepted.has(line))
  for (const [index, { line }] of refused.entries()) {
    const { Rule, Message } = Refused[index]!
    const field = fieldOfRule[Rule]
    errors.push({ Row: line, Column: mapping[field] ?? field, Message })
  }
  plan.added = requests
    .filter(({ line }) => accepted.has(line))
    .map(({ RotationId, SiteShiftId, StudentId, Date: date }) => ({
      RotationId,
      SiteShiftId,
      StudentId,
      Date: date,
    }))
  return plan
}

const store: ImportStore = {
  isWhole: true,

  /** Places all students of the plan or, where the rules refuse one by now, nobody. */
  async add({ db, programId, importId, accountId }: ProgramRunScope, added) {
    const program = await getPlacingProgram(db, programId)
    // The engine hands on the entities of the plan above.
    const requests = added as unknown as Omit<RequestedRow, 'line'>[]
    const { Ids } = await placeNew(db, { programId, program, requests }, accountId, { isAllOrNothing: true })
    await sql`update shift_assignment set import_id = ${importId}
      where program_id = ${programId} and id = any (${Ids}::bigint[])`.execute(db)
  },

  /** A placement is there or not: there is nothing in it that a file could change. */
  async change() {
    return []
  },

  async findKept({ db, programId, importId }: ProgramRunScope) {
    const { rows } = await sql<KeptRow>`
      select a.id, u.first_name || ' ' || u.last_name || ' on ' || to_char(a.date, 'MM/DD/YYYY') as name,
        case when exists (select from time_record r where r.program_id = a.program_id and r.assignment_id = a.id)
          then 'has time records' else 'was changed since' end as reason
      from shift_assignment a join account u on u.program_id = a.program_id and u.id = a.student_id
      where a.program_id = ${programId} and a.import_id = ${importId} and a.removed_at is null
        and (a.updated_at > a.created_at
          or exists (select from time_record r where r.program_id = a.program_id and r.assignment_id = a.id))
      order by a.date, 2`.execute(db)
    return rows
  },

  /** Placements that somebody removed already stay so. */
  async undo({ db, programId, importId, accountId }: ProgramRunScope, kept) {
    const { numAffectedRows = 0n } =
      await sql`update shift_assignment set removed_at = now(), removed_by = ${accountId}
      where program_id = ${programId} and import_id = ${importId} and removed_at is null and id <> all (${kept}::bigint[])`.execute(
        db,
      )
    return Number(numAffectedRows)
  },
}

export const assignmentImport: ImportDefinition = { store, plan: planAssignments }
