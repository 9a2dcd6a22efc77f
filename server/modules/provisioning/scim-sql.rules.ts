import { type RawBuilder, sql } from 'kysely'
import { badRequest } from './scim-errors.rules.ts'
import { type Comparable, type Filter, isCaseExact, type Operator } from './scim-filter.rules.ts'

type Kind = 'text' | 'flag' | 'moment'
type Attributes = Record<string, readonly [kind: Kind, expression: RawBuilder<unknown>]>

const filled = (column: RawBuilder<unknown>): RawBuilder<unknown> => sql`nullif(${column}, '')`
const whole = sql`nullif(concat_ws(' ', nullif(a.first_name, ''), nullif(a.middle_name, ''), nullif(a.last_name, ''), nullif(a.suffix, '')), '')`

/** What can be asked of a user; rows are `a` of account and `s` of scim_user. */
export const userAttributes: Attributes = {
  id: ['text', sql`a.id::text`],
  username: ['text', sql`s.user_name`],
  externalid: ['text', filled(sql`s.external_id`)],
  'name.givenname': ['text', filled(sql`a.first_name`)],
  'name.middlename': ['text', filled(sql`a.middle_name`)],
  'name.familyname': ['text', filled(sql`a.last_name`)],
  'name.honorificsuffix': ['text', filled(sql`a.suffix`)],
  'name.formatted': ['text', whole],
  displayname: ['text', whole],
  active: ['flag', sql`(a.deactivated_at is null)`],
  emails: ['text', filled(sql`a.email`)],
  'emails.value': ['text', filled(sql`a.email`)],
  'emails.type': ['text', sql`case when a.email <> '' then 'work' end`],
  'emails.primary': ['flag', sql`case when a.email <> '' then true end`],
  phonenumbers: ['text', filled(sql`a.phone`)],
  'phonenumbers.value': ['text', filled(sql`a.phone`)],
  'phonenumbers.type': ['text', sql`case when a.phone <> '' then 'work' end`],
  employeenumber: ['text', filled(sql`a.student_number`)],
  'meta.resourcetype': ['text', sql`'User'`],
  'meta.created': ['moment', sql`s.created_at`],
  'meta.lastmodified': ['moment', sql`greatest(s.updated_at, a.updated_at)`],
}

/** What can be asked of a group; rows are `g` of scim_group. */
export const groupAttributes: Attributes = {
  id: ['text', sql`g.id::text`],
  displayname: ['text', sql`g.name`],
  externalid: ['text', filled(sql`g.external_id`)],
  'meta.resourcetype': ['text', sql`'Group'`],
  'meta.created': ['moment', sql`g.created_at`],
  'meta.lastmodified': ['moment', sql`g.updated_at`],
}

const refuse = (message: string): never => {
  throw badRequest('invalidFilter', message)
}

const order = { gt: sql`>`, ge: sql`>=`, lt: sql`<`, le: sql`<=` }

const textIs = (
  found: RawBuilder<unknown>,
  operator: Operator,
  wanted: string,
  exact: boolean,
): RawBuilder<boolean> => {
  const left = exact ? found : sql`lower(${found})`
  const right = exact ? sql`${wanted}::text` : sql`lower(${wanted}::text)`
  switch (operator) {
    case 'eq':
      return sql`${left} = ${right}`
    case 'ne':
      return sql`${left} is distinct from ${right}`
    case 'co':
      return sql`position(${right} in ${left}) > 0`
    case 'sw':
      return sql`starts_with(${left}, ${right})`
    case 'ew':
      return sql`right(${left}, length(${right})) = ${right}`
    default:
      return sql`${left} collate "C" ${order[operator]} ${right} collate "C"`
  }
}

const momentIs = (
  found: RawBuilder<unknown>,
  operator: Operator,
  wanted: Comparable,
): RawBuilder<boolean> => {
  const moment = typeof wanted === 'string' ? Date.parse(wanted) : Number.NaN
  if (Number.isNaN(moment)) return refuse('A date and time such as "2026-11-19T07:00:00Z" is expected there.')
  const right = sql`${new Date(moment).toISOString()}::timestamptz`
  if (operator === 'eq') return sql`${found} = ${right}`
  if (operator === 'ne') return sql`${found} is distinct from ${right}`
  if (operator === 'co' || operator === 'sw' || operator === 'ew')
    return refuse(`${operator} cannot be asked of a date and time.`)
  return sql`${found} ${order[operator]} ${right}`
}

const compareSql = (
  attributes: Attributes,
  path: string,
  operator: Operator,
  value: Comparable,
): RawBuilder<boolean> => {
  const known = attributes[path]
  if (!known) return refuse(`${path} cannot be asked for.`)
  const [kind, found] = known
  // Equal to nothing is absent.
  if (value === null)
    return operator === 'eq'
      ? sql`${found} is null`
      : operator === 'ne'
        ? sql`${found} is not null`
        : sql`false`
  if (kind === 'moment') return momentIs(found, operator, value)
  // Entra asks for booleans as text, too.
  const flag =
    typeof value === 'string' && /^(?:true|false)$/i.test(value) ? value.toLowerCase() === 'true' : value
  if (kind === 'flag') {
    if (typeof flag !== 'boolean') return operator === 'ne' ? sql`true` : sql`false`
    if (operator === 'eq') return sql`${found} = ${flag}::boolean`
    return operator === 'ne' ? sql`${found} is distinct from ${flag}::boolean` : sql`false`
  }
  if (typeof value === 'boolean') return operator === 'ne' ? sql`true` : sql`false`
  return textIs(found, operator, String(value), isCaseExact(path))
}

/** The members of a group, of whom a filter may ask by their number alone. */
const memberSql = (filter: Filter): RawBuilder<boolean> | undefined => {
  const inner = filter.kind === 'some' && filter.path === 'members' ? filter.inner : filter
  if (inner.kind !== 'compare' || inner.operator !== 'eq') return undefined
  const isMember = filter.kind === 'some' ? inner.path === 'value' : /^members(?:\.value)?$/.test(inner.path)
  return isMember
    ? sql`exists (select from scim_group_member m where m.program_id = g.program_id and m.group_id = g.id
        and m.account_id::text = ${String(inner.value)})`
    : undefined
}

/**
 * A filter as a condition. `prefix` is the list whose item is asked about; a resource has one item of each at most.
 *
 * @throws ScimError 400 `invalidFilter` for attributes that cannot be asked for
 */
export const filterSql = (filter: Filter, attributes: Attributes, prefix = ''): RawBuilder<boolean> => {
  const members = attributes === groupAttributes ? memberSql(filter) : undefined
  if (members) return members
  switch (filter.kind) {
    case 'compare':
      return sql`coalesce(${compareSql(attributes, `${prefix}${filter.path}`, filter.operator, filter.value)}, false)`
    case 'present': {
      const known = attributes[`${prefix}${filter.path}`]
      return known ? sql`${known[1]} is not null` : refuse(`${filter.path} cannot be asked for.`)
    }
    case 'some': {
      const list = attributes[filter.path]
      if (!list || prefix !== '') return refuse(`${filter.path} has no values in it.`)
      return sql`(${list[1]} is not null and ${filterSql(filter.inner, attributes, `${filter.path}.`)})`
    }
    case 'not':
      return sql`(not ${filterSql(filter.inner, attributes, prefix)})`
    case 'and':
      return sql`(${filterSql(filter.left, attributes, prefix)} and ${filterSql(filter.right, attributes, prefix)})`
    case 'or':
      return sql`(${filterSql(filter.left, attributes, prefix)} or ${filterSql(filter.right, attributes, prefix)})`
  }
}
