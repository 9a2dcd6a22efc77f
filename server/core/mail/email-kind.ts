import type { Language } from '#contract/language/language.ts'
import { address, type Field, html, link, note, type Parameter, text } from './mail-fields.ts'

/** One email in one language: its subject, then its paragraphs. Words in braces follow the program's terminology. */
type Text = readonly [subject: string, ...paragraphs: string[]]

interface Facts {
  /** The person it is for, as the placeholder of the address is called: {{student.email}}. */
  person: string
  fields: Record<string, Field>
  parameters?: readonly Parameter[]
  /** When it is sent, for the mail center. */
  when?: string
  /**
   * Without it somebody could not sign in, and it holds what signs in: it cannot be switched off and goes to the person alone.
   */
  isAlwaysSent?: true
  /** It is about the work of a program: whom the program names for it gets a copy. */
  isCopied?: true
  /** At least one of these placeholders must stay in the email. */
  needed?: readonly string[]
  /** Its name, and after a period what it does, for the mail center. */
  about: string
  en: Text
  /** Where students, graduates or supervisors get it. */
  es?: Text
}

export interface MailKind extends Facts {
  /** Of a digest: the page that shows what happened. */
  page?: string
  /** Of a digest: what it is headed by, for one line and for several. */
  summary?: readonly [one: string, other: string]
}

/** Placeholders of every email. */
export const programFields = {
  'program.name': text('The name of the program', 'Radiography'),
  'college.name': text('The name of the college', 'Harbor College'),
  'program.coordinators': address(
    'The addresses of the coordinators of the program',
    'coordinator@example.org',
  ),
  'program.directors': address('The addresses of the directors of the program', 'director@example.org'),
}

/** All placeholders of a kind: its own, the address of its person, its parameters, and those of the program. */
export const fieldsOf = ({ person, fields, parameters = [] }: MailKind): Record<string, Field> => ({
  ...fields,
  [`${person}.email`]: address(`The address of the ${person}`, 'ada@example.org'),
  ...Object.fromEntries(
    parameters
      .filter(({ type }) => type === 'Text' || type === 'TextArea')
      .map(({ type, name, note: words }): [string, Field] => [
        `parameter.${name}`,
        { kind: type === 'Text' ? 'text' : 'lines', note: `Additional setting: ${words}`, sample: '' },
      ]),
  ),
  ...programFields,
})

type ParameterNames<K> = K extends { parameters: readonly (infer P)[] }
  ? P extends Parameter<infer Name, 'Text' | 'TextArea'>
    ? `parameter.${Name}`
    : never
  : never

/** The names of `fieldsOf`. */
type Names<K extends Pick<Facts, 'person' | 'fields'>> =
  | (keyof K['fields'] & string)
  | `${K['person']}.email`
  | ParameterNames<K>
  | keyof typeof programFields

type Used<S extends string> = S extends `${string}{{${infer Name}}}${infer Rest}` ? Name | Used<Rest> : never

/** The texts, and what is wrong in place of one that names a placeholder which the kind does not offer. */
type Checked<Texts, Offered extends string> = {
  [I in keyof Texts]: Texts[I] extends string
    ? Exclude<Used<Texts[I]>, Offered> extends never
      ? Texts[I]
      : `{{${Exclude<Used<Texts[I]>, Offered>}}} is no placeholder of this email`
    : Texts[I]
}
type CheckedTexts<K extends { en: readonly string[] }, Offered extends string> = {
  en: Checked<K['en'], Offered>
  es?: K extends { es: infer Es } ? Checked<Es, Offered> : never
}

/** A kind of email: who gets it, what it may say, and what it says. */
export const email = <const K extends Facts>(kind: K & CheckedTexts<K, Names<K>>) => ({
  ...(kind as K),
  ...(kind.when !== undefined && { parameters: [note('When', kind.when), ...(kind.parameters ?? [])] }),
})

interface DigestFacts {
  when?: string
  page: string
  summary: readonly [one: string, other: string]
  /** An example of what happened. */
  line: string
  isCopied?: true
  about: string
  /** Its paragraphs below the greeting. */
  en: readonly string[]
  es?: readonly string[]
}
type DigestNames<P extends string> = 'change.summary' | 'change.list' | 'link' | `${P}.firstName`

/** A digest: what happened to a person within some minutes, one line each. */
export const digest = <const P extends string, const D extends DigestFacts>(
  person: P,
  { line: sample, ...kind }: D & CheckedTexts<D, DigestNames<P>>,
) => ({
  ...kind,
  person,
  fields: {
    'change.summary': text('What happened, in one line', summaryOf(kind.summary, 1)),
    'change.list': html('What happened, one line each', `<ul><li>${sample}</li></ul>`),
    link: link('The page that shows it'),
    [`${person}.firstName`]: text(`The first name of the ${person}`, 'Ada'),
  } as Record<'change.summary' | `${P}.firstName`, Field<'text'>> & {
    'change.list': Field<'html'>
    link: Field<'link'>
  },
  parameters: [note('When', kind.when ?? 'One email for everything that happens within 5 minutes.')],
  en: ['{{change.summary}}', `Hello {{${person}.firstName}},`, ...kind.en] as const,
  ...(kind.es && { es: ['{{change.summary}}', `Hola, {{${person}.firstName}}:`, ...kind.es] as const }),
})

/** What so many lines are headed by. */
export const summaryOf = ([one, other]: readonly [one: string, other: string], count: number): string =>
  (count === 1 ? one : other).replace('{count}', String(count))

/** A paragraph; a heading is one already. */
const paragraph = (words: string): string => (words.startsWith('<h2>') ? words : `<p>${words}</p>`)

/** Subject and HTML of what a kind says in a language; empty where it says nothing in it. */
export const textOf = ({ en, es }: MailKind, language: Language): { subject: string; html: string } => {
  const [subject = '', ...paragraphs] = (language === 'en' ? en : es) ?? []
  return { subject, html: paragraphs.map(paragraph).join('') }
}

/** What the mail center says of a kind, as HTML. */
export const descriptionOf = ({ about }: MailKind): string =>
  paragraph(about.replace(/^(.*?\.)/, '<strong>$1</strong>'))
