import type { parameterTypes } from '#contract/communication/mail-templates.ts'
import type { FieldKind } from '#contract/communication/mail-templates-rules.ts'

/** A placeholder: a sentence about it for the legend, and an example for the test email. */
export interface Field<K extends FieldKind = FieldKind> {
  kind: K
  note: string
  sample: string
}

/** What an administrator may set for one kind of email besides its texts. Lines become placeholders: {{parameter.Name}}. */
export interface Parameter {
  type: (typeof parameterTypes)[number]
  name: string
  note: string
  /** '1' for a checkbox that is checked at first. */
  initial: string
}

export interface MailKind {
  /** The person it is for, as the placeholder of the address is called: {{student.email}}. */
  person: string
  fields: Record<string, Field>
  parameters?: readonly Parameter[]
  /**
   * Without it somebody could not sign in, and it holds what signs in: it cannot be switched off and goes to the person alone.
   */
  isAlwaysSent?: true
  /** It is about the work of a program: whom the program names for it gets a copy. */
  isCopied?: true
  /** At least one of these placeholders must stay in the email. */
  needed?: readonly string[]
}

export const text = (note: string, sample: string): Field<'text'> => ({ kind: 'text', note, sample })
export const html = (note: string, sample: string): Field<'html'> => ({ kind: 'html', note, sample })
export const link = (note: string): Field<'link'> => ({ kind: 'link', note, sample: '/new/login' })

export const note = (name: string, words: string): Parameter => ({
  type: 'Note',
  name,
  note: words,
  initial: '',
})
export const checkbox = (name: string, words: string): Parameter => ({
  type: 'Checkbox',
  name,
  note: words,
  initial: '1',
})
export const line = (name: string, words: string, initial = ''): Parameter => ({
  type: 'Text',
  name,
  note: words,
  initial,
})
export const lines = (name: string, words: string): Parameter => ({
  type: 'TextArea',
  name,
  note: words,
  initial: '',
})

export const copied = <K extends MailKind>(kind: K) => ({ ...kind, isCopied: true as const })

export const studentFirstName = text('The first name of the student', 'Ada')
export const account = text('The user name, with the program where there is one', 'ada.example (Radiography)')
export const userName = text('The user name', 'ada.example')
export const signInPage = link('The sign-in page')
export const byHandOrSite = (place: string): Parameter =>
  note(
    'When',
    `Sent when staff choose it under “${place}”, and once an hour after the shift at sites that remind students of missing punches.`,
  )
export const byHand = (place: string): Parameter =>
  note('When', `Sent when staff choose it under “${place}”.`)

/** A digest: what happened to a person within some minutes, one line each. Its words are in `server/core/mail/notices.ts`. */
export const digest = <P extends string>(person: P, when: string, sample: readonly [string, string]) => ({
  person,
  fields: {
    'change.summary': text('What happened, in one line', sample[0]),
    'change.list': html('What happened, one line each', `<ul><li>${sample[1]}</li></ul>`),
    link: link('The page that shows it'),
    [`${person}.firstName`]: text(`The first name of the ${person}`, 'Ada'),
  } as Record<'change.summary' | `${P}.firstName`, Field<'text'>> & {
    'change.list': Field<'html'>
    link: Field<'link'>
  },
  parameters: [note('When', when)],
})

export const shiftSample = '01/15/2030 07:00–15:30, Harbor General Hospital'
export const oneForMany = 'One email for everything that happens within 5 minutes.'
