import {
  type Missing,
  type NotSimulated,
  supervisionOf,
  whatIsMissing,
  whyNotSimulated,
} from '#contract/competencies/exam-rules.ts'
import { missingSentence, notSimulatedTexts } from '#contract/competencies/exam-texts.ts'
import type { Attempt, OwnExam } from '#contract/competencies/exams.ts'
import type { Standing } from '#contract/competencies/procedure-logs.ts'
import type { Language } from '#contract/language/language.ts'
import { inLanguage, sentence } from '#contract/language/texts.ts'
import type { Db } from '#server/core/database/pool.ts'
import { type ExamRules, listAttemptsOf, listExamRules } from './exams.queries.ts'
import { readProgramDay, readStanding } from './standing.queries.ts'

interface OfStudent {
  programId: number
  studentId: number
}

type Lined = Attempt & { Lineage: string }

/** The latest attempt that counts for what comes next: those that were withdrawn or voided do not. */
const lastOf = (attempts: readonly Lined[]): Lined | undefined =>
  attempts.find(({ State }) => State !== 'withdrawn' && State !== 'voided')

/** Simulated exams that are passed or under way. */
const simulatedOf = (attempts: readonly Attempt[]): number =>
  attempts.filter(({ IsSimulated, State }) => IsSimulated && (State === 'passed' || State === 'open')).length

/** An exam of a student's list; what is missing and why it cannot be simulated are not in words yet. */
type StandingExam = Omit<OwnExam, 'Missing' | 'NotSimulated'> & {
  missing: Missing[]
  notSimulated: NotSimulated | undefined
}

/** An exam as its student reads it. */
export const ownExamIn = ({ missing, notSimulated, ...exam }: StandingExam, language: Language): OwnExam => ({
  ...exam,
  Missing: missing.map((each) => ({ Kind: each.Kind, Text: inLanguage(missingSentence(each), language) })),
  NotSimulated: notSimulated ? inLanguage(sentence(notSimulatedTexts[notSimulated]), language) : null,
})

const examOf = (
  today: string,
  procedure: Standing['Procedures'][number],
  rules: ExamRules,
  attempts: readonly Lined[],
  simulated: number,
): StandingExam => {
  const last = lastOf(attempts)
  const first = attempts.findLast(({ State, RecheckKind }) => State === 'passed' && RecheckKind === null)
  const missing = whatIsMissing({
    Today: today,
    LogsNeeded: procedure.LogsNeeded,
    Counted: procedure.Counted,
    CountedWaiting: procedure.CountedWaiting,
    NeedsLabCheck: rules.needsLabCheck,
    HasLabCheck: rules.hasLabCheck,
    HasItems: rules.hasItems,
    HasPassed: first !== undefined,
    HasRecheck: rules.recheck !== null,
    Last: last
      ? { State: last.State, RetryFrom: last.RetryFrom, HasRemediation: last.Remediation !== '' }
      : null,
  })
  return {
    ProcedureId: procedure.Id,
    IsReady: missing.length === 0,
    missing,
    notSimulated: whyNotSimulated({
      IsPatientCare: rules.isPatientCare,
      MayBeSimulated: rules.mayBeSimulated,
      MostSimulated: rules.mostSimulated,
      Simulated: simulated,
    }),
    PassedOn: first?.Date ?? null,
    IsSimulated: first?.IsSimulated ?? false,
    Supervision: supervisionOf(
      rules.isAlwaysDirect,
      attempts.flatMap(({ GradedAt, State, RecheckKind }) =>
        GradedAt === null ? [] : { At: GradedAt, State, IsRecheck: RecheckKind !== null },
      ),
    ),
    Recheck: rules.recheck && { Kind: rules.recheck.kind, DueOn: rules.recheck.dueOn },
    Failed: attempts.filter(({ State }) => State === 'failed').length,
  }
}

/** All that decides about a student's exams. */
export interface ExamStanding {
  today: string
  standing: Standing
  exams: StandingExam[]
  attempts: Lined[]
  /** By procedure. */
  rules: Map<number, ExamRules>
}

/** Where a student is with the exams of their list; attempts at earlier versions of a procedure are its own. */
export const readExamStanding = async (db: Db, own: OfStudent): Promise<ExamStanding> => {
  const [standing, attempts, { today }] = await Promise.all([
    readStanding(db, own.programId, own.studentId),
    listAttemptsOf(db, own),
    readProgramDay(db, own.programId),
  ])
  const all = standing.List ? await listExamRules(db, own, standing.List.Id) : []
  const rules = new Map(all.map((each) => [each.id, each]))
  const byLineage = Map.groupBy(attempts, ({ Lineage }) => Lineage)
  const simulated = simulatedOf(attempts)
  return {
    today,
    standing,
    attempts,
    rules,
    exams: standing.Procedures.flatMap((procedure) => {
      const own = rules.get(procedure.Id)
      return own ? examOf(today, procedure, own, byLineage.get(own.lineage) ?? [], simulated) : []
    }),
  }
}
