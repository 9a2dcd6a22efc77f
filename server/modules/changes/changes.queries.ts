import { sql } from 'kysely'
import type { DataChange } from '#contract/changes/changes.ts'
import { changeFailures } from '#contract/changes/failures.ts'
import type { Db } from '#server/core/database/pool.ts'
import { strayCursor } from '#server/core/http/cursor.ts'
import { type Failure, fail } from '#server/core/runtime/failure.ts'

/** The last change that was read: the transaction, and within it the kind, record and student. */
interface Position {
  epoch: string
  transaction: string
  kind: string
  record: string
  student: string
}

const textOf = ({ epoch, transaction, kind, record, student }: Position): string =>
  [epoch.slice(0, 8), transaction, kind, record, student].join('.')

const readPosition = (text: string): Position => {
  const [, epoch, transaction, kind, record, student] =
    /^([\da-f]{8})\.(\d{1,18})\.([a-z-]{0,20})\.(\d{1,15})\.(\d{1,15})$/.exec(text) ?? []
  if (student === undefined) throw strayCursor('after')
  // The five parts are there together.
  return { epoch: epoch!, transaction: transaction!, kind: kind!, record: record!, student }
}

const expired = (): Failure =>
  fail(changeFailures.expired, { fields: [{ Field: 'after', Message: 'is too old' }] })

interface Found {
  epoch: string
  /** Below it nothing runs any longer: all of it is known. */
  ends: string
  forgotten: string
  /** Of no change when there are none. */
  transaction: string | null
  kind: DataChange['Kind']
  record: number
  student: number
  isDeleted: boolean
  at: string
}

/**
 * A page of the changes of a program in the order of their transactions.
 *
 * @throws Failure 400 for what is no cursor, and for one that is older than what is kept
 */
export const pageChanges = async (
  db: Db,
  programId: number,
  { after, kinds, pageSize }: { after: string | undefined; kinds: readonly string[]; pageSize: number },
): Promise<{ Items: DataChange[]; NextCursor: string; HasMore: boolean }> => {
  const given = after === undefined ? undefined : readPosition(after)
  const isAfter = given
    ? sql`(e.transaction, kind, record_id, student_id)
        > (${given.transaction}::xid8, ${given.kind}, ${given.record}::bigint, ${given.student}::bigint)`
    : sql`false`
  // One statement, so that what is found, where it ends and what is forgotten are of the same moment.
  const { rows } = await sql<Found>`
    select s.*, c.* from (
      select epoch::text, pg_snapshot_xmin(pg_current_snapshot()) as ends,
        coalesce((select transaction from change_horizon where program_id = ${programId}), '0') as forgotten
      from change_epoch) s
    left join lateral (
      select distinct on (e.transaction, kind, record_id, student_id) e.transaction::text, kind, record_id as record,
        student_id as student, is_deleted as "isDeleted", at
      from domain_event e
      where program_id = ${programId} and kind = any (${kinds}::text[]) and e.transaction < s.ends and ${isAfter}
      -- The last one of a transaction counts.
      order by e.transaction, kind, record_id, student_id, id desc
      limit ${pageSize + 1}) c on true`.execute(db)
  // There is one epoch, and so at least one row.
  const state = rows[0]!
  if (given) {
    if (!state.epoch.startsWith(given.epoch)) throw expired()
    if (BigInt(given.transaction) <= BigInt(state.forgotten)) throw expired()
    if (BigInt(given.transaction) > BigInt(state.ends)) throw strayCursor('after')
  }
  const found = rows.filter(({ transaction }) => transaction !== null)
  const page = found.slice(0, pageSize)
  const last = page.at(-1)
  const HasMore = found.length > pageSize
  const next: Position =
    HasMore && last
      ? {
          epoch: state.epoch,
          // Those without one are left out above.
          transaction: last.transaction!,
          kind: last.kind,
          record: String(last.record),
          student: String(last.student),
        }
      : { epoch: state.epoch, transaction: state.ends, kind: '', record: '0', student: '0' }
  return {
    Items: page.map(({ kind, record, student, isDeleted, at }) => ({
      Kind: kind,
      Id: record,
      StudentId: student || null,
      IsDeleted: isDeleted,
      Date: at,
    })),
    NextCursor: textOf(next),
    HasMore,
  }
}
