import { type Patient, variantFor } from '#contract/competencies/log-rules.ts'
import type { LogLine, Standing, StandingProcedure } from '#contract/competencies/procedure-logs.ts'
import { logsMissing, stateOf } from '#contract/competencies/standing-rules.ts'
import { finder } from '#contract/core/search.ts'
import type { KeyedLine } from './log-sending.ts'

/** A line while it is written: nothing that decides how it counts is chosen before the student has. */
export type DraftLine = Omit<KeyedLine, 'Patient'> & { Patient: Patient | null }

/** What a student has chosen to begin their lines with: the participation by its name, for each study has its own. */
export interface Usual {
  level: string | null
  patient: Patient | null
}
export const nothingUsual: Usual = { level: null, patient: null }

/** The names of all participations, in their order. */
export const levelNames = ({ Studies }: Standing): string[] => [
  ...new Set(Studies.flatMap(({ Levels }) => Levels.map(({ Name }) => Name))),
]

/** The line with what is usual where nothing is chosen. */
export const withUsual = <Line extends Pick<DraftLine, 'ProcedureId' | 'LevelId' | 'Patient'>>(
  standing: Standing,
  line: Line,
  usual: Usual,
): Line => {
  const procedure = standing.Procedures.find(({ Id }) => Id === line.ProcedureId)
  const level = procedure && levelsOf(standing, procedure).find(({ Name }) => Name === usual.level)
  return { ...line, LevelId: line.LevelId ?? level?.Id ?? null, Patient: line.Patient ?? usual.patient }
}

/** A line as it begins. */
export const draftOf = (
  standing: Standing,
  procedure: StandingProcedure,
  Key: string,
  usual: Usual,
): DraftLine =>
  withUsual(
    standing,
    {
      Key,
      ProcedureId: procedure.Id,
      LevelId: null,
      Count: 1,
      Patient: null,
      Repeats: 0,
      RepeatReason: '',
      Radiographer: '',
      PathologyId: null,
      OtherPathology: '',
      Note: '',
    },
    usual,
  )

export const levelsOf = (standing: Standing, { MajorStudyId }: { MajorStudyId: number }) =>
  standing.Studies.find(({ Id }) => Id === MajorStudyId)?.Levels ?? []

const byLatest = (one: StandingProcedure, other: StandingProcedure): number =>
  (other.LastDate ?? '').localeCompare(one.LastDate ?? '')

const mostRecent = 5
const mostOwed = 4

/** What is offered first: what was logged last, then what an exam still waits for, those that miss least first. */
export const suggestionsOf = (
  { Procedures }: Standing,
  chosen: readonly { ProcedureId: number }[],
): { procedure: StandingProcedure; owed: number }[] => {
  const free = Procedures.filter(({ Id }) => chosen.every(({ ProcedureId }) => ProcedureId !== Id))
  const recent = free
    .filter(({ LastDate }) => LastDate !== null)
    .toSorted(byLatest)
    .slice(0, mostRecent)
  const owed = free
    .filter((each) => !recent.includes(each) && logsMissing(each) > 0)
    .toSorted(
      (one, other) =>
        Number(stateOf(other) === 'more') - Number(stateOf(one) === 'more') ||
        Number(other.IsMandatory) - Number(one.IsMandatory) ||
        logsMissing(one) - logsMissing(other),
    )
    .slice(0, mostOwed)
  return [
    ...recent.map((procedure) => ({ procedure, owed: 0 })),
    ...owed.map((procedure) => ({ procedure, owed: logsMissing(procedure) })),
  ]
}

/** Procedures whose name has every word of the text. */
export const findProcedures = ({ Procedures }: Standing, text: string): StandingProcedure[] => {
  const isFound = finder(text)
  return Procedures.filter(({ Name }) => isFound(Name))
}

/** Whether a log at this level counts toward the exam. */
export const isCounted = (
  standing: Standing,
  procedure: StandingProcedure,
  levelId: number | null,
): boolean => {
  const levels = levelsOf(standing, procedure)
  if (levels.length === 0) return true
  return (
    levelId !== null &&
    (procedure.CountedLevelIds?.includes(levelId) ??
      levels.some(({ Id, IsCounted }) => Id === levelId && IsCounted))
  )
}

/** What a line does for its exam, together with the other lines of the same procedure. */
export const effectOf = (
  standing: Standing,
  procedure: StandingProcedure,
  lines: readonly DraftLine[],
): { kind: 'unlocks' } | { kind: 'more'; count: number } | undefined => {
  const missing = logsMissing(procedure)
  if (missing === 0) return undefined
  const added = lines
    .filter(
      ({ ProcedureId, LevelId }) => ProcedureId === procedure.Id && isCounted(standing, procedure, LevelId),
    )
    .reduce((sum, { Count }) => sum + Count, 0)
  return added >= missing ? { kind: 'unlocks' } : { kind: 'more', count: missing - added }
}

/** The line as one of another procedure: with the participation of the same name. */
export const movedTo = <Line extends Pick<LogLine, 'ProcedureId' | 'LevelId' | 'PathologyId'>>(
  standing: Standing,
  line: Line,
  id: number,
): Line => {
  const [from, to] = [line.ProcedureId, id].map((one) => standing.Procedures.find(({ Id }) => Id === one))
  if (!to) return line
  const name = from && levelsOf(standing, from).find(({ Id }) => Id === line.LevelId)?.Name
  const LevelId = levelsOf(standing, to).find(({ Name }) => Name === name)?.Id ?? null
  return { ...line, ProcedureId: id, LevelId, PathologyId: null }
}

/** The line as one of the procedure that is meant for its patient, and what that is called. */
export const asVariant = (
  standing: Standing,
  line: DraftLine,
): { line: DraftLine; name: string } | undefined => {
  if (line.Patient === null) return undefined
  const procedure = standing.Procedures.find(({ Id }) => Id === line.ProcedureId)
  const variant = procedure && variantFor(line.Patient, procedure, standing.Procedures)
  return variant && { line: movedTo(standing, line, variant.Id), name: variant.Name }
}
