import { EmailState, filteredDays } from '#contract/communication/scheduled-emails.ts'
import { addDays } from '#contract/core/calendar.ts'
import * as contract from '#contract/reports/overview.ts'
import { workOnAllMail } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { todayIn } from '#server/core/runtime/today.ts'
import { version } from '#server/core/runtime/version.ts'
import { countEmails } from '../communication/scheduled-emails.queries.ts'
import { newsOfInstallation } from '../news/news.queries.ts'
import { pageActivePrograms, readFailures, readInstallation, signInsByDay } from './overview.across.ts'

const chartDays = 14

export const overviewRoutes = [
  handle(contract.getOverview, async ({ db, user, services }) => {
    const timeZone = user.TimeZone
    const today = todayIn(timeZone)
    await workOnAllMail(db)
    // The days that Scheduled Emails begins with, so that the list behind a figure is as long.
    const MailFrom = addDays(today, -filteredDays)
    const count = (Status: number) =>
      countEmails(db, {
        FromDate: MailFrom,
        ThroughDate: today,
        Status,
        FailedOnly: Status === EmailState.Error,
        timeZone,
      })
    // Whole minutes, so that the figure and the list behind it, which is opened a little later, begin with the same moment.
    const minute = Math.floor(Date.now() / 60_000)
    const hoursAgo = (hours: number) => new Date((minute - hours * 60) * 60_000).toISOString()
    const WeekBegan = hoursAgo(7 * 24)
    const { Returned, Versions, ...facts } = await readInstallation(db, timeZone)
    return {
      ...facts,
      Days: await signInsByDay(db, { timeZone, from: addDays(today, 1 - chartDays), through: today }),
      Mail: {
        IsServerSet: services.config.smtpUrl !== undefined,
        Queued: await count(EmailState.Queued),
        Failed: await count(EmailState.Error),
        Returned,
      },
      Failures: await readFailures(db, { dayBegan: hoursAgo(24), weekBegan: WeekBegan }),
      Versions: { ...Versions, Product: version, Node: process.versions.node },
      WeekBegan,
      Today: today,
      News: await newsOfInstallation(db, today),
    }
  }),

  handle(contract.listActivePrograms, ({ db, query }) => pageActivePrograms(db, query)),
]
