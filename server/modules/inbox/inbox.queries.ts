import { CompiledQuery, sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'
import type { InboxPerson, InboxRequest } from '#contract/inbox/inbox.ts'
import { findOpenedInbox, type InboxAccount, type OpenedInbox } from '#server/core/auth/inbox-link.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'

/** An account of an address, with whether it has switched the weekly email off. */
export type Recipient = InboxAccount & { is_muted: boolean }

/**
 * The inbox behind a token, with the accounts that it serves now, on a device that has opened it.
 *
 * @throws Failure 404 `link`, 401 `link_code` where the device has to open it (again)
 */
export const findInbox = (
  db: Db,
  token: string,
  device: Parameters<typeof findOpenedInbox>[2],
): Promise<OpenedInbox> =>
  findOpenedInbox((text, values) => db.executeQuery(CompiledQuery.raw(text, [...values])), token, device)

/** The accounts that an inbox link of an address serves now, in whichever program they are. */
export const listAccountsOf = async (db: Db, address: string): Promise<Recipient[]> => {
  const { rows } = await sql<Recipient>`
    select * from inbox_accounts(${address}) order by program_name, program_id, account_id`.execute(db)
  return rows
}

/** When the newest inbox link of an address was made, by whichever program. */
export const findLastLink = async (db: Db, address: string): Promise<string | null> => {
  const { rows } = await sql<{ at: string | null }>`select last_inbox_link(${address}) as at`.execute(db)
  return rows[0]!.at
}

/** The address of a link that has run out and may be replaced. */
export const findExpired = async (db: Db, hash: Buffer): Promise<string | undefined> => {
  const { rows } = await sql<{ address: string }>`
    select recipient_email as address from find_expired_inbox_link(${hash})`.execute(db)
  return rows[0]?.address
}

/** What was mailed to an address by links of their own and waits for an answer: the one that works longest of each. */
export const listRequests = async (db: Db, programId: number, address: string): Promise<InboxRequest[]> => {
  const { rows } = await sql<InboxRequest>`
    select distinct on (l.kind, l.subject_id) l.id as "LinkId", l.kind as "Kind", l.expires_at as "ExpiresAt",
      case l.kind when 'list' then ps.name when 'exam' then trim(u.first_name || ' ' || u.last_name) else q.line end as "Title",
      case l.kind when 'list' then r.name when 'exam' then k.name else ts.name end as "Detail"
    from scoped_link l
    left join placement_list p on l.kind = 'list' and p.program_id = l.program_id and p.id = l.subject_id
      and p.withdrawn_at is null and p.confirmed + p.declined < p.students
    left join site ps on ps.program_id = p.program_id and ps.id = p.site_id
    left join rotation r on r.program_id = p.program_id and r.id = p.rotation_id
    left join exam_attempt e on l.kind = 'exam' and e.program_id = l.program_id and e.id = l.subject_id and e.state = 'open'
    left join account u on u.program_id = e.program_id and u.id = e.student_id
    left join skill k on k.program_id = e.program_id and k.id = e.skill_id
    left join shift_request_site t on l.kind = 'swap' and t.program_id = l.program_id and t.id = l.subject_id and t.answer is null
    left join shift_request q on q.program_id = t.program_id and q.id = t.change_id and q.state = 'pending'
    left join site ts on ts.program_id = t.program_id and ts.id = t.site_id
    where l.program_id = ${programId} and lower(l.recipient_email) = lower(${address}) and l.kind in ('list', 'exam', 'swap')
      and l.withdrawn_at is null and l.expires_at > now() and (p.id is not null or e.id is not null or q.id is not null)
    order by l.kind, l.subject_id, l.expires_at desc limit 100`.execute(db)
  return rows
}

/** The link of a request, with whom it was mailed to. */
export const findRequestLink = async (db: Db, programId: number, linkId: number) =>
  db
    .selectFrom('scoped_link')
    .select(['subject_id', 'recipient_name', 'recipient_email', 'expires_at'])
    .where('program_id', '=', programId)
    .where('id', '=', linkId)
    .executeTakeFirst()

export const isInboxOn = async (db: Db, programId: number): Promise<boolean> => {
  const row = await db
    .selectFrom('inbox_setting')
    .select('is_on')
    .where('program_id', '=', programId)
    .executeTakeFirst()
  return row?.is_on ?? false
}

/** Whom the inbox by link is for. */
const isSupervisor = sql<boolean>`u.access_level in (${Level.Supervisor}, ${Level.CCUnderHood})`

interface PeopleFilter {
  search: string
  IsOpenable: boolean
  page: number
  pageSize: number
}

/** Supervisors by name, with the newest inbox link of their address. */
export const listPeople = async (db: Db, programId: number, filter: PeopleFilter) => {
  const found = sql`from account u
    where u.program_id = ${programId} and ${isSupervisor} and u.deleted_at is null and u.deactivated_at is null
      and ${isFound(sql`u.first_name || ' ' || u.last_name || ' ' || u.user_name || ' ' || u.email || ' ' || coalesce(u.student_number, '')`, filter.search)}
      and ${
        filter.IsOpenable
          ? sql`u.id in (select i.account_id from inbox_links((select array_agg(id) from account
              where program_id = ${programId} and access_level in (${Level.Supervisor}, ${Level.CCUnderHood})
                and deleted_at is null)) i where i.withdrawn_at is null and i.expires_at > now())`
          : sql`true`
      }`
  const count = await sql<{ total: number }>`select count(*) as total ${found}`.execute(db)
  const { rows } = await sql<InboxPerson>`
    with page as materialized (
      select u.program_id, u.id, u.first_name, u.last_name, u.email, u.preferences ${found}
      order by lower(u.last_name), lower(u.first_name), u.id
      limit ${filter.pageSize} offset ${(filter.page - 1) * filter.pageSize})
    select p.id as "AccountId", listed_name(p.last_name, p.first_name) as "Name", p.email as "Email",
      case when p.email = '' then 'address'
        when x.account_id is not null then 'off'
        when coalesce(p.preferences -> 'MutedEmails' @> '"INBOX_weekly"'::jsonb, false) then 'muted'
        when email_block_of('INBOX_weekly', p.program_id, p.email) is not null then 'blocked'
        else 'ready' end as "State",
      i.sent_at as "SentAt", i.expires_at as "ExpiresAt", i.withdrawn_at as "WithdrawnAt", i.opened_at as "OpenedAt",
      coalesce(i.agent, '') as "Device", coalesce(i.withdrawn_at is null and i.expires_at > now(), false) as "IsOpenable"
    from page p
    left join inbox_exclusion x on x.program_id = p.program_id and x.account_id = p.id
    left join inbox_links((select array_agg(id) from page)) i on i.account_id = p.id
    order by lower(p.last_name), lower(p.first_name), p.id`.execute(db)
  return { Items: rows, Total: count.rows[0]!.total, Page: filter.page, PageSize: filter.pageSize }
}

interface Supervisor {
  id: number
  name: string
  email: string
  /** Whether a mail may be sent to them: staff have not left them out, and they have not switched it off. */
  is_mailable: boolean
}

/** Supervisors of the program among these accounts. */
export const listSupervisors = async (
  db: Db,
  programId: number,
  accountIds: readonly number[],
): Promise<Supervisor[]> => {
  const { rows } = await sql<Supervisor>`
    select u.id, trim(u.first_name || ' ' || u.last_name) as name, u.email,
      u.email <> '' and not coalesce(u.preferences -> 'MutedEmails' @> '"INBOX_weekly"'::jsonb, false)
        and not exists (select from inbox_exclusion x where x.program_id = u.program_id and x.account_id = u.id) as is_mailable
    from account u
    where u.program_id = ${programId} and u.id = any (${[...accountIds]}::bigint[]) and ${isSupervisor}
      and u.deleted_at is null and u.deactivated_at is null`.execute(db)
  return rows
}

export const withdrawLinksOf = async (db: Db, address: string, by: number): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select withdraw_inbox_links(${address}, ${by}, null) as count`.execute(db)
  return rows[0]!.count
}
