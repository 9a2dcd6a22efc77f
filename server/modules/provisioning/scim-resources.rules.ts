import { createHash } from 'node:crypto'
import { z } from 'zod'
import { tidyLine } from '#contract/core/blank.ts'
import { Email } from '#contract/core/fields.ts'
import { problemIn } from '#contract/core/problems.ts'
import { inLanguage } from '#contract/language/texts.ts'
import { personLimits } from '#contract/people/person-fields.ts'
import { badRequest } from './scim-errors.rules.ts'

export const schemas = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  enterprise: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  list: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
  patch: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
  error: 'urn:ietf:params:scim:api:messages:2.0:Error',
} as const

/** What is kept of a person. */
export interface ScimUserFields {
  userName: string
  externalId: string
  firstName: string
  middleName: string
  lastName: string
  suffix: string
  email: string
  phone: string
  /** The student ID, in the extension for enterprises. */
  number: string
  isActive: boolean
}

/** What a directory may say of a person. What it has never said of somebody is the staff's. */
export const ownedFields = [
  'firstName',
  'middleName',
  'lastName',
  'suffix',
  'email',
  'phone',
  'number',
] as const satisfies (keyof ScimUserFields)[]
export type OwnedField = (typeof ownedFields)[number]

export interface ScimUserRow extends ScimUserFields {
  id: number
  /** What the directory says of the person. */
  told: OwnedField[]
  /** What staff have taken over, and what another directory said first: neither is this directory's to write. */
  kept: OwnedField[]
  elsewhere: OwnedField[]
  createdAt: string
  updatedAt: string
  groups: { id: number; name: string }[]
}

export interface ScimGroupRow {
  id: number
  name: string
  externalId: string
  createdAt: string
  updatedAt: string
  members: { id: number; name: string }[]
}

/** The attributes with several values. */
export const userLists = new Set([
  'emails',
  'phonenumbers',
  'addresses',
  'roles',
  'entitlements',
  'groups',
  'ims',
  'photos',
  'x509certificates',
])
export const groupLists = new Set(['members'])

const given = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '' && value !== undefined))

/** The version of a resource: a digest of all that it says. */
const withVersion = <R extends { meta: Record<string, unknown> }>(resource: R): R => {
  const version = `W/"${createHash('sha256').update(JSON.stringify(resource)).digest('base64url').slice(0, 22)}"`
  return { ...resource, meta: { ...resource.meta, version } }
}

/** A person as a resource; `base` is the address of the service. */
export const userResource = (row: ScimUserRow, base: string) => {
  const formatted = [row.firstName, row.middleName, row.lastName, row.suffix].filter(Boolean).join(' ')
  return withVersion({
    schemas: [schemas.user, ...(row.number === '' ? [] : [schemas.enterprise])] as string[],
    id: String(row.id),
    ...given({ externalId: row.externalId }),
    userName: row.userName,
    name: given({
      formatted,
      givenName: row.firstName,
      middleName: row.middleName,
      familyName: row.lastName,
      honorificSuffix: row.suffix,
    }),
    ...given({ displayName: formatted }),
    active: row.isActive,
    ...(row.email !== '' && { emails: [{ value: row.email, type: 'work', primary: true }] }),
    ...(row.phone !== '' && { phoneNumbers: [{ value: row.phone, type: 'work' }] }),
    ...(row.groups.length > 0 && {
      groups: row.groups.map(({ id, name }) => ({
        value: String(id),
        display: name,
        $ref: `${base}/Groups/${id}`,
        type: 'direct',
      })),
    }),
    ...(row.number !== '' && { [schemas.enterprise]: { employeeNumber: row.number } }),
    meta: {
      resourceType: 'User',
      created: row.createdAt,
      lastModified: row.updatedAt,
      location: `${base}/Users/${row.id}`,
    } as Record<string, unknown>,
  })
}

export const groupResource = (row: ScimGroupRow, base: string) =>
  withVersion({
    schemas: [schemas.group] as string[],
    id: String(row.id),
    ...given({ externalId: row.externalId }),
    displayName: row.name,
    members: row.members.map(({ id, name }) => ({
      value: String(id),
      display: name,
      $ref: `${base}/Users/${id}`,
      type: 'User',
    })),
    meta: {
      resourceType: 'Group',
      created: row.createdAt,
      lastModified: row.updatedAt,
      location: `${base}/Groups/${row.id}`,
    } as Record<string, unknown>,
  })

const text = (max: number) =>
  z
    .string()
    .nullish()
    .transform((value) => tidyLine(value ?? ''))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
    .refine((value) => value.length <= max && !/[\u0000-\u001f\u007f\u2028\u2029]/.test(value), {
      error: `must be one line of at most ${max} characters`,
    })

/** Entra sends booleans as text: "False". */
const flag = z
  .union([z.boolean(), z.string().regex(/^(?:true|false)$/i), z.null()])
  .optional()
  .transform((value) => (typeof value === 'string' ? value.toLowerCase() === 'true' : (value ?? undefined)))

const Valued = z.array(z.object({ value: text(255), type: z.string().nullish(), primary: flag }).loose())

/** The one of several values that is kept: the primary one, else that of work, else the first. */
const chosen = (values: z.output<typeof Valued>): string =>
  (
    values.find(({ primary, value }) => primary === true && value !== '') ??
    values.find(({ type, value }) => type?.toLowerCase() === 'work' && value !== '') ??
    values.find(({ value }) => value !== '')
  )?.value ?? ''

/** Attributes by their names as they are defined, whatever their case was. */
const canonical = (value: unknown, names: readonly string[]): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const known = new Map(names.map((name) => [name.toLowerCase(), name]))
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [known.get(name.toLowerCase()) ?? name, each]),
  )
}

/** A whole name, which is kept in its parts. */
const longestWhole = 1_000

const UserBody = z.object({
  userName: text(255).refine((value) => value !== '', 'is required'),
  externalId: text(255),
  name: z
    .preprocess(
      (value) => canonical(value, ['givenName', 'middleName', 'familyName', 'honorificSuffix', 'formatted']),
      z
        .object({
          givenName: text(personLimits.FirstName),
          middleName: text(personLimits.MiddleName),
          familyName: text(personLimits.LastName),
          honorificSuffix: text(personLimits.Suffix),
          formatted: text(longestWhole),
        })
        .loose(),
    )
    .nullish(),
  displayName: text(longestWhole),
  active: flag,
  emails: Valued.nullish(),
  phoneNumbers: Valued.nullish(),
  employeeNumber: text(personLimits.StudentNumber),
  [schemas.enterprise]: z
    .preprocess(
      (value) => canonical(value, ['employeeNumber']),
      z.object({ employeeNumber: text(personLimits.StudentNumber) }).loose(),
    )
    .nullish(),
})

const refuseBody = (error: z.ZodError): never => {
  const [issue] = error.issues
  throw badRequest(
    'invalidValue',
    `${issue?.path.join('.') || 'The body'} ${issue ? inLanguage(problemIn(issue.message), 'en') : 'is not usable'}.`,
  )
}

/** A value that is kept as it is or not at all: a directory that was told otherwise would never learn that part of it is missing. */
const whole = (attribute: string, value: string, max: number): string => {
  if (value.length <= max) return value
  throw badRequest('invalidValue', `${attribute} has a value of more than ${max} characters.`)
}

/** First and last name where a provider sends the whole name only. */
const splitName = (name: string): [string, string] => {
  const [first = '', ...rest] = name.split(/\s+/)
  return rest.length === 0 ? ['', first] : [first, rest.join(' ')]
}

/** The address of a user name that is one. */
const addressIn = (userName: string): string =>
  userName.includes('@') ? (Email.safeParse(userName).data ?? '') : ''

/** A person as a directory makes one: the user name gives the address and the last name where nothing else does. */
export const asNewUser = (said: ScimUserFields): ScimUserFields => ({
  ...said,
  email: said.email || addressIn(said.userName),
  lastName: said.lastName || (said.firstName ? '' : said.userName.replace(/@.*$/, '')),
})

const withName = (after: ScimUserFields, { firstName, lastName }: ScimUserRow): ScimUserFields =>
  after.firstName === '' && after.lastName === '' ? { ...after, firstName, lastName } : after

/**
 * A person after a whole user was sent: what the directory said before and says no longer goes, and what it has never said stays. A name
 * never goes, and an address that came from the user name follows it.
 */
export const asWholeUser = (said: ScimUserFields, present: ScimUserRow): ScimUserFields => {
  const after = { ...said }
  for (const field of ownedFields)
    if (said[field] === '' && !present.told.includes(field)) after[field] = present[field]
  const followed = present.email.toLowerCase() === present.userName.toLowerCase()
  if (said.email === '' && (followed || after.email === ''))
    after.email = addressIn(said.userName) || (followed ? '' : after.email)
  return withName(after, present)
}

/** A person after operations on what is there. A name never goes; in place of an address that goes comes that of the user name. */
export const asPatchedUser = (said: ScimUserFields, present: ScimUserRow): ScimUserFields =>
  withName({ ...said, email: said.email || (present.email && addressIn(said.userName)) }, present)

/** What the directory says of a person after a whole user. */
export const toldByWhole = (said: ScimUserFields): OwnedField[] =>
  ownedFields.filter((field) => said[field] !== '')

/** What the directory says of a person after operations: also what they gave another value, and no longer what they took away. */
export const toldByPatch = (present: ScimUserRow, after: ScimUserFields): OwnedField[] =>
  ownedFields.filter(
    (field) => after[field] !== '' && (present.told.includes(field) || after[field] !== present[field]),
  )

/**
 * What a body says of a person. Attributes that are kept nowhere are passed over, as the standard allows; what is not said is empty,
 * and the access stays as it is (`isActive`).
 *
 * @throws ScimError 400 `invalidValue`
 */
export const readUser = (body: unknown, isActive = true): ScimUserFields => {
  const names = [
    'userName',
    'externalId',
    'name',
    'displayName',
    'active',
    'emails',
    'phoneNumbers',
    'employeeNumber',
    schemas.enterprise,
  ]
  const parsed = UserBody.safeParse(canonical(body, names))
  if (!parsed.success) return refuseBody(parsed.error)
  const { data } = parsed
  const told = chosen(data.emails ?? [])
  const email = told === '' ? '' : (Email.safeParse(told).data ?? undefined)
  if (email === undefined) throw badRequest('invalidValue', 'emails has a value that is no email address.')
  const [first, last] = splitName(data.name?.formatted || data.displayName)
  const isNamed = Boolean(data.name?.givenName || data.name?.familyName)
  return {
    userName: data.userName,
    externalId: data.externalId,
    firstName: isNamed
      ? (data.name?.givenName ?? '')
      : whole('name.formatted', first, personLimits.FirstName),
    middleName: data.name?.middleName ?? '',
    lastName: isNamed ? (data.name?.familyName ?? '') : whole('name.formatted', last, personLimits.LastName),
    suffix: data.name?.honorificSuffix ?? '',
    email,
    phone: whole('phoneNumbers', chosen(data.phoneNumbers ?? []), personLimits.PhoneNumber),
    // A PATCH names it without its extension.
    number: data.employeeNumber || (data[schemas.enterprise]?.employeeNumber ?? ''),
    isActive: data.active ?? isActive,
  }
}

const GroupBody = z.object({
  displayName: text(255).refine((value) => value !== '', 'is required'),
  externalId: text(255),
  members: z
    .array(z.object({ value: z.string().max(30) }).loose())
    .max(20_000)
    .nullish(),
})

/** @throws ScimError 400 `invalidValue` */
export const readGroup = (body: unknown): { name: string; externalId: string; memberIds: number[] } => {
  const parsed = GroupBody.safeParse(canonical(body, ['displayName', 'externalId', 'members']))
  if (!parsed.success) return refuseBody(parsed.error)
  const { displayName, externalId, members } = parsed.data
  const ids = (members ?? []).map(({ value }) => {
    if (!/^\d{1,10}$/.test(value)) throw badRequest('invalidValue', `members: there is no user ${value}.`)
    return Number(value)
  })
  return { name: displayName, externalId, memberIds: [...new Set(ids)] }
}

/** A resource before a PATCH: the student ID is reached by its own name, as paths say it. */
export const forPatch = (resource: Record<string, unknown>): Record<string, unknown> => {
  const {
    [schemas.enterprise]: extension,
    meta: _meta,
    displayName: _display,
    groups: _groups,
    ...rest
  } = resource
  const name = { ...(rest.name as Record<string, unknown> | undefined) }
  // Made of the others; left in, it would speak against a part that is changed.
  delete name.formatted
  const isUser = 'userName' in resource
  return isUser
    ? {
        ...rest,
        name,
        employeeNumber: (extension as { employeeNumber?: string } | undefined)?.employeeNumber ?? '',
      }
    : { ...rest, displayName: resource.displayName }
}
