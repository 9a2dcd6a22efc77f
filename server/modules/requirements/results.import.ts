import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { may } from '#contract/core/permissions.ts'
import type { ColumnMapping } from '#contract/imports/imports-rules.ts'
import type { EventField } from '#contract/requirements/requirement-fields.ts'
import type { Rule, VendorResult } from '#contract/requirements/requirement-rules.ts'
import { isFarEnd } from '#contract/requirements/requirement-rules.ts'
import { type FieldChoices, namedChoices } from '#server/core/imports/choices.ts'
import type { ImportDefinition, ProgramRunScope, ProgramScope } from '#server/core/imports/definition.ts'
import { listNamedStudents, type NamedStudent, studentsBy } from '#server/core/imports/named-students.ts'
import { nameKey } from '#server/core/imports/names.ts'
import { type Entity, emptyPlan, type Plan, type ReadRow, type Value } from '#server/core/imports/plan.ts'
import { columnTypes, tableStore } from '#server/core/imports/table-store.ts'
import { Failure } from '#server/core/runtime/failure.ts'
import { farEnd, refuseEvents } from './proof.rules.ts'
import { readToday } from './proofs.queries.ts'
import { listRequirements } from './requirement-design.queries.ts'
import { listVendorProofs, listVerified, type VendorProof, type Verified } from './results.queries.ts'
import { keepStandings } from './standings.commands.ts'
import { lockRules } from './standings.queries.ts'
import { statusChoices, statusOf } from './verification-status.rules.ts'

const { text, id, whole } = columnTypes

const store = tableStore({
  table: 'requirement_proof',
  columns: {
    student_id: id,
    requirement_id: id,
    version: whole,
    events: { type: 'jsonb', empty: null },
    note: text,
    vendor: { field: 'Vendor', ...text },
    key: { type: 'uuid', empty: null },
    source: { type: 'text', empty: 'vendor' },
    state: { type: 'text', empty: 'accepted' },
    decided_at: { type: 'timestamptz', empty: null },
    decided_by: id,
  },
  name: sql`(select q.name || ' of ' || a.first_name || ' ' || a.last_name from requirement q join account a on a.id = t.student_id
    where q.program_id = t.program_id and q.id = t.requirement_id)`,
})

interface Named {
  Id: number
  Name: string
  Version: number
  Rule: Rule
}
interface Facts {
  students: readonly NamedStudent[]
  requirements: readonly Named[]
  known: readonly VendorProof[]
  today: string
  mayKnow: boolean
}

/** What a vendor says of a background check or drug screen; a finding is never final before staff have looked at it. */
const resultOf = (word: string): VendorResult | undefined => {
  switch (statusOf(word)) {
    case 'complete':
      return nameKey(word).startsWith('eligible') ? 'eligible' : 'clear'
    case 'pending':
      return 'ordered'
    case 'failed':
      return 'underReview'
    default:
      return undefined
  }
}

/** A titer in a vendor's words; undefined where it says nothing of one. */
const titerOf = (word: string): EventField['Result'] | undefined => {
  const said = nameKey(word)
  if (/^(negative|non[ -]?immune|not immune|non[ -]?reactive)/.test(said)) return 'negative'
  if (/^(positive|immune|reactive)/.test(said)) return 'positive'
  return /^(equivocal|borderline|indeterminate)/.test(said) ? 'equivocal' : undefined
}

/** What a row says happened, by the rule of its requirement; a text says what is wrong, and null that nothing has happened yet. */
const eventOf = ({ values }: Pick<ReadRow, 'values'>, rule: Rule): EventField | string | null => {
  const { Status, Result, Test, Ordered, Completed, Expires } = values
  const On = Completed as string | undefined
  const Until = (Expires ?? null) as string | null
  // The finding says more than that the report is complete.
  const told = [Result, Status].map((word) => String(word ?? '')).filter((word) => word !== '')
  if (rule.Kind === 'result') {
    const read = told.map(resultOf).find((each) => each !== undefined)
    if (told.length === 0 ? On === undefined : read === undefined) return null
    const day = On ?? (Ordered as string | undefined)
    return day === undefined
      ? 'Completed is empty: a result needs its date.'
      : { Kind: 'result', On: day, Until, Result: read ?? 'clear', Of: '' }
  }
  const test = String(Test ?? '')
  const titer = told.map(titerOf).find((each) => each !== undefined)
  const isTiter = rule.Kind === 'series' && /titer|titre|igg|antibod|serolog/i.test(test)
  const isDone = isTiter
    ? titer !== undefined
    : Status === undefined || statusOf(String(Status)) === 'complete'
  if (!isDone || (On === undefined && Status === undefined)) return null
  if (On === undefined) return 'Completed is empty: a result needs its date.'
  if (isTiter) {
    const part = rule.Parts.find((each) => test.toLowerCase().includes(each.toLowerCase())) ?? ''
    return { Kind: 'titer', On, Until: null, Result: titer ?? '', Of: part }
  }
  if (rule.Kind !== 'series')
    return { Kind: rule.Kind === 'season' ? 'dose' : 'done', On, Until, Result: '', Of: '' }
  const product = rule.Schedules.find(({ Name }) => nameKey(Name) === nameKey(test))?.Name ?? ''
  return { Kind: 'dose', On, Until: null, Result: '', Of: product }
}

const keyOf = (studentId: number, requirementId: number, event: EventField): string =>
  [studentId, requirementId, event.Kind, event.On, event.Until, event.Result, event.Of].join('\u0000')

/** What vendors have reported before, event by event. */
const metOf = (known: readonly VendorProof[]): Set<string> =>
  new Set(
    known.flatMap(({ studentId, requirementId, events }) =>
      events.map((event) => keyOf(studentId, requirementId, event)),
    ),
  )

const proofOf = (
  studentId: number,
  { Id, Version }: Pick<Named, 'Id' | 'Version'>,
  event: EventField,
  vendor: string,
): Entity => ({
  student_id: studentId,
  requirement_id: Id,
  version: Version,
  // Events are a list in their column, and travel as one.
  events: [event] as unknown as Value,
  vendor,
  key: randomUUID(),
})

/** Whether something can be a proof of a requirement. */
const fits = (requirement: Named, event: EventField, today: string): boolean => {
  try {
    refuseEvents(requirement, [event], today)
    return true
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}

/** What an import of vendor results would add. What was recorded before, and what is not finished, is unchanged. */
const planResults = (
  rows: readonly ReadRow[],
  mapping: ColumnMapping,
  { students, requirements, known, today, mayKnow }: Facts,
): Plan => {
  const plan = emptyPlan()
  const findStudent = studentsBy(students)
  const byId = new Map(requirements.map((each) => [each.Id, each]))
  const met = metOf(known)
  for (const row of rows) {
    const { Student, Requirement, Vendor } = row.values
    const tell = (field: string, Message: string) =>
      plan.errors.push({ Row: row.line, Column: mapping[field] ?? field, Message })
    // A cell that is missing or malformed is told already.
    if (Student === undefined || Requirement === undefined || row.unread?.length) continue
    const student = findStudent(String(Student))
    if ('problem' in student) {
      tell('Student', student.problem)
      continue
    }
    const requirement = byId.get(Number(Requirement))
    if (!requirement) continue
    if (requirement.Rule.Kind === 'result' && !mayKnow) {
      tell('Requirement', 'Results of background checks and drug screens are for directors.')
      continue
    }
    const event = eventOf(row, requirement.Rule)
    if (typeof event === 'string') {
      tell('Completed', event)
      continue
    }
    const key = event && keyOf(student.id, requirement.Id, event)
    if (!event || !key || met.has(key)) {
      plan.unchanged++
      continue
    }
    try {
      refuseEvents(requirement, [event], today)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      tell(event.On > today || requirement.Rule.Kind !== 'until' ? 'Completed' : 'Expires', error.message)
      continue
    }
    if (isFarEnd(requirement.Rule, event))
      plan.warnings.push({
        Row: row.line,
        Column: mapping.Expires ?? 'Expires',
        Message: farEnd(requirement.Name, event.Until),
      })
    met.add(key)
    plan.added.push(proofOf(student.id, requirement, event, String(Vendor ?? '')))
  }
  return plan
}

/** What students sign here, and what each site asks by itself, comes from no vendor. */
const fromVendors = async ({ db, programId }: Pick<ProgramScope, 'db' | 'programId'>): Promise<Named[]> =>
  (await listRequirements(db, programId)).filter(
    ({ Rule, Scope }) => Rule.Kind !== 'signed' && Scope !== 'perSite',
  )

const requirementChoices = (requirements: readonly Named[]): FieldChoices => {
  const names = requirements.map(({ Name }) => Name)
  const known = namedChoices(
    'a requirement that vendors report',
    new Map(requirements.map(({ Id, Name }) => [Name.toLowerCase(), Id])),
    names,
  )
  const byKey = Map.groupBy(requirements, ({ Name }) => nameKey(Name))
  return {
    offered: names,
    read: (told) => {
      const [only, ...others] = byKey.get(nameKey(told)) ?? []
      if (only && others.length === 0) return { value: only.Id }
      return known.read(told)
    },
  }
}

const recorded: ImportDefinition['store'] = {
  ...store,
  async add(run, rows) {
    const { db, programId, accountId } = run as ProgramRunScope
    await lockRules(db, programId)
    const decided: Entity = { decided_at: new Date().toISOString(), decided_by: accountId }
    await store.add(
      run,
      rows.map((row) => ({ ...row, ...decided })),
    )
    await keepStandings(db, programId, {
      studentIds: [...new Set(rows.map(({ student_id }) => Number(student_id)))],
      requirementIds: [...new Set(rows.map(({ requirement_id }) => Number(requirement_id)))],
    })
  },
  async undo(run, kept) {
    const { db, programId } = run as ProgramRunScope
    await lockRules(db, programId)
    const count = await store.undo(run, kept)
    await keepStandings(db, programId, {})
    return count
  },
}

/** The requirement that a verification is about: the one of its name; a background check is the only one where there is one. */
const requirementOf = ({ type, item }: Verified, requirements: readonly Named[]): Named | undefined => {
  const named = requirements.filter(({ Name }) => nameKey(Name) === nameKey(item))
  const checks = requirements.filter(
    ({ Name, Rule }) => Rule.Kind === 'result' && /background|criminal/i.test(Name),
  )
  const found = named.length === 0 && type === 1 ? checks : named
  return found.length === 1 ? found[0] : undefined
}

/**
 * Records what an import has written of verifications as proofs of the requirements that they are about, so that nobody types it once
 * more. What is not finished, or cannot be a proof, is a verification alone.
 */
export const recordVerified = async (
  run: ProgramRunScope,
  of: { students: readonly number[] } | { ids: readonly number[] },
): Promise<void> => {
  const { db, programId, importId } = run
  const verified = await listVerified(db, programId, { importId, ...of })
  const requirements = await fromVendors(run)
  const today = await readToday(db, programId)
  const met = metOf(await listVendorProofs(db, programId))
  const added = verified.flatMap((each): Entity[] => {
    const requirement = requirementOf(each, requirements)
    if (!requirement) return []
    const { status, result, vendor } = each
    const event = eventOf(
      {
        values: {
          Status: status,
          // The vendor's own word, unless it is older than the status.
          Result: statusOf(result) === status || titerOf(result) !== undefined ? result : '',
          // A vendor has no word of its own for the test: the result says that it was one.
          Test: titerOf(result) === undefined ? '' : 'Titer',
          ...(each.orderedOn && { Ordered: each.orderedOn }),
          ...(each.completedOn && { Completed: each.completedOn }),
          ...(each.expiresOn && { Expires: each.expiresOn }),
        },
      },
      requirement.Rule,
    )
    if (event === null || typeof event === 'string' || !fits(requirement, event, today)) return []
    const key = keyOf(each.studentId, requirement.Id, event)
    if (met.has(key)) return []
    met.add(key)
    return [proofOf(each.studentId, requirement, event, vendor)]
  })
  if (added.length > 0) await recorded.add(run, added)
}

/** Takes back what an import of verifications has recorded as proofs. */
export const undoVerified = async (run: ProgramRunScope): Promise<void> => {
  await recorded.undo(run, [])
}

export const resultImport: ImportDefinition = {
  store: recorded,

  async listChoices(scope) {
    return {
      // It is imported into a program only.
      Requirement: requirementChoices(await fromVendors(scope as ProgramScope)),
      Status: statusChoices,
    }
  },

  async plan(scope: ProgramScope, rows, mapping) {
    const { db, programId, ownLevel } = scope
    return planResults(rows, mapping, {
      students: await listNamedStudents(db, programId),
      requirements: await fromVendors(scope),
      known: await listVendorProofs(db, programId),
      today: await readToday(db, programId),
      mayKnow: may({ AccessLevel: ownLevel, SuperAdminAreas: null }, 'requirements.background'),
    })
  },
}
