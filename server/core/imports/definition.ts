import type { ColumnMapping } from '#contract/imports/imports-rules.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { FieldChoices } from './choices.ts'
import type { Change, Entity, Plan, ReadRow } from './plan.ts'

/** Where an import works: in a program, or in the installation. */
export interface ImportScope {
  db: Db
  programId: number | null
  /** The importing person's level: nobody makes an account above their own. */
  ownLevel: number
  /** The importing person, whose own address is changed on the page of the account alone. */
  ownId?: number
}
export type ProgramScope = ImportScope & { programId: number }

/** One run of an import, which its rows keep. */
export interface ImportRunScope {
  db: Db
  programId: number | null
  importId: number
  accountId: number
}
export type ProgramRunScope = ImportRunScope & { programId: number }

/** What an undo leaves standing. */
export interface KeptRow {
  id: number
  name: string
  /** As it goes on after the name: 'was changed since'. */
  reason: string
}

/** A change that was not written, because somebody else changed or deleted the record after the import was planned. */
export interface ChangedMeanwhile {
  line: number
  /** The field of the file; absent where the record is gone. */
  field?: string | undefined
}

/** Writes what was planned, and takes it back. */
export interface ImportStore {
  /** Adds all rows in one call, because rules of the whole decide; otherwise by batches. */
  isWhole?: true
  /** The field of the file whose cells a column takes. */
  fieldOf?(column: string): string | undefined
  add(run: ImportRunScope, rows: readonly Entity[]): Promise<void>
  /** Writes the changed columns of records in which they are as planned, and answers the others: then nothing may be kept. */
  change(run: ImportRunScope, changes: readonly Change[]): Promise<ChangedMeanwhile[]>
  /** What of the run is in use or was changed since, by name. */
  findKept(run: ImportRunScope): Promise<KeptRow[]>
  /**
   * Takes back all but the rows of these ids, and answers how many it took back.
   *
   * @throws Failure 409 where something that it would put back is not as the import left it
   */
  undo(run: ImportRunScope, kept: readonly number[]): Promise<number>
}

/**
 * The server's side of something that can be imported; fields, labels and rights are the contract's (`Importable`). Lies as
 * `<thing>.import.ts` with its domain and is listed in `modules/imports/definitions.ts`.
 */
export interface ImportDefinition {
  store: ImportStore
  /** The fixed sets of the fields that are a `choice`, by the name of the field. */
  listChoices?(scope: ImportScope): Promise<Record<string, FieldChoices>>
  plan(scope: ImportScope, rows: readonly ReadRow[], mapping: ColumnMapping): Promise<Plan>
}
