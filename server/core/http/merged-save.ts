import { z } from 'zod'
import { fieldMark, fieldsOf, fingerprint, marksIn, readFields, sharedFields } from '#contract/core/basis.ts'
import type { AnyEndpoint } from '#contract/core/endpoint.ts'
import { coreFailures } from '#contract/core/failures.ts'
import { isObject } from '#contract/core/is-object.ts'
import type { User } from '#server/core/auth/session.ts'
import type { Db } from '#server/core/database/pool.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { type BasisCheck, staleSave } from './basis.ts'
import { parsePart } from './input.ts'
import { withKeptRows } from './kept-rows.ts'
import { completed, type LeftOut, leavesOut } from './left-out.ts'

/** A body with fields of what is there, in the form of the body. */
const written = (
  { body: schema, basis, takes }: AnyEndpoint,
  body: unknown,
  theirs: Readonly<Record<string, unknown>>,
): unknown => {
  const key = basis?.key
  if (Array.isArray(body))
    return body.flatMap((row) => {
      const name = String(row[key!]) // Only a list of a basis with a key has fields.
      return name in theirs
        ? theirs[name] === undefined
          ? []
          : [{ ...row, ...(theirs[name] as object) }]
        : [row]
    })
  if (!isObject(body)) return theirs.body
  if (takes === 'multipart')
    return Object.fromEntries(
      Object.entries(body).map(([part, fields]) => [
        part,
        isObject(fields) ? { ...fields, ...sharedFields(theirs, fields) } : fields,
      ]),
    )
  const shape: Record<string, z.ZodType> = schema instanceof z.ZodObject ? schema.shape : {}
  // Forms say '' for nothing, where the body takes no null.
  const inBody = ([name, value]: [string, unknown]) =>
    value === null && !shape[name]?.safeParse(null).success ? [name, ''] : [name, value]
  return { ...body, ...Object.fromEntries(Object.entries(theirs).map(inBody)) }
}

/**
 * A save put together with what others have done since: `marks` say what each field was seen with. A field that its caller left as they saw it
 * is what is there now; `conflicts` names those that both have changed, each to something else. Rows that are merged by key are left to
 * `withKeptRows` and the handlers.
 */
export const mergedSave = (
  endpoint: AnyEndpoint,
  { raw, parsed }: { raw: unknown; parsed: unknown },
  known: ReadonlyMap<string, unknown>,
  marks: ReadonlyMap<string, string>,
): { body: unknown; conflicts: string[] } => {
  const sent = fieldsOf(endpoint, raw)
  const own = fieldsOf(endpoint, parsed)
  const theirs: Record<string, unknown> = {}
  const conflicts: string[] = []
  for (const [name, now] of known) {
    const mark = marks.get(name)
    const there = fieldMark(now)
    if (mark === undefined || mark === there || (isObject(sent.Seen) && name in sent.Seen)) continue
    const mine = [sent[name], own[name]].map((value) =>
      fieldMark(isObject(value) && isObject(now) ? sharedFields(value, now) : value),
    )
    if (mine.includes(mark)) theirs[name] = now
    else if (!mine.includes(there)) conflicts.push(name)
  }
  return { body: Object.keys(theirs).length > 0 ? written(endpoint, raw, theirs) : raw, conflicts }
}

interface BasedSave {
  call: { params: unknown; body: unknown; user: User | undefined }
  raw: { body?: unknown }
  programId: number | null
  /** The value of `If-Match`. */
  seen: string | undefined
  db: Db
}

/**
 * The body of a save together with what is there now (`current`): what it leaves out, and what others have changed and it has not.
 *
 * @throws Failure 409 `stale` where it would undo what somebody else has done; 404 when the thing is gone; 400 where the two do not go together
 */
export const basedBody = async (
  { endpoint, check, leftOut }: { endpoint: AnyEndpoint; check: BasisCheck; leftOut: LeftOut },
  { call, raw, programId, seen, db }: BasedSave,
  current: unknown,
): Promise<unknown> => {
  const stale = (names?: readonly string[]) =>
    staleSave({ ...call, db }, { endpoint, check, programId }, current, names)
  if (seen !== undefined && current === undefined) throw fail(coreFailures.deleted_meanwhile)
  const marks = seen === undefined ? new Map<string, string>() : marksIn(seen)
  if (!marks && fingerprint(current) !== seen) throw await stale()
  const sent = fieldsOf(endpoint, raw.body)
  const known = readFields(check, current, sent)
  const { date: name } = check
  const date = seen === undefined && name ? sent[name] : undefined
  const isOther = name && Date.parse(String(date)) !== Date.parse(String(known.get(name)))
  if (date !== undefined && isOther) throw await stale()
  const hasSeen = (field: string) =>
    !marks || date !== undefined || marks.get(field) === fieldMark(known.get(field))
  const merged = marks
    ? mergedSave(endpoint, { raw: raw.body, parsed: call.body }, known, marks)
    : { body: raw.body, conflicts: [] }
  if (merged.conflicts.length > 0) throw await stale(merged.conflicts)
  const given = leavesOut(merged.body, leftOut)
    ? completed(endpoint.body, { raw: merged.body, parsed: call.body }, current, leftOut)
    : merged.body === raw.body || !endpoint.body
      ? call.body
      : parsePart(endpoint.body, merged.body, 'body', true)
  const kept = withKeptRows(endpoint, given, current, hasSeen)
  if (kept.conflicts.length > 0) throw await stale(kept.conflicts)
  return kept.body
}
