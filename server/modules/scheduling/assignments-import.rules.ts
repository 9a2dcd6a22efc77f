import type { ImportError } from '#contract/imports/imports.ts'
import type { ColumnMapping } from '#contract/imports/imports-rules.ts'
import type { PlacementRule } from '#contract/scheduling/scheduling-rules.ts'
import { type NamedStudent, studentsBy } from '#server/core/imports/named-students.ts'
import { nameKey } from '#server/core/imports/names.ts'
import { duplicateKeys, indexBy, type ReadRow } from '#server/core/imports/plan.ts'

/** What rows may name. All of the program, without what is deleted or deactivated. */
export interface PlacingNames {
  students: readonly NamedStudent[]
  rotations: readonly { id: number; name: string; startDate: string; endDate: string }[]
  shifts: readonly { id: number; code: string; siteCode: string; site: string }[]
}

/** A row whose names are found. */
export interface RequestedRow {
  line: number
  RotationId: number
  SiteShiftId: number
  StudentId: number
  Date: string
}

/** The field whose cell a broken rule is told at. */
export const fieldOfRule: Record<PlacementRule, 'Student' | 'Rotation' | 'Shift' | 'Date'> = {
  last_day: 'Date',
  rotation_dates: 'Date',
  rotation_level: 'Student',
  shift_dates: 'Date',
  shift_weekday: 'Date',
  program_dates: 'Date',
  day_off: 'Date',
  compliance: 'Student',
  agreement: 'Shift',
  overlap: 'Student',
  capacity: 'Shift',
  hours_per_day: 'Student',
  hours_per_week: 'Student',
}

/**
 * Finds what the rows name: students by number, user name, email address or name; rotations by name, and by date where
 * several bear it; shifts by code, and a site, where one is given, has to be the shift's. What fits twice is an error.
 */
export const findRequests = (
  rows: readonly ReadRow[],
  mapping: ColumnMapping,
  names: PlacingNames,
): { requests: RequestedRow[]; errors: ImportError[] } => {
  const errors: ImportError[] = []
  const findStudent = studentsBy(names.students)
  const rotations = indexBy(names.rotations, ({ name }) => nameKey(name))
  const shifts = new Map(names.shifts.map((shift) => [nameKey(shift.code), shift]))
  const requests: RequestedRow[] = []
  for (const { line, values } of rows) {
    const tell = (field: string, Message: string) =>
      errors.push({ Row: line, Column: mapping[field] ?? field, Message })
    const { Student, Rotation, Shift, Site, Date: date } = values
    // A cell that is missing or malformed is told already.
    if ([Student, Rotation, Shift, date].some((value) => value === undefined)) continue
    const student = findStudent(String(Student))
    if ('problem' in student) tell('Student', student.problem)

    const called = rotations.get(nameKey(Rotation)) ?? []
    // A row without a readable date was refused above.
    const running = called.filter(({ startDate, endDate }) => startDate <= date! && endDate >= date!)
    const foundRotations = called.length > 1 ? running : called
    if (called.length === 0) tell('Rotation', `“${Rotation}” is not a rotation of this program.`)
    else if (foundRotations.length !== 1)
      tell(
        'Rotation',
        `${called.length} rotations are called ${Rotation}, and not one of them alone runs on this date.`,
      )

    const shift = shifts.get(nameKey(Shift))
    const isThere =
      shift && (Site === undefined || [nameKey(shift.siteCode), nameKey(shift.site)].includes(nameKey(Site)))
    if (!shift) tell('Shift', `“${Shift}” is not a shift of this program.`)
    else if (!isThere) tell('Site', `${Shift} is a shift of ${shift.site}, not of ${Site}.`)
    if ('problem' in student || foundRotations.length !== 1 || !isThere) continue
    requests.push({
      line,
      StudentId: student.id,
      RotationId: foundRotations[0]!.id,
      SiteShiftId: shift.id,
      Date: String(date),
    })
  }
  const duplicates = duplicateKeys(
    requests.map(({ line, ...values }) => ({ line, values })),
    mapping.Student ?? 'Student',
    ({ values }) => `${values.StudentId} ${values.SiteShiftId} ${values.Date}`,
    'student, shift and date',
  )
  const told = new Set(duplicates.map(({ Row }) => Row))
  return { requests: requests.filter(({ line }) => !told.has(line)), errors: [...errors, ...duplicates] }
}
