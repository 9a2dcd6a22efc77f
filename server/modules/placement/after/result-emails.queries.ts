import type { Db } from '#server/core/database/pool.ts'
import { notifyPeople } from '#server/core/mail/notices.ts'
import { queueTemplatedEmails } from '#server/core/mail/template-emails.ts'
import { rankingPage } from '../plan/ranking-emails.queries.ts'
import { listResults, type ResultRow } from './acceptances.queries.ts'

/** Notifies students whose places were accepted when the placements of the plan were out already. */
export const notifyPlacedSince = async (
  db: Db,
  programId: number,
  plan: { Id: number; Name: string },
  studentIds: readonly number[],
): Promise<number> => {
  const ids = new Set(studentIds)
  const results = await listResults(db, programId, plan.Id)
  return tellPlaced(
    db,
    programId,
    plan,
    results.filter(({ studentId }) => ids.has(studentId)),
  )
}

/** Tells each of these students all their places. Answers how many. */
export const tellPlaced = async (
  db: Db,
  programId: number,
  plan: { Id: number; Name: string },
  results: readonly ResultRow[],
): Promise<number> => {
  const byStudent = Map.groupBy(results, ({ studentId }) => studentId)
  const link = rankingPage(plan.Id)
  await notifyPeople(
    db,
    programId,
    [...byStudent.keys()].map((accountId) => ({
      accountId,
      kind: 'placement_result',
      text: `Your placements of ${plan.Name} are out`,
      link,
    })),
  )
  await queueTemplatedEmails(
    db,
    [...byStudent.values()].flatMap((blocks) => {
      const [first] = blocks
      if (!first || first.email === '') return []
      return [
        {
          programId,
          accountId: first.studentId,
          recipient: first.email,
          label: 'PLACEMENT_published' as const,
          values: {
            'student.firstName': first.firstName,
            'plan.name': plan.Name,
            placements: blocks
              .map(({ block, site, shift }) => `Block ${block + 1}: ${site}, ${shift}`)
              .join('; '),
            link,
          },
        },
      ]
    }),
  )
  return byStudent.size
}

/** Notifies students that placements they may have seen were taken back. */
export const notifyTakenBack = (
  db: Db,
  programId: number,
  plan: { Id: number; Name: string },
  studentIds: readonly number[],
): Promise<void> =>
  notifyPeople(
    db,
    programId,
    studentIds.map((accountId) => ({
      accountId,
      kind: 'placement_result',
      text: `Placements of ${plan.Name} were taken back`,
      link: rankingPage(plan.Id),
    })),
  )
