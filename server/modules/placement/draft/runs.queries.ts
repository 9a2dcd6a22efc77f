import type pg from 'pg'
import type { Db } from '#server/core/database/pool.ts'
import { inProgram } from '#server/core/runtime/in-programs.ts'
import type { DraftPart } from './drafting.process.ts'
import type { ClaimedDraft } from './drafts.commands.ts'
import type { DraftKey } from './drafts.queries.ts'
import type { Member } from './together.queries.ts'

/** A draft of a run, of which there are several if plans are solved together. */
export interface Running {
  key: DraftKey
  /** The program's name, if there are several. */
  program: string
  claimed: ClaimedDraft
  part: DraftPart
  /** What users want of it; undefined once it is deleted. */
  wish: '' | 'stop' | undefined
}

/** The drafts of a run before any is claimed. */
export interface Called {
  pool: pg.Pool
  /** Empty if a draft is solved alone. */
  members: readonly Member[]
  keys: readonly DraftKey[]
  /** The draft whose job the run is: of several, the one that started it. */
  lead: DraftKey
}

/** A run that has claimed its drafts. */
export interface Run extends Called {
  /** The lead comes first; its effort and seed apply to all. */
  running: readonly Running[]
}

/** Runs work on a draft in a transaction of its program. */
export const withDraft = <T>(
  { pool }: Pick<Called, 'pool'>,
  { programId }: DraftKey,
  work: (db: Db) => Promise<T>,
): Promise<T> => inProgram(pool, programId, work)

/** The drafts of a run that have not been deleted meanwhile. */
export const remainingOf = ({ running }: Run): Running[] => running.filter(({ wish }) => wish !== undefined)

/** Whether somebody has asked to stop a run, by any of its drafts. */
export const isStopRequested = ({ running }: Run): boolean => running.some(({ wish }) => wish === 'stop')
