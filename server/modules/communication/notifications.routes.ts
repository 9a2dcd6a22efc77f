import { sql } from 'kysely'
import * as contract from '#contract/communication/notifications.ts'
import { handle } from '#server/core/http/handle.ts'
import { noticeIn } from '#server/core/language/spanish.ts'
import { privateKinds } from '#server/core/mail/closed-words.ts'

const most = 100

export const notificationRoutes = [
  handle(contract.listNotifications, async ({ db, user, session, language }) => {
    const told = await db
      .selectFrom('notification')
      .select(['id as Id', 'kind as Kind', 'text as Text', 'link as Link', 'created_at as CreatedAt'])
      .select(sql<boolean>`read_at is not null`.as('IsRead'))
      .where('program_id', '=', user.ProgramId ?? 0)
      .where('account_id', '=', user.Id)
      // Whoever views as somebody else, or calls by a key, does not read what is private there either.
      .$if(session.viewer !== null || user.key !== undefined, (query) =>
        query.where('kind', 'not in', privateKinds),
      )
      .orderBy('id', 'desc')
      .limit(most)
      .execute()
    return told.map((each) => ({ ...each, Text: noticeIn(each.Text, language) }))
  }),

  handle(contract.readNotifications, async ({ db, user, body }) => {
    await db
      .updateTable('notification')
      .set({ read_at: sql`now()` })
      .where('program_id', '=', user.ProgramId ?? 0)
      .where('account_id', '=', user.Id)
      .where('read_at', 'is', null)
      .$if(body.Ids !== undefined, (query) => query.where('id', 'in', body.Ids?.length ? body.Ids : [0]))
      .execute()
  }),
]
