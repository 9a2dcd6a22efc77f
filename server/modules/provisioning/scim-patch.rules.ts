import { z } from 'zod'
import { isObject } from '#contract/core/is-object.ts'
import { badRequest } from './scim-errors.rules.ts'
import { type Filter, holds, parseFilter, plainPath } from './scim-filter.rules.ts'

type Json = Record<string, unknown>

/** Entra writes the names of operations with a capital letter. */
const Operation = z.object({
  op: z
    .string()
    .transform((text) => text.toLowerCase())
    .pipe(z.enum(['add', 'replace', 'remove'])),
  path: z.string().max(2_000).optional(),
  value: z.unknown().optional(),
})
/** Entra sends a member a call, Okta some hundreds. */
const mostOperations = 1_000

export const PatchBody = z.object({ Operations: z.array(Operation).min(1).max(mostOperations) })
export type PatchOperation = z.output<typeof Operation>

interface Target {
  /** In lower case. */
  attribute: string
  filter?: Filter
  sub?: string
}

const refusePath = (path: string): never => {
  throw badRequest('invalidPath', `The path ${path.slice(0, 200)} cannot be read.`)
}

const targetOf = (path: string): Target => {
  const bracket = path.indexOf('[')
  if (bracket < 0) {
    const plain = plainPath(path)
    if (!/^[a-z$][\w$-]*(?:\.[a-z$][\w$-]*)?$/.test(plain)) return refusePath(path)
    const [attribute = '', sub] = plain.split('.')
    return { attribute, ...(sub !== undefined && { sub }) }
  }
  const end = path.lastIndexOf(']')
  const after = path.slice(end + 1)
  const attribute = plainPath(path.slice(0, bracket))
  if (end < bracket || !/^[a-z$][\w$-]*$/.test(attribute) || !/^(?:\.[A-Za-z$][\w$-]*)?$/.test(after))
    return refusePath(path)
  const sub = after.slice(1).toLowerCase()
  return { attribute, filter: parseFilter(path.slice(bracket + 1, end)), ...(sub !== '' && { sub }) }
}

const keyIn = (object: Json, name: string): string =>
  Object.keys(object).find((key) => key.toLowerCase() === name.toLowerCase()) ?? name

const isSame = (left: unknown, right: unknown): boolean =>
  isObject(left) && isObject(right) && 'value' in left && 'value' in right
    ? left.value === right.value
    : JSON.stringify(left) === JSON.stringify(right)

/** The items of a list with others added to it, each once. */
const joined = (list: readonly unknown[], more: readonly unknown[]): unknown[] => {
  const values = new Set(list.map((item) => (isObject(item) ? item.value : item)))
  const added = more.filter((item) => {
    const value = isObject(item) ? item.value : item
    if (value === undefined) return !list.some((known) => isSame(known, item))
    if (values.has(value)) return false
    values.add(value)
    return true
  })
  return [...list, ...added]
}

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])

/** The parts that `eq` comparisons of a filter name: what an item is like that a replacement makes. */
const partsOf = (filter: Filter): Json => {
  if (filter.kind === 'compare' && filter.operator === 'eq') return { [filter.path]: filter.value }
  if (filter.kind === 'and') return { ...partsOf(filter.left), ...partsOf(filter.right) }
  return {}
}

const setAt = (
  object: Json,
  name: string,
  value: unknown,
  op: 'add' | 'replace',
  lists: ReadonlySet<string>,
): void => {
  const key = keyIn(object, name)
  const present = object[key]
  if (lists.has(name.toLowerCase())) {
    const items = asList(value)
    object[key] = op === 'add' && Array.isArray(present) ? joined(present, items) : items
  } else if (isObject(present) && isObject(value)) {
    for (const [inner, each] of Object.entries(value)) present[keyIn(present, inner)] = each
  } else object[key] = value
}

const apply = (resource: Json, { op, path, value }: PatchOperation, lists: ReadonlySet<string>): void => {
  if (path === undefined || path === '') {
    if (op === 'remove') throw badRequest('noTarget', 'A removal needs a path.')
    if (!isObject(value))
      throw badRequest('invalidValue', 'Without a path the value must be an object of attributes.')
    // Entra also sends paths as names: { "name.givenName": "Maria" }.
    for (const [name, each] of Object.entries(value)) {
      if (/^urn:/i.test(name) && isObject(each)) apply(resource, { op, value: each }, lists)
      else apply(resource, { op, path: name, value: each }, lists)
    }
    return
  }
  const { attribute, filter, sub } = targetOf(path)
  const key = keyIn(resource, attribute)
  if (op !== 'remove' && value === undefined) throw badRequest('invalidValue', `${path} has no value.`)
  if (!filter) {
    if (sub === undefined) {
      if (op !== 'remove') setAt(resource, attribute, value, op, lists)
      // Entra removes members by path and value: { "path": "members", "value": [{ "value": "7" }] }.
      else if (lists.has(attribute) && value !== undefined && value !== null) {
        const gone = asList(value)
        resource[key] = asList(resource[key] ?? []).filter((item) => !gone.some((each) => isSame(item, each)))
      } else delete resource[key]
      return
    }
    const holder = resource[key]
    if (Array.isArray(holder)) {
      for (const item of holder.filter(isObject)) {
        if (op === 'remove') delete item[keyIn(item, sub)]
        else item[keyIn(item, sub)] = value
      }
    } else if (op === 'remove') {
      if (isObject(holder)) delete holder[keyIn(holder, sub)]
    } else {
      const made = isObject(holder) ? holder : {}
      made[keyIn(made, sub)] = value
      resource[key] = made
    }
    return
  }
  const items = asList(resource[key] ?? [])
  const matching = items.filter((item) => holds(filter, item))
  if (op === 'remove') {
    if (sub === undefined) resource[key] = items.filter((item) => !matching.includes(item))
    else for (const item of matching.filter(isObject)) delete item[keyIn(item, sub)]
    return
  }
  if (matching.length === 0) {
    // RFC 7644 asks for noTarget; Entra sends the first work address this way and means that it be made.
    const made = partsOf(filter)
    if (Object.keys(made).length === 0) throw badRequest('noTarget', `Nothing fits the path ${path}.`)
    resource[key] = [
      ...items,
      sub === undefined ? { ...made, ...(isObject(value) ? value : { value }) } : { ...made, [sub]: value },
    ]
    return
  }
  for (const item of matching.filter(isObject)) {
    if (sub !== undefined) item[keyIn(item, sub)] = value
    else if (isObject(value)) for (const [name, each] of Object.entries(value)) item[keyIn(item, name)] = each
  }
}

/**
 * A resource after the operations of a PATCH, all of them in their order (RFC 7644 3.5.2), with what Entra and Okta do beside it. What
 * was given stays as it is.
 *
 * @param lists the attributes with several values, in lower case
 * @throws ScimError 400
 */
export const patched = (
  resource: Json,
  operations: readonly PatchOperation[],
  lists: ReadonlySet<string>,
): Json => {
  const copy = structuredClone(resource)
  for (const operation of operations) apply(copy, operation, lists)
  return copy
}
