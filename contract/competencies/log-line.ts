import type { LogLine } from './procedure-logs.ts'

/** What an entry says of its procedure, without what became of it. */
export const lineOf = (entry: LogLine): LogLine => ({
  ProcedureId: entry.ProcedureId,
  LevelId: entry.LevelId,
  Count: entry.Count,
  Patient: entry.Patient,
  Repeats: entry.Repeats,
  RepeatReason: entry.RepeatReason,
  Radiographer: entry.Radiographer,
  PathologyId: entry.PathologyId,
  OtherPathology: entry.OtherPathology,
  Note: entry.Note,
})
