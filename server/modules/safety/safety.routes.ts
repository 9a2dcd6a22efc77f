import { addDays, formatDate } from '#contract/core/calendar.ts'
import { Level } from '#contract/core/levels.ts'
import { someone } from '#contract/core/wording.ts'
import { sentence } from '#contract/language/texts.ts'
import { peopleFailures } from '#contract/people/failures.ts'
import * as declarations from '#contract/safety/declarations.ts'
import * as doses from '#contract/safety/doses.ts'
import { safetyFailures } from '#contract/safety/failures.ts'
import * as incidents from '#contract/safety/incidents.ts'
import { siteFailures } from '#contract/sites/failures.ts'
import { isSignedAs } from '#server/core/auth/signed-name.ts'
import { cappedPage } from '#server/core/database/capped-page.ts'
import type { Db } from '#server/core/database/pool.ts'
import { readStudentNumbers } from '#server/core/files/student-numbers.ts'
import { type ExportColumn, recordColumns, tableFile } from '#server/core/files/table.ts'
import { handle } from '#server/core/http/handle.ts'
import { listNamedStudents } from '#server/core/imports/named-students.ts'
import { notifyPeople } from '#server/core/mail/notices.ts'
import { queueTemplatedEmails } from '#server/core/mail/template-emails.ts'
import { refuseEndedPerson } from '#server/core/runtime/deleted-parent.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { dayIn, todayIn } from '#server/core/runtime/today.ts'
import { findProgramContext, getProgramContext } from '../programs/context.queries.ts'
import {
  acknowledgeDoses,
  correctDose,
  insertDose,
  removeDose,
  restoreDose,
  reviewDose,
} from './doses.commands.ts'
import { countDoses, listDoseStudents, listDoses, streamDoses, tellOfDoses } from './doses.queries.ts'
import {
  closeReport,
  insertDeclaration,
  insertIncident,
  setOfficers,
  withdrawDeclared,
} from './safety.commands.ts'
import {
  findDeclared,
  listOfficers,
  listOwnSites,
  listStaff,
  listTold,
  pageDeclarations,
  pageIncidents,
  readsDeclarations,
} from './safety.queries.ts'

/** A student's program; the account of a student always has one. */
const programOf = (user: { ProgramId: number | null }): number => user.ProgramId!

const refuseName = (typed: string, name: string): void => {
  if (!isSignedAs(typed, name)) throw fail(safetyFailures.wrong_name, { Name: name }, 'Name')
}

const ownDeclaration = async (
  db: Db,
  programId: number,
  studentId: number,
): Promise<declarations.OwnDeclaration> => ({
  Text: declarations.declarationText,
  Declared: (await findDeclared(db, programId, studentId)) ?? null,
})

/** Says that something is there to be read, and nothing of what it is. */
const tellOfDeclaration = async (db: Db, programId: number): Promise<void> => {
  const program = await findProgramContext(db, programId)
  const told = await listTold(db, programId, { ids: await listOfficers(db, programId) })
  await notifyPeople(
    db,
    programId,
    told.map(({ id }) => ({
      accountId: id,
      kind: 'declaration',
      text: 'Something is there for you to read under Declarations.',
      link: '/new/admin/safety/declarations',
    })),
  )
  await queueTemplatedEmails(
    db,
    told
      .filter(({ email }) => email !== '')
      .map(({ id, first, email }) => ({
        programId,
        accountId: id,
        recipient: email,
        label: 'PREGNANCY_declared' as const,
        values: {
          'staff.firstName': first,
          'program.name': program?.Name ?? '',
          link: '/new/admin/safety/declarations',
        },
      })),
  )
}

const readDose = async (db: Db, programId: number, readingId: number): Promise<doses.DoseReading> => {
  const [reading] = await listDoses(db, programId, { readingId })
  if (!reading) throw fail(safetyFailures.no_reading)
  return reading
}

/** The deep dose in mrem from which a reading is reviewed, and the program's day. */
const getDoseRules = async (db: Db, programId: number): Promise<{ limit: number; today: string }> => {
  const program = await getProgramContext(db, programId)
  return { limit: program.Options.DoseLimit, today: todayIn(program.TimeZone) }
}

/** Nobody reports an incident that was longer ago: the year is mistyped. */
const mostIncidentDays = 5 * 366
/** Longer ago than any pregnancy. */
const mostDays = 300
const dayMs = 86_400_000

const doseColumns = (timeZone: string): readonly ExportColumn<doses.DoseReading>[] => [
  { title: 'Student', width: 28, value: (row) => row.Student },
  { title: 'Badge', width: 14, value: (row) => row.Badge },
  { title: 'From', kind: 'date', value: (row) => row.From },
  { title: 'Through', kind: 'date', value: (row) => row.Through },
  { title: 'Deep (mrem)', kind: 'number', value: (row) => row.Deep },
  { title: 'Lens (mrem)', kind: 'number', value: (row) => row.Lens },
  { title: 'Shallow (mrem)', kind: 'number', value: (row) => row.Shallow },
  { title: 'Deep, year to date', kind: 'number', value: (row) => row.YearDeep },
  {
    title: 'Read by student',
    kind: 'date',
    value: ({ AcknowledgedAt: at }) => (at ? dayIn(timeZone, new Date(at)) : ''),
  },
  { title: 'Reviewed by', width: 20, value: (row) => row.ReviewedBy ?? '' },
  { title: 'Review', width: 40, value: (row) => row.ReviewNote },
]

const kindNames: Record<incidents.IncidentKind, string> = {
  sharps: 'Needle stick or sharps',
  bodyFluid: 'Blood or body fluid',
  radiation: 'Radiation exposure',
  injury: 'Injury',
  patient: 'Patient event',
  equipment: 'Equipment',
  other: 'Other',
}

export const safetyRoutes = [
  handle(doses.listDoseReadings, async ({ db, params: { programId }, query }) => {
    const { page, pageSize, ...filter } = query
    const rows = await listDoses(db, programId, filter, {
      offset: (page - 1) * pageSize,
      pageSize: pageSize + 1,
    })
    return cappedPage(rows, { page, pageSize }, () => countDoses(db, programId, filter))
  }),

  handle(
    doses.exportDoseReadings,
    async ({ db, params: { programId }, query: { Format, ...filter }, user, audit }) => {
      audit.subjectIds = await listDoseStudents(db, programId, filter)
      const columns = [
        ...doseColumns(user.TimeZone),
        ...recordColumns(await readStudentNumbers(db, programId)),
      ]
      return tableFile(Format, 'dosimeter-readings', columns, streamDoses(db, programId, filter))
    },
  ),

  handle(doses.addDoseReading, async ({ db, params: { programId }, body, user, audit }) => {
    const students = await listNamedStudents(db, programId)
    if (!students.some(({ id }) => id === body.StudentId)) throw fail(peopleFailures.no_student)
    const program = await getDoseRules(db, programId)
    if (body.Through > program.today)
      throw fail(safetyFailures.date_ahead, { Date: formatDate(body.Through) }, 'Through')
    const id = await insertDose(db, programId, { ...body, limit: program.limit, by: user.Id })
    if (id === undefined) throw fail(safetyFailures.reading_taken)
    await tellOfDoses(db, programId, [body.StudentId])
    audit.subjectId = body.StudentId
    audit.detail = { ReadingId: id, After: body }
    return readDose(db, programId, id)
  }),

  handle(doses.correctDoseReading, async ({ db, params: { programId, readingId }, body, user, audit }) => {
    const before = await readDose(db, programId, readingId)
    const { limit } = await getDoseRules(db, programId)
    await correctDose(db, programId, readingId, { ...body, limit, by: user.Id })
    await tellOfDoses(db, programId, [before.StudentId])
    audit.subjectId = before.StudentId
    audit.detail = { ReadingId: readingId, Before: before, After: body }
    return readDose(db, programId, readingId)
  }),

  handle(doses.removeDoseReading, async ({ db, params: { programId, readingId }, body, user, audit }) => {
    const before = await readDose(db, programId, readingId)
    await removeDose(db, programId, readingId, user.Id)
    audit.subjectId = before.StudentId
    audit.detail = { ReadingId: readingId, Before: before, Reason: body.Reason }
  }),

  handle(doses.restoreDoseReading, async ({ db, params: { programId, readingId }, user, audit }) => {
    await refuseEndedPerson(db, programId, { table: 'dose_reading', ids: [readingId], by: 'student_id' })
    const became = await restoreDose(db, programId, readingId, user.Id)
    if (became === undefined) throw fail(safetyFailures.no_reading)
    if (became === 'taken') throw fail(safetyFailures.reading_taken)
    const reading = await readDose(db, programId, readingId)
    audit.subjectId = reading.StudentId
    audit.detail = { ReadingId: readingId }
    return reading
  }),

  handle(
    doses.reviewDoseReading,
    async ({ db, params: { programId, readingId }, body: { Note }, user, audit }) => {
      const reading = await readDose(db, programId, readingId)
      if (!(await reviewDose(db, { programId, readingId, by: user.Id, note: Note })))
        throw reading.IsOver
          ? fail(safetyFailures.reading_reviewed, { By: reading.ReviewedBy ?? sentence(someone) })
          : fail(safetyFailures.reading_below_limit)
      audit.subjectId = reading.StudentId
      audit.detail = { ReadingId: readingId, Deep: reading.Deep, Note }
      return readDose(db, programId, readingId)
    },
  ),

  handle(doses.listOwnDoseReadings, ({ db, user }) => listDoses(db, programOf(user), { studentId: user.Id })),

  handle(doses.acknowledgeDoseReadings, async ({ db, user, body: { Ids }, audit }) => {
    const own = { programId: programOf(user), studentId: user.Id }
    const Acknowledged = await acknowledgeDoses(db, own, Ids)
    audit.subjectId = user.Id
    audit.detail = { Readings: Acknowledged }
    return { Acknowledged }
  }),

  handle(declarations.getOwnDeclaration, ({ db, user }) => ownDeclaration(db, programOf(user), user.Id)),

  handle(declarations.declarePregnancy, async ({ db, user, body: { Name, ConceivedOn }, from, audit }) => {
    const programId = programOf(user)
    refuseName(Name, user.Name)
    const today = todayIn(user.TimeZone)
    const age = (Date.parse(today) - Date.parse(ConceivedOn)) / dayMs
    if (age < 0 || age > mostDays)
      throw fail(safetyFailures.conceived, { Date: formatDate(ConceivedOn) }, 'ConceivedOn')
    const isKept = await insertDeclaration(db, {
      programId,
      studentId: user.Id,
      on: ConceivedOn,
      text: declarations.declarationText,
      name: Name,
      from: from.address,
    })
    if (!isKept) throw fail(safetyFailures.declared)
    await tellOfDeclaration(db, programId)
    // Nothing of what was declared is in the audit, which more people read.
    audit.detail = {}
    return ownDeclaration(db, programId, user.Id)
  }),

  handle(declarations.withdrawDeclaration, async ({ db, user, body: { Name }, audit }) => {
    const programId = programOf(user)
    refuseName(Name, user.Name)
    if (!(await withdrawDeclared(db, { programId, studentId: user.Id, name: Name })))
      throw fail(safetyFailures.no_declaration)
    await tellOfDeclaration(db, programId)
    audit.detail = {}
    return ownDeclaration(db, programId, user.Id)
  }),

  handle(declarations.listDeclarations, async ({ db, params: { programId }, query, user }) => {
    if (!(await readsDeclarations(db, programId, user))) throw fail(safetyFailures.not_officer)
    return { ...(await pageDeclarations(db, programId, query)), Page: query.page, PageSize: query.pageSize }
  }),

  handle(declarations.getRadiationOfficers, async ({ db, params: { programId } }) => ({
    Ids: await listOfficers(db, programId),
    Staff: await listStaff(db, programId),
  })),

  handle(declarations.setRadiationOfficers, async ({ db, params: { programId }, body: { Ids }, audit }) => {
    const staff = new Set((await listStaff(db, programId)).map(({ Id }) => Id))
    if (Ids.some((id) => !staff.has(id))) throw fail(safetyFailures.no_such_staff)
    const before = await listOfficers(db, programId)
    await setOfficers(db, programId, Ids)
    audit.detail = { Before: before, After: Ids }
    return { Ids: await listOfficers(db, programId) }
  }),

  handle(incidents.listOwnIncidents, async ({ db, user }) => {
    const programId = programOf(user)
    return {
      Today: todayIn(user.TimeZone),
      Items: (await pageIncidents(db, programId, { studentId: user.Id })).Items,
      Sites: await listOwnSites(db, programId, user.Id),
    }
  }),

  handle(incidents.reportIncident, async ({ db, user, body, audit }) => {
    const own = { programId: programOf(user), studentId: user.Id }
    if (body.Date > todayIn(user.TimeZone))
      throw fail(safetyFailures.date_ahead, { Date: formatDate(body.Date) }, 'Date')
    if (body.Date < addDays(todayIn(user.TimeZone), -mostIncidentDays))
      throw fail(safetyFailures.long_ago, { Date: formatDate(body.Date) }, 'Date')
    if (body.SiteId !== null) {
      const sites = await listOwnSites(db, own.programId, user.Id)
      if (!sites.some(({ Id }) => Id === body.SiteId)) throw fail(siteFailures.no_site)
    }
    const isNew = await insertIncident(db, {
      ...own,
      key: body.Key,
      kind: body.Kind,
      on: body.Date,
      siteId: body.SiteId,
      description: body.Description,
      action: body.Action,
      told: body.Told,
    })
    const { Items } = await pageIncidents(db, own.programId, { studentId: user.Id, key: body.Key })
    // It was kept above, or before under the same key.
    const report = Items[0]!
    if (isNew) {
      const told = await listTold(db, own.programId, { fromLevel: Level.Coord })
      const line = `${report.Student}: ${kindNames[report.Kind]}, ${formatDate(report.Date)}`
      await notifyPeople(
        db,
        own.programId,
        told.map(({ id }) => ({
          accountId: id,
          kind: 'incident_reported',
          text: line,
          link: '/new/admin/safety/incidents',
        })),
      )
      await queueTemplatedEmails(
        db,
        told
          .filter(({ email }) => email !== '')
          .map(({ id, first, email }) => ({
            programId: own.programId,
            accountId: id,
            recipient: email,
            label: 'INCIDENT_reported' as const,
            values: {
              'staff.firstName': first,
              'student.name': report.Student,
              'incident.kind': kindNames[report.Kind],
              'incident.date': formatDate(report.Date),
              link: '/new/admin/safety/incidents',
            },
          })),
      )
    }
    audit.subjectId = user.Id
    audit.detail = { IncidentId: report.Id, Kind: report.Kind }
    return report
  }),

  handle(
    incidents.listIncidents,
    async ({ db, params: { programId }, query: { State, page, pageSize } }) => ({
      ...(await pageIncidents(db, programId, { State }, { page, pageSize })),
      Page: page,
      PageSize: pageSize,
    }),
  ),

  handle(
    incidents.closeIncident,
    async ({ db, params: { programId, incidentId }, body: { FollowUp }, user, audit }) => {
      const at = { id: incidentId }
      const [before] = (await pageIncidents(db, programId, at)).Items
      if (!before) throw fail(safetyFailures.no_report)
      if (!(await closeReport(db, { programId, incidentId, by: user.Id, followUp: FollowUp })))
        throw fail(safetyFailures.report_closed, { By: before.ClosedBy ?? sentence(someone) })
      await notifyPeople(db, programId, [
        {
          accountId: before.StudentId,
          kind: 'incident_closed',
          text: `Your report of ${formatDate(before.Date)} was closed: ${FollowUp}`,
          link: '/new/safety',
        },
      ])
      audit.subjectId = before.StudentId
      audit.detail = { IncidentId: incidentId, FollowUp }
      const [after] = (await pageIncidents(db, programId, at)).Items
      // It was changed above, in this transaction.
      return after!
    },
  ),
]
