import { hashToken } from '#server/core/auth/session.ts'
import { type Db, isConnectionLoss, transaction } from '#server/core/database/pool.ts'
import { refuseUnusable } from '#server/core/http/input.ts'
import type { Protocol, ProtocolAnswer, ProtocolCall } from '#server/core/http/protocol.ts'
import { throttle } from '#server/core/http/throttle.ts'
import { writeAudit } from '#server/core/runtime/audit.ts'
import { Failure } from '#server/core/runtime/failure.ts'
import { metrics } from '#server/core/runtime/metrics.ts'
import { holdPeople, holdPeopleAlone } from '#server/core/runtime/people-lock.ts'
import { refuseInCopy } from '#server/core/runtime/restored-copy.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { findConnectionByKey, type ScimConnection } from './connections.across.ts'
import {
  applyGroupLevels,
  deleteScimGroup,
  insertScimGroup,
  noteError,
  noteUse,
  setMembers,
  updateScimGroup,
} from './provisioning.commands.ts'
import {
  findScimGroup,
  isGroupNameTaken,
  knownUsers,
  listScimGroups,
  listScimUsers,
  membersOf,
} from './provisioning.queries.ts'
import { description } from './scim-description.rules.ts'
import { badRequest, noResource, ScimError } from './scim-errors.rules.ts'
import { type Filter, parseFilter } from './scim-filter.rules.ts'
import { PatchBody, patched } from './scim-patch.rules.ts'
import { changePerson, createPerson, deletePerson, getUser, wholeUser } from './scim-people.commands.ts'
import {
  asPatchedUser,
  forPatch,
  groupLists,
  groupResource,
  readGroup,
  readUser,
  type ScimGroupRow,
  schemas,
  toldByPatch,
  userLists,
  userResource,
} from './scim-resources.rules.ts'

/** What one directory may send, so that people notice nothing of ten thousand users at once. */
const callsPerMinute = 1_500
const callsAtOnce = 6
const mostPerPage = 200
const usualPage = 100

const nobody = { accountId: null, programIds: [] }

type Resource = Record<string, unknown> & { meta: Record<string, unknown> }

/** A call of a directory that has shown its key. */
interface Scim {
  call: ProtocolCall
  db: Db
  connection: ScimConnection
  /** The address of the service. */
  base: string
}

const audit = (
  { db, call, connection }: Scim,
  subjectId: number | undefined,
  detail: Record<string, unknown>,
): Promise<void> =>
  writeAudit(db, {
    programId: connection.program_id,
    accountId: null,
    action: `SCIM ${call.method} ${call.path.replace(/\d+/, ':id')}`,
    address: call.address,
    subjectId,
    detail: { ByConnection: { Id: connection.provider_id, Name: connection.provider_name }, ...detail },
  })

const versionOf = ({ meta }: Resource): string => String(meta.version)

/** A resource with the attributes that were asked for; `id`, `schemas` and `meta` are always there. */
const projected = (
  resource: Resource,
  { attributes, excludedAttributes }: Record<string, string>,
): Resource => {
  const names = (text: string | undefined) =>
    new Set(
      (text ?? '')
        .split(',')
        .map((name) =>
          name
            .trim()
            .replace(/^urn:[\w:.-]*:/i, '')
            .split('.')[0]!
            .toLowerCase(),
        )
        .filter(Boolean),
    )
  const wanted = names(attributes)
  const unwanted = names(excludedAttributes)
  const isShown = (name: string): boolean =>
    ['id', 'schemas', 'meta'].includes(name) ||
    (wanted.size > 0 ? wanted.has(name.toLowerCase()) : !unwanted.has(name.toLowerCase()))
  // The names are those of the resource, of which `meta` is always kept.
  return Object.fromEntries(Object.entries(resource).filter(([name]) => isShown(name))) as Resource
}

/** Whether a header of a condition names the version: one or several, in quotes with or without `W/`, or any. */
const namesVersion = (header: string, version: string): boolean =>
  header
    .split(',')
    .map((each) => each.trim())
    .some((each) => each === '*' || each.replace(/^W\//, '') === version.replace(/^W\//, ''))

const answerOne = ({ call }: Scim, resource: Resource, status = 200): ProtocolAnswer => {
  const version = versionOf(resource)
  const known = call.headers['if-none-match']
  if (call.method === 'GET' && known && namesVersion(known, version))
    return { status: 304, headers: { etag: version } }
  return {
    status,
    body: projected(resource, call.query),
    headers: { etag: version, ...(status === 201 && { location: String(resource.meta.location) }) },
  }
}

/** @throws ScimError 412 where the resource is not the one that the caller has seen */
const refuseStale = ({ call }: Scim, resource: Resource): void => {
  const seen = call.headers['if-match']
  if (seen && !namesVersion(seen, versionOf(resource)))
    throw new ScimError(
      412,
      'The resource has changed since it was read. Read it again; nothing was changed.',
    )
}

const pageOf = ({ query }: ProtocolCall) => {
  const whole = (text: string | undefined, fallback: number): number => {
    if (text === undefined) return fallback
    if (!/^-?\d{1,9}$/.test(text))
      throw badRequest('invalidValue', `${text.slice(0, 50)} is no whole number.`)
    return Number(text)
  }
  return {
    startIndex: Math.max(1, whole(query.startIndex, 1)),
    count: Math.min(mostPerPage, Math.max(0, whole(query.count, usualPage))),
  }
}

const filterOf = ({ query }: ProtocolCall): Filter | undefined =>
  query.filter ? parseFilter(query.filter) : undefined

const answerList = (
  { call }: Scim,
  resources: Resource[],
  { total, startIndex }: { total: number; startIndex: number },
): ProtocolAnswer => ({
  status: 200,
  body: {
    schemas: [schemas.list],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources.map((resource) => projected(resource, call.query)),
  },
})

const operationsOf = (body: unknown) => {
  // Entra has written "operations" as well.
  const named = body as { Operations?: unknown; operations?: unknown } | null
  const parsed = PatchBody.safeParse({ Operations: named?.Operations ?? named?.operations })
  if (!parsed.success)
    throw badRequest('invalidSyntax', 'A PATCH needs Operations, each with op add, replace or remove.')
  return parsed.data.Operations
}

const users = async (scim: Scim, id: number | undefined): Promise<ProtocolAnswer> => {
  const { call, db, connection, base } = scim
  const asResource = (row: Parameters<typeof userResource>[0]): Resource => userResource(row, base)
  if (id === undefined) {
    if (call.method === 'GET') {
      const page = pageOf(call)
      const { rows, total } = await listScimUsers(db, connection, filterOf(call), page)
      return answerList(scim, rows.map(asResource), { ...page, total })
    }
    const { user, how } = await createPerson(db, connection, readUser(call.body))
    await audit(scim, user.id, { How: how, UserName: user.userName, IsActive: user.isActive })
    return answerOne(scim, asResource(user), 201)
  }
  if (call.method === 'GET') return answerOne(scim, asResource(await getUser(db, connection, id)))
  if (call.method === 'DELETE') {
    await holdPeopleAlone(db, connection.program_id)
    refuseStale(scim, asResource(await getUser(db, connection, id, true)))
    const { userName } = await deletePerson(db, connection, id)
    await audit(scim, id, { UserName: userName })
    return { status: 204 }
  }
  const operations = call.method === 'PATCH' ? operationsOf(call.body) : undefined
  const { before, after } = await changePerson(db, connection, id, (present) => {
    const resource = asResource(present)
    refuseStale(scim, resource)
    if (!operations) return wholeUser(readUser(call.body, present.isActive), present)
    const after = asPatchedUser(
      readUser(patched(forPatch(resource), operations, userLists), present.isActive),
      present,
    )
    return { after, told: toldByPatch(present, after) }
  })
  const said = ({
    groups: _,
    createdAt: __,
    updatedAt: ___,
    told: ____,
    kept: _____,
    elsewhere: ______,
    ...fields
  }: typeof before) => fields
  await audit(scim, id, { Before: said(before), After: said(after) })
  return answerOne(scim, asResource(after))
}

/** Makes these the members of a group, and gives those who come and go the levels of their groups. */
const keepMembers = async (
  { db, connection }: Scim,
  groupId: number,
  memberIds: readonly number[],
): Promise<{ changed: number; levels: { id: number; level: number }[] }> => {
  const known = await knownUsers(db, connection, memberIds)
  const unknown = memberIds.find((id) => !known.has(id))
  if (unknown !== undefined) throw badRequest('invalidValue', `members: there is no user ${unknown}.`)
  const changed = await setMembers(db, connection, groupId, memberIds)
  return { changed: changed.length, levels: await applyGroupLevels(db, connection, changed) }
}

const getGroup = async ({ db, connection }: Scim, id: number, isHeld = false): Promise<ScimGroupRow> => {
  const found = await findScimGroup(db, connection, id, isHeld)
  if (!found) throw noResource(String(id))
  return found
}

const nameTaken = (name: string) =>
  new ScimError(409, `The group ${name} exists already.`, { scimType: 'uniqueness' })

const groups = async (scim: Scim, id: number | undefined): Promise<ProtocolAnswer> => {
  const { call, db, connection, base } = scim
  const asResource = (row: ScimGroupRow): Resource => groupResource(row, base)
  if (call.method !== 'GET') await holdPeople(db, connection.program_id)
  if (id === undefined) {
    if (call.method === 'GET') {
      const page = pageOf(call)
      const withMembers = !/\bmembers\b/i.test(call.query.excludedAttributes ?? '')
      const { rows, total } = await listScimGroups(db, connection, filterOf(call), { ...page, withMembers })
      return answerList(scim, rows.map(asResource), { ...page, total })
    }
    const wanted = readGroup(call.body)
    const made = await insertScimGroup(db, connection, wanted)
    if (made === undefined) throw nameTaken(wanted.name)
    const done = await keepMembers(scim, made, wanted.memberIds)
    await audit(scim, undefined, { GroupId: made, Name: wanted.name, ...done })
    return answerOne(scim, asResource(await getGroup(scim, made)), 201)
  }
  const present = await getGroup(scim, id, call.method !== 'GET')
  if (call.method === 'GET') return answerOne(scim, asResource(present))
  refuseStale(scim, asResource(present))
  if (call.method === 'DELETE') {
    const members = await membersOf(db, connection.program_id, [id])
    await deleteScimGroup(db, connection, id)
    await audit(scim, undefined, {
      GroupId: id,
      Name: present.name,
      levels: await applyGroupLevels(db, connection, members),
    })
    return { status: 204 }
  }
  const wanted = readGroup(
    call.method === 'PATCH'
      ? patched(forPatch(asResource(present)), operationsOf(call.body), groupLists)
      : call.body,
  )
  if (await isGroupNameTaken(db, connection, { name: wanted.name, exceptId: id }))
    throw nameTaken(wanted.name)
  await updateScimGroup(db, connection, id, wanted)
  const done = await keepMembers(scim, id, wanted.memberIds)
  await audit(scim, undefined, { GroupId: id, Before: present.name, After: wanted.name, ...done })
  const after = asResource(await getGroup(scim, id))
  // Entra asks for no answer to a change of members, which may be long.
  return call.method === 'PATCH'
    ? { status: 204, headers: { etag: versionOf(after) } }
    : answerOne(scim, after)
}

const methodsOf: Record<'list' | 'one', readonly string[]> = {
  list: ['GET', 'POST'],
  one: ['GET', 'PUT', 'PATCH', 'DELETE'],
}

const route = (scim: Scim): Promise<ProtocolAnswer> => {
  const { call, base } = scim
  const found = /^\/(Users|Groups)(?:\/([^/]+))?$/i.exec(call.path)
  if (!found) {
    if (call.method !== 'GET') throw noResource(call.path)
    const body = description(call.path, base)
    if (!body) throw noResource(call.path)
    return Promise.resolve({ status: 200, body })
  }
  const [, kind = '', id] = found
  if (!methodsOf[id === undefined ? 'list' : 'one'].includes(call.method))
    throw new ScimError(405, `${call.method} is not for ${call.path}.`)
  if (id !== undefined && !/^\d{1,10}$/.test(id)) throw noResource(id)
  const answer = kind.toLowerCase() === 'users' ? users : groups
  return answer(scim, id === undefined ? undefined : Number(id))
}

/** Calls of each directory that this process works on now. */
const running = new Map<string, number>()

/** @throws ScimError 429 while as many calls of this directory are worked on as may be at once */
const inTurn = async <T>(key: string, work: () => Promise<T>): Promise<T> => {
  const count = running.get(key) ?? 0
  if (count >= callsAtOnce)
    throw new ScimError(429, 'Too many calls at once. Send fewer beside each other.', {
      retryAfterSeconds: 1,
    })
  running.set(key, count + 1)
  try {
    return await work()
  } finally {
    const left = (running.get(key) ?? 1) - 1
    if (left > 0) running.set(key, left)
    else running.delete(key)
  }
}

const unauthorized = (): ScimError => new ScimError(401, 'The key is missing, wrong, or no longer valid.')

const answer = async (call: ProtocolCall): Promise<ProtocolAnswer> => {
  const { services } = call
  const [, key] = /^Bearer ([\w-]{20,200})$/i.exec(call.headers.authorization ?? '') ?? []
  if (!key) throw unauthorized()
  const hash = hashToken(key)
  return inTurn(hash.toString('base64'), async () => {
    const connection = await transaction(services.transactions, nobody, (db) => findConnectionByKey(db, hash))
    if (!connection) throw unauthorized()
    if (call.method !== 'GET') await refuseInCopy(services.pool)
    const { program_id, provider_id } = connection
    await throttle(services.pool, [
      { key: `scim:${program_id}:${provider_id}`, max: callsPerMinute, windowSeconds: 60 },
    ])
    refuseUnusable(call.query, 'query', call.method !== 'GET')
    refuseUnusable(call.body, 'body', call.method !== 'GET', true)
    const tenant = { accountId: null, programIds: [program_id] }
    const base = `${services.publicUrl()}${services.config.appRoot}/scim/v2`
    try {
      const done = await transaction(services.transactions, tenant, async (db) => {
        await noteUse(db, connection)
        return route({ call, db, connection, base })
      })
      metrics.scimCall(call.method, done.status)
      return done
    } catch (error) {
      // What was not there, changed meanwhile or came too fast is no fault of the connection.
      if (error instanceof ScimError && [400, 403, 409].includes(error.status))
        await transaction(services.transactions, tenant, (db) =>
          noteError(db, connection, `${call.method} ${call.path}: ${error.message}`),
        )
      throw error
    }
  })
}

const statusOf = (error: Error & { statusCode?: number }): number => {
  // To a directory, 409 is a name that is taken.
  if (error instanceof Failure && error.code === 'writing') return 503
  if (error instanceof ScimError || error instanceof Failure) return error.status
  if (isConnectionLoss(error)) return 503
  return error.statusCode && error.statusCode < 500 ? error.statusCode : 500
}

const onFailure = (error: Error, _services: Services): ProtocolAnswer => {
  const status = statusOf(error)
  const scimType = error instanceof ScimError ? error.scimType : status === 400 ? 'invalidSyntax' : undefined
  const retryAfter =
    error instanceof ScimError || error instanceof Failure
      ? error.retryAfterSeconds
      : status === 503
        ? 2
        : undefined
  const detail =
    error instanceof ScimError || error instanceof Failure
      ? error.message
      : status < 500
        ? 'The request is not well-formed JSON of a size and type that this address takes.'
        : 'Something went wrong on the server, and nothing was saved. Try again later.'
  metrics.scimCall('refused', status)
  return {
    status,
    body: { schemas: [schemas.error], status: String(status), ...(scimType && { scimType }), detail },
    headers: {
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
      ...(status === 401 && { 'www-authenticate': 'Bearer realm="SCIM"' }),
    },
  }
}

/** SCIM 2.0 (RFC 7643 and 7644): the directory of a college keeps the people of a program. */
export const scimProtocol: Protocol = {
  path: '/scim/v2',
  methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  mediaType: 'application/scim+json',
  bodyLimit: 2 * 1024 * 1024,
  answer,
  onFailure,
}
