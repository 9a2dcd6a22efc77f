import { sql } from 'kysely'
import { fingerprint } from '#contract/core/basis.ts'
import type { AnyEndpoint, Basis } from '#contract/core/endpoint.ts'
import { coreFailures } from '#contract/core/failures.ts'
import { someone } from '#contract/core/wording.ts'
import { sentence } from '#contract/language/texts.ts'
import type { Db } from '#server/core/database/pool.ts'
import { fail } from '#server/core/runtime/failure.ts'
import type { Route } from './handle.ts'
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
export const readBasis = async (call: { db: Db; params: unknown }, check: BasisCheck): Promise<unknown> => {
  const params = (call.params ?? {}) as Params
  const input = {
    ...call,
    params: paramsOf(check.read, params),
    query: check.read.query?.parse(check.query ?? {}),
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

/**
 * Refuses a save whose basis has changed. The transaction must be `repeatable read`: a change that commits between this
 * comparison and the save's own statements then makes the database refuse the save, and the next attempt comes here again.
 *
 * @throws Failure 409 `stale` with `ChangedBy` and `ChangedAt` where the audit knows them; 404 when the thing is gone
 */
export const refuseStale = async (
  call: { db: Db; params: unknown },
  check: BasisCheck,
  { current, seen, programId }: { current: unknown; seen: string; programId: number | null },
): Promise<void> => {
  if (current === undefined) throw fail(coreFailures.deleted_meanwhile)
  if (fingerprint(current, check.ignores) === seen) return
  const change = await findLastChange(call.db, check.actions, programId, (call.params ?? {}) as Params)
  throw fail(
    coreFailures.stale,
    { By: change?.by ?? sentence(someone) },
    { extra: { ChangedBy: change?.by ?? null, ChangedAt: change?.at ?? null } },
  )
}

const findLastChange = async (
  db: Db,
  actions: readonly string[],
  programId: number | null,
  params: Params,
): Promise<{ by: string; at: string } | undefined> => {
  const { rows } = await sql<{ by: string; at: string }>`
    select trim(concat(a.first_name, ' ', a.last_name)) as by, u.at
    from audit u join account a on a.id = u.account_id
    where ${programId === null ? sql`u.program_id is null` : sql`u.program_id = ${programId}`}
      and u.at > now() - interval '30 days'
      and u.action = any (${actions}) and u.detail @> ${JSON.stringify(params)}::jsonb
    order by u.at desc limit 1`.execute(db)
  return rows[0]
}
