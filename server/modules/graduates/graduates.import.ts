import { sql } from 'kysely'
import { futureOf, type Graduate, problemsOf } from '#contract/graduates/graduates.ts'
import { examResults, placements, withdrawalReasons } from '#contract/graduates/measures-rules.ts'
import type { ColumnMapping } from '#contract/imports/imports-rules.ts'
import { type FieldChoices, namedChoices } from '#server/core/imports/choices.ts'
import type { ImportDefinition } from '#server/core/imports/definition.ts'
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
import { getProgramContext } from '../programs/context.queries.ts'
import { placementNames, reasonNames, resultNames } from './graduate-names.rules.ts'

const { text, optionalText, day } = columnTypes

const columns = {
  last_name: { field: 'LastName', ...text },
  first_name: { field: 'FirstName', ...text },
  student_number: { field: 'StudentNumber', ...text },
  cohort: { field: 'Cohort', ...text },
  entered_on: { field: 'EnteredOn', ...day },
  graduated_on: { field: 'GraduatedOn', ...day },
  withdrew_on: { field: 'WithdrewOn', ...day },
  withdrawal_reason: { field: 'WithdrawalReason', ...optionalText },
  exam: { field: 'Exam', ...text },
  first_attempt_on: { field: 'FirstAttemptOn', ...day },
  first_attempt_result: { field: 'FirstAttemptResult', ...optionalText },
  passed_on: { field: 'PassedOn', ...day },
  high_cut_on: { field: 'HighCutOn', ...day },
  placement: { field: 'Placement', ...optionalText },
  started_work_on: { field: 'StartedWorkOn', ...day },
  notes: { field: 'Notes', ...text },
} as const

const store = tableStore({ table: 'graduate', columns, name: sql`t.first_name || ' ' || t.last_name` })

const fieldColumns = Object.entries(columns).map(([column, { field }]) => [field, column] as const)

/** A row of the table as the rules know it. */
const factsOf = (row: Entity): Graduate =>
  // All columns of the facts are among those that an import writes.
  Object.fromEntries(
    fieldColumns.map(([field, column]) => [field, row[column] ?? null]),
  ) as unknown as Graduate

/** What follows from a first attempt that was passed. */
const withFirstAttempt = (given: Entity): Entity => {
  const { first_attempt_on: on, first_attempt_result: result } = given
  if (on === undefined || (result !== 'passed' && result !== 'high')) return given
  return { passed_on: on, ...(result === 'high' && { high_cut_on: on }), ...given }
}

const personKey = (row: { first: unknown; last: unknown; entered: unknown }): string =>
  [row.first, row.last, row.entered].map(lower).join('\u0000')

/** What an import of graduates would do, row by row. */
const planGraduates = (
  rows: readonly ReadRow[],
  existing: readonly Existing[],
  { mapping, today }: { mapping: ColumnMapping; today: string },
): Plan => {
  const plan = emptyPlan()
  const byNumber = Map.groupBy(
    existing.filter(({ student_number }) => student_number !== ''),
    ({ student_number }) => lower(student_number),
  )
  const byPerson = Map.groupBy(existing, ({ first_name, last_name, entered_on }) =>
    personKey({ first: first_name, last: last_name, entered: entered_on }),
  )
  const met = new Map<string, number>()
  for (const row of rows) {
    const { FirstName, LastName, StudentNumber, EnteredOn } = row.values
    const tell = (field: string, Message: string) =>
      plan.errors.push({ Row: row.line, Column: mapping[field] ?? field, Message })
    // A cell that is missing or malformed is told already.
    if (FirstName === undefined || LastName === undefined || row.unread?.length) continue
    const person = personKey({ first: FirstName, last: LastName, entered: EnteredOn })
    const key = StudentNumber === undefined ? person : lower(StudentNumber)
    const keyField = StudentNumber === undefined ? 'LastName' : 'StudentNumber'
    const earlier = met.get(key)
    if (earlier !== undefined) {
      tell(keyField, `This is the same person as in row ${earlier}.`)
      continue
    }
    met.set(key, row.line)
    const numbered = StudentNumber === undefined ? undefined : byNumber.get(lower(StudentNumber))
    // A number that is new here may be the first one of somebody who is known without.
    const known =
      numbered ??
      (byPerson.get(person) ?? []).filter((each) => StudentNumber === undefined || each.student_number === '')
    if (known.length > 1) {
      tell(
        keyField,
        `${known.length} people here have this ${numbered ? 'student ID' : 'name and day of entry'}. Change them by hand.`,
      )
      continue
    }
    const given = withFirstAttempt(store.toEntity(row))
    const [before] = known
    const facts = factsOf({ ...before, ...given })
    const problems = [...problemsOf(facts), ...futureOf(facts, today)]
    for (const [field, message] of problems) tell(field, `${fieldLabels[field]} ${message}.`)
    if (problems.length > 0) continue
    if (before) planChange(plan, before, given, row.line)
    else plan.added.push(given)
  }
  return plan
}

const fieldLabels: Partial<Record<keyof Graduate, string>> = {
  GraduatedOn: 'Graduated',
  FirstAttemptOn: 'First attempt',
  WithdrewOn: 'Withdrew',
  WithdrawalReason: 'Reason',
  FirstAttemptResult: 'First result',
  PassedOn: 'Passed',
  HighCutOn: 'High cut',
  Placement: 'Placement',
  StartedWorkOn: 'Started work',
}

const choicesOf = <V extends string>(
  what: string,
  values: readonly V[],
  names: Record<V, string>,
): FieldChoices =>
  namedChoices(
    what,
    new Map(values.map((value) => [names[value].toLowerCase(), value])),
    values.map((value) => names[value]),
  )

export const graduateImport: ImportDefinition = {
  store,
  async listChoices() {
    return {
      WithdrawalReason: choicesOf('a reason', withdrawalReasons, reasonNames),
      FirstAttemptResult: choicesOf('a result', examResults, resultNames),
      Placement: choicesOf('a placement', placements, placementNames),
    }
  },
  async plan(scope, rows, mapping) {
    const { TimeZone } = await getProgramContext(scope.db, scope.programId)
    return planGraduates(rows, await store.listExisting(scope), { mapping, today: todayIn(TimeZone) })
  },
}
