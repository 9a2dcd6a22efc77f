import { restoreArea } from '#contract/areas/areas.ts'
import { restoreEmailText } from '#contract/communication/emails.ts'
import { type CompetencyPart, restoreCompetencyParts } from '#contract/competencies/competency-lists.ts'
import { restoreExaminers } from '#contract/competencies/examiners.ts'
import { restoreLabChecks } from '#contract/competencies/lab-checks.ts'
import { listProcedureLogs } from '#contract/competencies/log-verification.ts'
import type { AnyEndpoint } from '#contract/core/endpoint.ts'
import { restoreDocument, restoreDocumentCategory } from '#contract/documents/documents.ts'
import { restoreCategory, restoreGroup, restoreItems } from '#contract/evaluations/evaluation-items.ts'
import { restoreEvaluations } from '#contract/evaluations/evaluation-making.ts'
import { restoreEvaluationTemplate } from '#contract/evaluations/evaluations.ts'
import { restoreFormType } from '#contract/evaluations/form-types.ts'
import { restoreScoreType } from '#contract/evaluations/score-types.ts'
import { restoreGraduate } from '#contract/graduates/graduates.ts'
import { restoreAnnouncement } from '#contract/news/announcements.ts'
import { restoreArrangement } from '#contract/payments/payments.ts'
import { restoreEmployee } from '#contract/people/employees.ts'
import { undoAccountMerge } from '#contract/people/merging.ts'
import { restoreDraft } from '#contract/placement/drafts.ts'
import { restorePlacementPlan } from '#contract/placement/plans.ts'
import { restoreCustomReport } from '#contract/reports/custom-reports.ts'
import { restoreGoal, restoreOutcome } from '#contract/reports/systematic-plans.ts'
import { restoreRequirement } from '#contract/requirements/requirement-design.ts'
import { restoreDoseReading } from '#contract/safety/doses.ts'
import { restoreShiftAssignments } from '#contract/scheduling/assignments.ts'
import { restoreRotation } from '#contract/scheduling/rotations.ts'
import { restoreSiteShift } from '#contract/scheduling/site-shifts.ts'
import { restoreAgreement } from '#contract/sites/agreements.ts'
import { restoreSite, restoreSiteDocument, restoreSitePart } from '#contract/sites/sites.ts'
import { restoreStudentNote } from '#contract/students/students.ts'
import { restoreTimeRecord } from '#contract/time/time-records.ts'
import { listWebhooks } from '#contract/webhooks/webhooks.ts'
import type { DeletedKind } from './deleted.ts'

interface Place {
  programId: number
  id: number
  parentId: number | null
}

/** How a kind is brought back: by the call that its Undo makes. */
export interface Restore {
  call: AnyEndpoint
  input: (place: Place) => { params: Record<string, unknown>; body?: unknown }
}

/** By an address that names it, and what it belongs to where `parent` says how. */
const byAddress = (call: AnyEndpoint, id: string, parent?: string): Restore => ({
  call,
  input: (place) => ({
    params: { programId: place.programId, [id]: place.id, ...(parent && { [parent]: place.parentId }) },
  }),
})

/** As one of a list. */
const byList = (call: AnyEndpoint, more: object = {}, parent?: string): Restore => ({
  call,
  input: (place) => ({
    params: { programId: place.programId, ...(parent && { [parent]: place.parentId }) },
    body: { Ids: [place.id], ...more },
  }),
})

const part = (Part: CompetencyPart): Restore => byList(restoreCompetencyParts, { Part })

/** Kept for the record only; who reads the others of the kind reads these too. */
export interface Kept {
  /** The call that lists what is not deleted. */
  read: AnyEndpoint
}

/** What each kind is restored by; what cannot be restored names who sees it. */
export const restores: Readonly<Record<DeletedKind, Restore | Kept>> = {
  agreement: byAddress(restoreAgreement, 'agreementId'),
  announcement: byAddress(restoreAnnouncement, 'announcementId'),
  area: byAddress(restoreArea, 'areaId'),
  assignment: byList(restoreShiftAssignments),
  'competency-list': part('list'),
  'custom-report': byAddress(restoreCustomReport, 'reportId'),
  document: byAddress(restoreDocument, 'documentId'),
  'document-category': byAddress(restoreDocumentCategory, 'categoryId'),
  'dose-reading': byAddress(restoreDoseReading, 'readingId'),
  'email-text': byAddress(restoreEmailText, 'textId'),
  employee: byAddress(restoreEmployee, 'employeeId'),
  evaluation: byList(restoreEvaluations),
  'evaluation-category': byAddress(restoreCategory, 'categoryId', 'templateId'),
  'evaluation-item': byList(restoreItems, {}, 'templateId'),
  'evaluation-template': byAddress(restoreEvaluationTemplate, 'templateId'),
  'exam-item': part('exam-item'),
  examiner: byList(restoreExaminers),
  'form-type': byAddress(restoreFormType, 'formTypeId'),
  goal: byAddress(restoreGoal, 'goalId'),
  graduate: byAddress(restoreGraduate, 'graduateId'),
  'item-group': byAddress(restoreGroup, 'groupId', 'templateId'),
  'lab-check': byList(restoreLabChecks),
  'major-study': part('major-study'),
  'merged-account': byAddress(undoAccountMerge, 'mergeId'),
  note: byAddress(restoreStudentNote, 'noteId', 'studentId'),
  outcome: byAddress(restoreOutcome, 'outcomeId'),
  'participation-level': part('participation-level'),
  pathology: part('pathology'),
  'payment-arrangement': byAddress(restoreArrangement, 'arrangementId'),
  'placement-draft': byAddress(restoreDraft, 'draftId', 'planId'),
  'placement-plan': byAddress(restorePlacementPlan, 'planId'),
  procedure: part('procedure'),
  'procedure-entry': { read: listProcedureLogs },
  requirement: byAddress(restoreRequirement, 'requirementId'),
  rotation: byAddress(restoreRotation, 'rotationId'),
  score: part('score'),
  'score-type': byAddress(restoreScoreType, 'scoreTypeId', 'templateId'),
  site: byAddress(restoreSite, 'siteId'),
  'site-document': byAddress(restoreSiteDocument, 'documentId', 'siteId'),
  'site-part': byAddress(restoreSitePart, 'partId', 'siteId'),
  'site-shift': byAddress(restoreSiteShift, 'siteShiftId'),
  'time-record': byAddress(restoreTimeRecord, 'recordId'),
  webhook: { read: listWebhooks },
}

/** The call that decides who sees a kind. */
export const callOf = (kind: DeletedKind): AnyEndpoint => {
  const how = restores[kind]
  return 'read' in how ? how.read : how.call
}
