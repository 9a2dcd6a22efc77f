/** What logs of a procedure come to. Exams are in grid-states.ts, major studies and the list as a whole in progress-rules.ts. */

/** What was logged of a procedure at one participation level, in this version of the list or an earlier one. */
export interface LoggedAt {
  Lineage: string
  /** In small letters; null without a level. */
  Level: string | null
  Verified: number
  Waiting: number
}

/** What decides which logs of a procedure count. */
export interface Counting {
  Lineage: string
  /** Whether its major study has participation levels; without them every log counts. */
  hasLevels: boolean
  /** The levels at which a log counts, in small letters. */
  counted: readonly string[]
}

/** The logs of a procedure that count toward its exam, verified and waiting. */
export const countLogs = (
  { Lineage, hasLevels, counted }: Counting,
  logged: readonly LoggedAt[],
): { Counted: number; CountedWaiting: number } => {
  let Counted = 0
  let CountedWaiting = 0
  for (const row of logged) {
    if (row.Lineage !== Lineage) continue
    if (hasLevels && (row.Level === null || !counted.includes(row.Level))) continue
    Counted += row.Verified
    CountedWaiting += row.Waiting
  }
  return { Counted, CountedWaiting }
}

/** `waiting`: enough is logged, and once it is verified the exam is open. */
export const competencyStates = ['not-begun', 'more', 'waiting', 'ready'] as const
export type CompetencyState = (typeof competencyStates)[number]

export interface ProcedureCounts {
  LogsNeeded: number
  Counted: number
  CountedWaiting: number
  /** All that is logged, counted or not. */
  Logged: number
}

export const stateOf = ({
  LogsNeeded,
  Counted,
  CountedWaiting,
  Logged,
}: ProcedureCounts): CompetencyState => {
  if (Counted >= LogsNeeded) return 'ready'
  if (Counted + CountedWaiting >= LogsNeeded) return 'waiting'
  return Logged === 0 ? 'not-begun' : 'more'
}

/** Logs that must still be made before the exam opens; those that wait for verification are made already. */
export const logsMissing = ({
  LogsNeeded,
  Counted,
  CountedWaiting,
}: Omit<ProcedureCounts, 'Logged'>): number => Math.max(0, LogsNeeded - Counted - CountedWaiting)
