import type { AnyEndpoint, Basis } from './endpoint.ts'
import { isObject } from './is-object.ts'

type Fields = Readonly<Record<string, unknown>>

// cyrb53, a 53-bit hash in the public domain. Browsers offer their own hashes on secure addresses only.
const hash = (text: string, seed: number): string => {
  let high = 0xdeadbeef ^ seed
  let low = 0x41c6ce57 ^ seed
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    high = Math.imul(high ^ code, 2654435761)
    low = Math.imul(low ^ code, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36)
}

/** Counts are changed by everybody's other work. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (name, inner) => (name.endsWith('Count') ? undefined : inner)) ?? ''

/** A short text that is the same as long as what was read is the same; it protects from accidents, not from attacks. */
export const fingerprint = (seen: unknown): string => {
  const text = textOf(seen)
  return `"${hash(text, 0)}-${hash(text, 1)}"`
}

/** The same of the value of one field: nothing and an empty text are the same, as a form has no other way to say nothing. */
export const fieldMark = (value: unknown): string => hash(textOf(value === '' ? null : (value ?? null)), 0)

/** What a save says, by field: of several parts those of all, of a list its rows by what tells them. */
export const fieldsOf = ({ basis, takes }: AnyEndpoint, body: unknown): Fields => {
  const key = basis?.key
  if (Array.isArray(body))
    return key ? Object.fromEntries(body.filter(isObject).map((row) => [String(row[key]), row])) : {}
  if (!isObject(body)) return {}
  return takes === 'multipart' ? Object.assign({}, ...Object.values(body).filter(isObject)) : body
}

/** Of a row the fields that another one has too. */
export const sharedFields = (row: Fields, other: Fields): Fields =>
  Object.fromEntries(Object.entries(row).filter(([name]) => name in other))

/** What a read has of the fields of a save, by their names there. A field that it does not know is left out. */
export const readFields = (
  { key, elsewhere = {} }: Basis,
  read: unknown,
  sent: Fields,
): Map<string, unknown> => {
  const known = isObject(read) ? read : {}
  const rows = Array.isArray(read) ? read.filter(isObject) : []
  const names = Object.keys(sent).filter((name) => key || name in elsewhere || name in known)
  return new Map(
    names.map((name) => {
      // The answer of the read that it was declared for.
      if (elsewhere[name]) return [name, elsewhere[name](read as never)]
      if (!key) return [name, known[name]]
      const row = rows.find((each) => String(each[key]) === name)
      return [name, row && sharedFields(row, sent[name] as Fields)]
    }),
  )
}

/**
 * A save with what it started from, as it was read: `match` is the value of `If-Match`, what each field was seen with, and the lists of
 * `body` whose rows are merged by key say in `Seen` what was seen of them. Where the read knows none of the fields, `match` is the fingerprint of all of it.
 */
export const basedSave = (
  endpoint: AnyEndpoint,
  body: unknown,
  read: unknown,
): { match: string; body: unknown } => {
  // Only saves that have one are based on something.
  const basis = endpoint.basis!
  const sent = fieldsOf(endpoint, body)
  const known = readFields(basis, read, sent)
  if (known.size === 0) return { match: fingerprint(read), body }
  const seen: Record<string, unknown> = { ...(sent.Seen as Fields | undefined) }
  let whole = body
  for (const path of Object.keys(basis.rows ?? {})) {
    const [list = '', part, ...deeper] = path.split('.').toReversed()
    const isPart = endpoint.takes === 'multipart'
    if (!known.has(list) || list in seen || deeper.length > 0 || (part !== undefined && !isPart)) continue
    seen[list] = known.get(list)
    const at = whole as Fields
    whole =
      part === undefined ? { ...at, Seen: seen } : { ...at, [part]: { ...(at[part] as Fields), Seen: seen } }
  }
  const marks = [...known]
    .filter(([name]) => !(name in seen))
    .map(([name, value]) => `"${name}=${fieldMark(value)}"`)
  return { match: marks.join(', ') || '""', body: whole }
}

/** What each field was seen with, as `If-Match` says it; undefined where it has the fingerprint of the whole. */
export const marksIn = (match: string): ReadonlyMap<string, string> | undefined =>
  match === '""' || match.includes('=')
    ? new Map(
        // Both groups are part of every match.
        [...match.matchAll(/"(\w+)=(\w+)"/g)].map(([, name, mark]) => [name!, mark!]),
      )
    : undefined
