import { createHash } from 'node:crypto'
import { coreFailures } from '#contract/core/failures.ts'
import { type Failure, fail } from '#server/core/runtime/failure.ts'

/** The refusal of a text that no answer gave as a cursor, or that one of another list gave. */
export const strayCursor = (field = 'cursor'): Failure =>
  fail(coreFailures.stray_cursor, { fields: [{ Field: field, Message: 'belongs to another list' }] })

type Position = readonly (string | number)[]

const sumLength = 6
const sumOf = (list: string, text: string): Buffer =>
  createHash('sha256').update(`${list} ${text}`).digest().subarray(0, sumLength)

/** Where a page of `list` ended, as a text. Its sum tells one that was cut, changed or given by another list. */
export const cursorOf = (list: string, position: Position): string => {
  const text = JSON.stringify(position)
  return Buffer.concat([sumOf(list, text), Buffer.from(text)]).toString('base64url')
}

/**
 * The position that `cursorOf` wrote for the same list.
 *
 * @throws Failure 400 for any other text
 */
export const readCursor = <P extends Position>(list: string, cursor: string): P => {
  const bytes = Buffer.from(cursor, 'base64url')
  const text = bytes.subarray(sumLength).toString()
  const isOurs =
    bytes.toString('base64url') === cursor && sumOf(list, text).equals(bytes.subarray(0, sumLength))
  if (!isOurs) throw strayCursor()
  return JSON.parse(text) as P
}
