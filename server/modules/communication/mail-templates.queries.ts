import { sql } from 'kysely'
import type { MailTemplate, MailTemplateDetail } from '#contract/communication/mail-templates.ts'
import type { Db } from '#server/core/database/pool.ts'
import { fieldsOf, kindOf } from '#server/core/mail/mail-kinds.ts'
import { parameterValues } from '#server/core/mail/template-emails.ts'

const templates = (db: Db) =>
  db
    .selectFrom('mail_template')
    .select(['id as ID', 'label as Label', 'description as Description', 'is_enabled as IsEnabled'])

const withKind = <T extends { Label: string }>(row: T): T & { IsAlwaysSent: boolean } => ({
  ...row,
  IsAlwaysSent: kindOf(row.Label)?.isAlwaysSent ?? false,
})

/** All templates in the order that was chosen for them. */
export const listTemplates = async (db: Db): Promise<MailTemplate[]> =>
  (await templates(db).orderBy('place').execute()).map(withKind)

/** Of a row whose label the product no longer knows, only the texts are left. */
export const findTemplate = async (db: Db, id: number): Promise<MailTemplateDetail | undefined> => {
  const row = await templates(db)
    .select(['sender as Sender', 'addressee as Addressee', 'carbon_copy as CarbonCopy'])
    .select(['subject as Subject', 'html as Template', 'parameters'])
    .select(['spanish_subject as SpanishSubject', 'spanish_html as SpanishTemplate'])
    .select(
      sql<boolean>`spanish_html <> '' and spanish_of = md5(subject || E'\\n' || html)`.as('IsSpanishCurrent'),
    )
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const { parameters, ...template } = row
  const kind = kindOf(row.Label)
  const values = kind ? parameterValues(kind, parameters as Record<string, string>) : {}
  return {
    ...withKind(template),
    Legend: Object.entries(kind ? fieldsOf(kind) : {}).map(([Name, field]) => ({
      Name,
      Kind: field.kind,
      Note: field.note,
    })),
    Needed: [...(kind?.needed ?? [])],
    Params: {
      AllParams: (kind?.parameters ?? []).map(({ type, name, note }) => ({
        Type: type,
        Name: name,
        Value: type === 'Note' ? '' : values[name]!,
        Note: note,
      })),
    },
  }
}

/** Changes places with the next one in this direction; the first and the last stay where they are. */
export const moveTemplate = async (db: Db, id: number, direction: 'up' | 'down'): Promise<void> => {
  // Two people who move at the same moment wait for each other, and each move then sees the places as they are.
  await sql`select id from mail_template order by id for update`.execute(db)
  const [isBeyond, order] =
    direction === 'up' ? [sql`t.place < m.place`, sql`t.place desc`] : [sql`t.place > m.place`, sql`t.place`]
  await sql`
    with me as (select id, place from mail_template where id = ${id}),
      other as (select t.id, t.place from mail_template t, me m where ${isBeyond} order by ${order} limit 1)
    update mail_template t set place = case when t.id = me.id then other.place else me.place end
    from me, other where t.id in (me.id, other.id)`.execute(db)
}

/** The moment as the test email shows it: 'mm/dd/yyyy hh:mm', UTC. */
export const formatMoment = (moment: Date): string => {
  const [date, time] = moment.toISOString().split('T') as [string, string]
  const [year, month, day] = date.split('-')
  return `${month}/${day}/${year} ${time.slice(0, 5)}`
}
