import { badRequest } from './scim-errors.rules.ts'

export const operators = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const
export type Operator = (typeof operators)[number]
export type Comparable = string | number | boolean | null

/** A filter of RFC 7644 3.4.2.2. Paths are in lower case, without the name of a schema: `name.givenname`. */
export type Filter =
  | { kind: 'compare'; path: string; operator: Operator; value: Comparable }
  | { kind: 'present'; path: string }
  | { kind: 'and' | 'or'; left: Filter; right: Filter }
  | { kind: 'not'; inner: Filter }
  /** `emails[type eq "work"]`: an item of a list for which all of it holds. */
  | { kind: 'some'; path: string; inner: Filter }

/** Longer ones are no question that a provider asks. */
const longest = 2_000
/** Parentheses, `not` and lists within each other. */
const deepest = 20

type Token = { kind: 'word' | 'sign' | 'value'; text: string; value?: Comparable }

const tokenPattern =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON has none of them in a text
  /\s*(?:([()[\]])|("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.:])|(\.?[A-Za-z$](?:[\w$:.-]*[\w$-])?)|(\S))/y

const refuse = (message: string): never => {
  throw badRequest('invalidFilter', `The filter cannot be read: ${message}`)
}

const tokensOf = (text: string): Token[] => {
  if (text.length > longest) refuse(`it has more than ${longest} characters.`)
  const tokens: Token[] = []
  const pattern = new RegExp(tokenPattern)
  while (pattern.lastIndex < text.length) {
    if (text.slice(pattern.lastIndex).trim() === '') break
    const match = pattern.exec(text)
    if (!match) return refuse('its end is missing.')
    const [, sign, quoted, number, word, other] = match
    if (sign) tokens.push({ kind: 'sign', text: sign })
    else if (quoted) tokens.push({ kind: 'value', text: quoted, value: JSON.parse(quoted) as string })
    else if (number) tokens.push({ kind: 'value', text: number, value: Number(number) })
    else if (word) tokens.push({ kind: 'word', text: word })
    else refuse(`${other ?? ''} is not expected there.`)
  }
  return tokens
}

/** A path without the name of its schema, in lower case: `urn:…:User:name.givenName` is `name.givenname`. */
export const plainPath = (path: string): string =>
  path.replace(/^urn:[\w:.-]*:(?:User|Group|EnterpriseUser)(?::|$)/i, '').toLowerCase()

/**
 * Reads a filter. `and` binds more tightly than `or`, `not` needs parentheses; operators and attributes are read without regard to case.
 *
 * @throws ScimError 400 `invalidFilter`
 */
export const parseFilter = (text: string): Filter => {
  const tokens = tokensOf(text)
  let at = 0
  const peek = (): Token | undefined => tokens[at]
  const isWord = (token: Token | undefined, word: string): boolean =>
    token?.kind === 'word' && token.text.toLowerCase() === word
  const takeSign = (sign: string): void => {
    const token = tokens[at++]
    if (token?.kind !== 'sign' || token.text !== sign) refuse(`${sign} is missing.`)
  }
  const either = (depth: number): Filter => {
    if (depth > deepest) return refuse('it is nested too deeply.')
    let left = both(depth)
    while (isWord(peek(), 'or')) {
      at++
      left = { kind: 'or', left, right: both(depth) }
    }
    return left
  }
  const both = (depth: number): Filter => {
    let left = one(depth)
    while (isWord(peek(), 'and')) {
      at++
      left = { kind: 'and', left, right: one(depth) }
    }
    return left
  }
  const literalOf = (token: Token | undefined): Comparable => {
    if (token?.kind === 'value') return token.value ?? null
    const word = token?.kind === 'word' ? token.text.toLowerCase() : ''
    if (word === 'true' || word === 'false') return word === 'true'
    if (word === 'null') return null
    return refuse('a value is missing.')
  }
  const one = (depth: number): Filter => {
    const token = tokens[at++]
    if (token?.kind === 'sign' && token.text === '(') {
      const inner = either(depth + 1)
      takeSign(')')
      return inner
    }
    const next = peek()
    if (isWord(token, 'not') && next?.kind === 'sign' && next.text === '(') {
      at++
      const inner = either(depth + 1)
      takeSign(')')
      return { kind: 'not', inner }
    }
    if (token?.kind !== 'word' || token.text.startsWith('.')) return refuse('an attribute is missing.')
    const path = plainPath(token.text)
    if (next?.kind === 'sign' && next.text === '[') {
      at++
      const inner = either(depth + 1)
      takeSign(']')
      const part = peek()
      if (part?.kind !== 'word' || !part.text.startsWith('.')) return { kind: 'some', path, inner }
      // `emails[type eq "work"].value eq "a@b.example"` asks it of the same item.
      at++
      return {
        kind: 'some',
        path,
        inner: { kind: 'and', left: inner, right: question(plainPath(part.text.slice(1))) },
      }
    }
    return question(path)
  }
  /** What is asked of an attribute: its operator and value. */
  const question = (path: string): Filter => {
    const next = tokens[at++]
    const operator = next?.kind === 'word' ? next.text.toLowerCase() : ''
    if (operator === 'pr') return { kind: 'present', path }
    const known = operators.find((each) => each === operator)
    if (!known) return refuse(`${next?.text ?? 'an operator'} is no operator.`)
    return { kind: 'compare', path, operator: known, value: literalOf(tokens[at++]) }
  }
  const filter = either(0)
  if (at < tokens.length) refuse(`${tokens[at]?.text ?? ''} is not expected there.`)
  return filter
}

/** A filter as text that reads back as the same. */
export const printFilter = (filter: Filter): string => {
  switch (filter.kind) {
    case 'compare':
      return `${filter.path} ${filter.operator} ${JSON.stringify(filter.value)}`
    case 'present':
      return `${filter.path} pr`
    case 'some':
      return `${filter.path}[${printFilter(filter.inner)}]`
    case 'not':
      return `not (${printFilter(filter.inner)})`
    default:
      return `(${printFilter(filter.left)} ${filter.kind} ${printFilter(filter.right)})`
  }
}

/** Attributes in which upper and lower case differ. */
export const isCaseExact = (path: string): boolean => path === 'id' || path === 'externalid'

const compare = (found: unknown, operator: Operator, wanted: Comparable, exact: boolean): boolean => {
  if (typeof found === 'boolean' || typeof wanted === 'boolean' || wanted === null) {
    if (operator === 'eq') return (found ?? null) === wanted
    if (operator === 'ne') return (found ?? null) !== wanted
    return false
  }
  if (found === undefined || found === null) return operator === 'ne'
  const [left, right] = exact
    ? [String(found), String(wanted)]
    : [String(found).toLowerCase(), String(wanted).toLowerCase()]
  switch (operator) {
    case 'eq':
      return left === right
    case 'ne':
      return left !== right
    case 'co':
      return left.includes(right)
    case 'sw':
      return left.startsWith(right)
    case 'ew':
      return left.endsWith(right)
    case 'gt':
      return left > right
    case 'ge':
      return left >= right
    case 'lt':
      return left < right
    case 'le':
      return left <= right
  }
}

const fieldOf = (value: unknown, name: string): unknown => {
  if (typeof value !== 'object' || value === null) return undefined
  const key = Object.keys(value).find((each) => each.toLowerCase() === name)
  return key === undefined ? undefined : (value as Record<string, unknown>)[key]
}

/** The values at a path of a resource; a list gives those of its items, and the `value` of each where the path ends there. */
export const valuesAt = (resource: unknown, path: string): unknown[] => {
  let values: unknown[] = [resource]
  for (const name of path === '' ? [] : path.split('.'))
    values = values.flatMap((value) => {
      const found = fieldOf(value, name)
      return Array.isArray(found) ? found : found === undefined || found === null ? [] : [found]
    })
  return values.map((value) =>
    typeof value === 'object' && value !== null && 'value' in value
      ? (value as { value: unknown }).value
      : value,
  )
}

const itemsAt = (resource: unknown, path: string): unknown[] => {
  const found = fieldOf(resource, path)
  return Array.isArray(found) ? found : found === undefined || found === null ? [] : [found]
}

/** Whether a filter holds for a resource, or for an item of a list. */
export const holds = (filter: Filter, resource: unknown): boolean => {
  switch (filter.kind) {
    case 'compare': {
      const values = valuesAt(resource, filter.path)
      const exact = isCaseExact(filter.path)
      if (values.length === 0) return compare(undefined, filter.operator, filter.value, exact)
      return values.some((value) => compare(value, filter.operator, filter.value, exact))
    }
    case 'present':
      return valuesAt(resource, filter.path).some((value) => value !== '')
    case 'some':
      return itemsAt(resource, filter.path).some((item) => holds(filter.inner, item))
    case 'not':
      return !holds(filter.inner, resource)
    case 'and':
      return holds(filter.left, resource) && holds(filter.right, resource)
    case 'or':
      return holds(filter.left, resource) || holds(filter.right, resource)
  }
}
