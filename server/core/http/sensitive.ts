import type { FastifyRequest } from 'fastify'
import { withoutInvisible } from '#contract/core/blank.ts'
import type { AnyEndpoint } from '#contract/core/endpoint.ts'
import { coreFailures } from '#contract/core/failures.ts'
import { Level } from '#contract/core/levels.ts'
import type { Permission } from '#contract/core/permissions.ts'
import {
  type SensitiveClass,
  type SensitivePlace,
  sensitiveClasses,
  sensitivePlaces,
} from '#contract/core/sensitive.ts'
import type { SignedIn } from '#server/core/auth/session.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { ReadyJson } from './ready-json.ts'

/**
 * Records of a class (`contract/core/sensitive.ts`): closed to whoever views as somebody else, to keys that do not name the class,
 * and to those above the program without a written reason, which the person reads in “who saw my record”.
 */
export interface Sensitivity {
  class: SensitiveClass | undefined
  places: readonly SensitivePlace[]
  /** All classes of the call. */
  classes: ReadonlySet<SensitiveClass>
}

const known = new WeakMap<AnyEndpoint, Sensitivity>()

/** Looked for with the first call of an endpoint: in all of them it takes a tenth of a start. */
export const sensitivityOf = (endpoint: AnyEndpoint): Sensitivity => {
  const before = known.get(endpoint)
  if (before) return before
  const places = sensitivePlaces(endpoint.answer)
  const found = {
    class: endpoint.class,
    places,
    classes: new Set([...(endpoint.class ? [endpoint.class] : []), ...places.map((place) => place.class)]),
  }
  known.set(endpoint, found)
  return found
}

/** From this level on a reason is asked for: who looks after many programs, and of declarations everybody above the director. */
const reasonFrom: Record<SensitiveClass, number> = {
  health: Level.SuperAdmin,
  conduct: Level.SuperAdmin,
  declaration: Level.Director + 1,
  // Of the own account alone.
  security: Number.POSITIVE_INFINITY,
}
const leastReason = 10
const mostReason = 300

/** The reason that a call brings, as it was typed. */
export const reasonOf = ({ headers }: FastifyRequest): string | undefined => {
  const told = headers['x-reason']
  if (typeof told !== 'string') return undefined
  try {
    const reason = decodeURIComponent(told).replace(/\s+/g, ' ').trim()
    return withoutInvisible(reason).length >= leastReason && reason.isWellFormed()
      ? reason.slice(0, mostReason)
      : undefined
  } catch {
    return undefined
  }
}

const isClosedToKey = ({ user }: SignedIn, of: SensitiveClass): boolean =>
  user.key !== undefined && !user.KeyRights?.includes(`private.${of}` as Permission)

/** The classes whose fields the caller does not get. */
const closedTo = ({ classes }: Sensitivity, caller: SignedIn): SensitiveClass[] =>
  [...classes].filter((of) => caller.session.viewer !== null || isClosedToKey(caller, of))

/** The classes of which somebody reads nothing in passing, such as in the audit: they open the record itself, by a reason where it takes one. */
export const classesClosedTo = (caller: SignedIn): SensitiveClass[] =>
  sensitiveClasses.filter(
    (of) =>
      caller.session.viewer !== null ||
      isClosedToKey(caller, of) ||
      (!caller.user.key && caller.user.AccessLevel >= reasonFrom[of]),
  )

/** @throws Failure 403 for whoever the call's class is closed to, `reason_required` where a reason opens it */
export const refuseSensitive = (
  sensitivity: Sensitivity,
  request: FastifyRequest,
  caller: SignedIn,
): void => {
  const { user, session } = caller
  const { class: of, classes } = sensitivity
  const Changes = request.method !== 'GET'
  if (of && session.viewer) throw fail(coreFailures.viewing_private, { Name: user.Name })
  if (of && isClosedToKey(caller, of))
    throw fail(coreFailures.private_key_right, { Name: user.key?.Name ?? '', Class: of, Changes })
  if (user.key || session.viewer || reasonOf(request)) return
  if ([...classes].some((one) => user.AccessLevel >= reasonFrom[one]))
    throw fail(coreFailures.reason_required, { Changes })
}

const emptied = (value: unknown, [step, ...rest]: readonly string[], empty: unknown): unknown => {
  if (step === undefined) return empty
  if (value === null || typeof value !== 'object') return value
  if (step === '*') return Array.isArray(value) ? value.map((item) => emptied(item, rest, empty)) : value
  const object = value as Record<string, unknown>
  return step in object ? { ...object, [step]: emptied(object[step], rest, empty) } : value
}

/** The answer without what is closed to the caller. */
export const withheld = (
  sensitivity: Sensitivity,
  caller: SignedIn | undefined,
  answer: unknown,
): unknown => {
  if (sensitivity.places.length === 0) return answer
  const closed = caller ? closedTo(sensitivity, caller) : [...sensitivity.classes]
  if (closed.length === 0) return answer
  if (answer instanceof ReadyJson)
    throw new Error('An answer with fields of a class is written by its schema')
  return sensitivity.places
    .filter((place) => closed.includes(place.class))
    .reduce((left, { path, empty }) => emptied(left, path, empty), answer)
}

/** Whose records an answer holds: the students that it names. */
export const studentsIn = (answer: unknown): number[] => {
  const found = new Set<number>()
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) walk(item)
    else if (value !== null && typeof value === 'object' && !(value instanceof Date))
      for (const [name, inner] of Object.entries(value))
        if (name === 'StudentId' && typeof inner === 'number') found.add(inner)
        else walk(inner)
  }
  if (!(answer instanceof ReadyJson)) walk(answer)
  return [...found]
}
