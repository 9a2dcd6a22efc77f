import { sql } from 'kysely'
import { levelLabel } from '#contract/core/levels.ts'
import { problems } from '#contract/core/problems.ts'
import { fitsForm, type Writing } from '#contract/core/writing.ts'
import { userNameStem } from '#server/core/auth/user-names.ts'
import type { Db } from '#server/core/database/pool.ts'
import { holdPeople, holdPeopleAlone } from '#server/core/runtime/people-lock.ts'
import { comeBack, endAccess } from '../people/leaving.service.ts'
import { changeAccount, insertNamed } from '../people/people.commands.ts'
import type { ScimConnection } from './connections.across.ts'
import { insertScimUser, updateScimUser } from './provisioning.commands.ts'
import {
  findByUserName,
  findNamedAccount,
  findSameAccounts,
  findScimUser,
  saveScimName,
} from './provisioning.queries.ts'
import { badRequest, noResource, ScimError } from './scim-errors.rules.ts'
import {
  asNewUser,
  asWholeUser,
  type OwnedField,
  type ScimUserFields,
  type ScimUserRow,
  toldByWhole,
} from './scim-resources.rules.ts'

/** By which of a directory’s names its provider knows a person at sign-in: SAML by the user name, OpenID Connect by the ID. */
const nameAtSignIn = (
  { provider_kind }: ScimConnection,
  { userName, externalId }: Pick<ScimUserFields, 'userName' | 'externalId'>,
): string => (provider_kind === 'saml' ? userName : externalId)

const taken = (message: string): ScimError => new ScimError(409, message, { scimType: 'uniqueness' })

export const getUser = async (
  db: Db,
  connection: ScimConnection,
  id: number,
  isHeld = false,
): Promise<ScimUserRow> => {
  const found = await findScimUser(db, connection, id, isHeld)
  if (!found) throw noResource(String(id))
  return found
}

const columnsOf = (fields: ScimUserFields) => ({
  first_name: fields.firstName,
  middle_name: fields.middleName,
  last_name: fields.lastName,
  suffix: fields.suffix,
  email: fields.email,
  phone: fields.phone,
  student_number: fields.number || null,
})
type Columns = ReturnType<typeof columnsOf>

const writings: Partial<Record<keyof Columns, [attribute: string, writing: Writing]>> = {
  first_name: ['name.givenName', 'name'],
  last_name: ['name.familyName', 'name'],
  phone: ['phoneNumbers', 'phone'],
}

/** @throws ScimError 400 `invalidValue` for a text that would be written and is not in the form of its field */
const refuseMisfits = (next: Partial<Columns>): void => {
  for (const [column, [attribute, writing]] of Object.entries(writings)) {
    if (!fitsForm(writing, next[column as keyof Columns] ?? ''))
      throw badRequest('invalidValue', `${attribute} ${problems[writing].en}.`)
  }
}

/** A person after a call of the directory, and what of it the directory says from now on. */
export interface ScimChange {
  after: ScimUserFields
  told: OwnedField[]
}

/** What a whole user makes of a person. */
export const wholeUser = (said: ScimUserFields, present: ScimUserRow): ScimChange => ({
  after: asWholeUser(said, present),
  told: toldByWhole(said),
})

/** Writes what has changed of a person, who is held, and nothing else; the access included. */
const write = async (
  db: Db,
  connection: ScimConnection,
  before: ScimUserRow,
  change: ScimChange,
): Promise<void> => {
  const { program_id: programId } = connection
  const after = { ...change.after }
  for (const field of [...before.kept, ...before.elsewhere]) after[field] = before[field]
  const told = change.told.filter((field) => !before.elsewhere.includes(field))
  const [old, next] = [columnsOf(before), columnsOf(after)]
  const changed = (Object.keys(next) as (keyof Columns)[]).filter((name) => old[name] !== next[name])
  const values = Object.fromEntries(changed.map((name) => [name, next[name]])) as Partial<Columns>
  refuseMisfits(values)
  if (changed.length > 0)
    await changeAccount(
      db,
      { programId, id: before.id },
      {
        ...values,
        // Nobody has proved the new address.
        ...(before.email.toLowerCase() !== after.email.toLowerCase() && { is_email_confirmed: false }),
      },
    )
  if (!before.isActive && after.isActive) await comeBack(db, programId, before.id)
  if (before.isActive && !after.isActive) await endAccess(db, programId, before.id)
  if (before.told.join() !== told.join()) await updateScimUser(db, connection, before.id, { told })
  if (before.userName !== after.userName || before.externalId !== after.externalId) {
    const other = await findByUserName(db, connection, after.userName)
    if (other && other.account_id !== before.id) throw taken(`The user name ${after.userName} is taken.`)
    await updateScimUser(db, connection, before.id, {
      userName: after.userName,
      externalId: after.externalId,
    })
    await saveScimName(db, connection, before.id, {
      told: nameAtSignIn(connection, after),
      last: nameAtSignIn(connection, before),
    })
  }
}

/** The account that a new user of the directory takes over, if there is one. */
const findOwn = async (
  db: Db,
  connection: ScimConnection,
  fields: ScimUserFields,
): Promise<number | undefined> => {
  const name = nameAtSignIn(connection, fields)
  const named = name === '' ? undefined : await findNamedAccount(db, connection, name)
  if (named !== undefined) return named
  const who = [fields.firstName, fields.lastName].filter(Boolean).join(' ')
  const [numbered] =
    fields.number === '' ? [] : await findSameAccounts(db, connection, 'student_number', fields.number)
  const [only, second] =
    fields.email === '' ? [] : await findSameAccounts(db, connection, 'email', fields.email)
  const isOne = !numbered || numbered.id === only?.id
  if (only && isOne && connection.adopts_by_email && only.is_free && !second) return only.id
  const same = numbered ?? only
  if (!same) return undefined
  const what = numbered ? `student number ${fields.number}` : `address ${fields.email}`
  throw taken(
    `${same.called ?? 'An account'} of the program has the ${what} already, and ${who} is sent with it. If they are one person, link the account under Connected people in Practicum${numbered ? '' : ', or let the connection take over accounts by email address'}.`,
  )
}

/** Lets those whose user names would be made of the same letters come one after the other: a directory sends many at once. */
const holdUserName = async (db: Db, fields: ScimUserFields): Promise<void> => {
  const stem = userNameStem({ ...fields, studentNumber: fields.number })
  await sql`select pg_advisory_xact_lock(hashtextextended(${`user name ${stem}`}, 0))`.execute(db)
}

export interface Made {
  user: ScimUserRow
  how: 'created' | 'restored' | 'taken over'
}

/**
 * Makes a person: a new account, the one of a user that was deleted, or one that is linked already.
 *
 * @throws ScimError 409 where the user name or the address is taken
 */
export const createPerson = async (
  db: Db,
  connection: ScimConnection,
  said: ScimUserFields,
): Promise<Made> => {
  const fields = asNewUser(said)
  await (fields.isActive ? holdPeople : holdPeopleAlone)(db, connection.program_id)
  const known = await findByUserName(db, connection, fields.userName)
  if (known && !known.is_deleted) throw taken(`The user ${fields.userName} exists already.`)
  if (known && !known.is_in_reach)
    throw taken(
      `The account of ${fields.userName} is no longer in reach of this connection, which ends at ${levelLabel(connection.max_level)}.`,
    )
  if (known) {
    await updateScimUser(db, connection, known.account_id, { isDeleted: false })
    const present = await getUser(db, connection, known.account_id, true)
    await write(db, connection, present, wholeUser(said, present))
    return { user: await getUser(db, connection, known.account_id), how: 'restored' }
  }
  const own = await findOwn(db, connection, fields)
  if (own === undefined) {
    refuseMisfits(columnsOf(fields))
    await holdUserName(db, fields)
  }
  const accountId =
    own ??
    (
      await insertNamed(db, {
        ...columnsOf(fields),
        program_id: connection.program_id,
        access_level: connection.default_level,
      })
    ).id
  const user = { accountId, userName: fields.userName, externalId: fields.externalId }
  // Of two calls with one name the second waits for the first one’s end, and undoes what it has made.
  if (!(await insertScimUser(db, connection, user)))
    throw taken(`The user ${fields.userName} exists already.`)
  const made = await getUser(db, connection, accountId, true)
  await write(db, connection, made, wholeUser(said, made))
  await saveScimName(db, connection, accountId, { told: nameAtSignIn(connection, fields), last: '' })
  return { user: await getUser(db, connection, accountId), how: own === undefined ? 'created' : 'taken over' }
}

/** Changes a person, who is held, into what `change` makes of the present state. */
export const changePerson = async (
  db: Db,
  connection: ScimConnection,
  id: number,
  change: (present: ScimUserRow) => ScimChange,
): Promise<{ before: ScimUserRow; after: ScimUserRow }> => {
  const present = await getUser(db, connection, id)
  const isEnd = present.isActive && !change(present).after.isActive
  await (isEnd ? holdPeopleAlone : holdPeople)(db, connection.program_id)
  const before = await getUser(db, connection, id, true)
  await write(db, connection, before, change(before))
  return { before, after: await getUser(db, connection, id) }
}

/** Ends a person’s access and hides the user from the directory; the same name restores both. */
export const deletePerson = async (db: Db, connection: ScimConnection, id: number): Promise<ScimUserRow> => {
  const before = await getUser(db, connection, id, true)
  await endAccess(db, connection.program_id, id)
  await updateScimUser(db, connection, id, { isDeleted: true })
  return before
}
