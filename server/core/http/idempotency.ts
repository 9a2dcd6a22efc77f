import { sql } from 'kysely'
import type { AnyEndpoint } from '#contract/core/endpoint.ts'
import { coreFailures } from '#contract/core/failures.ts'
import { hashCode, seal, unseal } from '#server/core/auth/seal.ts'
import type { Db, TransactionContext } from '#server/core/database/pool.ts'
import { type Failure, fail } from '#server/core/runtime/failure.ts'

/** Under the installation's key: inputs hold passwords, which nobody can guess from a hash that only the server makes. */
const hashOf = (secretKey: string, value: unknown): Buffer =>
  hashCode(secretKey, 'request', JSON.stringify(value ?? null))

/** Whose secret answer is sealed, and to which call. */
export const answerContext = (accountId: number, key: string): string => `answer ${accountId} ${key}`

/** @throws Failure 400 when the call's Idempotency-Key is missing where it must be there, or no key */
export const checkKey = (endpoint: AnyEndpoint, key: string | undefined): void => {
  if (endpoint.needsKey && !key) {
    throw fail(coreFailures.key_required, {
      fields: [{ Field: 'Idempotency-Key', Message: 'The header Idempotency-Key is required.' }],
    })
  }
  if (key && !/^[\x21-\x7e]{8,200}$/.test(key)) {
    throw fail(coreFailures.key_malformed)
  }
}

/** The refusal of a key that was sent with something else before. */
export const keyReused = (): Failure => fail(coreFailures.key_reused)

/**
 * Answers a repeated call with its first answer. The row is written in the call's own transaction: a second call with the
 * same key waits for the first one's commit and then finds its answer.
 */
export const withIdempotency = async (
  db: Db,
  { closing }: TransactionContext,
  secretKey: string,
  key: string,
  endpoint: AnyEndpoint,
  accountId: number,
  input: unknown,
  work: () => Promise<unknown>,
): Promise<unknown> => {
  const hash = hashOf(secretKey, input)
  const context = answerContext(accountId, key)
  const name = `${endpoint.method} ${endpoint.path}`
  const taken = await db
    .insertInto('idempotency_key')
    .values({ account_id: accountId, key, endpoint: name, request_hash: hash })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (taken.numInsertedOrUpdatedRows === 0n) {
    const first = await db
      .selectFrom('idempotency_key')
      .select(['endpoint', 'request_hash', 'answer'])
      .where('account_id', '=', accountId)
      .where('key', '=', key)
      .executeTakeFirstOrThrow()
    // One of before the key of the installation was changed cannot be compared, and is empty.
    const isOther = first.request_hash.length > 0 && !first.request_hash.equals(hash)
    if (first.endpoint !== name || isOther) {
      throw keyReused()
    }
    return endpoint.answersSecret && first.answer !== null
      ? JSON.parse(unseal(secretKey, context, String(first.answer)))
      : first.answer
  }
  const answer = await work()
  const text = answer === undefined ? null : JSON.stringify(answer)
  const kept = text !== null && endpoint.answersSecret ? JSON.stringify(seal(secretKey, context, text)) : text
  closing.push(
    db
      .updateTable('idempotency_key')
      .set({ answer: kept })
      .where('account_id', '=', accountId)
      .where('key', '=', key)
      .compile(),
  )
  return answer
}

/** A device may keep a punch for 14 days and a page is not left open for longer: no call comes again after this. */
export const keyDays = 30
const batch = 10_000

/** Forgets some keys of calls that nobody repeats any more; whether there may be more. Keys of punches stay with their records. */
export const forgetOldKeys = async (db: Db): Promise<boolean> => {
  const { numAffectedRows = 0n } = await sql`delete from idempotency_key where ctid = any (array(
    select ctid from idempotency_key where created_at < now() - make_interval(days => ${keyDays})
    order by created_at limit ${batch} for update skip locked))`.execute(db)
  return numAffectedRows === BigInt(batch)
}
