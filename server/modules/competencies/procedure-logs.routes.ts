import { sql } from 'kysely'
import { competencyFailures } from '#contract/competencies/failures.ts'
import { whyNotLoggable } from '#contract/competencies/log-refusals.ts'
import { loggableDays } from '#contract/competencies/log-rules.ts'
import * as contract from '#contract/competencies/procedure-logs.ts'
import { addDays } from '#contract/core/calendar.ts'
import { someone } from '#contract/core/wording.ts'
import { sentence } from '#contract/language/texts.ts'
import { peopleFailures } from '#contract/people/failures.ts'
import { siteFailures } from '#contract/sites/failures.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { Failure, fail } from '#server/core/runtime/failure.ts'
import { findClockedIn } from '../time/clocked-in.queries.ts'
import { refuseChanged } from './log-decisions.rules.ts'
import { refuseLines, tidyLine } from './log-lines.rules.ts'
import { insertEntries, removeEntry, restoreEntry, updateLine } from './procedure-logs.commands.ts'
import {
  findOwnEntry,
  type LockedEntry,
  listKept,
  listOwnDays,
  lockEntries,
  lockLogs,
  openAgain,
} from './procedure-logs.queries.ts'
import {
  findEntryDay,
  findLastSupervisor,
  findListOfStudent,
  findLogShift,
  isStudentThere,
  listLogSites,
  listPathologiesOf,
  readPathologySetting,
  readProgramDay,
  readStanding,
} from './standing.queries.ts'

/** A student's program; the account of a student always has one. */
const programOf = (user: { ProgramId: number | null }): number => user.ProgramId!

interface Own {
  programId: number
  studentId: number
}

/** The site, if any, must be one of the student's, and the supervisor one of the site's. */
const refuseForeign = async (
  db: Db,
  own: Own,
  siteId: number | null,
  supervisorId: number | null,
): Promise<void> => {
  if (siteId === null && supervisorId === null) return
  const site = (await listLogSites(db, own.programId, own.studentId)).find(({ SiteId }) => SiteId === siteId)
  if (!site) throw fail(siteFailures.no_site)
  if (supervisorId !== null && !site.Supervisors.some(({ Id }) => Id === supervisorId))
    throw fail(peopleFailures.no_supervisor)
}

/** An own entry that is not verified yet, as it was when the student saw it. */
const lockOwn = async (db: Db, own: Own, logId: number, revision: number): Promise<LockedEntry> => {
  const [entry] = await lockEntries(db, own.programId, { studentId: own.studentId }, [logId])
  if (!entry) throw fail(competencyFailures.no_entry)
  if (entry.state === 'verified')
    throw fail(competencyFailures.entry_verified, { By: entry.decidedBy ?? sentence(someone) })
  refuseChanged(entry, revision)
  return entry
}

export const procedureLogRoutes = [
  handle(contract.getLogContext, async ({ db, user, query }) => {
    const own = { programId: programOf(user), studentId: user.Id }
    const { today, from } = await readProgramDay(db, own.programId)
    const clockedIn = await findClockedIn(db, own, query.Date)
    const [shift, Sites, list, Pathology] = await Promise.all([
      findLogShift(db, own, { today, date: query.Date, clockedInFor: clockedIn?.assignmentId }),
      listLogSites(db, own.programId, own.studentId),
      findListOfStudent(db, own.programId, own.studentId),
      readPathologySetting(db, own.programId),
    ])
    // Where the student is: hours without a shift have their site all the same.
    const siteId = (shift ? shift.SiteId : clockedIn?.siteId) ?? null
    const supervisors = Sites.find(({ SiteId }) => SiteId === siteId)?.Supervisors ?? []
    const last = siteId === null ? undefined : await findLastSupervisor(db, { ...own, siteId })
    const only = supervisors.length === 1 ? supervisors[0] : undefined
    const enteredOn = await findEntryDay(db, own.programId, own.studentId)
    const first = [addDays(today, -loggableDays), from ?? '', enteredOn ?? ''].toSorted().at(-1) ?? ''
    return {
      Date: query.Date ?? shift?.Date ?? today,
      Today: today,
      FirstDate: first,
      Shift: shift ?? null,
      SiteId: siteId,
      SupervisorId: (supervisors.find(({ Id }) => Id === last) ?? only)?.Id ?? null,
      Sites,
      Pathology,
      Pathologies:
        list && Pathology.IsAsked !== 'off' ? await listPathologiesOf(db, own.programId, list.Id) : [],
    }
  }),

  handle(contract.getOwnStanding, ({ db, user }) => readStanding(db, programOf(user), user.Id)),

  handle(contract.getStudentStanding, async ({ db, params: { programId, studentId } }) => {
    if (!(await isStudentThere(db, programId, studentId))) throw fail(peopleFailures.no_student)
    return readStanding(db, programId, studentId)
  }),

  handle(contract.saveProcedures, async ({ db, user, body, audit, services, afterCommit }) => {
    const own = { programId: programOf(user), studentId: user.Id }
    await lockLogs(db, [own.studentId])
    const kept = await listKept(
      db,
      own,
      body.Lines.map(({ Key }) => Key),
    )
    const known = new Set(kept.map(({ Key }) => Key))
    const lines = body.Lines.filter(({ Key }) => !known.has(Key)).map(tidyLine)
    audit.subjectId = user.Id
    if (lines.length === 0) return { Saved: kept }
    const [day, enteredOn] = await Promise.all([
      readProgramDay(db, own.programId),
      findEntryDay(db, own.programId, own.studentId),
    ])
    const reason = whyNotLoggable(body.Date, { ...day, enteredOn })
    if (reason) throw new Failure(reason, 'Date')
    await refuseLines(db, own, lines, (index, field) => {
      const key = lines[index]?.Key
      return `Lines.${body.Lines.findIndex(({ Key }) => Key === key)}.${field}`
    })
    const shift = await findLogShift(db, own, { today: day.today, date: body.Date, siteId: body.SiteId })
    const siteId = body.SiteId ?? shift?.SiteId ?? null
    await refuseForeign(db, own, siteId, body.SupervisorId)
    const saved = await insertEntries(
      db,
      {
        ...own,
        date: body.Date,
        assignmentId: shift?.AssignmentId ?? null,
        siteId,
        supervisorId: body.SupervisorId,
      },
      lines,
    )
    audit.detail = { Date: body.Date, Entries: saved.map(({ Id }) => Id) }
    afterCommit(() => services.live.publishLogs(own.programId))
    return { Saved: [...kept, ...saved] }
  }),

  handle(contract.listOwnLog, ({ db, user, query }) => listOwnDays(db, programOf(user), user.Id, query)),

  handle(
    contract.changeProcedure,
    async ({ db, user, params: { logId }, body, audit, services, afterCommit }) => {
      const own = { programId: programOf(user), studentId: user.Id }
      const { Revision, SupervisorId, ...given } = body
      const before = await lockOwn(db, own, logId, Revision)
      // It is locked since it was found above.
      const entry = (await findOwnEntry(db, own.programId, own.studentId, logId))!
      const line = tidyLine({ ...entry, ...given })
      await refuseLines(db, { ...own, keeps: before.skillId }, [line], (_index, field) => field)
      if (SupervisorId !== entry.SupervisorId) await refuseForeign(db, own, entry.SiteId, SupervisorId)
      await updateLine(
        db,
        { programId: own.programId, logId, by: user.Id },
        line,
        sql`, supervisor_id = ${SupervisorId} ${openAgain}`,
      )
      audit.subjectId = user.Id
      audit.detail = { Before: entry, After: line }
      afterCommit(() => services.live.publishLogs(own.programId))
      // It was changed above, in this transaction.
      return (await findOwnEntry(db, own.programId, own.studentId, logId))!
    },
  ),

  handle(
    contract.deleteProcedure,
    async ({ db, user, params: { logId }, query, audit, services, afterCommit }) => {
      const own = { programId: programOf(user), studentId: user.Id }
      const entry = await lockOwn(db, own, logId, query.Revision)
      await removeEntry(db, own.programId, logId, user.Id)
      audit.subjectId = user.Id
      audit.detail = { Procedure: entry.procedure, Count: entry.count, Date: entry.date }
      afterCommit(() => services.live.publishLogs(own.programId))
    },
  ),

  handle(contract.restoreProcedure, async ({ db, user, params: { logId }, audit, services, afterCommit }) => {
    const own = { programId: programOf(user), studentId: user.Id }
    if (!(await restoreEntry(db, own, logId))) throw fail(competencyFailures.no_entry)
    // It was brought back above, in this transaction.
    const entry = (await findOwnEntry(db, own.programId, own.studentId, logId))!
    audit.subjectId = user.Id
    audit.detail = { Procedure: entry.Procedure, Count: entry.Count, Date: entry.Date }
    afterCommit(() => services.live.publishLogs(own.programId))
    return entry
  }),
]
