import type { Db } from '#server/core/database/pool.ts'
import { notifyPeople } from '#server/core/mail/notices.ts'
import { queueTemplatedEmails } from '#server/core/mail/template-emails.ts'
import { listUnanswered } from './plans.queries.ts'
import { listOwnPlans } from './rankings.queries.ts'

export const rankingPage = (planId: number): string => `/new/placement/${planId}`

/**
 * Notifies everybody in a plan who has not submitted a ranking, by email and in the product: an invitation when it opens, a reminder
 * before it closes. Answers how many people were notified.
 */
export const notifyUnanswered = async (
  db: Db,
  programId: number,
  planId: number,
  label: 'PLACEMENT_ranking_open' | 'PLACEMENT_ranking_reminder',
): Promise<number> => {
  const people = await listUnanswered(db, programId, planId)
  const [first] = people
  if (!first) return 0
  const [plan] = await listOwnPlans(db, programId, first.id, planId)
  if (!plan) return 0
  const link = rankingPage(planId)
  await notifyPeople(
    db,
    programId,
    people.map(({ id }) => ({
      accountId: id,
      kind: 'placement_ranking',
      text: `Rank your sites for ${plan.Plan} until ${plan.ClosesText}`,
      link,
    })),
  )
  await queueTemplatedEmails(
    db,
    people
      .filter(({ email }) => email !== '')
      .map(({ id, firstName, email }) => ({
        programId,
        accountId: id,
        recipient: email,
        label,
        values: {
          'student.firstName': firstName,
          'plan.name': plan.Plan,
          'plan.closes': plan.ClosesText,
          link,
        },
      })),
  )
  return people.length
}
