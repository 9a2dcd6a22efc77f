import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { DateOnly, Id, Instant, PageOf, paging, Sort } from '#contract/core/fields.ts'
import { ShownNews } from '#contract/news/news.ts'

/** The super admin's home without a program: the installation. */

const Count = z.number().int()

/** How often something failed in the last 24 hours and 7 days; more than 10,000 of the latter are not counted. */
const Failed = z.object({ Day: Count, Week: Count })

/** Days without anybody after which a program counts as quiet. */
export const quietAfterDays = 30

export const Overview = z.object({
  Colleges: Count,
  Programs: Count,
  Students: Count,
  /** Seen within 15 minutes. */
  Online: Count,
  /** Seen since midnight, also those who have signed out. */
  SignedInToday: Count,
  Quiet: Count,
  /** Sign-ins of the last 14 days, today last. */
  Days: z.array(z.object({ Date: DateOnly, People: Count, SignIns: Count })),
  Mail: z.object({
    IsServerSet: z.boolean(),
    /** Of the last 30 days, as Scheduled Emails begins. */
    Queued: Count,
    Failed: Count,
    Returned: Count,
  }),
  Jobs: z.object({
    Waiting: Count,
    /** Due for more than 5 minutes and not begun. */
    Late: Count,
    /** Tried as often as a job is tried. */
    Failed: Count,
  }),
  Storage: z.object({ Files: Count, FileBytes: Count, DatabaseBytes: Count }),
  Failures: z.object({
    /** Calls that the server answered with its own error, with the routes that failed most in 7 days. */
    Server: Failed.extend({ Causes: z.array(z.object({ Name: z.string(), Week: Count })) }),
    /** Runs of background jobs that ended with an error, tried again or not, with the jobs that failed most. */
    Jobs: Failed.extend({ Causes: z.array(z.object({ Name: z.string(), Week: Count })) }),
    /** Pages that broke in somebody’s browser, with the pages and places in the code where most did. */
    Browsers: Failed.extend({ Causes: z.array(z.object({ Name: z.string(), Week: Count })) }),
    /** Neither blocked nor canceled. */
    Emails: Failed,
    /** Sent, and returned by the mail server of the recipient. */
    ReturnedEmails: Failed,
    CollegeSignIns: Failed,
    /** Runs of data sync, and imports that are in its log, that changed nothing. */
    DataSync: Failed,
  }),
  Versions: z.object({
    Product: z.string(),
    Node: z.string(),
    PostgreSql: z.string(),
    Migration: z.string(),
    Migrations: Count,
  }),
  /** 7 days ago: the moment from which failures are counted, and with which the lists behind them begin. */
  WeekBegan: Instant,
  Today: DateOnly,
  News: z.array(ShownNews),
})
export type Overview = z.infer<typeof Overview>

export const getOverview = endpoint({
  method: 'GET',
  path: '/overview',
  mayBeBehind: true,
  may: 'programs.manage',
  summary: 'The installation at a glance, for super admins',
  answer: Overview,
})

export const ActiveProgram = z.object({
  Id,
  Name: z.string(),
  CollegeName: z.string(),
  Students: Count,
  /** People seen in the last 7 and 30 days. */
  PeopleWeek: Count,
  PeopleMonth: Count,
  /** Recorded in the last 30 days, approved or pending. */
  RecordedMinutes: Count,
  LastSeenAt: Instant.nullable(),
  IsQuiet: z.boolean(),
})
export type ActiveProgram = z.infer<typeof ActiveProgram>

const sort = Sort(['LastSeenAt', 'Name', 'CollegeName', 'Students', 'PeopleWeek', 'PeopleMonth'])
export type ActiveProgramSort = z.infer<typeof sort>

export const listActivePrograms = endpoint({
  method: 'GET',
  path: '/overview/programs',
  mayBeBehind: true,
  may: 'programs.manage',
  summary: 'Programs by how much they are used, the last used first unless sorted otherwise',
  query: z.strictObject({
    ...paging,
    search: z.string().max(100).default(''),
    /** Only those where nobody was for 30 days. */
    Quiet: z.boolean().default(false),
    sort: sort.default('-LastSeenAt'),
  }),
  answer: PageOf(ActiveProgram),
})
