import type { ImportError } from '#contract/imports.ts'
import type { ColumnMapping } from '#contract/imports-rules.ts'
import { changeOf, type Entity, type Existing, type Plan } from './plan.rules.ts'
import type { ReadRow } from './rows.rules.ts'
import { key, type NamedStudent, studentsBy } from './student-names.rules.ts'
import { statusOf } from './verification-status.rules.ts'

const names: Record<string, string> = {
  Result: 'result',
  Ordered: 'ordered_on',
  Completed: 'completed_on',
  Expires: 'expires_on',
}
const sameOf = (row: Entity): string =>
  [row.type, row.student_id, key(row.vendor), key(row.item)].join('\u0000')

/**
 * What an import of vendor results would do. A row is known by type, student, vendor and requirement. Where the file has no
 * type, rows with an order date or without a requirement are background checks. Empty cells change nothing.
 */
export const planVerifications = (
  rows: readonly ReadRow[],
  existing: readonly Existing[],
  mapping: ColumnMapping,
  students: readonly NamedStudent[],
): Plan => {
  const errors: ImportError[] = []
  const plan: Plan = { added: [], changed: [], unchanged: 0, errors }
  const findStudent = studentsBy(students)
  const known = new Map(existing.map((row) => [sameOf(row), row]))
  const met = new Map<string, number>()
  for (const { line, values, unread = [] } of rows) {
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
    if (Completed !== undefined && Expires !== undefined && Expires < Completed)
      tell('Expires', 'Expires lies before Completed.')
    if (errors.length > before || unread.includes('Status') || 'problem' in student) continue
    const entity: Entity = {
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
    for (const [field, column] of Object.entries(names))
      if (values[field] !== undefined) entity[column] = values[field]
    const found = known.get(same)
    // A vendor's free word that means nothing here says nothing about the status: the dates do.
    const status =
      told ??
      (found && Completed === undefined ? undefined : Completed === undefined ? 'pending' : 'complete')
    if (status !== undefined) entity.status = status
    if (!found) plan.added.push(entity)
    else {
      const change = changeOf(found, { ...entity, vendor: found.vendor!, item: found.item! })
      if (change) plan.changed.push(change)
      else plan.unchanged++
    }
  }
  return plan
}
