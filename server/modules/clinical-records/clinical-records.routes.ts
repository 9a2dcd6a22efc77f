import * as contract from '#contract/clinical-records/clinical-records.ts'
import { clinicalRecordFailures } from '#contract/clinical-records/failures.ts'
import {
  clearanceSentence,
  clearanceText,
  isSameName,
  readNumber,
} from '#contract/clinical-records/record-rules.ts'
import { coreFailures } from '#contract/core/failures.ts'
import { peopleFailures } from '#contract/people/failures.ts'
import type { User } from '#server/core/auth/session.ts'
import { isSignedAs } from '#server/core/auth/signed-name.ts'
import { type Db, workOn } from '#server/core/database/pool.ts'
import type { FileAnswer } from '#server/core/files/file-answer.ts'
import { pdfFile } from '#server/core/files/pdf.ts'
import { handle } from '#server/core/http/handle.ts'
import { quarterHour, throttle } from '#server/core/http/throttle.ts'
import { fail, refuseMissing } from '#server/core/runtime/failure.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { momentIn, todayIn } from '#server/core/runtime/today.ts'
import { getProgramContext, type ProgramContext } from '../programs/context.queries.ts'
import { findByNumber } from './clinical-records.across.ts'
import { insertClearance, revokeRecord, saveShares, withdrawClearance } from './clinical-records.commands.ts'
import {
  type CheckedRecord,
  findClearance,
  findRecord,
  getCredential,
  getRecordFile,
  listRecordsByIds,
  listRecordsOf,
  lockRecordsOf,
  pageRecords,
  readForVerifying,
} from './clinical-records.queries.ts'
import { endorsement } from './endorsement.rules.ts'
import { issueRecords } from './issue.service.ts'
import {
  listMissing,
  listPersons,
  pageClearance,
  type RecordedPerson,
  readChecks,
  readContents,
} from './standing.queries.ts'

const getProgram = async (db: Db, programId: number | null): Promise<ProgramContext> => {
  const program = await getProgramContext(db, programId)
  return program
}

const getPerson = async (db: Db, programId: number, studentId: number): Promise<RecordedPerson> => {
  const [person] = await listPersons(db, programId, [studentId])
  if (!person) throw fail(peopleFailures.no_student)
  return person
}

const getRecord = async (
  db: Db,
  programId: number,
  recordId: number,
  studentId?: number,
): Promise<contract.ClinicalRecord> => {
  const record = await findRecord(db, programId, recordId, studentId)
  if (!record) throw fail(coreFailures.no_record)
  return record
}

/** The own program; super admins without one have no records. */
const ownProgram = ({ ProgramId }: User): number => {
  if (ProgramId === null) throw fail(coreFailures.no_own_program)
  return ProgramId
}

async function* once(text: string) {
  yield text
}

/** A record as it was issued: its PDF, or its credential, as a JWT. */
const fileOf = async (
  db: Db,
  services: Services,
  programId: number,
  { record, format }: { record: contract.ClinicalRecord; format: (typeof contract.recordFormats)[number] },
): Promise<FileAnswer> => {
  if (format === 'credential')
    return {
      name: `Clinical record ${record.Number}.jwt`,
      type: 'application/vc+jwt',
      chunks: once(await getCredential(db, programId, record.Id)),
    }
  const { name, storeKey } = await getRecordFile(db, programId, record.Id)
  return { name, type: 'application/pdf', chunks: await services.files.read(storeKey) }
}

const verified = (
  State: contract.VerifiedRecord['State'],
  { number, content, isFinal, issuedOn, revokedOn, replacedOn, shares }: CheckedRecord,
): contract.VerifiedRecord => {
  const shows = (part: (typeof shares)[number]) => State === 'valid' && shares.includes(part)
  return {
    State,
    Record: {
      Number: number,
      Name: `${content.FirstName} ${content.LastName}`,
      Program: content.Program,
      College: content.College,
      IsFinal: isFinal,
      IssuedOn: issuedOn,
      EndedOn: revokedOn ?? replacedOn,
      Hours: shows('hours')
        ? { ApprovedMinutes: content.ApprovedMinutes, TargetMinutes: content.TargetMinutes }
        : null,
      Rotations: shows('rotations') ? content.Rotations : null,
      Competencies: shows('competencies') ? content.Competencies : null,
    },
  }
}

export const clinicalRecordRoutes = [
  handle(contract.getEndorsement, async ({ db, params: { programId, studentId }, user, audit }) => {
    const program = await getProgram(db, programId)
    const person = await getPerson(db, programId, studentId)
    const clearance = await findClearance(db, programId, studentId)
    if (!clearance) throw fail(clinicalRecordFailures.not_cleared_yet)
    const contents = await readContents(db, program, [person], {
      checks: await readChecks(db, programId, [studentId]),
      today: todayIn(program.TimeZone),
    })
    audit.detail = { ClearanceId: clearance.Id }
    // One was asked for.
    const content = contents.get(studentId)!
    return pdfFile(
      `Endorsement of ${content.FirstName} ${content.LastName}`,
      endorsement(content, clearance, { by: user.Name, at: momentIn(user.TimeZone) }),
    )
  }),

  handle(contract.getStudentClinicalRecord, async ({ db, params: { programId, studentId } }) => {
    const program = await getProgram(db, programId)
    const person = await getPerson(db, programId, studentId)
    const checks = await readChecks(db, programId, [studentId])
    const [clearance, records, contents] = await Promise.all([
      findClearance(db, programId, studentId),
      listRecordsOf(db, programId, studentId),
      readContents(db, program, [person], { checks, today: todayIn(program.TimeZone) }),
    ])
    return {
      // One was asked for, and one is answered.
      Checks: checks.get(studentId)!,
      Missing: await listMissing(db, programId, studentId),
      Clearance: clearance ?? null,
      Records: records,
      Draft: { ...contents.get(studentId)!, Clearance: null },
    }
  }),

  handle(contract.listClearance, ({ db, params, query }) => pageClearance(db, params.programId, query)),

  handle(contract.listClinicalRecords, ({ db, params, query }) => pageRecords(db, params.programId, query)),

  handle(
    contract.signClearance,
    async ({
      db,
      params: { programId, studentId },
      body: { Name, Version, Exception },
      user,
      from,
      audit,
    }) => {
      const person = await getPerson(db, programId, studentId)
      if (!isSignedAs(Name, user.Name))
        throw fail(clinicalRecordFailures.wrong_name, { Name: user.Name }, 'Name')
      if (Version !== clearanceText.version) throw fail(clinicalRecordFailures.text_changed)
      await lockRecordsOf(db, programId, [studentId])
      if (await findClearance(db, programId, studentId))
        throw fail(clinicalRecordFailures.cleared, { First: person.first, Last: person.last })
      const checks = (await readChecks(db, programId, [studentId])).get(studentId)!
      if (Object.values(checks).some(({ IsMet }) => !IsMet) && Exception === '')
        throw fail(clinicalRecordFailures.not_met, 'Exception')
      audit.detail = { Checks: checks, Exception }
      await insertClearance(db, programId, studentId, {
        text: clearanceSentence(checks, {
          missing: await listMissing(db, programId, studentId),
          exception: Exception,
          name: user.Name,
        }),
        version: Version,
        name: user.Name,
        exception: Exception,
        checks,
        address: from.address,
        accountId: user.Id,
      })
      // It was written above.
      return (await findClearance(db, programId, studentId))!
    },
  ),

  handle(
    contract.withdrawClearance,
    async ({ db, params: { programId, studentId }, body: { Reason }, user, audit }) => {
      await getPerson(db, programId, studentId)
      audit.detail = { Reason }
      if (!(await withdrawClearance(db, programId, studentId, { reason: Reason, accountId: user.Id })))
        throw fail(clinicalRecordFailures.not_cleared)
    },
  ),

  handle(
    contract.issueClinicalRecords,
    async ({
      db,
      params: { programId },
      body: { StudentIds, HasEvaluations, HasRequirements },
      user,
      services,
      audit,
    }) => {
      const program = await getProgram(db, programId)
      const ids = [...new Set(StudentIds)]
      const persons = await listPersons(db, programId, ids)
      refuseMissing(
        peopleFailures.no_students,
        ids,
        persons.map(({ id }) => id),
      )
      const recordIds = await issueRecords(db, services, program, {
        persons,
        hasEvaluations: HasEvaluations,
        hasRequirements: HasRequirements,
        today: todayIn(program.TimeZone),
        issuer: user,
      })
      const Records = await listRecordsByIds(db, programId, recordIds)
      audit.detail = {
        Records: Records.map((record) => ({ Number: record.Number, StudentId: record.StudentId })),
      }
      return { Records }
    },
  ),

  handle(
    contract.revokeClinicalRecord,
    async ({ db, params: { programId, recordId }, body: { Reason }, user, audit }) => {
      const record = await getRecord(db, programId, recordId)
      audit.detail = { Number: record.Number, Reason }
      await lockRecordsOf(db, programId, [record.StudentId])
      if (!(await revokeRecord(db, programId, recordId, { reason: Reason, accountId: user.Id })))
        throw fail(clinicalRecordFailures.not_valid, { Number: record.Number })
      return getRecord(db, programId, recordId)
    },
  ),

  handle(
    contract.getClinicalRecordFile,
    async ({ db, params: { programId, recordId }, query, services, audit }) => {
      const record = await getRecord(db, programId, recordId)
      audit.detail = { Number: record.Number, StudentId: record.StudentId, Format: query.Format }
      return fileOf(db, services, programId, { record, format: query.Format })
    },
  ),

  handle(contract.listOwnClinicalRecords, async ({ db, user }) => ({
    Records: await listRecordsOf(db, ownProgram(user), user.Id),
  })),

  handle(
    contract.shareOwnClinicalRecord,
    async ({ db, params: { recordId }, body: { Shares }, user, audit }) => {
      const programId = ownProgram(user)
      const before = await getRecord(db, programId, recordId, user.Id)
      audit.detail = { Number: before.Number, Before: before.Shares, After: Shares }
      await saveShares(db, programId, recordId, Shares)
      return getRecord(db, programId, recordId, user.Id)
    },
  ),

  handle(
    contract.getOwnClinicalRecordFile,
    async ({ db, params: { recordId }, query, user, services, audit }) => {
      const programId = ownProgram(user)
      const record = await getRecord(db, programId, recordId, user.Id)
      audit.detail = { Number: record.Number, Format: query.Format }
      return fileOf(db, services, programId, { record, format: query.Format })
    },
  ),

  handle(
    contract.verifyClinicalRecord,
    async ({ db, body: { Number: typed, Name, Hash }, services, from }) => {
      await throttle(services.pool, [
        { key: `verify-record:${from.address}`, max: 60, windowSeconds: quarterHour },
      ])
      const unknown = { State: 'unknown' as const, Record: null }
      const number = readNumber(typed)
      const found = number ? await findByNumber(db, number) : undefined
      if (!found) return unknown
      await workOn(db, [found.programId])
      const record = await readForVerifying(db, found.programId, found.recordId)
      if (!record) return unknown
      if (Name !== undefined) {
        const { FirstName, LastName } = record.content
        if (!isSameName(Name, { First: FirstName, Last: LastName })) return unknown
        // A number that exists is told to nobody who has neither the name nor the file.
      } else if (!Hash || !record.hashes.includes(Hash)) return unknown
      return verified(record.revokedOn ? 'revoked' : record.replacedOn ? 'replaced' : 'valid', record)
    },
  ),
]
