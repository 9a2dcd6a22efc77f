/** JSON Schema as far as the description of the calls uses it. */
export interface Schema {
  type?: string | string[]
  format?: string
  title?: string
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  pattern?: string
  additionalProperties?: Schema | boolean
  $ref?: string
}

/** A field of a body or an answer, as one line: `Items[].Name`. */
export interface SchemaLine {
  path: string
  kind: string
  about: string
  isRequired: boolean
}

const deepest = 6
const hugest = Number.MAX_SAFE_INTEGER

const choices = (schema: Schema): Schema[] => schema.anyOf ?? schema.oneOf ?? []
const isNull = ({ type }: Schema): boolean => type === 'null'
/** Nullable values and pipes are one choice in disguise. */
const plain = (schema: Schema): Schema => {
  const real = choices(schema).filter((each) => !isNull(each))
  if (real.length === 1) return plain(real[0]!)
  return schema.allOf?.length === 1 ? plain(schema.allOf[0]!) : schema
}

export const kindOf = (schema: Schema, anything: string): string => {
  const inner = plain(schema)
  const suffix = choices(schema).some(isNull) ? ' | null' : ''
  if (inner.const !== undefined) return `${JSON.stringify(inner.const)}${suffix}`
  if (inner.enum) return `${inner.enum.map((value) => JSON.stringify(value)).join(' | ')}${suffix}`
  const several = choices(inner)
  if (several.length > 1) return several.map((each) => kindOf(each, anything)).join(' | ')
  if (inner.type === 'array') {
    const each = kindOf(inner.items ?? {}, anything)
    return `${/ \| /.test(each) ? `(${each})` : each}[]${suffix}`
  }
  const type = Array.isArray(inner.type) ? inner.type.join(' | ') : inner.type
  return `${inner.format ?? type ?? anything}${suffix}`
}

/** Limits in the signs that everybody reads: 1 – 500, ≤ 255 characters. */
const limits = (schema: Schema): string[] => {
  const { minimum, maximum, maxLength, minItems, maxItems } = plain(schema)
  const said: string[] = []
  const least = minimum !== undefined && minimum > -hugest ? minimum : undefined
  const most = maximum !== undefined && maximum < hugest ? maximum : undefined
  if (least !== undefined && most !== undefined) said.push(`${least} – ${most}`)
  else if (least !== undefined) said.push(`≥ ${least}`)
  else if (most !== undefined) said.push(`≤ ${most}`)
  if (maxLength !== undefined) said.push(`≤ ${maxLength} characters`)
  if (minItems !== undefined && maxItems !== undefined) said.push(`${minItems} – ${maxItems} items`)
  else if (maxItems !== undefined) said.push(`≤ ${maxItems} items`)
  return said
}

export const aboutOf = (schema: Schema): string => {
  const fallback = schema.default ?? plain(schema).default
  return [
    schema.description ?? plain(schema).description,
    ...limits(schema),
    fallback !== undefined && `default ${JSON.stringify(fallback)}`,
  ]
    .filter(Boolean)
    .join(' · ')
}

/** The fields of a schema one after the other, nested ones under the path that leads to them. */
export const linesOf = (schema: Schema, anything: string, above = '', depth = 0): SchemaLine[] => {
  const inner = plain(schema)
  if (depth > deepest) return []
  if (inner.type === 'array' && inner.items) return linesOf(inner.items, anything, `${above}[]`, depth + 1)
  const several = choices(inner).filter(({ properties }) => properties)
  if (several.length > 0) return several.flatMap((each) => linesOf(each, anything, above, depth + 1))
  return Object.entries(inner.properties ?? {}).flatMap(([name, value]) => {
    const path = above ? `${above}.${name}` : name
    return [
      {
        path,
        kind: kindOf(value, anything),
        about: aboutOf(value),
        isRequired: inner.required?.includes(name) ?? false,
      },
      ...linesOf(value, anything, path, depth + 1),
    ]
  })
}

/** A value that fits the schema, for an example; only what is required. */
export const exampleOf = (schema: Schema, depth = 0): unknown => {
  const inner = plain(schema)
  if (inner.default !== undefined) return inner.default
  if (inner.const !== undefined) return inner.const
  if (inner.enum) return inner.enum[0]
  const [first] = choices(inner)
  if (first) return exampleOf(first, depth + 1)
  if (inner.properties && depth < deepest)
    return Object.fromEntries(
      Object.entries(inner.properties)
        .filter(([name]) => inner.required?.includes(name))
        .map(([name, value]) => [name, exampleOf(value, depth + 1)]),
    )
  switch (Array.isArray(inner.type) ? inner.type[0] : inner.type) {
    case 'array':
      return inner.items ? [exampleOf(inner.items, depth + 1)] : []
    case 'integer':
    case 'number':
      return Math.max(inner.minimum ?? 1, 1)
    case 'boolean':
      return true
    case 'string':
      return (
        {
          date: '2026-11-19',
          'date-time': '2026-11-19T07:00:00Z',
          'time-of-day': '07:00',
          email: 'a.person@example.edu',
        }[inner.format ?? ''] ?? 'text'
      )
    default:
      return {}
  }
}

/** The value with what it refers to in its place. What holds itself is an object there, and no more. */
export const withComponents = <T>(value: T, description: unknown, within: readonly string[] = []): T => {
  if (Array.isArray(value)) return value.map((each) => withComponents(each, description, within)) as T
  if (typeof value !== 'object' || value === null) return value
  const { $ref, ...own } = value as { $ref?: unknown }
  const placed = Object.fromEntries(
    Object.entries(own).map(([name, each]) => [name, withComponents(each, description, within)]),
  )
  if (typeof $ref !== 'string') return placed as T
  if (within.includes($ref)) return { type: 'object', ...placed } as T
  const target = $ref
    .split('/')
    .slice(1)
    .reduce((at, name) => (at as Record<string, unknown>)[name], description)
  return { ...(withComponents(target, description, [...within, $ref]) as object), ...placed } as T
}
