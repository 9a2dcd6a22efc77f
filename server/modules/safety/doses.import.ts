import { sql } from 'kysely'
import { formatDate } from '#contract/core/calendar.ts'
import type { ColumnMapping } from '#contract/imports/imports-rules.ts'
import type { ImportDefinition, ProgramRunScope, ProgramScope } from '#server/core/imports/definition.ts'
import { listNamedStudents, type NamedStudent, studentsBy } from '#server/core/imports/named-students.ts'
import {
  type Entity,
  type Existing,
  emptyPlan,
  lower,
  type Plan,
  planChange,
  type ReadRow,
} from '#server/core/imports/plan.ts'
import { columnTypes, tableStore } from '#server/core/imports/table-store.ts'
import { todayIn } from '#server/core/runtime/today.ts'
import { findProgramContext, getProgramContext } from '../programs/context.queries.ts'
import { markOver } from './doses.commands.ts'
import { listStudentsOf, tellOfDoses } from './doses.queries.ts'

const { text, id, day, whole } = columnTypes

const store = tableStore({
  table: 'dose_reading',
  columns: {
    student_id: id,
    badge: { field: 'Badge', ...text },
    from_date: { field: 'From', ...day },
    through_date: { field: 'Through', ...day },
    deep: whole,
    lens: whole,
    shallow: whole,
  },
  name: sql`(select a.first_name || ' ' || a.last_name from account a where a.id = t.student_id) || ', ' || to_char(t.through_date, 'MM/DD/YYYY')`,
  uses: () => [['was read', sql`t.acknowledged_at is not null`]],
})

/** mrem; undefined for what is no dose. Vendors write M or ND below what a badge can measure. */
export const doseOf = (told: string): number | undefined => {
  const said = told.trim().toLowerCase()
  if (/^(m|min|minimal|nd|nr|bdl|<\s*\d+)$/.test(said)) return 0
  return /^\d{1,6}(\.\d+)?$/.test(said) ? Math.round(Number(said)) : undefined
}

const doses = [
  ['Deep', 'deep'],
  ['Lens', 'lens'],
  ['Shallow', 'shallow'],
] as const

const keyOf = (row: Entity): string =>
  [row.student_id, row.from_date, row.through_date, lower(row.badge)].join('\u0000')

/** What an import of readings would do: a reading is known by student, period and badge. */
const planDoses = (
  rows: readonly ReadRow[],
  existing: readonly Existing[],
  mapping: ColumnMapping,
  { students, today }: { students: readonly NamedStudent[]; today: string },
): Plan => {
  const plan = emptyPlan()
  const findStudent = studentsBy(students)
  const known = new Map(existing.map((row) => [keyOf(row), row]))
  const met = new Map<string, number>()
  for (const row of rows) {
    const { Student, From, Through } = row.values
    const before = plan.errors.length
    const tell = (field: string, Message: string) =>
      plan.errors.push({ Row: row.line, Column: mapping[field] ?? field, Message })
    // A cell that is missing or malformed is told already.
    if (Student === undefined || From === undefined || Through === undefined || row.unread?.length) continue
    const student = findStudent(String(Student))
    if ('problem' in student) tell('Student', student.problem)
    if (Through < From) tell('Through', 'Through lies before From.')
    if (Through > today) tell('Through', `${formatDate(String(Through))} has not come yet.`)
    const entity: Entity = { badge: '', ...store.toEntity(row) }
    for (const [field, column] of doses) {
      const told = row.values[field]
      if (told === undefined) continue
      const dose = doseOf(String(told))
      if (dose === undefined) tell(field, `“${told}” is no dose in mrem. Use a number, or M for minimal.`)
      else entity[column] = dose
    }
    if (plan.errors.length > before || 'problem' in student) continue
    entity.student_id = student.id
    const key = keyOf(entity)
    const earlier = met.get(key)
    if (earlier !== undefined) {
      tell('Student', `Duplicate student, period and badge (also in row ${earlier}).`)
      continue
    }
    met.set(key, row.line)
    const found = known.get(key)
    if (found) planChange(plan, found, { ...entity, badge: found.badge ?? '' }, row.line)
    else plan.added.push(entity)
  }
  return plan
}

const afterwards = async (run: ProgramRunScope): Promise<void> => {
  const program = await findProgramContext(run.db, run.programId)
  if (program) await markOver(run.db, run.programId, run.importId, program.Options.DoseLimit)
}

export const doseImport: ImportDefinition = {
  store: {
    ...store,
    // Everybody is told once, whatever the number of rows.
    isWhole: true,
    async add(run, rows) {
      await store.add(run, rows)
      const of = run as ProgramRunScope
      await afterwards(of)
      await tellOfDoses(of.db, of.programId, await listStudentsOf(of.db, of.programId, of.importId))
    },
    async change(run, changes) {
      const changed = await store.change(run, changes)
      await afterwards(run as ProgramRunScope)
      return changed
    },
  },
  async plan(scope: ProgramScope, rows, mapping) {
    const existing = await store.listExisting(scope)
    const students = await listNamedStudents(scope.db, scope.programId)
    const { TimeZone } = await getProgramContext(scope.db, scope.programId)
    return planDoses(rows, existing, mapping, { students, today: todayIn(TimeZone) })
  },
}
