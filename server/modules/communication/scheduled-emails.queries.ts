import { sql } from 'kysely'
import { EmailState, maxEmailsCounted } from '#contract/communication/scheduled-emails.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isPrivateEmail, isSecretEmail } from '#server/core/mail/closed-words.ts'

/** The demo without a mail server shows those of its own people: their links could not be tried otherwise. */
const isSecretIn = (showsDemo: boolean) =>
  showsDemo ? sql<boolean>`(${isSecretEmail} and not is_demo_account(m.account_id))` : isSecretEmail
const isClosedIn = (showsDemo: boolean) => sql<boolean>`(${isSecretIn(showsDemo)} or ${isPrivateEmail})`

/** What the ledger says of emails that their addressees do not want. */
const isMuted = sql<boolean>`m.status_message = 'Switched off by the recipient'`

export const mayRetry = sql<boolean>`(m.status = ${EmailState.Error} and m.blocked_at is null and not ${isSecretEmail} and not ${isMuted})`
export const mayCancel = sql<boolean>`(m.status = ${EmailState.Queued})`

export interface EmailFilter {
  FromDate: string
  ThroughDate: string
  Status: number
  ProgramId?: number | undefined
  /** Neither blocked nor canceled. */
  FailedOnly?: boolean
  /** Made after this moment. */
  Since?: string | undefined
  timeZone: string
}

const matching = (
  db: Db,
  { FromDate, ThroughDate, Status, ProgramId, FailedOnly = false, Since, timeZone }: EmailFilter,
) =>
  db
    .selectFrom('mail as m')
    .where('m.created_at', '>=', sql<string>`(${FromDate}::date::timestamp at time zone ${timeZone})`)
    .where('m.created_at', '<', sql<string>`((${ThroughDate}::date + 1)::timestamp at time zone ${timeZone})`)
    .$if(Status !== EmailState.Any, (query) =>
      // Said outright, so that the index without what was simply sent answers it.
      query.where('m.status', '=', sql<number>`${sql.lit(Status)}`),
    )
    .$if(ProgramId !== undefined, (query) => query.where('m.program_id', '=', ProgramId!))
    .$if(Since !== undefined, (query) => query.where('m.created_at', '>', Since!))
    .$if(FailedOnly, (query) =>
      query.where(
        sql<boolean>`m.status = ${sql.lit(EmailState.Error)} and m.blocked_at is null and m.cancelled_at is null`,
      ),
    )

/** How many emails a filter of the ledger finds, up to `maxEmailsCounted` and one more. */
export const countEmails = async (db: Db, filter: EmailFilter): Promise<number> => {
  const { count } = await db
    .selectFrom(
      matching(db, filter)
        .select('m.id')
        .limit(maxEmailsCounted + 1)
        .as('counted'),
    )
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** A page of the ledger, newest first. `Total` stops at `maxEmailsCounted`. */
export const pageEmails = async (
  db: Db,
  filter: EmailFilter,
  { page, pageSize, showsDemo }: { page: number; pageSize: number; showsDemo: boolean },
) => {
  const count = await countEmails(db, filter)
  // First the page by the index alone, then what belongs to its rows.
  const rows = await db
    .selectFrom(
      matching(db, filter)
        .select(['m.id', 'm.created_at'])
        .orderBy('m.created_at', 'desc')
        .orderBy('m.id', 'desc')
        .limit(pageSize)
        .offset((page - 1) * pageSize)
        .as('shown'),
    )
    .innerJoin('mail as m', (join) =>
      join.onRef('m.id', '=', 'shown.id').onRef('m.created_at', '=', 'shown.created_at'),
    )
    .leftJoin('program as p', 'p.id', 'm.program_id')
    .leftJoin('college as c', 'c.id', 'p.college_id')
    .select(columnsOf(showsDemo))
    .select(sql<string>`case when ${isClosedIn(showsDemo)} then '' else left(m.html, 4000) end`.as('Html'))
    .orderBy('m.created_at', 'desc')
    .orderBy('m.id', 'desc')
    .execute()
  return { rows, Total: Math.min(count, maxEmailsCounted), IsTotalCapped: count > maxEmailsCounted }
}

const columnsOf = (showsDemo: boolean) =>
  [
    'm.id as Id',
    'm.created_at as Date',
    'm.recipient as To',
    'm.label',
    'm.status as Status',
    'm.status_message as StatusMessage',
    sql<string | null>`c.name || ' - ' || p.name`.as('Program'),
    sql<string>`case when ${isClosedIn(showsDemo)} then '' else m.subject end`.as('Subject'),
    isClosedIn(showsDemo).as('IsSecret'),
    isPrivateEmail.as('isPrivate'),
    sql<boolean>`m.blocked_at is not null`.as('IsBlocked'),
    mayRetry.as('MayRetry'),
    mayCancel.as('MayCancel'),
  ] as const

export const findEmail = (db: Db, id: number, showsDemo: boolean) =>
  db
    .selectFrom('mail as m')
    .leftJoin('program as p', 'p.id', 'm.program_id')
    .leftJoin('college as c', 'c.id', 'p.college_id')
    .select(columnsOf(showsDemo))
    .select([
      'm.sender as From',
      'm.carbon_copy as CarbonCopy',
      'm.attempts as Attempts',
      'm.sent_at as SentAt',
    ])
    .select(sql<string>`case when ${isClosedIn(showsDemo)} then '' else m.html end`.as('Html'))
    .where('m.id', '=', id)
    .executeTakeFirst()
