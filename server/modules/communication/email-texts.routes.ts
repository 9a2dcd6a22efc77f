import { sql } from 'kysely'
import * as contract from '#contract/communication/emails.ts'
import { communicationFailures } from '#contract/communication/failures.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { cleanBase64Html } from '#server/core/http/html.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { addEmailText, changeEmailText, deleteEmailText, restoreEmailText } from './email-texts.commands.ts'

const texts = (db: Db, programId: number) =>
  db
    .selectFrom('email_text')
    .select(['id as Id', 'name as Name', 'subject as Subject', 'html as Html'])
    .where('program_id', '=', programId)
    .where('deleted_at', 'is', null)

const findNamed = (db: Db, programId: number, name: string): Promise<contract.EmailText | undefined> =>
  texts(db, programId).where(sql<boolean>`lower(name) = lower(${name})`).executeTakeFirst()

const nameTaken = (name: string) => fail(communicationFailures.name_taken, { Name: name }, 'name')

export const emailTextRoutes = [
  handle(contract.listEmailTexts, ({ db, params }) =>
    texts(db, params.programId).orderBy(sql`lower(name)`).execute(),
  ),

  handle(contract.saveEmailText, async ({ db, params: { programId }, body, user, audit }) => {
    const before = await findNamed(db, programId, body.name)
    if (before && !body.replaces) throw nameTaken(before.Name)
    audit.detail = { Name: body.name, Replaces: Boolean(before) }
    const values = { name: body.name, subject: body.subject, html: cleanBase64Html(body.body) }
    if (before) {
      await changeEmailText(db, { programId, id: before.Id }, values)
      return { Id: before.Id, Name: values.name, Subject: values.subject, Html: values.html }
    }
    const { count } = await texts(db, programId)
      .clearSelect()
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    if (count >= contract.maxEmailTexts)
      throw fail(communicationFailures.too_many, { Count: contract.maxEmailTexts })
    const id = await addEmailText(db, programId, user.Id, values)
    return { Id: id, Name: values.name, Subject: values.subject, Html: values.html }
  }),

  handle(contract.deleteEmailText, async ({ db, params: { programId, textId }, audit }) => {
    const name = await deleteEmailText(db, { programId, id: textId })
    if (name === undefined) throw fail(communicationFailures.no_text)
    audit.detail = { Name: name }
  }),

  handle(contract.restoreEmailText, async ({ db, params: { programId, textId }, audit }) => {
    const deleted = await db
      .selectFrom('email_text')
      .select('name')
      .where('program_id', '=', programId)
      .where('id', '=', textId)
      .executeTakeFirst()
    if (!deleted) throw fail(communicationFailures.no_text)
    const other = await findNamed(db, programId, deleted.name)
    if (other && other.Id !== textId) throw nameTaken(deleted.name)
    await restoreEmailText(db, { programId, id: textId })
    audit.detail = { Name: deleted.name }
    return texts(db, programId).where('id', '=', textId).executeTakeFirstOrThrow()
  }),
]
