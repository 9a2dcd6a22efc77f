import { expect, test } from 'vitest'
import { describedCalls } from './lib/api-client.ts'
import { breakingChanges, type Promised, promisesOf } from './lib/compatibility.ts'
import { readReleased } from './lib/released-api.ts'

test('what was written for the last release goes on working: no call is taken away, takes less or answers less', () => {
  // When a change is meant: docs/api.md says how a call is retired.
  expect(breakingChanges(readReleased(), promisesOf(describedCalls()))).toEqual([])
})

const call = (change: Partial<Promised> = {}): Record<string, Promised> => ({
  'POST /things': {
    right: 'things.write',
    parameters: {
      id: { in: 'path', required: true, schema: { type: 'integer', minimum: 1 } },
      sort: { in: 'query', required: false, schema: { type: 'string', enum: ['Name', 'Date'] } },
    },
    body: {
      type: 'object',
      properties: {
        Name: { type: 'string', maxLength: 100 },
        Note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        Tags: { type: 'array', items: { type: 'string' }, maxItems: 5 },
      },
      required: ['Name'],
    },
    status: '200',
    answerType: 'application/json',
    answer: {
      type: 'object',
      properties: {
        Id: { type: 'integer' },
        State: { type: 'string', enum: ['open', 'closed'] },
        Parts: {
          type: 'array',
          items: { type: 'object', properties: { Size: { type: 'number' } }, required: ['Size'] },
        },
      },
      required: ['Id', 'State', 'Parts'],
    },
    ...change,
  },
})
const base = call()['POST /things']!
const body = (properties: object, required = ['Name']): Partial<Promised> => ({
  body: { ...base.body, properties: { ...base.body!.properties, ...properties }, required },
})
const answer = (properties: object, required = ['Id', 'State', 'Parts']): Partial<Promised> => ({
  answer: { ...base.answer, properties: { ...base.answer!.properties, ...properties }, required },
})
const parameter = (name: string, change: object): Partial<Promised> => ({
  parameters: { ...base.parameters, [name]: { ...base.parameters[name]!, ...change } },
})
const without = (name: string, from: Record<string, unknown> | undefined) =>
  Object.fromEntries(Object.entries(from ?? {}).filter(([each]) => each !== name))

test.each<[string, Partial<Promised>]>([
  ['a parameter that is gone', { parameters: without('sort', base.parameters) as Promised['parameters'] }],
  ['a parameter that is required now', parameter('sort', { required: true })],
  ['a new parameter that is required', parameter('page', { in: 'query', required: true, schema: {} })],
  ['a choice that is gone', parameter('sort', { schema: { type: 'string', enum: ['Name'] } })],
  ['a smaller range', parameter('id', { schema: { type: 'integer', minimum: 2 } })],
  [
    'a field of the body that is gone',
    { body: { ...base.body, properties: without('Note', base.body!.properties) } as never },
  ],
  ['a field of the body that is required now', body({}, ['Name', 'Note'])],
  ['a shorter text', body({ Name: { type: 'string', maxLength: 50 } })],
  ['a text with a pattern', body({ Name: { type: 'string', maxLength: 100, pattern: '^A' } })],
  ['a field that takes no null', body({ Note: { type: 'string' } })],
  ['a shorter list', body({ Tags: { type: 'array', items: { type: 'string' }, maxItems: 4 } })],
  ['a list of something else', body({ Tags: { type: 'array', items: { type: 'integer' }, maxItems: 5 } })],
  ['no body any longer', { body: undefined }],
  ['a field of the answer that is gone', answer({ Parts: undefined as never })],
  ['a field of the answer that may be missing', answer({}, ['Id', 'State'])],
  [
    'a field of the answer that may be null',
    answer({ Id: { anyOf: [{ type: 'integer' }, { type: 'null' }] } }),
  ],
  ['a field of another type', answer({ Id: { type: 'string' } })],
  [
    'a field deep in the answer that is gone',
    answer({
      Parts: { type: 'array', items: { type: 'object', properties: { Width: { type: 'number' } } } },
    }),
  ],
  ['another status', { status: '204' }],
  ['another type of content', { answerType: 'text/csv' }],
  ['another right', { right: 'other.write' }],
  ['closed to keys', { right: undefined }],
])('breaks: %s', (_what, change) => {
  expect(breakingChanges(call(), call(change))).not.toEqual([])
})

test('breaks: a call that is gone', () => {
  expect(breakingChanges(call(), {})).toEqual(['POST /things is gone'])
})

test.each<[string, Partial<Promised>]>([
  ['nothing', {}],
  ['a new parameter', parameter('page', { in: 'query', required: false, schema: { type: 'integer' } })],
  [
    'a query name in other letter case',
    { parameters: { id: base.parameters.id!, Sort: base.parameters.sort! } },
  ],
  ['a new choice', parameter('sort', { schema: { type: 'string', enum: ['Name', 'Date', 'Size'] } })],
  ['a larger range', parameter('id', { schema: { type: 'integer' } })],
  ['a new field of the body', body({ Color: { type: 'string' } })],
  ['a field that need not be sent', body({}, [])],
  ['a longer text', body({ Name: { type: 'string', maxLength: 200 } })],
  ['a field that takes null too', body({ Name: { anyOf: [{ type: 'string' }, { type: 'null' }] } })],
  ['a new field of the answer', answer({ Size: { type: 'number' } })],
  ['a new word of the answer', answer({ State: { type: 'string', enum: ['open', 'closed', 'void'] } })],
  [
    'an integer where a number was',
    answer({
      Parts: {
        type: 'array',
        items: { type: 'object', properties: { Size: { type: 'integer' } }, required: ['Size'] },
      },
    }),
  ],
])('goes on: %s', (_what, change) => {
  expect(breakingChanges(call(), call(change))).toEqual([])
})
