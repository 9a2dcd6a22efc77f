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

/** The moment as the test email shows it: 'mm/dd/yyyy hh:mm', UTC. */
export const formatMoment = (moment: Date): string => {
  const [date, time] = moment.toISOString().split('T') as [string, string]
  const [year, month, day] = date.split('-')
  return `${month}/${day}/${year} ${time.slice(0, 5)}`
}
