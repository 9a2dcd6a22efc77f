import { sql } from 'kysely'
import { formatDate } from '#contract/core/calendar.ts'
import type { ColumnMapping } from '#contract/imports/imports-rules.ts'
import { isFarEnd } from '#contract/requirements/requirement-rules.ts'
import { type FieldChoices, notAmong } from '#server/core/imports/choices.ts'
import type { ImportDefinition, ProgramRunScope, ProgramScope } from '#server/core/imports/definition.ts'
import { listNamedStudents, type NamedStudent, studentsBy } from '#server/core/imports/named-students.ts'
import { nameKey } from '#server/core/imports/names.ts'
import {
  type Entity,
  type Existing,
  emptyPlan,
  type Plan,
  planChange,
  type ReadRow,
} from '#server/core/imports/plan.ts'
import { columnTypes, tableStore } from '#server/core/imports/table-store.ts'
import { farEnd } from './proof.rules.ts'
import { readToday } from './proofs.queries.ts'
import { recordVerified, undoVerified } from './results.import.ts'
import { statusChoices, statusOf } from './verification-status.rules.ts'

const { text, optionalText, id, day } = columnTypes

const store = tableStore({
  table: 'verification',
  columns: {
    student_id: id,
    type: { type: 'smallint', empty: null },
    vendor: text,
    item: text,
    status: optionalText,
    result: { field: 'Result', ...text },
    ordered_on: { field: 'Ordered', ...day },
    completed_on: { field: 'Completed', ...day },
    expires_on: { field: 'Expires', ...day },
  },
  name: sql`t.item || ' of ' || (select a.first_name || ' ' || a.last_name from account a where a.id = t.student_id)`,
})

const sameOf = (row: Entity): string =>
  [row.type, row.student_id, nameKey(row.vendor), nameKey(row.item)].join('\u0000')

/**
 * What an import of vendor results would do. A row is known by type, student, vendor and requirement. Where the file has no
 * type, rows with an order date or without a requirement are background checks. Empty cells change nothing.
 */
const planVerifications = (
  rows: readonly ReadRow[],
  existing: readonly Existing[],
  mapping: ColumnMapping,
  { students, today }: { students: readonly NamedStudent[]; today: string },
): Plan => {
  const plan = emptyPlan()
  const { errors } = plan
  const findStudent = studentsBy(students)
  const known = new Map(existing.map((row) => [sameOf(row), row]))
  const met = new Map<string, number>()
  for (const row of rows) {
    const { line, values, unread = [] } = row
    const tell = (field: string, Message: string) =>
      errors.push({ Row: line, Column: mapping[field] ?? field, Message })
    const { Student, Vendor, Requirement, Status, Result, Ordered, Completed, Expires } = values
    // A cell that is missing or malformed is told already.
    if (Student === undefined || Vendor === undefined) continue
    const student = findStudent(String(Student))
    const type = values.Type ?? (Ordered !== undefined || Requirement === undefined ? 1 : 2)
    const word = String(Status ?? Result ?? '')
    const told = word === '' ? undefined : statusOf(word)
    const before = errors.length
    if ('problem' in student) tell('Student', student.problem)
    if (type === 2 && Requirement === undefined)
      tell('Requirement', 'Requirement is empty: an immunization needs its name.')
    if (Ordered !== undefined && Completed !== undefined && Completed < Ordered)
      tell('Completed', 'Completed lies before Ordered.')
    if (Completed !== undefined && Completed > today)
      tell('Completed', `${formatDate(String(Completed))} has not come yet.`)
    if (Completed !== undefined && Expires !== undefined && Expires < Completed)
      tell('Expires', 'Expires lies before Completed.')
    if (errors.length > before || unread.includes('Status') || 'problem' in student) continue
    const entity: Entity = {
      ...store.toEntity(row),
      student_id: student.id,
      type,
      vendor: Vendor,
      item: Requirement ?? 'Background check',
    }
    const same = sameOf(entity)
    const earlier = met.get(same)
    if (earlier !== undefined) {
      tell('Student', `Duplicate student, vendor and requirement (also in row ${earlier}).`)
      continue
    }
    met.set(same, line)
    const found = known.get(same)
    // An end alone is held against the day that is known.
    const done = (Completed ?? found?.completed_on ?? null) as string | null
    if (done !== null && Completed === undefined && Expires !== undefined && String(Expires) < done) {
      tell('Expires', 'Expires lies before Completed.')
      continue
    }
    if (done !== null && isFarEnd({ Kind: 'until' }, { On: done, Until: (Expires ?? null) as string | null }))
      plan.warnings.push({
        Row: line,
        Column: mapping.Expires ?? 'Expires',
        Message: farEnd(String(Requirement ?? 'Background check'), Expires),
      })
    // A vendor's free word that means nothing here says nothing about the status: the dates do.
    const status =
      told ??
      (found && Completed === undefined ? undefined : Completed === undefined ? 'pending' : 'complete')
    if (status !== undefined) entity.status = status
    if (!found) plan.added.push(entity)
    // What was found by vendor and item has both.
    else planChange(plan, found, { ...entity, vendor: found.vendor!, item: found.item! }, line)
  }
  return plan
}

const types = ['Background check', 'Immunization']
const typeChoices: FieldChoices = {
  offered: types,
  read: (told) => {
    const letters = told.toLowerCase().replace(/[^a-z0-9]/g, '')
    if (/^(1|background|backgroundcheck|backgroundchecks|criminalbackgroundcheck)$/.test(letters))
      return { value: 1 }
    if (/^(2|immunization|immunizations|immunisation|immunisations|vaccination|health)$/.test(letters))
      return { value: 2 }
    return notAmong(told, 'a type', types)
  },
}

export const verificationImport: ImportDefinition = {
  store: {
    ...store,
    async add(run, rows) {
      await store.add(run, rows)
      // It is imported into a program only.
      const students = [...new Set(rows.map(({ student_id }) => Number(student_id)))]
      await recordVerified(run as ProgramRunScope, { students })
    },
    async change(run, changes) {
      const changed = await store.change(run, changes)
      if (changed.length === 0)
        await recordVerified(run as ProgramRunScope, { ids: changes.map(({ id }) => id) })
      return changed
    },
    async undo(run, kept) {
      const count = await store.undo(run, kept)
      await undoVerified(run as ProgramRunScope)
      return count
    },
  },
  async listChoices() {
    return { Type: typeChoices, Status: statusChoices }
  },
  async plan(scope: ProgramScope, rows, mapping) {
    const existing = await store.listExisting(scope)
    const students = await listNamedStudents(scope.db, scope.programId)
    const today = await readToday(scope.db, scope.programId)
    return planVerifications(rows, existing, mapping, { students, today })
  },
}
