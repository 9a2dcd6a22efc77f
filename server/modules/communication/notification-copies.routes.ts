import { sql } from 'kysely'
import { communicationFailures } from '#contract/communication/failures.ts'
import * as contract from '#contract/communication/notification-copies.ts'
import { Level } from '#contract/core/levels.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { addCopy, changeCopy, deleteCopy, type Wanted } from './notification-copies.commands.ts'

const copies = (db: Db, programId: number) =>
  db
    .selectFrom('notification_copy as c')
    // One look-up a row: a program has few of these, and joined at once the planner may read every account.
    .innerJoinLateral(
      (query) =>
        query
          .selectFrom('account')
          .select(['last_name', 'first_name'])
          .whereRef('program_id', '=', 'c.program_id')
          .whereRef('id', '=', 'c.account_id')
          .limit(1)
          .as('u'),
      (join) => join.onTrue(),
    )
    .leftJoin('area as a', (join) =>
      join.onRef('a.program_id', '=', 'c.program_id').onRef('a.id', '=', 'c.area_id'),
    )
    .select(['c.id as Id', 'c.account_id as UserId', 'c.area_id as AreaId', 'a.name as AreaName'])
    .select(sql<string>`listed_name(u.last_name, u.first_name)`.as('UserName'))
    .where('c.program_id', '=', programId)

const getCopy = async (db: Db, programId: number, id: number): Promise<contract.NotificationCopy> => {
  const copy = await copies(db, programId).where('c.id', '=', id).executeTakeFirst()
  if (!copy) throw fail(communicationFailures.no_notification)
  return copy
}

/** Students and below get no copies of what is written to others. */
const expectWanted = async (
  db: Db,
  programId: number,
  { UserId, AreaId }: Wanted,
  exceptId: number,
): Promise<void> => {
  const person = await db
    .selectFrom('account')
    .select(['first_name', 'last_name', 'access_level'])
    .where('program_id', '=', programId)
    .where('id', '=', UserId)
    .where('deleted_at', 'is', null)
    .where('deactivated_at', 'is', null)
    .executeTakeFirst()
  if (!person) throw fail(communicationFailures.person_gone, 'UserId')
  const name = `${person.first_name} ${person.last_name}`
  if (person.access_level <= Level.Student)
    throw fail(communicationFailures.not_staff, { Name: name }, 'UserId')
  const area =
    AreaId === null ||
    (await db
      .selectFrom('area')
      .select('id')
      .where('program_id', '=', programId)
      .where('id', '=', AreaId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst())
  if (!area) throw fail(communicationFailures.area_gone, 'AreaId')
  const same = await db
    .selectFrom('notification_copy')
    .select('id')
    .where('program_id', '=', programId)
    .where('account_id', '=', UserId)
    .where(sql<boolean>`area_id is not distinct from ${AreaId}`)
    .where('id', '!=', exceptId)
    .executeTakeFirst()
  if (same) throw fail(communicationFailures.copies_taken, { Name: name }, 'UserId')
}

export const notificationCopyRoutes = [
  handle(contract.listNotificationCopies, ({ db, params: { programId } }) =>
    copies(db, programId)
      .orderBy(sql`lower(u.last_name)`)
      .orderBy(sql`lower(u.first_name)`)
      .orderBy(sql`lower(a.name) nulls first`)
      .orderBy('c.id')
      .execute(),
  ),

  handle(contract.createNotificationCopy, async ({ db, params: { programId }, body, user, audit }) => {
    await expectWanted(db, programId, body, 0)
    audit.subjectId = body.UserId
    const id = await addCopy(db, programId, user.Id, body)
    return getCopy(db, programId, id)
  }),

  handle(
    contract.updateNotificationCopy,
    async ({ db, params: { programId, notificationId }, body, audit }) => {
      const before = await getCopy(db, programId, notificationId)
      await expectWanted(db, programId, body, notificationId)
      audit.subjectId = body.UserId
      audit.detail = { Before: before, After: { UserId: body.UserId, AreaId: body.AreaId } }
      await changeCopy(db, { programId, id: notificationId }, body)
      return getCopy(db, programId, notificationId)
    },
  ),

  handle(contract.deleteNotificationCopy, async ({ db, params: { programId, notificationId }, audit }) => {
    const before = await getCopy(db, programId, notificationId)
    audit.subjectId = before.UserId
    audit.detail = { Before: before }
    await deleteCopy(db, { programId, id: notificationId })
  }),
]
