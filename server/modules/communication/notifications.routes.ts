import { sql } from 'kysely'
import * as contract from '#contract/communication/notifications.ts'
import { handle } from '#server/core/http/handle.ts'
import { noticeIn } from '#server/core/language/spanish.ts'
import { privateKinds } from '#server/core/mail/closed-words.ts'
import { markRead } from './notifications.commands.ts'

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

  handle(contract.readNotifications, ({ db, user, body }) =>
    markRead(db, user.ProgramId ?? 0, user.Id, body.Ids),
  ),
]
