import { competencyFailures } from '#contract/competencies/failures.ts'
import type { LogLine } from '#contract/competencies/procedure-logs.ts'
import type { PathologySetting } from '#contract/competencies/procedures.ts'
import type { DeclaredFailure } from '#contract/core/failure.ts'
import { type Sentence, sentence } from '#contract/language/texts.ts'
import type { Db } from '#server/core/database/pool.ts'
import { Failure } from '#server/core/runtime/failure.ts'
import { findListOfStudent, type Loggable, listLoggable, readPathologySetting } from './standing.queries.ts'

/** A refusal: the field of the line, and what to do. */
type Refusal = readonly [field: keyof LogLine, failure: Sentence<DeclaredFailure>]

const refusalOf = (
  line: LogLine,
  procedure: Loggable | undefined,
  { IsAsked, AllowsOther }: PathologySetting,
): Refusal | undefined => {
  if (!procedure) return ['ProcedureId', sentence(competencyFailures.line_gone)]
  const { name, levelIds, pathologyIds } = procedure
  const named = { Procedure: name }
  if (levelIds.length > 0 && line.LevelId === null)
    return ['LevelId', sentence(competencyFailures.no_level, named)]
  if (line.LevelId !== null && !levelIds.includes(line.LevelId))
    return ['LevelId', sentence(competencyFailures.level_gone, named)]
  if (line.Repeats > 0 && line.RepeatReason === '')
    return ['RepeatReason', sentence(competencyFailures.no_reason, named)]
  if (line.PathologyId !== null && (IsAsked === 'off' || !pathologyIds.includes(line.PathologyId)))
    return ['PathologyId', sentence(competencyFailures.pathology_gone, named)]
  if (line.OtherPathology !== '' && (IsAsked === 'off' || !AllowsOther))
    return ['OtherPathology', sentence(competencyFailures.listed_pathologies_only)]
  const isMissing = line.PathologyId === null && line.OtherPathology === ''
  if (IsAsked === 'required' && isMissing && pathologyIds.length > 0)
    return ['PathologyId', sentence(competencyFailures.no_pathology, named)]
  return undefined
}

/**
 * Refuses lines that cannot be logged by a student, naming the field of the first. `keeps` is the procedure that the entry has
 * already: it stays possible when the list no longer has it.
 */
export const refuseLines = async (
  db: Db,
  { programId, studentId, keeps }: { programId: number; studentId: number; keeps?: number },
  lines: readonly LogLine[],
  fieldOf: (index: number, field: keyof LogLine) => string,
): Promise<void> => {
  const list = await findListOfStudent(db, programId, studentId)
  const [loggable, setting] = await Promise.all([
    listLoggable(db, programId, list?.Id ?? null, [...new Set(lines.map(({ ProcedureId }) => ProcedureId))]),
    readPathologySetting(db, programId),
  ])
  const byId = new Map(
    loggable.filter(({ id, isListed }) => isListed || id === keeps).map((each) => [each.id, each]),
  )
  for (const [index, line] of lines.entries()) {
    const refusal = refusalOf(line, byId.get(line.ProcedureId), setting)
    if (!refusal) continue
    const [field, failure] = refusal
    throw new Failure(failure, fieldOf(index, field))
  }
}

/** A line without what belongs to repeats, where there are none. */
export const tidyLine = <L extends LogLine>(line: L): L =>
  line.Repeats > 0 ? line : { ...line, RepeatReason: '', Radiographer: '' }
