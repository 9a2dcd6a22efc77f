import { addDays, formatDate, weekOf } from '#contract/core/calendar.ts'
import { coreFailures } from '#contract/core/failures.ts'
import { hoursText } from '#contract/core/hours.ts'
import { Level } from '#contract/core/levels.ts'
import { may } from '#contract/core/permissions.ts'
import { reportFailures } from '#contract/reports/failures.ts'
import * as contract from '#contract/reports/member-homes.ts'
import type { User } from '#server/core/auth/session.ts'
import type { Db } from '#server/core/database/pool.ts'
import { pdfFile } from '#server/core/files/pdf.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { momentIn, todayIn } from '#server/core/runtime/today.ts'
import { newestOfLibrary } from '../documents/documents.queries.ts'
import { newsOfProgram } from '../news/news.queries.ts'
import { findProgramContext } from '../programs/context.queries.ts'
import {
  findCohort,
  findOwnDocument,
  listContacts,
  listHoursByRotation,
  listOwnAgreements,
  listOwnDocuments,
  pageExpected,
  pageOwnSites,
  readOwnDetails,
  type TiedPerson,
} from './member-homes.queries.ts'

const newestDocuments = 5

/** The caller's own program, and its day. */
const ownProgram = async (db: Db, user: User) => {
  const program = await findProgramContext(db, user.ProgramId)
  if (!program) throw fail(coreFailures.no_own_program)
  const person: TiedPerson = { programId: program.Id, accountId: user.Id }
  return { program, person, today: todayIn(program.TimeZone) }
}

/** The days of a choice: today, seven days, what is left of this week, or the week after. */
const daysOf = (
  when: 'today' | 'days' | 'week' | 'next',
  today: string,
): { from: string; through: string } => {
  const week = weekOf(today)
  if (when === 'today') return { from: today, through: today }
  if (when === 'days') return { from: today, through: addDays(today, 6) }
  return when === 'week'
    ? { from: today, through: addDays(week, 6) }
    : { from: addDays(week, 7), through: addDays(week, 13) }
}

const readHoursRecord = async (db: Db, user: User): Promise<contract.HoursRecord> => {
  const { program, person } = await ownProgram(db, user)
  const rotations = await listHoursByRotation(db, person)
  const sum = (field: 'ApprovedMinutes' | 'TargetMinutes') =>
    rotations.reduce((total, rotation) => total + rotation[field], 0)
  return {
    Name: user.Name,
    Program: program.Name,
    College: program.CollegeName,
    Cohort: await findCohort(db, person),
    ApprovedMinutes: sum('ApprovedMinutes'),
    TargetMinutes: sum('TargetMinutes'),
    Rotations: rotations,
  }
}

export const memberHomeRoutes = [
  handle(contract.getMemberHome, async ({ db, user, services }) => {
    const { program, today } = await ownProgram(db, user)
    const library = may(user, 'documents.read')
      ? await newestOfLibrary(db, program.Id, user, newestDocuments)
      : { Items: [], Total: 0 }
    const folder = `${services.config.appRoot}/new/api/programs/${program.Id}/documents`
    return {
      Program: program.Name,
      College: program.CollegeName,
      Contacts: await listContacts(db, program.Id),
      Documents: library.Items.map((row) => ({ ...row, Url: `${folder}/${row.Id}/file` })),
      DocumentCount: library.Total,
      News: await newsOfProgram(db, program.Id, today),
    }
  }),

  handle(contract.getOwnDetails, async ({ db, user }) => ({
    ...(await readOwnDetails(db, user.Id)),
    // Whoever has only registered is not let in yet.
    Contacts:
      user.ProgramId === null || user.AccessLevel === Level.Registrant
        ? []
        : await listContacts(db, user.ProgramId),
  })),

  handle(contract.listOwnSites, async ({ db, user, query }) => {
    const { person, today } = await ownProgram(db, user)
    return pageOwnSites(db, person, {
      ...query,
      today: daysOf('today', today),
      week: daysOf('week', today),
      next: daysOf('next', today),
    })
  }),

  handle(contract.getOwnSitePapers, async ({ db, user }) => {
    const { person, today } = await ownProgram(db, user)
    return {
      Agreements: await listOwnAgreements(db, person, today),
      Documents: await listOwnDocuments(db, person),
    }
  }),

  handle(contract.downloadOwnSiteDocument, async ({ db, user, params, services, audit }) => {
    const { person } = await ownProgram(db, user)
    const document = await findOwnDocument(db, person, params)
    if (!document) throw fail(reportFailures.no_document)
    audit.detail = { Name: document.name }
    return {
      name: document.fileName || document.name,
      type: document.media_type,
      chunks: await services.files.read(document.store_key),
    }
  }),

  handle(contract.listExpectedStudents, async ({ db, user, query: { When, ...query } }) => {
    const { person, today } = await ownProgram(db, user)
    return pageExpected(db, person, { ...query, ...daysOf(When, today), isFromNow: When !== 'next' })
  }),

  handle(contract.getHoursRecord, ({ db, user }) => readHoursRecord(db, user)),

  handle(contract.exportHoursRecord, async ({ db, user }) => {
    const record = await readHoursRecord(db, user)
    return pdfFile('Hours record', {
      title: 'Hours record',
      lines: [
        record.Name,
        `${record.Program} · ${record.College}`,
        ...(record.Cohort ? [`Cohort ${record.Cohort}`] : []),
      ],
      columns: [
        { title: 'Rotation' },
        { title: 'Dates' },
        { title: 'Sites' },
        { title: 'Required hours', isFigure: true },
        { title: 'Approved hours', isFigure: true },
      ],
      rows: record.Rotations.map((rotation) => [
        rotation.Name || 'Outside rotations',
        rotation.StartDate ? `${formatDate(rotation.StartDate)} – ${formatDate(rotation.EndDate)}` : '',
        rotation.Sites.join(', '),
        hoursText(rotation.TargetMinutes),
        hoursText(rotation.ApprovedMinutes),
      ]),
      totals: ['Total', '', '', hoursText(record.TargetMinutes), hoursText(record.ApprovedMinutes)],
      by: user.Name,
      at: momentIn(user.TimeZone),
    })
  }),
]
