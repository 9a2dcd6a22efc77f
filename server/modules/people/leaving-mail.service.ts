import { formatDate } from '#contract/core/calendar.ts'
import type { Db } from '#server/core/database/pool.ts'
import { queueTemplatedEmails } from '#server/core/mail/template-emails.ts'
import { type Leaver, type Left, listToldSites, type ToldSite } from './leaving.queries.ts'

const maxDays = 10

const daysOf = (days: readonly string[]): string => {
  const told = days.slice(0, maxDays).map(formatDate).join(', ')
  return days.length > maxDays ? `${told} and ${days.length - maxDays} more` : told
}

const send = (
  db: Db,
  { programId }: Leaver,
  sites: readonly ToldSite[],
  summaryOf: (site: ToldSite) => string,
  textOf: (site: ToldSite) => string,
): Promise<unknown> =>
  queueTemplatedEmails(
    db,
    sites.map((each) => ({
      programId,
      label: 'SITE_student_left' as const,
      recipient: each.email,
      values: {
        'recipient.name': each.name,
        'site.name': each.site,
        'change.summary': summaryOf(each),
        'change.text': textOf(each),
      },
    })),
  )

/** Tells each site with coming shifts of somebody who has just left, once, which of them are free and which another student has. */
export const tellSitesOfLeaving = async (db: Db, leaver: Leaver, left: Left): Promise<void> => {
  const sites = await listToldSites(db, leaver, { free: left.freed, handed: left.handed.map(({ id }) => id) })
  await send(
    db,
    leaver,
    sites,
    ({ student }) => `${student} no longer comes`,
    ({ student, site, free, handed, handedTo }) =>
      [
        `${student} no longer comes to ${site}.`,
        free.length > 0 &&
          `${free.length === 1 ? '1 shift is' : `${free.length} shifts are`} free: ${daysOf(free)}.`,
        handed.length > 0 && `${handedTo} comes instead: ${daysOf(handed)}.`,
      ]
        .filter(Boolean)
        .join(' '),
  )
}

/** Tells each site which coming shifts somebody has again who had left. */
export const tellSitesOfReturn = async (db: Db, leaver: Leaver, ids: readonly number[]): Promise<void> => {
  const sites = await listToldSites(db, leaver, { free: ids, handed: [] })
  await send(
    db,
    leaver,
    sites,
    ({ student }) => `${student} comes again`,
    ({ student, site, free }) => `${student} comes again to ${site}: ${daysOf(free)}.`,
  )
}
