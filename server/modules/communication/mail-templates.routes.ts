import { communicationFailures } from '#contract/communication/failures.ts'
import * as contract from '#contract/communication/mail-templates.ts'
import {
  problemOfAddresses,
  problemOfBody,
  problemOfSubject,
} from '#contract/communication/mail-templates-rules.ts'
import type { User } from '#server/core/auth/session.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { cleanBase64Html, cleanHtml, isEmptyHtml } from '#server/core/http/html.ts'
import { descriptionOf, textOf } from '#server/core/mail/email-kind.ts'
import { post } from '#server/core/mail/mail.ts'
import { type MailLabel, mailKinds } from '#server/core/mail/mail-kinds.ts'
import { changeTemplate, markOf, moveTemplate } from '#server/core/mail/mail-templates.ts'
import { exampleOf, queueTemplatedEmails } from '#server/core/mail/template-emails.ts'
import { fail } from '#server/core/runtime/failure.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { findTemplate, formatMoment, listTemplates } from './mail-templates.queries.ts'

const getTemplate = async (db: Db, id: number): Promise<contract.MailTemplateDetail> => {
  const template = await findTemplate(db, id)
  if (!template) throw fail(communicationFailures.no_template)
  return template
}

/** Where an email to oneself goes. */
const ownAddress = ({ EmailAddress }: User): string => {
  if (!EmailAddress) throw fail(communicationFailures.no_own_email)
  return EmailAddress
}

/** The message to somebody who sends an email to their own address; nothing is sent where no mail server takes it. */
const toldOf = (recipient: string, { config }: Services): string =>
  config.smtpUrl
    ? `Sent to ${recipient}`
    : `Queued for ${recipient}. No mail server is set, so nothing is sent.`

/** What is kept of the parameters: those named now over those of before; a checkbox as 1 or 0. */
const parametersOf = (
  { Params }: contract.MailTemplateDetail,
  named: contract.MailTemplateInput['mailParameters'],
) => {
  const known = new Map(
    Params.AllParams.filter(({ Type }) => Type !== 'Note').map((each) => [each.Name, each]),
  )
  for (const [name, value] of Object.entries(named)) {
    const parameter = known.get(name)
    if (!parameter) throw fail(communicationFailures.unknown_parameter, { Name: name }, name)
    if (parameter.Type === 'Checkbox' && !['', '0', '1'].includes(String(value)))
      throw fail(communicationFailures.parameter_switch, { Name: name }, name)
    if (parameter.Type === 'Text' && /[\r\n]|.{256}/.test(String(value)))
      throw fail(communicationFailures.parameter_line, { Name: name }, name)
  }
  return Object.fromEntries(
    [...known.values()].map(({ Name, Type, Value }) => {
      const value = String(named[Name] ?? Value)
      return [Name, Type === 'Checkbox' ? (value === '1' ? '1' : '0') : value]
    }),
  )
}

interface Text {
  subject: string
  html: string
}

/** What is kept of the texts: null for what the product says itself. */
const ownTexts = (label: MailLabel, english: Text, spanish: Text | undefined) => {
  const own = textOf(mailKinds[label], 'en')
  const ownSpanish = textOf(mailKinds[label], 'es')
  const changed = (text: string, initial: string): string | null => (text === initial ? null : text)
  const subject = changed(english.subject, own.subject)
  const html = changed(english.html, cleanHtml(own.html))
  const isOwn = subject === null && html === null
  const isSpanishOwn =
    isOwn && spanish?.subject === ownSpanish.subject && spanish.html === cleanHtml(ownSpanish.html)
  return {
    subject,
    html,
    ...(spanish && {
      spanish_subject: isSpanishOwn ? null : spanish.subject,
      spanish_html: isSpanishOwn ? null : spanish.html,
      spanish_of: isSpanishOwn ? null : markOf(english.subject, html ?? own.html),
    }),
  }
}

/** The texts as they are kept. @throws Failure 422 with every field that is wrong */
const textsOf = (template: contract.MailTemplateDetail, body: contract.MailTemplateInput) => {
  const { Legend, Needed, IsAlwaysSent } = template
  const html = cleanBase64Html(body.template)
  const spanish = body.spanish && {
    subject: body.spanish.subject,
    html: cleanBase64Html(body.spanish.template),
  }
  const onlyPerson = 'This email goes to its person and no one else.'
  const problems = {
    sender: problemOfAddresses(body.sender, Legend, 1),
    addressee: IsAlwaysSent && body.addressee ? onlyPerson : problemOfAddresses(body.addressee, Legend),
    carbonCopy: IsAlwaysSent && body.carbonCopy ? onlyPerson : problemOfAddresses(body.carbonCopy, Legend),
    subject: problemOfSubject(body.subject, Legend),
    template: isEmptyHtml(html) ? 'Write the email first.' : problemOfBody(html, Legend, Needed),
    ...(spanish && {
      spanishSubject: problemOfSubject(spanish.subject, Legend),
      spanishTemplate: isEmptyHtml(spanish.html)
        ? 'Write the email first.'
        : problemOfBody(spanish.html, Legend, Needed),
    }),
  }
  const fields = Object.entries(problems).flatMap(([Field, Message]) => (Message ? [{ Field, Message }] : []))
  if (fields.length > 0)
    throw fail(communicationFailures.template, { Reason: fields[0]!.Message }, { fields })
  return {
    sender: body.sender,
    addressee: body.addressee,
    carbon_copy: body.carbonCopy,
    ...ownTexts(template.Label as MailLabel, { subject: body.subject, html }, spanish),
  }
}

export const mailTemplateRoutes = [
  handle(contract.listMailTemplates, ({ db }) => listTemplates(db)),

  handle(contract.orderMailTemplate, async ({ db, query, audit }) => {
    const { Label } = await getTemplate(db, query.mailTemplateId)
    audit.detail = { Label, Direction: query.direction }
    await moveTemplate(db, query.mailTemplateId, query.direction)
    return listTemplates(db)
  }),

  handle(contract.enableMailTemplate, async ({ db, params: { templateId }, query, audit }) => {
    const template = await getTemplate(db, templateId)
    audit.detail = { Label: template.Label, IsEnabled: query.value }
    if (!query.value && template.IsAlwaysSent) throw fail(communicationFailures.always_sent)
    await changeTemplate(db, templateId, { is_enabled: query.value })
    const { ID, Label, Description, IsAlwaysSent } = template
    return { ID, Label, Description, IsAlwaysSent, IsEnabled: query.value }
  }),

  handle(contract.sendTestNotification, async ({ db, user, services, audit }) => {
    const recipient = ownAddress(user)
    const test = (await listTemplates(db)).find(({ Label }) => Label === contract.testLabel)
    if (!test?.IsEnabled) throw fail(communicationFailures.switched_off, { Name: contract.testLabel })
    audit.detail = { Recipient: recipient }
    await queueTemplatedEmails(db, [
      {
        programId: user.ProgramId,
        accountId: user.Id,
        label: contract.testLabel,
        recipient,
        values: ({ isOn }) => ({
          'user.name': user.Name,
          'sent.at': `${formatMoment(new Date())} UTC`,
          'sent.from': isOn('NameInstallation') ? services.publicUrl() + services.config.appRoot : '',
        }),
      },
    ])
    return { Message: toldOf(recipient, services) }
  }),

  handle(contract.testMailTemplate, async ({ db, params, user, session, services, audit }) => {
    const { Label } = await getTemplate(db, params.templateId)
    const recipient = ownAddress(user)
    audit.detail = { Label, Recipient: recipient }
    const email = await exampleOf(db, Label as MailLabel, {
      programId: session.programId ?? user.ProgramId,
      accountId: user.Id,
      recipient,
      publicUrl: services.publicUrl() + services.config.appRoot,
    })
    await post(db, [email])
    return { Message: toldOf(recipient, services) }
  }),

  handle(contract.getMailTemplate, ({ db, params }) => getTemplate(db, params.templateId)),

  handle(contract.describeMailTemplate, async ({ db, params: { templateId }, body, audit }) => {
    const before = await getTemplate(db, templateId)
    const description = cleanBase64Html(body)
    const own = descriptionOf(mailKinds[before.Label as MailLabel])
    audit.detail = { Label: before.Label, Before: before.Description, After: description }
    await changeTemplate(db, templateId, { description: description === own ? null : description })
    return { ...before, Description: description }
  }),

  handle(contract.saveMailTemplate, async ({ db, params: { templateId }, body, audit }) => {
    const before = await getTemplate(db, templateId)
    const texts = textsOf(before, body)
    const parameters = parametersOf(before, body.mailParameters)
    const { Label, Sender, Addressee, CarbonCopy, Subject, Template, Params } = before
    audit.detail = {
      Label,
      Before: {
        ...{ Sender, Addressee, CarbonCopy, Subject, Template },
        Parameters: Object.fromEntries(Params.AllParams.map(({ Name, Value }) => [Name, Value])),
      },
      After: {
        ...texts,
        subject: body.subject,
        html: texts.html?.length,
        ...(texts.spanish_html && { spanish_html: texts.spanish_html.length, spanish_of: undefined }),
        parameters,
      },
    }
    await changeTemplate(db, templateId, { ...texts, parameters: JSON.stringify(parameters) })
    return getTemplate(db, templateId)
  }),
]
