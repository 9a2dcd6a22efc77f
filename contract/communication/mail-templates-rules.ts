/** The rules of the texts of mail templates, for the editor and for the server. */

/**
 * What a placeholder stands for: a text; several lines of it; HTML that the product makes, such as a list; the address of a
 * page, for links; addresses of mail, for From, To and CC.
 */
export const fieldKinds = ['text', 'lines', 'html', 'link', 'address'] as const
export type FieldKind = (typeof fieldKinds)[number]

/** A placeholder of a template: `Name` is 'student.firstName', written as {{student.firstName}}. */
export interface TemplateField {
  Name: string
  Kind: FieldKind
}

/** One of From, To or CC: an address with or without a name, or a placeholder for addresses. */
export type AddressEntry = { field: string } | { name: string; address: string }

export const maxAddressLetters = 255

const placeholder = /\{\{\s*([\w.]*)\s*\}\}/g
const onlyPlaceholder = /^\{\{\s*([\w.]+)\s*\}\}$/
const address = '[^\\s@<>,;"{}]+@[^\\s@<>,;"{}]+\\.[^\\s@<>,;"{}.]+'
const bareAddress = new RegExp(`^${address}$`)
const namedAddress = new RegExp(`^"?([^<>"]*?)"?\\s*<\\s*(${address})\\s*>$`)

export const isAddress = (text: string): boolean => bareAddress.test(text)

const written = (name: string): string => `{{${name}}}`

/** The names of the placeholders of a text, in their order. */
export const placeholdersOf = (text: string): string[] =>
  // The pattern's only group is part of every match.
  [...text.matchAll(placeholder)].map(([, name]) => name!)

/** What is wrong with the placeholders of a text, in a sentence, or null. */
const problemOfNames = (
  text: string,
  fields: readonly TemplateField[],
  allowed: readonly FieldKind[],
): string | null => {
  const kinds = new Map(fields.map(({ Name, Kind }) => [Name, Kind]))
  for (const name of placeholdersOf(text)) {
    const kind = kinds.get(name)
    if (!kind) return `${written(name)} is not among the placeholders of this template.`
    if (!allowed.includes(kind)) return `${written(name)} cannot be used here.`
  }
  return /\{\{|\}\}/.test(text.replace(placeholder, ''))
    ? 'A placeholder is not whole: write it as {{name}}.'
    : null
}

/** The entries of From, To or CC; commas and semicolons part them. Texts that `problemOfAddresses` objects to are left out. */
export const addressEntries = (text: string): AddressEntry[] =>
  text.split(/[,;]/).flatMap((part): AddressEntry[] => {
    const entry = part.trim()
    const field = onlyPlaceholder.exec(entry)?.[1]
    if (field) return [{ field }]
    const named = namedAddress.exec(entry)
    if (named) return [{ name: named[1]!.trim(), address: named[2]! }]
    return isAddress(entry) ? [{ name: '', address: entry }] : []
  })

/** What is wrong with From, To or CC, in a sentence, or null; an empty one is right. `most` is how many may be there. */
export const problemOfAddresses = (
  text: string,
  fields: readonly TemplateField[],
  most = Number.POSITIVE_INFINITY,
): string | null => {
  const parts = text.split(/[,;]/).filter((part) => part.trim() !== '')
  if (parts.length > most) return 'Only one address is allowed here.'
  for (const part of parts) {
    const [entry] = addressEntries(part)
    if (!entry)
      return /\{\{|\}\}/.test(part)
        ? (problemOfNames(part, fields, ['address']) ??
            `Write ${part.trim()} as a name with an address in angle brackets, or as a placeholder alone.`)
        : `${part.trim()} is not a valid email address.`
    const problem =
      'field' in entry
        ? problemOfNames(part, fields, ['address'])
        : problemOfNames(entry.name, fields, ['text'])
    if (problem) return problem
  }
  return null
}

/** What is wrong with a subject, in a sentence, or null. */
export const problemOfSubject = (text: string, fields: readonly TemplateField[]): string | null =>
  text.trim() === '' ? 'Please specify a subject.' : problemOfNames(text, fields, ['text', 'address'])

const linkAddress = /\bhref="([^"]*)"/g

/**
 * What is wrong with the HTML of an email, in a sentence, or null. Placeholders are in the text; in a tag only as the whole
 * address of a link, so that no person's name can become one. `needed`: at least one of these must be there.
 */
export const problemOfBody = (
  html: string,
  fields: readonly TemplateField[],
  needed: readonly string[] = [],
): string | null => {
  const problem = problemOfNames(html, fields, fieldKinds)
  if (problem) return problem
  const kinds = new Map(fields.map(({ Name, Kind }) => [Name, Kind]))
  for (const [tag] of html.matchAll(/<[^>]*>/g)) {
    const rest = tag.replace(linkAddress, (all, target: string) => {
      const name = onlyPlaceholder.exec(target.replace(/^mailto:/, ''))?.[1]
      return name && kinds.get(name) === (target.startsWith('mailto:') ? 'address' : 'link') ? '' : all
    })
    const [name] = placeholdersOf(rest)
    if (name !== undefined) return `${written(name)} cannot be the address or the title of a link.`
  }
  const names = new Set(placeholdersOf(html))
  return needed.length > 0 && !needed.some((name) => names.has(name))
    ? `The email is of no use without ${needed.map(written).join(' or ')}.`
    : null
}
