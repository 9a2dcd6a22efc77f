import type { WebhookEvent } from '#contract/webhooks/webhooks.ts'
import type { DomainEvent } from '#server/core/runtime/events.ts'

export type Told = Omit<DomainEvent, 'id'>

export interface Webhook {
  type: WebhookEvent
  subject: string
  data: Record<string, unknown>
}

type Values = Record<string, unknown>

const pick = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(names.map((name) => [name, values[name]]))

const differ = (before: Values, after: Values, names: readonly string[]): boolean =>
  names.some((name) => before[name] !== after[name])

const placeOfAssignment = ['StudentId', 'SiteId', 'ShiftId', 'Date'] as const

const assignmentEvent = (before: Values, after: Values): WebhookEvent | undefined => {
  if (after.IsRemoved !== before.IsRemoved)
    return after.IsRemoved ? 'assignment.removed' : 'assignment.created'
  return differ(before, after, placeOfAssignment) ? 'assignment.changed' : undefined
}

const ofAssignment = ({ record_id, before, after }: Told): Webhook | undefined => {
  if (!after) return undefined
  const subject = `assignment/${record_id}`
  const data = { AssignmentId: record_id, ...pick(after, placeOfAssignment) }
  if (!before) return { type: 'assignment.created', subject, data }
  const type = assignmentEvent(before, after)
  return (
    type && { type, subject, data: { ...data, Before: pick(before, [...placeOfAssignment, 'IsRemoved']) } }
  )
}

const timeValues = [
  'StudentId',
  'SiteId',
  'Kind',
  'OccurredAt',
  'EndsAt',
  'Minutes',
  'ClockMinutes',
  'MealMinutes',
  'Status',
] as const

const timeEvent = (before: Values, after: Values): WebhookEvent | undefined => {
  if (after.IsDeleted !== before.IsDeleted) return after.IsDeleted ? 'time.deleted' : 'time.restored'
  if (after.Status !== before.Status) {
    if (after.Status === 'approved') return 'time.approved'
    if (after.Status === 'rejected') return 'time.rejected'
  }
  return differ(before, after, timeValues) ? 'time.changed' : undefined
}

/** Each record is a subject of its own: it stays one in its order when accounts are merged and it becomes another student's. */
const ofTimeRecord = ({ record_id, before, after }: Told): Webhook | undefined => {
  if (!after) return undefined
  const subject = `time-record/${record_id}`
  if (!before)
    return after.Kind === 'in' || after.Kind === 'out'
      ? {
          type: 'time.punched',
          subject,
          data: { RecordId: record_id, ...pick(after, ['StudentId', 'SiteId', 'Kind', 'OccurredAt']) },
        }
      : undefined
  const type = timeEvent(before, after)
  return (
    type && {
      type,
      subject,
      data: { RecordId: record_id, ...pick(after, timeValues), Before: pick(before, timeValues) },
    }
  )
}

const personValues = ['AccessLevel', 'StudentNumber', 'IsActive'] as const

/** Of a person only numbers are told, and the names of the fields that changed. */
const ofPerson = ({ record_id, before, after }: Told): Webhook | undefined => {
  if (!after) return undefined
  const subject = `person/${record_id}`
  const data = { PersonId: record_id, ...pick(after, personValues) }
  if (!before) return { type: 'person.created', subject, data }
  const Changed = after.Changed as string[]
  if (Changed.length === 0) return undefined
  const type = before.IsActive && !after.IsActive ? 'person.deactivated' : 'person.changed'
  return { type, subject, data: { ...data, Changed, Before: pick(before, personValues) } }
}

/** Who evaluated whom is left out: evaluations may be anonymous. */
const ofEvaluation = ({ record_id, before, after }: Told): Webhook | undefined =>
  before && after && !before.IsCompleted && after.IsCompleted
    ? {
        type: 'evaluation.completed',
        subject: `evaluation/${record_id}`,
        data: { EvaluationId: record_id, ...pick(after, ['TemplateId', 'Date']) },
      }
    : undefined

const ofProcedure = ({ record_id, student_id, before, after }: Told): Webhook | undefined =>
  before && after && before.State !== 'verified' && after.State === 'verified'
    ? {
        type: 'procedure.verified',
        subject: `procedure-log/${record_id}`,
        data: {
          LogId: record_id,
          StudentId: student_id,
          ...pick(after, ['ProcedureId', 'Count', 'Date']),
        },
      }
    : undefined

const ofCompetency = ({ record_id, student_id, before, after }: Told): Webhook | undefined =>
  before && after && before.State !== 'passed' && after.State === 'passed'
    ? {
        type: 'competency.passed',
        subject: `student/${student_id}/competency/${after.ProcedureId}`,
        data: { AttemptId: record_id, StudentId: student_id, ...pick(after, ['ProcedureId', 'Date']) },
      }
    : undefined

const ofProof = ({ record_id, student_id, after }: Told): Webhook => ({
  type: 'requirement.accepted',
  subject: `student/${student_id}/requirement/${after?.RequirementId}`,
  data: { ProofId: record_id, StudentId: student_id, RequirementId: after?.RequirementId },
})

const ofAgreement = ({ record_id, after }: Told): Webhook => ({
  type: 'agreement.expiring',
  subject: `agreement/${record_id}`,
  data: { AgreementId: record_id, EndDate: after?.EndDate },
})

const ofPlacement = ({ record_id, after }: Told): Webhook => ({
  type: 'placement.accepted',
  subject: `placement-plan/${record_id}`,
  data: { PlanId: record_id, DraftId: after?.DraftId },
})

const rules: Readonly<Record<string, (event: Told) => Webhook | undefined>> = {
  assignment: ofAssignment,
  'time-record': ofTimeRecord,
  person: ofPerson,
  evaluation: ofEvaluation,
  procedure: ofProcedure,
  competency: ofCompetency,
  proof: ofProof,
  agreement: ofAgreement,
  placement: ofPlacement,
}

/** The kinds of events of which endpoints are told. */
export const toldKinds = Object.keys(rules)

/** What endpoints are told of an event; undefined when it is nothing to them. */
export const webhookOf = (event: Told): Webhook | undefined => rules[event.kind]?.(event)
