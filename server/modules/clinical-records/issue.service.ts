import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { RecordContent } from '#contract/clinical-records/clinical-records.ts'
import { numberFrom } from '#contract/clinical-records/record-rules.ts'
import { termPlaceholders } from '#contract/terminology/terminology.ts'
import type { Db } from '#server/core/database/pool.ts'
import { pdfDocuments } from '#server/core/files/pdf.ts'
import { storeFile } from '#server/core/files/stored-files.ts'
import { notifyPeople } from '#server/core/mail/notices.ts'
import { queueTemplatedEmails } from '#server/core/mail/template-emails.ts'
import type { Services } from '#server/core/runtime/services.ts'
import type { ProgramContext } from '../programs/context.queries.ts'
import { getTerms } from '../terminology/terminology.queries.ts'
import { insertRecord } from './clinical-records.commands.ts'
import { listClearances, lockRecordsOf } from './clinical-records.queries.ts'
import { recordCredential } from './credential.rules.ts'
import { recordDocument } from './record-document.rules.ts'
import { issuerAddress, revocationsAddress, signForCollege, verifyAddress } from './signing.commands.ts'
import { type RecordedPerson, readChecks, readContents } from './standing.queries.ts'

/** Enough bytes that twelve signs are found among them. */
const numberBytes = 64

const hashOf = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest()

const newNumber = (): string => numberFrom(randomBytes(numberBytes)) ?? newNumber()

interface Issuing {
  persons: readonly RecordedPerson[]
  hasEvaluations: boolean
  hasRequirements: boolean
  today: string
  issuer: { Id: number; Name: string }
}

/**
 * Writes a record for each of these people, in place of the valid one, with its PDF and its signed credential; tells them by email and in the product.
 * Answers the ids of the records.
 */
export const issueRecords = async (
  db: Db,
  services: Services,
  program: ProgramContext,
  { persons, hasEvaluations, hasRequirements, today, issuer }: Issuing,
): Promise<number[]> => {
  const ids = persons.map(({ id }) => id)
  await lockRecordsOf(db, program.Id, ids)
  const checks = await readChecks(db, program.Id, ids)
  const [contents, clearances, terms] = await Promise.all([
    readContents(db, program, persons, { checks, today }),
    listClearances(db, program.Id, ids),
    getTerms(db, program.Id),
  ])
  const words = termPlaceholders(terms)
  const drafts = persons.map((person) => {
    const clearance = clearances.get(person.id)
    // Everybody who is issued a record was asked for above.
    const draft = contents.get(person.id)!
    const content: RecordContent = {
      ...draft,
      Evaluations: hasEvaluations ? draft.Evaluations : null,
      Requirements: hasRequirements ? draft.Requirements : null,
      Clearance: clearance
        ? {
            Director: clearance.Name,
            SignedOn: clearance.SignedOn,
            Text: clearance.Text,
            Exception: clearance.Exception,
          }
        : null,
    }
    return { person, content, clearanceId: clearance?.Id ?? null, number: newNumber() }
  })
  const files = await pdfDocuments(
    drafts.map(({ content, number }) =>
      recordDocument(content, {
        number,
        issuedBy: issuer.Name,
        issuedOn: today,
        verifyPage: verifyAddress(services, number),
        words,
      }),
    ),
  )
  const sign = await signForCollege(db, services, program.CollegeId)
  const issuedAt = new Date()
  const recordIds: number[] = []
  for (const [at, { person, content, clearanceId, number }] of drafts.entries()) {
    const bytes = Buffer.from(files[at]!)
    const fileId = await storeFile(
      db,
      services,
      { field: 'file', name: `Clinical record ${number}.pdf`, bytes },
      { programId: program.Id, mediaType: 'application/pdf', accountId: issuer.Id },
    )
    const credential = await sign(
      recordCredential(content, {
        id: verifyAddress(services, number),
        subject: `urn:uuid:${randomUUID()}`,
        issuer: {
          id: issuerAddress(services, program.CollegeId),
          name: program.CollegeName,
          revocations: revocationsAddress(services, program.CollegeId),
        },
        issuedAt,
      }),
    )
    recordIds.push(
      await insertRecord(
        db,
        program.Id,
        {
          studentId: person.id,
          number,
          clearanceId,
          content,
          fileId,
          sha256: hashOf(bytes),
          collegeId: program.CollegeId,
          credential,
          credentialSha256: hashOf(credential),
        },
        issuer.Id,
      ),
    )
  }
  await tell(db, program, drafts)
  return recordIds
}

const page = '/new/clinical-record'

const tell = async (
  db: Db,
  program: ProgramContext,
  issued: readonly { person: RecordedPerson; number: string }[],
): Promise<void> => {
  await notifyPeople(
    db,
    program.Id,
    issued.map(({ person, number }) => ({
      accountId: person.id,
      kind: 'clinical-record',
      text: `Your clinical record ${number} can be downloaded`,
      link: page,
    })),
  )
  await queueTemplatedEmails(
    db,
    issued.flatMap(({ person, number }) =>
      person.email === '' || !person.isActive
        ? []
        : [
            {
              label: 'CLINICAL_RECORD_issued' as const,
              programId: program.Id,
              accountId: person.id,
              recipient: person.email,
              values: {
                'student.firstName': person.first,
                'record.number': number,
                'record.program': `${program.Name}, ${program.CollegeName}`,
                link: page,
              },
            },
          ],
    ),
  )
}
