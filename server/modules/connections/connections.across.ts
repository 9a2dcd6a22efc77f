import { sql } from 'kysely'
import type { ConnectedPerson } from '#contract/connections/connections.ts'
import { acrossPrograms, oneAcrossPrograms } from '#server/core/database/across.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'

/** The people in reach of a connection with their names there. */
const reached = (connectionId: number) => sql<{
  account_id: number
  program_id: number
  program_name: string
  email: string
  first_name: string
  last_name: string
  user_name: string
  name_id: string | null
  linked_at: string | null
}>`(
  select a.id as account_id, p.id as program_id, p.name as program_name, a.email, a.first_name, a.last_name, a.user_name, u.name_id,
    u.updated_at as linked_at
  from saml_program l
  join program p on p.id = l.program_id and p.deleted_at is null
  join account a on a.program_id = p.id and a.deleted_at is null and a.deactivated_at is null and a.access_level < 100
    and a.access_level <= l.access_level and a.test_mode is null
  left join saml_user u on u.program_id = a.program_id and u.account_id = a.id and u.provider_id = ${connectionId}
  where l.provider_id = ${connectionId} and l.removed_at is null)`

const people = (db: Db, connectionId: number) => db.selectFrom(reached(connectionId).as('u'))

const shown = (db: Db, connectionId: number) =>
  people(db, connectionId)
    .select(['u.account_id as UserId', 'u.user_name as UserName', 'u.first_name as FirstName'])
    .select(['u.last_name as LastName', 'u.email as Email', 'u.program_id as ProgramId'])
    .select(['u.program_name as ProgramName', 'u.name_id as Subject', 'u.linked_at as LinkDate'])

/** A page of the people in reach, by name. */
export const listPeople = async (
  db: Db,
  connectionId: number,
  {
    page,
    pageSize,
    search,
    isLinked,
  }: { page: number; pageSize: number; search: string; isLinked?: boolean | undefined },
) => {
  const words = isFound(
    sql`u.first_name || ' ' || u.last_name || ' ' || u.user_name || ' ' || u.email || ' ' || coalesce(u.name_id, '')`,
    search,
  )
  const linked = sql<boolean>`(u.name_id is not null) = ${isLinked ?? null}::boolean`
  const counted = await oneAcrossPrograms(
    db,
    people(db, connectionId)
      .select(({ fn }) => fn.countAll<number>().as('Total'))
      .$if(search !== '', (query) => query.where(words))
      .$if(isLinked !== undefined, (query) => query.where(linked)),
  )
  const Items: ConnectedPerson[] = await acrossPrograms(
    db,
    shown(db, connectionId)
      .$if(search !== '', (query) => query.where(words))
      .$if(isLinked !== undefined, (query) => query.where(linked))
      .orderBy(sql`lower(u.last_name) collate alphabetical`)
      .orderBy(sql`lower(u.first_name) collate alphabetical`)
      .orderBy('u.account_id')
      .limit(pageSize)
      .offset((page - 1) * pageSize),
  )
  return { Items, Total: counted.Total, Page: page, PageSize: pageSize }
}

/** A person in reach of the connection; undefined for everybody else. */
export const findPerson = async (
  db: Db,
  connectionId: number,
  userId: number,
): Promise<ConnectedPerson | undefined> =>
  (await acrossPrograms(db, shown(db, connectionId).where('u.account_id', '=', userId)))[0]

/**
 * Who has this name at the provider already: one person’s accounts in reach share name and address, and no one else has it. Accounts
 * that are out of reach now have no name here.
 */
export const findSubjectHolder = async (
  db: Db,
  connectionId: number,
  { subject, email, exceptId }: { subject: string; email: string; exceptId: number },
): Promise<string | undefined> =>
  (
    await acrossPrograms(
      db,
      sql<{ user_name: string }>`
      select coalesce(p.user_name, 'An account out of reach') as user_name
      from saml_user u left join ${reached(connectionId)} p on p.account_id = u.account_id
      where u.provider_id = ${connectionId} and u.name_id = ${subject} and u.account_id <> ${exceptId}
        and (p.account_id is null or lower(p.email) <> lower(${email}))
      limit 1`,
    )
  )[0]?.user_name
