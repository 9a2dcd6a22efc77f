import type { MailTemplate, MailTemplateDetail } from '#contract/communication/mail-templates.ts'
import type { Db } from '#server/core/database/pool.ts'
import { fieldsOf, type MailKind } from '#server/core/mail/email-kind.ts'
import { mailKinds } from '#server/core/mail/mail-kinds.ts'
import { readTemplateRows, templateOf } from '#server/core/mail/mail-templates.ts'
import { parameterValues } from '#server/core/mail/template-emails.ts'

type Row = Awaited<ReturnType<typeof readTemplateRows>>[number]
const listed = (row: Row): MailTemplate => ({
  ID: row.id,
  Label: row.label,
  Description: templateOf(row.label, row).description,
  IsEnabled: row.is_enabled,
  IsAlwaysSent: (mailKinds[row.label] as MailKind).isAlwaysSent ?? false,
})

/** All templates in the order that was chosen for them. */
export const listTemplates = async (db: Db): Promise<MailTemplate[]> =>
  (await readTemplateRows(db)).map(listed)

export const findTemplate = async (db: Db, id: number): Promise<MailTemplateDetail | undefined> => {
  const row = (await readTemplateRows(db)).find((each) => each.id === id)
  if (!row) return undefined
  const kind: MailKind = mailKinds[row.label]
  const template = templateOf(row.label, row)
  const values = parameterValues(kind, template.parameters)
  return {
    ...listed(row),
    Sender: template.sender,
    Addressee: template.addressee,
    CarbonCopy: template.carbon_copy,
    Subject: template.subject,
    Template: template.html,
    SpanishSubject: template.spanish_subject,
    SpanishTemplate: template.spanish_html,
    IsSpanishCurrent: template.is_spanish_current,
    Legend: Object.entries(fieldsOf(kind)).map(([Name, field]) => ({
      Name,
      Kind: field.kind,
      Note: field.note,
    })),
    Needed: [...(kind.needed ?? [])],
    Params: {
      AllParams: (kind.parameters ?? []).map(({ type, name, note }) => ({
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
