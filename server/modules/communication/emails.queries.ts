import { sql } from 'kysely'
import {
  levelsOfType,
  noCohort,
  type PickedUser,
  pickedAtOnce,
  UserType,
} from '#contract/communication/emails.ts'
import { EmailState } from '#contract/communication/scheduled-emails.ts'
import { Level } from '#contract/core/levels.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'
import { listCopied } from './emails.across.ts'

/** Somebody who was chosen: a person, or a contact of a site. */
export interface Chosen {
  programId: number | null
  accountId: number | null
  name: string
  /** '' when there is none. */
  address: string
}

/** The groups of some programs that a send is for. */
export interface Groups {
  programIds: readonly number[]
  userTypes: readonly UserType[]
  studentLevelIds: readonly number[]
  cohorts: readonly string[]
  isPaymentContactsSelected: boolean
}

/** More rows than these are never looked at: so many people are too many, whoever of them shares an address. */
export const maxChosen = 20_000

const people = (db: Db) =>
  db
    .selectFrom('account as a')
    .select(['a.program_id as programId', 'a.id as accountId', 'a.email as address'])
    .select(sql<string>`trim(a.first_name || ' ' || a.last_name)`.as('name'))
    .where('a.deleted_at', 'is', null)
    .where('a.deactivated_at', 'is', null)
    .orderBy(sql`lower(a.last_name)`)
    .orderBy(sql`lower(a.first_name)`)
    .orderBy('a.id')

/** Whether the levels are all that the program has: then students without a level belong to them too. */
const areAllLevels = async (
  db: Db,
  programIds: readonly number[],
  levelIds: readonly number[],
): Promise<boolean> => {
  if (levelIds.length === 0) return true
  const other = await db
    .selectFrom('student_level')
    .select('id')
    .where('program_id', 'in', [...programIds])
    .where('id', 'not in', [...levelIds])
    .limit(1)
    .executeTakeFirst()
  return !other
}

/** The active people of the groups, by name. The transaction must work on the programs. */
export const listGroups = async (db: Db, groups: Groups): Promise<Chosen[]> => {
  const { programIds, userTypes, cohorts, studentLevelIds } = groups
  const has = (type: UserType) => userTypes.includes(type)
  if (programIds.length === 0 || (userTypes.length === 0 && !groups.isPaymentContactsSelected)) return []
  const isNarrowed =
    has(UserType.Students) &&
    studentLevelIds.length > 0 &&
    !(await areAllLevels(db, programIds, studentLevelIds))
  const plain = userTypes
    .filter(
      (type) =>
        !(type === UserType.Students && isNarrowed) && !(type === UserType.Alumni && cohorts.length > 0),
    )
    .flatMap((type) => levelsOfType[type])
  const copied = has(UserType.EmailNotifications) ? await listCopied(db, programIds) : []
  return people(db)
    .where('a.program_id', 'in', [...programIds])
    .where((where) =>
      where.or([
        ...(plain.length > 0 ? [where('a.access_level', 'in', plain)] : []),
        ...(isNarrowed
          ? [
              where.and([
                where('a.access_level', '=', Level.Student),
                sql<boolean>`a.student_level_id = any (${[...studentLevelIds]}::bigint[])`,
              ]),
            ]
          : []),
        ...(has(UserType.Alumni) && cohorts.length > 0
          ? [
              where.and([
                where('a.access_level', '=', Level.Alumnus),
                where.or([
                  where('a.cohort', 'in', [...cohorts]),
                  ...(cohorts.includes(noCohort) ? [sql<boolean>`coalesce(a.cohort, '') = ''`] : []),
                ]),
              ]),
            ]
          : []),
        ...(has(UserType.EmailNotifications) ? [sql<boolean>`a.id = any (${copied}::bigint[])`] : []),
        ...(groups.isPaymentContactsSelected
          ? [
              sql<boolean>`(a.access_level = ${Level.Director} and exists (
                select from program p where p.id = a.program_id and p.is_payment_enabled))`,
            ]
          : []),
      ]),
    )
    .limit(maxChosen + 1)
    .execute()
}

/** Active people by their ids, of whatever the transaction works on. */
export const listPicked = (db: Db, programId: number | null, ids: readonly number[]): Promise<Chosen[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : people(db)
        .where(sql<boolean>`a.id = any (${[...ids]}::bigint[])`)
        .$if(programId !== null, (query) => query.where('a.program_id', '=', programId))
        .execute()

/** The contacts of sites; a site whose contacts have no address is there by its name, without one. */
export const listSiteContacts = async (
  db: Db,
  programId: number,
  siteIds: readonly number[],
): Promise<{ found: number; contacts: Chosen[] }> => {
  if (siteIds.length === 0) return { found: 0, contacts: [] }
  const rows = await db
    .selectFrom('site as s')
    .leftJoin('site_contact as c', (join) =>
      join.onRef('c.program_id', '=', 's.program_id').onRef('c.site_id', '=', 's.id').on('c.email', '!=', ''),
    )
    .select(['s.id', 's.name as site', 'c.name as contact', 'c.email'])
    .where('s.program_id', '=', programId)
    .where(sql<boolean>`s.id = any (${[...siteIds]}::bigint[])`)
    .where('s.deleted_at', 'is', null)
    .orderBy(sql`lower(s.name)`)
    .orderBy('c.id')
    .execute()
  return {
    found: new Set(rows.map(({ id }) => id)).size,
    contacts: rows.map(({ site, contact, email }) => ({
      programId,
      accountId: null,
      name: contact ?? site,
      address: email ?? '',
    })),
  }
}

/** How many of the programs are there. */
export const countPrograms = async (db: Db, ids: readonly number[]): Promise<number> => {
  const { count } = await db
    .selectFrom('program')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(sql<boolean>`id = any (${[...ids]}::bigint[])`)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

export const listProgramIds = async (db: Db): Promise<number[]> => {
  const rows = await db.selectFrom('program').select('id').where('deleted_at', 'is', null).execute()
  return rows.map(({ id }) => id)
}

/** Active people whose name, user name, email or student ID contains the words, by name. */
export const findPeople = (
  db: Db,
  programId: number | null,
  { search, above, page }: { search: string; above: number; page: number },
): Promise<PickedUser[]> =>
  db
    .selectFrom('account as a')
    .leftJoin('program as p', 'p.id', 'a.program_id')
    .leftJoin('college as c', 'c.id', 'p.college_id')
    .select(['a.id as ID', 'a.email as EmailAddress', 'a.access_level as AccessLevel'])
    .select(sql<string>`trim(a.first_name || ' ' || a.last_name)`.as('FullName'))
    .select(
      sql<string | null>`case when ${programId}::bigint is null then c.name || ' - ' || p.name end`.as(
        'Program',
      ),
    )
    .where('a.deleted_at', 'is', null)
    .where('a.deactivated_at', 'is', null)
    .where('p.deleted_at', 'is', null)
    .$if(programId !== null, (query) => query.where('a.program_id', '=', programId))
    .where('a.access_level', '>', above)
    .where(
      isFound(
        sql`a.first_name || ' ' || a.last_name || ' ' || a.user_name || ' ' || a.email || ' ' || coalesce(a.student_number, '')`,
        search,
      ),
    )
    .orderBy(sql`lower(a.last_name)`)
    .orderBy(sql`lower(a.first_name)`)
    .orderBy('a.id')
    .limit(pickedAtOnce)
    .offset((page - 1) * pickedAtOnce)
    .execute()

/** Files that the person has added for emails. */
export const listAttachments = (db: Db, accountId: number, ids: readonly number[]) =>
  db
    .selectFrom('stored_file')
    .select(['id', 'byte_count'])
    .where(sql<boolean>`id = any (${[...ids]}::bigint[])`)
    .where('created_by', '=', accountId)
    .execute()

const sentBy = (db: Db, senderId: number, search: string) =>
  db
    .selectFrom('mail')
    .where('created_by', '=', senderId)
    .$if(search !== '', (query) => query.where(isFound(sql`recipient || ' ' || subject`, search)))

/** A page of the emails that the person has sent, newest first. */
export const pageSent = async (
  db: Db,
  senderId: number,
  { search, page, pageSize }: { search: string; page: number; pageSize: number },
) => {
  const { total } = await sentBy(db, senderId, search)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await sentBy(db, senderId, search)
    .select(['id', 'recipient', 'subject', 'status', 'status_message', 'blocked_at', 'attempts'])
    .select(['created_at', 'sent_at'])
    .select(
      sql<
        string | null
      >`case when status = ${sql.lit(EmailState.Queued)} and attempts = 0 and send_after > now() then send_after end`.as(
        'send_after',
      ),
    )
    .select(sql<number>`cardinality(attachment_ids)`.as('attachments'))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute()
  return { rows, total }
}

/** What became of emails that the person has sent. */
export const listSent = (db: Db, senderId: number, ids: readonly number[]) =>
  db
    .selectFrom('mail')
    .select(['id', 'recipient', 'status', 'status_message', 'blocked_at', 'attempts'])
    .where(sql<boolean>`id = any (${[...ids]}::bigint[])`)
    .where('created_by', '=', senderId)
    .orderBy('id')
    .execute()
