import type { parameterTypes } from '#contract/communication/mail-templates.ts'
import type { FieldKind } from '#contract/communication/mail-templates-rules.ts'

/** A placeholder: a sentence about it for the legend, and an example for the test email. */
export interface Field<K extends FieldKind = FieldKind> {
  kind: K
  note: string
  sample: string
}

/** What an administrator may set for one kind of email besides its texts. Lines become placeholders: {{parameter.Name}}. */
export interface Parameter<Name extends string = string, Type = (typeof parameterTypes)[number]> {
  type: Type
  name: Name
  note: string
  /** '1' for a checkbox that is checked at first. */
  initial: string
}

export const text = (note: string, sample: string): Field<'text'> => ({ kind: 'text', note, sample })
export const address = (note: string, sample: string): Field<'address'> => ({ kind: 'address', note, sample })
export const html = (note: string, sample: string): Field<'html'> => ({ kind: 'html', note, sample })
export const link = (note: string): Field<'link'> => ({ kind: 'link', note, sample: '/new/login' })

export const note = <const N extends string>(name: N, words: string): Parameter<N, 'Note'> => ({
  type: 'Note',
  name,
  note: words,
  initial: '',
})
export const checkbox = <const N extends string>(name: N, words: string): Parameter<N, 'Checkbox'> => ({
  type: 'Checkbox',
  name,
  note: words,
  initial: '1',
})
export const line = <const N extends string>(name: N, words: string, initial = ''): Parameter<N, 'Text'> => ({
  type: 'Text',
  name,
  note: words,
  initial,
})
export const lines = <const N extends string>(name: N, words: string): Parameter<N, 'TextArea'> => ({
  type: 'TextArea',
  name,
  note: words,
  initial: '',
})

export const studentFirstName = text('The first name of the student', 'Ada')
export const account = text('The user name, with the program where there is one', 'ada.example (Radiography)')
export const userName = text('The user name', 'ada.example')
export const signInPage = link('The sign-in page')
export const byHandOrSite = (place: string): string =>
  `Sent when staff choose it under “${place}”, and once an hour after the shift at sites that remind students of missing punches.`
export const byHand = (place: string): string => `Sent when staff choose it under “${place}”.`

export const shiftSample = '01/15/2030 07:00–15:30, Harbor General Hospital'
