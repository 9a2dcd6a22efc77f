import { z } from 'zod'
import { ErrorBody } from '#contract/core/endpoint.ts'
import { allEndpoints, api } from '#contract/index.ts'
import { leftOutSchemas } from './left-out.ts'

type Json = Record<string, unknown>
type Io = 'input' | 'output'

const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

/** The schemas that the contract exports, by the name that they have in the description. */
const namesOfSchemas = (): Map<z.ZodType, string> => {
  const names = new Map<z.ZodType, string>([[ErrorBody, 'Error']])
  const taken = new Set(names.values())
  for (const [domain, exported] of Object.entries(api))
    for (const [name, value] of Object.entries(exported as Record<string, unknown>)) {
      const isNamed =
        value instanceof z.ZodObject || value instanceof z.ZodUnion || value instanceof z.ZodEnum
      if (!isNamed || names.has(value)) continue
      const own = [pascal(name), pascal(domain) + pascal(name)].find((each) => !taken.has(each))
      if (own === undefined) continue
      names.set(value, own)
      taken.add(own)
    }
  return names
}

/** An object whose names are a list: each is declared, so that what is required exists. */
const withDeclaredNames = (schema: Json): void => {
  const { propertyNames, additionalProperties, required } = schema
  if (!Array.isArray(required) || schema.properties) return
  const names = (propertyNames as { enum?: string[] } | undefined)?.enum ?? []
  schema.properties = Object.fromEntries(names.map((name) => [name, additionalProperties]))
  delete schema.propertyNames
  delete schema.additionalProperties
}

/** Fields that a change keeps where they are left out: a client that filled in their default would set them back. */
const keptFields = (): Set<unknown> => new Set(allEndpoints.flatMap(leftOutSchemas))

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** What a place may say of its own about a named schema. */
const ofPlace = new Set(['default', 'description', 'title', 'x-class'])

const pageNames = 'Items,Page,PageSize,Total'

/** How schemas are written into the description. */
export interface Writer {
  write: (schema: z.ZodType, io: Io) => Json
  writeFields: (schema: z.ZodType) => Json
}

/** Every schema in one piece, as it is compared with that of another release. */
export const inOnePiece: Writer = {
  write: (schema, io) => {
    const { $schema, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
    return json
  },
  writeFields: (schema) => inOnePiece.write(schema, 'input'),
}

/**
 * Writes schemas as OpenAPI has them: what the contract names is a component, and so is a page of it; a schema that holds itself is
 * one too. What an answer may have besides what is declared is left open, because later versions add to it.
 */
export const makeComponents = () => {
  const names = namesOfSchemas()
  const kept = keptFields()
  const byName = new Map([...names].map(([schema, name]) => [name, schema]))
  const schemas: Record<string, Json> = {}
  const raws = new Map<string, Json>()

  const rawOf = (schema: z.ZodType, io: Io): Json => {
    const { $schema, ...json } = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        withDeclaredNames(jsonSchema)
        if (io === 'output' && jsonSchema.additionalProperties === false)
          delete jsonSchema.additionalProperties
        if (io === 'input' && kept.has(zodSchema)) delete jsonSchema.default
        // A schema that was only given a description or a check is a copy of the named one.
        // Whatever zod passes is a schema of it.
        const own = zodSchema as unknown as z.ZodType
        const name = names.get(own) ?? names.get(own._zod.parent as z.ZodType)
        if (name !== undefined) Object.assign(jsonSchema, { 'x-name': name })
      },
    })
    return json
  }
  const namedRaw = (name: string, io: Io): Json => {
    const key = `${io} ${name}`
    const known = raws.get(key)
    if (known) return known
    // A name that a schema was marked with is of one in the map.
    const { 'x-name': _own, ...raw } = rawOf(byName.get(name)!, io)
    raws.set(key, raw)
    return raw
  }
  /** What is sent may differ from what is answered: then each is a component of its own. */
  const componentOf = (name: string, io: Io): string => {
    const main = name.endsWith('Input') ? 'input' : 'output'
    const isOne = io === main || isSame(namedRaw(name, 'input'), namedRaw(name, 'output'))
    const other = main === 'input' ? 'Answer' : byName.has(`${name}Input`) ? 'AsSent' : 'Input'
    const own = isOne ? name : `${name}${other}`
    if (!schemas[own]) {
      schemas[own] = {}
      const raw = namedRaw(name, io)
      schemas[own] = written(raw, io, (raw.$defs ?? {}) as Json, own) as Json
    }
    return `#/components/schemas/${own}`
  }
  const written = (value: unknown, io: Io, defs: Json, self?: string): unknown => {
    if (Array.isArray(value)) return value.map((each) => written(each, io, defs, self))
    if (typeof value !== 'object' || value === null) return value
    const { 'x-name': name, $defs: _defs, ...node } = value as Json
    if (node.$ref === '#') return { $ref: `#/components/schemas/${self}` }
    if (typeof node.$ref === 'string') {
      const held = defs[node.$ref.replace('#/$defs/', '')] as Json
      if (typeof held['x-name'] !== 'string')
        throw new Error('A schema that holds itself has to be exported by the contract.')
      return { $ref: componentOf(held['x-name'], io) }
    }
    if (typeof name === 'string') {
      const raw = namedRaw(name, io)
      const more = Object.entries(node).filter(([key, each]) => !isSame(each, raw[key]))
      if (more.every(([key]) => ofPlace.has(key)))
        return { $ref: componentOf(name, io), ...Object.fromEntries(more) }
    }
    return Object.fromEntries(Object.entries(node).map(([key, each]) => [key, written(each, io, defs, self)]))
  }
  /** A page of named things is named after them, unless pages of them differ. */
  const pageOf = (json: Json): Json => {
    const properties = (json.properties ?? {}) as Record<string, { items?: { $ref?: string } }>
    const found = Object.keys(properties).filter((name) => name !== 'NextCursor')
    const kind = properties.NextCursor ? 'CursorPage' : 'Page'
    const item = properties.Items?.items?.$ref
    if (item === undefined || found.toSorted().join() !== pageNames) return json
    const own = `${item.replace('#/components/schemas/', '')}${kind}`
    if (byName.has(own)) return json
    schemas[own] ??= json
    return isSame(schemas[own], json) ? { $ref: `#/components/schemas/${own}` } : json
  }
  return {
    schemas,
    /** The schema as the description shows it; what it refers to is in `schemas` then. */
    write: (schema: z.ZodType, io: Io): Json => {
      const raw = rawOf(schema, io)
      return pageOf(written(raw, io, (raw.$defs ?? {}) as Json) as Json)
    },
    /** The schema of an address: its fields are parameters, whatever it is named. */
    writeFields: (schema: z.ZodType): Json => {
      const { 'x-name': _own, ...raw } = rawOf(schema, 'input')
      return written(raw, 'input', {}) as Json
    },
  }
}
