import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Base64Html, Id, Line, toBase64 } from '#contract/core/fields.ts'
import { fieldKinds, maxAddressLetters } from './mail-templates-rules.ts'

/** The template that shows whether mail arrives. */
export const testLabel = 'OTHER_test'

/** A kind of email that the product writes, as the mail center lists it. */
export const MailTemplate = z.object({
  ID: Id,
  Label: z.string(),
  /** HTML. */
  Description: z.string(),
  IsEnabled: z.boolean(),
  /** Without it somebody could not sign in: it cannot be switched off, and goes to nobody else. */
  IsAlwaysSent: z.boolean(),
})
export type MailTemplate = z.infer<typeof MailTemplate>

/** Note only, checkbox, one line, several lines. */
export const parameterTypes = ['Note', 'Checkbox', 'Text', 'TextArea'] as const
export const MailParameter = z.object({
  Type: z.enum(parameterTypes),
  Name: z.string(),
  /** '1' for a checkbox that is checked, '0' for one that is not; '' for a note. */
  Value: z.string(),
  Note: z.string(),
})
export type MailParameter = z.infer<typeof MailParameter>

export const MailTemplateDetail = MailTemplate.extend({
  /** Empty: the sender of the installation. */
  Sender: z.string(),
  /** Empty: the person the email is for. */
  Addressee: z.string(),
  CarbonCopy: z.string(),
  Subject: z.string(),
  /** The email as HTML. */
  Template: z.string(),
  /** The same in Spanish; empty where no reader of Spanish gets this email. */
  SpanishSubject: z.string(),
  SpanishTemplate: z.string(),
  /** False once the English text was changed after the Spanish one: readers of Spanish get the English text then. */
  IsSpanishCurrent: z.boolean(),
  /** The placeholders of the template. */
  Legend: z.array(z.object({ Name: z.string(), Kind: z.enum(fieldKinds), Note: z.string() })),
  /** The email must hold at least one of these placeholders. */
  Needed: z.array(z.string()),
  Params: z.object({ AllParams: z.array(MailParameter) }),
})
export type MailTemplateDetail = z.infer<typeof MailTemplateDetail>

const oneTemplate = z.strictObject({ templateId: Id })
const Told = z.object({ Message: z.string() })
const noAddress = { 422: 'the signed-in person has no email address' }

export const listMailTemplates = endpoint({
  method: 'GET',
  path: '/mail-templates',
  may: 'mail-templates.manage',
  summary: 'The templates of all emails that the product writes, in the order of the mail center',
  answer: z.array(MailTemplate),
})

export const orderMailTemplate = endpoint({
  method: 'POST',
  path: '/mail-templates/ordering',
  may: 'mail-templates.manage',
  summary: 'Move a template one step up or down in the list; at its end it stays',
  query: z.strictObject({ mailTemplateId: Id, direction: z.enum(['up', 'down']) }),
  answer: z.array(MailTemplate),
})

export const enableMailTemplate = endpoint({
  method: 'POST',
  path: '/mail-templates/:templateId/enabled',
  proof: true,
  lasts: true,
  may: 'mail-templates.manage',
  summary: 'Switch a kind of email on or off',
  params: oneTemplate,
  query: z.strictObject({ value: z.boolean() }),
  answer: MailTemplate,
  errors: { 409: 'nobody could sign in without this email' },
})

export const sendTestNotification = endpoint({
  method: 'POST',
  path: '/mail-templates/test-notifications',
  may: 'mail-templates.manage',
  summary: 'Send the email OTHER_test to the signed-in person',
  answer: Told,
  errors: { 409: 'OTHER_test is switched off', ...noAddress },
})

export const testMailTemplate = endpoint({
  method: 'POST',
  path: '/mail-templates/:templateId/test',
  may: 'mail-templates.manage',
  summary: 'Send the email, filled with examples, to the signed-in person and nobody else',
  params: oneTemplate,
  answer: Told,
  errors: noAddress,
})

export const getMailTemplate = endpoint({
  method: 'GET',
  path: '/mail-templates/:templateId',
  may: 'mail-templates.manage',
  summary: 'A template with its texts, placeholders and parameters',
  params: oneTemplate,
  answer: MailTemplateDetail,
})

export const describeMailTemplate = endpoint({
  method: 'POST',
  path: '/mail-templates/:templateId/description',
  may: 'mail-templates.manage',
  summary: 'Change what the mail center says about a template; the body is HTML in base64',
  params: oneTemplate,
  body: Base64Html,
  answer: MailTemplateDetail,
  basis: {
    read: getMailTemplate,
    elsewhere: { body: ({ Description }: MailTemplateDetail) => toBase64(Description) },
  },
})

const Addresses = Line(maxAddressLetters).default('')

export const MailTemplateInput = z.strictObject({
  sender: Addresses,
  addressee: Addresses,
  carbonCopy: Addresses,
  subject: Line(255),
  template: Base64Html,
  /** The Spanish text that belongs to this English one. Left out, it stays, and is used only while the English one is the same. */
  spanish: z.strictObject({ subject: Line(255), template: Base64Html }).optional(),
  /** Values by name, 1 for a checked checkbox; a parameter that is not named keeps its value. */
  mailParameters: z
    .record(z.string().max(100), z.union([z.string().max(4000), z.literal(0), z.literal(1)]))
    .default({}),
})
export type MailTemplateInput = z.output<typeof MailTemplateInput>

export const saveMailTemplate = endpoint({
  method: 'POST',
  path: '/mail-templates/:templateId',
  proof: true,
  lasts: true,
  may: 'mail-templates.manage',
  summary: 'Change a template; `template` is HTML in base64',
  params: oneTemplate,
  body: MailTemplateInput,
  answer: MailTemplateDetail,
  errors: { 422: 'an address or a placeholder is wrong, or a parameter unknown' },
  basis: {
    read: getMailTemplate,
    elsewhere: {
      sender: ({ Sender }: MailTemplateDetail) => Sender,
      addressee: ({ Addressee }: MailTemplateDetail) => Addressee,
      carbonCopy: ({ CarbonCopy }: MailTemplateDetail) => CarbonCopy,
      subject: ({ Subject }: MailTemplateDetail) => Subject,
      template: ({ Template }: MailTemplateDetail) => toBase64(Template),
      spanish: ({ SpanishSubject, SpanishTemplate }: MailTemplateDetail) => ({
        subject: SpanishSubject,
        template: toBase64(SpanishTemplate),
      }),
      mailParameters: ({ Params }: MailTemplateDetail) =>
        Object.fromEntries(
          Params.AllParams.filter(({ Type }) => Type !== 'Note').map(({ Name, Value }) => [Name, Value]),
        ),
    },
  },
})
