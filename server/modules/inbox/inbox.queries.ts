import { CompiledQuery, sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'
import type { InboxRequest } from '#contract/inbox/inbox.ts'
import { findOpenedInbox, type InboxAccount, type OpenedInbox } from '#server/core/auth/inbox-link.ts'
import type { Db } from '#server/core/database/pool.ts'

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
