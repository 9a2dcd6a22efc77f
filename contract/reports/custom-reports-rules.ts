/** What a field holds: minutes are shown as hours, a choice is one of few words. */
export type FieldKind = 'text' | 'number' | 'minutes' | 'date' | 'flag' | 'choice'

interface ReportField {
  /** Words in braces are filled by the program's terminology. */
  label: string
  kind: FieldKind
  /** Of a choice: value → what people read. */
  choices?: Readonly<Record<string, string>>
}

const text = (label: string): ReportField => ({ label, kind: 'text' })
const date = (label: string): ReportField => ({ label, kind: 'date' })
const number = (label: string): ReportField => ({ label, kind: 'number' })
const minutes = (label: string): ReportField => ({ label, kind: 'minutes' })
const flag = (label: string): ReportField => ({ label, kind: 'flag' })
const choice = (label: string, choices: Readonly<Record<string, string>>): ReportField => ({
  label,
  kind: 'choice',
  choices,
})

const student = {
  LastName: text('Last name'),
  FirstName: text('First name'),
  StudentNumber: text('Student ID'),
  Level: text('{StudentLevel}'),
  Cohort: text('Cohort'),
}

/**
 * The one table of what custom reports are about, and which columns each subject has. The server has an expression for each
 * of these names; no other name ever reaches its SQL.
 */
export const reportSubjects = {
  students: {
    label: '{Students}',
    fields: {
      ...student,
      UserName: text('User name'),
      Email: text('Email'),
      Area: text('{Area}'),
      IsActive: flag('Active'),
      AddedOn: date('Added on'),
      ApprovedHours: minutes('Approved hours'),
      PendingHours: minutes('Pending hours'),
    },
  },
  hours: {
    label: 'Hours',
    fields: {
      Date: date('Date'),
      Month: text('Month'),
      ...student,
      Site: text('{Site}'),
      Area: text('{Area}'),
      Rotation: text('Rotation'),
      Type: choice('Type', {
        in: 'Clock in',
        out: 'Clock out',
        exception: 'Time exception',
        absence: 'Absence',
        makeup: 'Makeup',
      }),
      Status: choice('Status', { pending: 'Pending', approved: 'Approved', rejected: 'Rejected' }),
      Hours: minutes('Hours'),
    },
  },
  assignments: {
    label: 'Assignments',
    fields: {
      Date: date('Date'),
      Month: text('Month'),
      ...student,
      Site: text('{Site}'),
      Area: text('{Area}'),
      Shift: text('Shift'),
      ShiftType: choice('Shift type', {
        day: 'Day',
        evening: 'Evening',
        night: 'Night',
        weekend: 'Weekend',
        other: 'Other',
      }),
      Rotation: text('Rotation'),
      Hours: minutes('Planned hours'),
    },
  },
  evaluations: {
    label: '{Evaluations}',
    fields: {
      Date: date('Date'),
      EndDate: date('Due'),
      Title: text('Template'),
      Evaluator: text('Evaluator'),
      Subject: text('About'),
      Site: text('{Site}'),
      IsCompleted: flag('Completed'),
      IsLate: flag('Late'),
      SubmittedOn: date('Completed on'),
      Score: number('Score'),
    },
  },
  sites: {
    label: '{Sites}',
    fields: {
      Name: text('{Site}'),
      Code: text('Code'),
      Area: text('{Area}'),
      City: text('City'),
      State: text('State'),
      IsActive: flag('Active'),
      Supervisors: number('{Supervisors}'),
      AgreementEnds: date('Agreement ends'),
    },
  },
  verifications: {
    label: 'Verifications',
    fields: {
      ...student,
      Type: choice('Type', { '1': 'Background check', '2': 'Immunization' }),
      Vendor: text('Vendor'),
      Item: text('Item'),
      Status: choice('Status', {
        complete: 'Complete',
        pending: 'Pending',
        failed: 'Failed',
        missing: 'Missing',
        waived: 'Waived',
      }),
      Result: text('Result'),
      OrderedOn: date('Ordered'),
      CompletedOn: date('Completed'),
      ExpiresOn: date('Expires'),
    },
  },
} as const satisfies Record<string, { label: string; fields: Record<string, ReportField> }>

export type ReportSubject = keyof typeof reportSubjects
export type FieldName<S extends ReportSubject> = keyof (typeof reportSubjects)[S]['fields'] & string
export const subjectNames = Object.keys(reportSubjects) as [ReportSubject, ...ReportSubject[]]

/** How a filter compares, and with which kinds of fields. */
export const operatorsOf: Record<FieldKind, readonly Operator[]> = {
  text: ['contains', 'is'],
  choice: ['is'],
  flag: ['is'],
  number: ['at-least', 'at-most'],
  minutes: ['at-least', 'at-most'],
  date: ['at-least', 'at-most'],
}
export const operators = ['contains', 'is', 'at-least', 'at-most'] as const
export type Operator = (typeof operators)[number]

/** The name of the column that counts the rows of a group. */
export const countColumn = 'Count'

interface Definition {
  Subject: ReportSubject
  Columns: readonly string[]
  Filters: readonly { Field: string; Operator: Operator; Value: string }[]
  GroupBy: readonly string[]
  Sort: string
}

/** A field of a subject by its name; undefined when there is none. */
export const fieldOf = (subject: ReportSubject, name: string): ReportField | undefined =>
  Object.hasOwn(reportSubjects[subject].fields, name)
    ? (reportSubjects[subject].fields as Record<string, ReportField>)[name]
    : undefined

/** Whether a column may be added up over the rows of a group. */
export const isSummed = (kind: FieldKind): boolean => kind === 'number' || kind === 'minutes'

/**
 * The columns that a report shows: those chosen, or for a grouped one its groups, how many rows each has, and the sums of
 * the figures chosen.
 */
export const shownColumns = ({
  Subject,
  Columns,
  GroupBy,
}: Omit<Definition, 'Filters' | 'Sort'>): string[] =>
  GroupBy.length === 0
    ? [...Columns]
    : [
        ...GroupBy,
        countColumn,
        ...Columns.filter((name) => {
          const field = fieldOf(Subject, name)
          return field !== undefined && isSummed(field.kind) && !GroupBy.includes(name)
        }),
      ]

const isNumber = (value: string): boolean => /^-?\d{1,9}(\.\d{1,4})?$/.test(value)
const isDay = (value: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(value) &&
  !Number.isNaN(Date.parse(value)) &&
  new Date(value).toISOString().startsWith(value)

const filterProblem = (
  subject: ReportSubject,
  { Field, Operator, Value }: Definition['Filters'][number],
): string | undefined => {
  const field = fieldOf(subject, Field)
  if (!field) return 'name a field that this report does not have'
  if (!operatorsOf[field.kind].includes(Operator)) return `${field.label} cannot be compared this way`
  if (field.kind === 'date' && !isDay(Value)) return `${field.label} must be a date`
  if ((field.kind === 'number' || field.kind === 'minutes') && !isNumber(Value))
    return `${field.label} must be a number`
  if (field.kind === 'flag' && !['true', 'false'].includes(Value)) return `${field.label} must be on or off`
  // A choice always lists its choices.
  if (field.kind === 'choice' && !Object.hasOwn(field.choices!, Value))
    return `${field.label} is not one of the choices`
  return undefined
}

/** What is wrong with a definition, by the part that is at fault; empty when nothing is. */
export const definitionProblems = (definition: Definition): { path: string; message: string }[] => {
  const { Subject, Columns, Filters, GroupBy, Sort } = definition
  const unknown = (names: readonly string[], path: string) =>
    names
      .filter((name) => !fieldOf(Subject, name))
      .map(() => ({ path, message: 'name a field that this report does not have' }))
  const twice = (names: readonly string[], path: string) =>
    new Set(names).size < names.length ? [{ path, message: 'name a field twice' }] : []
  const column = Sort.replace(/^-/, '')
  return [
    ...unknown(Columns, 'Columns'),
    ...unknown(GroupBy, 'GroupBy'),
    ...twice(Columns, 'Columns'),
    ...twice(GroupBy, 'GroupBy'),
    ...Filters.flatMap((filter) => {
      const message = filterProblem(Subject, filter)
      return message ? [{ path: 'Filters', message }] : []
    }),
    ...(Sort !== '' && !shownColumns(definition).includes(column)
      ? [{ path: 'Sort', message: 'must be one of the columns shown' }]
      : []),
    ...(GroupBy.length === 0 && Columns.length === 0
      ? [{ path: 'Columns', message: 'need at least one column' }]
      : []),
  ]
}
