import { addressEntries, type FieldKind, isAddress } from '#contract/communication/mail-templates-rules.ts'
import { coreFailures } from '#contract/core/failures.ts'
import type { Language } from '#contract/language/language.ts'
import { spanishTerms } from '#contract/terminology/spanish-terms.ts'
import { termPlaceholders, termsOf } from '#contract/terminology/terminology.ts'
import type { Db } from '#server/core/database/pool.ts'
import { noticeIn, noticesIn } from '#server/core/language/spanish.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { fieldsOf, type MailKind } from './email-kind.ts'
import {
  type Compiled,
  compile,
  fillHtml,
  fillText,
  type MadeHtml,
  type Value,
  type Values,
} from './email-text.ts'
import { type ProgramRow, readLanguages, readPrograms } from './mail.across.ts'
import { type Email, post } from './mail.ts'
import { type MailLabel, mailKinds } from './mail-kinds.ts'
import { readTemplateRows, type Template, templateOf } from './mail-templates.ts'

/** The settings of a kind of email. */
export interface Settings {
  /** Whether a checkbox is checked. */
  isOn: (name: string) => boolean
}

type FieldsOf<L extends MailLabel> = (typeof mailKinds)[L]['fields']
type ValuesOf<L extends MailLabel> = {
  [F in keyof FieldsOf<L>]: FieldsOf<L>[F] extends { kind: 'html' } ? MadeHtml : string
}

interface To {
  programId: number | null
  accountId?: number | null
  /** In which language its person reads, where no account says it. */
  language?: Language
  /** The address of the person that it is for. */
  recipient: string
  sendAfter?: string
  /** Kept from being sent until somebody sends it from the ledger. */
  isHeld?: boolean
}

/** An email that gets its words from the template of its label. */
export type TemplateEmail = {
  [L in MailLabel]: To & { label: L; values: ValuesOf<L> | ((settings: Settings) => ValuesOf<L>) }
}[MailLabel]

const readTemplates = async (db: Db, labels: readonly MailLabel[]): Promise<Map<MailLabel, Template>> => {
  const rows = new Map((await readTemplateRows(db, labels)).map((row) => [row.label, row]))
  return new Map(labels.map((label) => [label, templateOf(label, rows.get(label))]))
}

/** A template taken apart, for all emails of its kind. */
interface Draft {
  kind: MailKind
  row: Template
  language: Language
  subject: Compiled
  html: Compiled
  parameters: Values
  settings: Settings
  kinds: Record<string, FieldKind>
}

/** The values of the parameters, the initial ones where nothing was set. */
export const parameterValues = (
  { parameters = [] }: MailKind,
  kept: Record<string, string>,
): Record<string, string> =>
  Object.fromEntries(parameters.map(({ name, initial }) => [name, kept[name] ?? initial]))

const draftOf = (row: Template, language: Language): Draft => {
  const kind = mailKinds[row.label]
  const text = language === 'en' ? row : { subject: row.spanish_subject, html: row.spanish_html }
  const kinds = Object.fromEntries(Object.entries(fieldsOf(kind)).map(([name, field]) => [name, field.kind]))
  const set = parameterValues(kind, row.parameters)
  return {
    kind,
    row,
    kinds,
    language,
    subject: compile(text.subject, kinds),
    html: compile(text.html, kinds),
    parameters: Object.fromEntries(Object.entries(set).map(([name, value]) => [`parameter.${name}`, value])),
    settings: { isOn: (name) => set[name] === '1' },
  }
}

/** Names come from people: nothing in them may part addresses, or end the header. */
const plainName = (name: string): string => name.replace(/["\\<>,;:\s]+/g, ' ').trim()

/** The addresses that From, To or CC stand for; each once, whatever its letters' case. */
const addressesOf = (text: string, draft: Draft, values: Values, terms: Record<string, string>): string[] => {
  const found = new Map<string, string>()
  for (const entry of addressEntries(text)) {
    if ('field' in entry) {
      const value = values[entry.field] ?? ''
      for (const address of typeof value === 'string' ? value.split(',') : [])
        if (isAddress(address.trim())) found.set(address.trim().toLowerCase(), address.trim())
    } else {
      const name = plainName(fillText(compile(entry.name, draft.kinds), values, terms))
      found.set(entry.address.toLowerCase(), name ? `"${name}" <${entry.address}>` : entry.address)
    }
  }
  return [...found.values()]
}

/** The address of 'Name <address>'. */
const bareOf = (recipient: string): string => (/<([^<>]+)>\s*$/.exec(recipient)?.[1] ?? recipient).trim()
const isSame = (one: string, other: string): boolean =>
  bareOf(one).toLowerCase() === bareOf(other).toLowerCase()

/** What the module says of what happened, in the language of the email. */
const valuesIn = (values: Values, language: Language): Values =>
  language === 'en'
    ? values
    : Object.fromEntries(
        Object.entries(values).map(([name, value]): [string, Value] => [
          name,
          typeof value === 'string' ? noticeIn(value, language) : { html: noticesIn(value.html, language) },
        ]),
      )

/** The words of a program in a language. */
const wordsIn = (entries: ProgramRow['entries'], language: Language): Record<string, string> =>
  termPlaceholders(
    termsOf(
      entries.filter(({ Language }) => Language === language),
      language === 'es' ? spanishTerms : undefined,
    ),
  )

/** A draft filled for one person: one email, or one each when the template names other addresses. */
const fill = (
  draft: Draft,
  { programId, accountId = null, recipient, sendAfter, isHeld }: To,
  own: Values,
  program: ProgramRow | undefined,
  terms: Record<string, string>,
): Email[] => {
  const { kind, row } = draft
  const values: Values = {
    ...draft.parameters,
    'program.name': program?.name ?? '',
    'college.name': program?.college ?? '',
    'program.coordinators': program?.coordinators ?? '',
    'program.directors': program?.directors ?? '',
    [`${kind.person}.email`]: bareOf(recipient),
    ...valuesIn(own, draft.language),
  }
  const email = {
    programId,
    label: row.label,
    sender: addressesOf(row.sender, draft, values, terms)[0] ?? '',
    subject: fillText(draft.subject, values, terms),
    html: fillHtml(draft.html, values, terms),
    ...(sendAfter && { sendAfter }),
    ...(isHeld && { isHeld }),
  }
  // What signs in goes to its person and nobody else, whatever is in the template.
  const addressed = kind.isAlwaysSent ? [] : addressesOf(row.addressee, draft, values, terms)
  const copied = kind.isAlwaysSent ? [] : addressesOf(row.carbon_copy, draft, values, terms)
  return (addressed.length > 0 ? addressed : [recipient]).map((to, index) => ({
    ...email,
    recipient: to,
    // Only the person's own email is theirs to switch off, and to be copied to those who read along.
    accountId: isSame(to, recipient) ? accountId : null,
    carbonCopy: index === 0 ? copied.filter((copy) => !isSame(copy, to)) : [],
  }))
}

/**
 * Writes emails by their templates into the outbox, in the caller's transaction: two look-ups and one statement, however many
 * they are. A kind that is switched off is not written, unless somebody could not sign in without it.
 *
 * @param isAsked somebody asked for just this email, and must not believe that it went out
 * @throws Failure 409 when it is switched off and `isAsked`
 */
export const queueTemplatedEmails = async (
  db: Db,
  emails: readonly TemplateEmail[],
  { isAsked = false }: { isAsked?: boolean } = {},
): Promise<void> => {
  if (emails.length === 0) return
  const labels = [...new Set(emails.map(({ label }) => label))]
  const programIds = [...new Set(emails.flatMap(({ programId }) => programId ?? []))]
  // Asked without a program too: whether an account is known must not show in the time that it takes.
  const accountIds = [...new Set(emails.flatMap(({ accountId }) => accountId ?? []))]
  const [templates, programs, chosen] = await Promise.all([
    readTemplates(db, labels),
    readPrograms(db, programIds, labels),
    readLanguages(db, accountIds),
  ])
  const drafts = new Map<string, Draft>()
  /** Where the Spanish text is missing, or of an English one that was changed since, the English one goes out whole. */
  const draftFor = (label: MailLabel, wanted: Language): Draft => {
    // Read above, with the labels of all these emails.
    const row = templates.get(label)!
    const language = wanted === 'es' && row.is_spanish_current ? 'es' : 'en'
    const known = drafts.get(`${label} ${language}`) ?? draftOf(row, language)
    drafts.set(`${label} ${language}`, known)
    return known
  }
  const words = new Map<string, Record<string, string>>()
  const wordsFor = (programId: number, language: Language): Record<string, string> => {
    const known =
      words.get(`${programId} ${language}`) ?? wordsIn(programs.get(programId)?.entries ?? [], language)
    words.set(`${programId} ${language}`, known)
    return known
  }
  await post(
    db,
    emails.flatMap((email) => {
      const draft = draftFor(email.label, chosen.get(email.accountId ?? 0) ?? email.language ?? 'en')
      if (!draft.row.is_enabled && !draft.kind.isAlwaysSent) {
        if (isAsked) throw fail(coreFailures.switched_off)
        return []
      }
      const own = typeof email.values === 'function' ? email.values(draft.settings) : email.values
      return fill(
        draft,
        email,
        own as Record<string, Value>,
        programs.get(email.programId ?? 0),
        wordsFor(email.programId ?? 0, draft.language),
      )
    }),
  )
}

/** A template as an email, filled with the examples of its placeholders unless told; To and CC are left out. */
const filledWithExamples = async (
  db: Db,
  label: MailLabel,
  to: { programId: number | null; recipient: string; publicUrl: string },
  said?: string,
): Promise<Email> => {
  const [templates, programs] = await Promise.all([
    readTemplates(db, [label]),
    readPrograms(db, to.programId === null ? [] : [to.programId], [label]),
  ])
  // Read with this very label.
  const draft = draftOf(templates.get(label)!, 'en')
  const program = programs.get(to.programId ?? 0)
  const samples = Object.fromEntries(
    Object.entries(fieldsOf(draft.kind))
      .filter(([name]) => !name.startsWith('parameter.'))
      .map(([name, { kind, sample }]): [string, Value] => [
        name,
        kind === 'html' ? { html: sample } : kind === 'link' ? to.publicUrl + sample : (said ?? sample),
      ]),
  )
  const terms = wordsIn(program?.entries ?? [], 'en')
  const plain = { ...draft, row: { ...draft.row, addressee: '', carbon_copy: '' } }
  const [email] = fill(plain, { programId: to.programId, recipient: to.recipient }, samples, undefined, terms)
  // One recipient makes one email.
  return email!
}

/** As a test to one person, who cannot switch it off. */
export const exampleOf = async (
  db: Db,
  label: MailLabel,
  to: { programId: number | null; accountId: number; recipient: string; publicUrl: string },
): Promise<Email> => {
  const email = await filledWithExamples(db, label, to)
  return { ...email, label: 'OTHER_test', subject: `Test: ${email.subject}`, accountId: to.accountId }
}

/** What emails of a kind have as their subject, with dots for what differs between them. */
export const subjectOf = async (db: Db, label: MailLabel, programId: number): Promise<string> =>
  (await filledWithExamples(db, label, { programId, recipient: '', publicUrl: '' }, '…')).subject
