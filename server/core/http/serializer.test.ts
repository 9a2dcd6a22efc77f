import { expect, test } from 'vitest'
import { z } from 'zod'
import { answerSerializer } from './serializer.ts'

const Part = z.object({ Name: z.string().nullable(), Count: z.number().int() })
const choices = {
  Text: [z.string().nullable(), ['a "quoted" text', null]],
  Number: [z.number().nullable(), [1.5, 0, null]],
  Whole: [z.number().int().nullable(), [-3, null]],
  Flag: [z.boolean().nullable(), [true, false, null]],
  Word: [z.enum(['one', 'two']).nullable(), ['one', null]],
  Insight: [z.union([z.literal(1), z.literal(2), z.literal('u')]), [1, 2, 'u']],
  InsightOrNone: [z.union([z.literal(1), z.literal('u')]).nullable(), [1, 'u', null]],
  Part: [Part.nullable(), [{ Name: null, Count: 2 }, null]],
  Parts: [z.array(Part).nullable(), [[{ Name: 'x', Count: 0 }], [], null]],
  Either: [
    z.union([
      z.object({ Kind: z.literal('a'), Text: z.string() }),
      z.object({ Kind: z.literal('b'), Count: z.number() }),
    ]),
    [
      { Kind: 'a', Text: 'x' },
      { Kind: 'b', Count: 4 },
    ],
  ],
} satisfies Record<string, [z.ZodType, unknown[]]>

for (const [name, [schema, values]] of Object.entries(choices))
  test(`writes ${name}, in a list and alone, as it is`, () => {
    for (const isStrict of [true, false]) {
      const write = answerSerializer(z.object({ Value: schema, Values: z.array(schema) }), isStrict)
      for (const Value of values)
        expect(JSON.parse(String(write({ Value, Values: values })))).toEqual({ Value, Values: values })
    }
  })

test('what is not declared never leaves, also inside of what may be null', () => {
  const write = answerSerializer(z.object({ Part: Part.nullable(), Text: z.string().nullable() }), false)
  const answer = { Part: { Name: 'x', Count: 1, Secret: 's' }, Text: null, Password: 'p' }
  expect(JSON.parse(String(write(answer)))).toEqual({ Part: { Name: 'x', Count: 1 }, Text: null })
})
