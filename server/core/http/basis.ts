import { sql } from 'kysely'
import { z } from 'zod'
import { fieldMark, fieldsOf, readFields, sharedFields } from '#contract/core/basis.ts'
import type { AnyEndpoint, Basis } from '#contract/core/endpoint.ts'
import { coreFailures } from '#contract/core/failures.ts'
import { isObject } from '#contract/core/is-object.ts'
import { may } from '#contract/core/permissions.ts'
import { someone } from '#contract/core/wording.ts'
import { sentence } from '#contract/language/texts.ts'
import type { User } from '#server/core/auth/session.ts'
import type { Db } from '#server/core/database/pool.ts'
import { type Failure, fail } from '#server/core/runtime/failure.ts'
import type { Route } from './handle.ts'
import { sensitivityOf } from './sensitive.ts'
import { answerSerializer } from './serializer.ts'

type Params = Record<string, unknown>

/** What the saves of one endpoint are compared with. */
export interface BasisCheck extends Basis {
  handler: Route['handler']
  toJson: (answer: unknown) => unknown
  /** All changes that start from the same read, as the audit names them. */
  actions: readonly string[]
}

/** How saves of `endpoint` are compared, if it declares a basis; `routes` are all routes of the product. */
export const basisCheck = ({ basis }: AnyEndpoint, routes: readonly Route[]): BasisCheck | undefined => {
  if (!basis) return undefined
  // Every declared read has its route: the tests look for each.
  const { handler } = routes.find(({ endpoint }) => endpoint === basis.read)!
  const serialize = answerSerializer(basis.read.answer, false)
  const actions = routes
    .filter(({ endpoint }) => endpoint.basis?.read === basis.read)
    .map(({ endpoint: { method, path } }) => `${method} ${path}`)
  return { ...basis, handler, actions, toJson: (answer) => JSON.parse(String(serialize(answer))) }
}

/** Of a change's path parameters those that its read has too. */
const paramsOf = (read: AnyEndpoint, params: Params): Params =>
  // The pattern's only group is part of every match.
  Object.fromEntries([...read.path.matchAll(/:(\w+)/g)].map(([, name]) => [name!, params[name!]]))

/** What a save starts from, as its read answers it now; undefined for a row that a list no longer has. */
export const readBasis = async (
  call: { db: Db; params: unknown; query: unknown },
  check: BasisCheck,
): Promise<unknown> => {
  const params = (call.params ?? {}) as Params
  const asked = check.read.query instanceof z.ZodObject ? check.read.query.shape : {}
  const input = {
    ...call,
    params: paramsOf(check.read, params),
    query: check.read.query?.parse({ ...sharedFields((call.query ?? {}) as Params, asked), ...check.query }),
    body: undefined,
    audit: {},
  }
  const answer = check.toJson(await check.handler(input))
  const { item, within } = check
  if (!item) return answer
  const list = within ? (answer as Params)[within] : answer
  const rows = (Array.isArray(list) ? list : []) as { Id: unknown }[]
  return rows.find(({ Id }) => Id === params[item])
}

interface Change {
  by: string
  at: string
  detail: Record<string, unknown>
}

const shownLetters = 200
/** As text, whatever the order of its fields: the database keeps another one. */
const plainly = (value: unknown): string =>
  isObject(value) || (Array.isArray(value) && value.some(isObject))
    ? JSON.stringify(value, (_name, inner) =>
        isObject(inner) ? Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)) : inner,
      )
    : String(value ?? '').slice(0, shownLetters)
/** Whether what the audit has of a field is what is there: long texts are cut there, and secret ones left out. */
const agrees = (told: unknown, now: unknown): boolean => {
  if (told === '…' || fieldMark(told) === fieldMark(now)) return true
  const [one, other] =
    isObject(told) && isObject(now) ? [sharedFields(told, now), sharedFields(now, told)] : [told, now]
  return plainly(typeof one === 'string' ? one.replace(/…$/, '') : one) === plainly(other)
}

/** Who made a field what it is now, by the changes of the thing, the latest first; nobody where somebody else must have done it. */
const whoChanged = (
  changes: readonly Change[],
  { endpoint, name, now }: { endpoint: AnyEndpoint; name: string; now: unknown },
): Change | undefined => {
  let found: Change | undefined
  const told = (value: unknown): Record<string, unknown> =>
    endpoint.basis?.key
      ? fieldsOf(endpoint, Object.values(value ?? {}))
      : { ...(isObject(value) && value), ...fieldsOf(endpoint, value) }
  for (const change of changes) {
    const { Before, After, ...input } = change.detail
    const [before, after] = [told(Before), told(After ?? input)]
    if (name in before && agrees(before[name], after[name])) continue
    if (!(name in after)) {
      if (!After) found ??= change
    } else if (!agrees(after[name], now)) return found
    else if (Before) return change
    // Whoever sends all of a thing has not changed each field of it: who sent this value first has.
    else found = change
  }
  return found
}

const recentChanges = 50
const findChanges = async (
  db: Db,
  actions: readonly string[],
  programId: number | null,
  params: Params,
): Promise<Change[]> => {
  const { rows } = await sql<Change>`
    select trim(concat(a.first_name, ' ', a.last_name, ' (' || (u.detail #>> '{ByKey,Name}') || ')')) as by, u.at, coalesce(u.detail, '{}') as detail
    from audit u join account a on a.id = u.account_id
    where ${programId === null ? sql`u.program_id is null` : sql`u.program_id = ${programId}`}
      and u.at > now() - interval '30 days'
      and u.action = any (${actions}) and u.detail @> ${JSON.stringify(params)}::jsonb
    order by u.at desc limit ${recentChanges}`.execute(db)
  return rows
}

const longestValue = 2_000
/**
 * The refusal of a save that would undo what somebody else has done since it began.
 *
 * @param names the fields that both have changed; undefined where only the whole is compared
 */
export const staleSave = async (
  call: { db: Db; params: unknown; user: User | undefined },
  { endpoint, check, programId }: { endpoint: AnyEndpoint; check: BasisCheck; programId: number | null },
  current: unknown,
  names?: readonly string[],
): Promise<Failure> => {
  const changes = await findChanges(call.db, check.actions, programId, (call.params ?? {}) as Params)
  const known = readFields(check, current, Object.fromEntries((names ?? []).map((name) => [name, {}])))
  const mayRead =
    call.user !== undefined &&
    (check.read.may === 'signed-in' || check.read.may === 'everyone' || may(call.user, check.read.may)) &&
    sensitivityOf(check.read).classes.size === 0
  const fields = names?.map((name) => {
    const now = known.get(name)
    const change = whoChanged(changes, { endpoint, name, now })
    const isTold = mayRead && JSON.stringify(now ?? null).length <= longestValue
    return {
      Field: name,
      ...(isTold && { Value: now ?? null }),
      ChangedBy: change?.by ?? null,
      ChangedAt: change?.at ?? null,
    }
  })
  const ChangedBy = fields ? (fields[0]?.ChangedBy ?? null) : (changes[0]?.by ?? null)
  const ChangedAt = fields ? (fields[0]?.ChangedAt ?? null) : (changes[0]?.at ?? null)
  return fail(
    coreFailures.stale,
    { By: ChangedBy ?? sentence(someone) },
    { extra: { ChangedBy, ChangedAt, ...(fields && { Fields: fields }) } },
  )
}
