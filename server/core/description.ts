import { z } from 'zod'
import { type AnyEndpoint, endpoint } from '#contract/endpoint.ts'
import { handle, type Route } from './handle.ts'

const parametersOf = (schema: z.ZodType | undefined, where: 'path' | 'query') => {
  if (!schema) return []
  const { properties = {}, required = [] } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  }) as {
    properties?: Record<string, object>
    required?: string[]
  }
  return Object.entries(properties).map(([name, shape]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: shape,
  }))
}

const jsonSchema = (schema: z.ZodType, io: 'input' | 'output') => {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}

const operation = (call: AnyEndpoint) => ({
  summary: call.summary,
  description:
    call.may === 'everyone'
      ? 'Open to everyone.'
      : call.may === 'signed-in'
        ? 'For every signed-in person.'
        : `Needs the permission ${call.may}.`,
  tags: [
    call.path.split('/').find((part: string) => part && !part.startsWith(':') && part !== 'programs') ??
      'programs',
  ],
  parameters: [...parametersOf(call.params, 'path'), ...parametersOf(call.query, 'query')],
  ...(call.body && {
    requestBody: {
      required: true,
      content: {
        [call.takes === 'multipart' ? 'multipart/form-data' : 'application/json']: {
          schema: jsonSchema(call.body, 'input'),
        },
      },
    },
  }),
  responses: {
    [call.status ?? (call.answer || call.answers === 'file' ? 200 : 204)]: {
      description: 'Done',
      ...(call.answer && { content: { 'application/json': { schema: jsonSchema(call.answer, 'output') } } }),
    },
    ...Object.fromEntries(
      Object.entries(call.errors ?? {}).map(([status, description]) => [status, { description }]),
    ),
  },
})

/** The OpenAPI 3.1 description of all calls, made from their declarations. */
export const describe = (endpoints: readonly AnyEndpoint[], base: string) => {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const call of endpoints) {
    const path = call.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operation(call) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Practicum',
      version: '1',
      description: 'Changes need the header X-CSRF-Token of GET auth/session.',
    },
    servers: [{ url: base }],
    paths,
  }
}

export const getDescription = endpoint({
  method: 'GET',
  path: '/openapi.json',
  may: 'signed-in',
  summary: 'The description of all calls, as OpenAPI 3.1',
  answer: z.any(),
})

/** `all` is asked when the description is, because it holds this route too. */
export const descriptionRoutes = (all: () => readonly Route[]): Route[] => [
  handle(getDescription, async ({ services }) =>
    describe(
      all().map(({ endpoint: call }) => call),
      `${services.config.appRoot}/new/api`,
    ),
  ),
]
