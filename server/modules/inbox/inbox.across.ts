import { sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'
import type { InboxPerson } from '#contract/inbox/inbox.ts'
import { acrossPrograms, oneAcrossPrograms } from '#server/core/database/across.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'
import { blockOf } from '#server/core/mail/blocks.ts'

/** When the newest inbox link of an address was made, by whichever program: a job that runs again sends nothing twice. */
export const findLastLink = async (db: Db, address: string): Promise<string | null> => {
  const found = await oneAcrossPrograms(
    db,
    sql<{ at: string | null }>`
      select max(created_at) as at from scoped_link where kind = 'inbox' and lower(recipient_email) = lower(${address})`,
  )
  return found.at
}

/** The address of a link that has run out and that nobody withdrew, for whoever asks for a new one within 90 days. */
export const findExpired = async (db: Db, hash: Buffer): Promise<string | undefined> => {
  const [found] = await acrossPrograms(
    db,
    sql<{ address: string }>`
      select recipient_email as address from scoped_link
      where token_hash = ${hash} and kind = 'inbox' and withdrawn_at is null and expires_at > now() - interval '90 days'`,
  )
  return found?.address
}

/** Whom the inbox by link is for. */
const isSupervisor = sql<boolean>`u.access_level in (${Level.Supervisor}, ${Level.CCUnderHood})`

interface PeopleFilter {
  search: string
  IsOpenable: boolean
  page: number
  pageSize: number
}

/** The newest inbox link of somebody's address, whichever program sent it. */
const newestLink = (person: string) => sql`(
  select k.program_id, k.id, k.created_at, k.expires_at, k.withdrawn_at from scoped_link k
  where k.kind = 'inbox' and lower(k.recipient_email) = lower(${sql.ref(`${person}.email`)}) and ${sql.ref(`${person}.email`)} <> ''
  order by k.id desc limit 1)`

/** Supervisors by name, with the newest inbox link of their address. */
export const listPeople = async (db: Db, programId: number, filter: PeopleFilter) => {
  const found = sql`from account u
    where u.program_id = ${programId} and ${isSupervisor} and u.deleted_at is null and u.deactivated_at is null
      and ${isFound(sql`u.first_name || ' ' || u.last_name || ' ' || u.user_name || ' ' || u.email || ' ' || coalesce(u.student_number, '')`, filter.search)}
      and ${
        filter.IsOpenable
          ? sql`(select l.withdrawn_at is null and l.expires_at > now() from ${newestLink('u')} l)`
          : sql`true`
      }`
  const counted = await oneAcrossPrograms(db, sql<{ total: number }>`select count(*) as total ${found}`)
  const Items = await acrossPrograms(
    db,
    sql<InboxPerson>`
    with page as materialized (
      select u.program_id, u.id, u.first_name, u.last_name, u.email, u.preferences ${found}
      order by lower(u.last_name), lower(u.first_name), u.id
      limit ${filter.pageSize} offset ${(filter.page - 1) * filter.pageSize})
    select p.id as "AccountId", listed_name(p.last_name, p.first_name) as "Name", p.email as "Email",
      case when p.email = '' then 'address'
        when x.account_id is not null then 'off'
        when coalesce(p.preferences -> 'MutedEmails' @> '"INBOX_weekly"'::jsonb, false) then 'muted'
        when ${blockOf(sql`p.program_id`, sql`p.email`)} is not null then 'blocked'
        else 'ready' end as "State",
      l.created_at as "SentAt", l.expires_at as "ExpiresAt", l.withdrawn_at as "WithdrawnAt", o.at as "OpenedAt",
      coalesce(d.agent, '') as "Device", coalesce(l.withdrawn_at is null and l.expires_at > now(), false) as "IsOpenable"
    from page p
    left join inbox_exclusion x on x.program_id = p.program_id and x.account_id = p.id
    left join lateral ${newestLink('p')} l on true
    left join lateral (select max(x.at) as at from scoped_link_use x where x.program_id = l.program_id and x.link_id = l.id
      and x.action = 'opened') o on true
    left join lateral (select y.agent from scoped_link_device y where y.program_id = l.program_id and y.link_id = l.id
      order by y.id desc limit 1) d on true
    order by lower(p.last_name), lower(p.first_name), p.id`,
  )
  return { Items, Total: counted.total, Page: filter.page, PageSize: filter.pageSize }
}
