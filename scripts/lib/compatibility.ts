import { answerOf, type Described, type Schema } from './api-client.ts'

/** What others rely on of a call: how it is reached, what it takes and answers, and which right of a key opens it. */
export interface Promised {
  right: string | undefined
  parameters: Record<string, { in: string; required: boolean; schema: Schema }>
  body: Schema | undefined
  status: string
  answerType: string | undefined
  answer: Schema | undefined
}

const anyFile = 'application/octet-stream'
const notFiles = new Set(['application/json', 'text/event-stream'])

/** Words for people and what is only told do not count. */
const silent = new Set(['description', 'title', 'default', 'examples', 'format'])

const stripped = <T>(value: T): T => {
  if (Array.isArray(value)) return value.map(stripped) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, each]) => !silent.has(name) || typeof each === 'object')
      .map(([name, each]) => [name, stripped(each)]),
  ) as T
}

/** What is kept of a release, by method and path. */
export const promisesOf = (calls: readonly Described[]): Record<string, Promised> =>
  Object.fromEntries(
    calls.flatMap((call) => {
      const answer = answerOf(call)
      const body = Object.values(call.requestBody?.content ?? {})[0]?.schema
      return [call.path, call['x-formerly'] ?? call.path].map((path) => [
        `${call.method} ${path}`,
        stripped({
          right: call['x-key-right'],
          parameters: Object.fromEntries(
            call.parameters.map(({ name, required, schema, ...each }) => [
              name,
              { in: each.in, required, schema },
            ]),
          ),
          body,
          status: answer.status,
          answerType: answer.type,
          answer: answer.type === undefined ? undefined : answer.schema,
        }),
      ])
    }),
  )

type Side = 'input' | 'answer'

const branchesOf = (schema: Schema): Schema[] => {
  const several = schema.anyOf ?? schema.oneOf
  if (several) return several.flatMap(branchesOf)
  if (Array.isArray(schema.type)) return schema.type.map((type) => ({ ...schema, type }))
  if (schema.enum && schema.enum.length > 1) return schema.enum.map((value) => ({ const: value }))
  return [schema.enum ? { const: schema.enum[0] } : schema]
}

const typeOfConst = (value: unknown): string => (value === null ? 'null' : typeof value)

/** Limits of which a larger number allows more, and those of which a smaller one does. */
const upper = ['maximum', 'maxLength', 'maxItems'] as const
const lower = ['minimum', 'minLength', 'minItems'] as const

const limitsFit = (narrow: Schema, wide: Schema): boolean =>
  upper.every(
    (limit) => wide[limit] === undefined || (narrow[limit] ?? Number.POSITIVE_INFINITY) <= wide[limit],
  ) &&
  lower.every(
    (limit) => wide[limit] === undefined || (narrow[limit] ?? Number.NEGATIVE_INFINITY) >= wide[limit],
  ) &&
  (wide.pattern === undefined || wide.pattern === narrow.pattern)

/** Whether all values of one kind may be where those of the other are expected. */
const branchFits = (narrow: Schema, wide: Schema, side: Side): boolean => {
  if (Object.keys(wide).length === 0) return true
  if (wide.const !== undefined) {
    // A client meets words that it does not know, as the rules of versions say; it sends none that are gone.
    if (side === 'answer') return narrow.const !== undefined && typeof narrow.const === typeof wide.const
    return narrow.const === wide.const
  }
  if (narrow.const !== undefined) {
    const type = typeOfConst(narrow.const)
    return wide.type === type || (type === 'number' && wide.type === 'integer')
  }
  if (narrow.type !== wide.type && !(narrow.type === 'integer' && wide.type === 'number')) return false
  if (side === 'input' && !limitsFit(narrow, wide)) return false
  if (narrow.type === 'array') return fits(narrow.items ?? {}, wide.items ?? {}, side, '').length === 0
  return true
}

const propertiesFit = (narrow: Schema, wide: Schema, side: Side, at: string): string[] => {
  const problems: string[] = []
  const [before, after] = side === 'input' ? [narrow, wide] : [wide, narrow]
  for (const [name, schema] of Object.entries(before.properties ?? {})) {
    const now = after.properties?.[name]
    const path = at === '' ? name : `${at}.${name}`
    if (!now) problems.push(`${path} is gone`)
    else problems.push(...(side === 'input' ? fits(schema, now, side, path) : fits(now, schema, side, path)))
    if (side === 'answer' && before.required?.includes(name) && !after.required?.includes(name) && now)
      problems.push(`${path} may be missing now`)
  }
  if (side === 'input')
    for (const name of after.required ?? [])
      if (!before.required?.includes(name))
        problems.push(`${at === '' ? name : `${at}.${name}`} is required now`)
  return problems
}

/** Why values of `narrow` may not be where `wide` is expected. */
const fits = (narrow: Schema, wide: Schema, side: Side, at: string): string[] => {
  const problems: string[] = []
  const targets = branchesOf(wide)
  for (const branch of branchesOf(narrow)) {
    const isObject = branch.type === 'object' && branch.properties
    const objects = targets.filter((each) => each.type === 'object' && each.properties)
    if (isObject && objects.length > 0) {
      const tried = objects.map((each) => propertiesFit(branch, each, side, at))
      if (!tried.some((each) => each.length === 0)) problems.push(...tried[0]!)
      continue
    }
    const arrays = targets.filter((each) => each.type === 'array')
    if (branch.type === 'array' && arrays.length === 1) {
      if (side === 'input' && !limitsFit(branch, arrays[0]!)) problems.push(`${at || 'it'} takes less`)
      problems.push(...fits(branch.items ?? {}, arrays[0]!.items ?? {}, side, `${at}[]`))
      continue
    }
    if (!targets.some((each) => branchFits(branch, each, side)))
      problems.push(`${at || 'it'} ${side === 'input' ? 'takes less' : 'answers something else'}`)
  }
  return [...new Set(problems)]
}

/** The query parameter of this name in other letter case, which servers take for the same. */
const inOtherCase = ({ parameters }: Promised, name: string): Promised['parameters'][string] | undefined =>
  Object.entries(parameters).find(
    ([own, each]) => each.in === 'query' && own.toLowerCase() === name.toLowerCase(),
  )?.[1]

const partProblems = (before: Promised, now: Promised): string[] => {
  const problems: string[] = []
  for (const [name, old] of Object.entries(before.parameters)) {
    const own = now.parameters[name] ?? inOtherCase(now, name)
    // What is not asked for any longer in a header does no harm.
    if (!own) {
      if (old.in !== 'header') problems.push(`the parameter ${name} is gone`)
      continue
    }
    if (own.required && !old.required) problems.push(`the parameter ${name} is required now`)
    problems.push(...fits(old.schema, own.schema, 'input', name))
  }
  for (const [name, own] of Object.entries(now.parameters))
    if (own.required && !(before.parameters[name] ?? inOtherCase(before, name)))
      problems.push(`the parameter ${name} is required now`)
  return problems
}

/**
 * What a program that was written for the release before can no longer do: removals and narrowings. What is added, and what takes
 * more than before, is none.
 */
export const breakingChanges = (before: Record<string, Promised>, now: Record<string, Promised>): string[] =>
  Object.entries(before).flatMap(([name, old]) => {
    const own = now[name]
    if (!own) return [`${name} is gone`]
    const problems = partProblems(old, own)
    if (own.right !== old.right && old.right !== undefined)
      problems.push(
        own.right === undefined
          ? 'keys no longer open it'
          : `keys need ${own.right} in place of ${old.right}`,
      )
    if (own.status !== old.status) problems.push(`it answers ${own.status} in place of ${old.status}`)
    // A file of any kind may be told to be of one.
    const isNamedNow =
      old.answerType === anyFile && own.answerType !== undefined && !notFiles.has(own.answerType)
    if (own.answerType !== old.answerType && !isNamedNow) problems.push('it answers another type of content')
    if (own.body && !old.body) problems.push('it wants a body now')
    if (old.body && !own.body) problems.push('it takes no body any longer')
    if (old.body && own.body) problems.push(...fits(old.body, own.body, 'input', ''))
    if (old.answer && own.answer) problems.push(...fits(own.answer, old.answer, 'answer', ''))
    return problems.map((problem) => `${name}: ${problem}`)
  })
