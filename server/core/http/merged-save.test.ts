import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { basedSave, fieldsOf, marksIn, readFields } from '#contract/core/basis.ts'
import { endpoint } from '#contract/core/endpoint.ts'
import { withKeptRows } from './kept-rows.ts'
import { mergedSave } from './merged-save.ts'

const names = ['Name', 'City', 'Beds', 'AreaIds'] as const
const Row = z.strictObject({ Id: z.number(), Name: z.string(), Phone: z.string() })
const fields = {
  Name: z.string(),
  City: z.string().nullable(),
  Beds: z.number(),
  AreaIds: z.array(z.number()),
}
const read = endpoint({
  method: 'GET',
  path: '/wards/:wardId',
  may: 'signed-in',
  summary: 'A ward',
  answer: z.object({ ...fields, Rows: z.array(Row), Placed: z.number() }),
})
const save = endpoint({
  method: 'POST',
  path: '/wards/:wardId',
  may: 'signed-in',
  summary: 'Change a ward',
  body: z.strictObject({
    ...fields,
    Rows: z.array(Row),
    Seen: z.strictObject({ Rows: z.array(Row.partial()) }).optional(),
  }),
  basis: { read, rows: { Rows: ['Id'] } },
})

const merge = (seen: object, mine: object, theirs: object) => {
  const { match, body } = basedSave(save, mine, seen)
  // A based save with known fields says what each was seen with.
  const marks = marksIn(match)!
  const known = readFields(save.basis!, theirs, fieldsOf(save, body))
  const merged = mergedSave(save, { raw: body, parsed: body }, known, marks)
  const kept = withKeptRows(save, merged.body, theirs, () => false)
  return {
    conflicts: [...merged.conflicts, ...kept.conflicts],
    body: kept.body as Record<string, unknown>,
  }
}

const few = fc.nat(2)
const ward = fc.record({
  Name: few.map((number) => `Ward ${number}`),
  City: fc.constantFrom(null, 'Salem', 'Lynn'),
  Beds: few,
  AreaIds: fc.subarray([1, 2]),
  Rows: fc.constant([]),
  Placed: few,
})
const text = (value: unknown) => JSON.stringify(value)

test('each field is mine where only I changed it, theirs where only they did, and in conflict where both did, each otherwise', () => {
  fc.assert(
    fc.property(ward, ward, ward, (seen, { Placed: _, ...mine }, theirs) => {
      const { conflicts, body } = merge(seen, mine, theirs)
      const isIn = (name: (typeof names)[number]) => {
        const [before, my, their] = [seen, mine, theirs].map((each) => text(each[name]))
        return my !== before && their !== before && my !== their
      }
      expect(conflicts).toEqual(names.filter(isIn))
      for (const name of names.filter((each) => !isIn(each)))
        expect(body[name]).toEqual(text(mine[name]) === text(seen[name]) ? theirs[name] : mine[name])
      expect(body).not.toHaveProperty('Placed')
    }),
  )
})

test('nothing and an empty text are the same: a form that shows nothing as an empty text has changed nothing', () => {
  const seen = { Name: 'Ward', City: null, Beds: 1, AreaIds: [], Rows: [], Placed: 0 }
  const { Placed: _, ...mine } = { ...seen, City: '', Beds: 2 }
  expect(merge(seen, mine, { ...seen, City: 'Salem' })).toMatchObject({
    conflicts: [],
    body: { City: 'Salem', Beds: 2 },
  })
})

const row = (Id: number) =>
  fc.record({ Id: fc.constant(Id), Name: fc.constantFrom('a', 'b'), Phone: fc.constantFrom('1', '2') })
const rows = fc
  .tuple(...[1, 2, 3].map((Id) => fc.option(row(Id))))
  .map((all) => all.filter((each) => each !== null))

test('rows are merged by key: added, removed and changed by either stays so; what one removed and the other changed is in conflict', () => {
  const rest = { Name: 'Ward', City: null, Beds: 1, AreaIds: [] }
  fc.assert(
    fc.property(rows, rows, rows, (before, mine, theirs) => {
      const { conflicts, body } = merge(
        { ...rest, Rows: before },
        { ...rest, Rows: mine },
        { ...rest, Rows: theirs },
      )
      let isInConflict = false
      const expected: unknown[] = []
      for (const Id of [1, 2, 3]) {
        const [old, my, their] = [before, mine, theirs].map((all) => all.find((each) => each.Id === Id))
        // Rows of the same key that both have added: the one that is sent counts, as nobody says what it was seen as.
        if (!old) expected.push(...[my ?? their].filter((each) => each !== undefined))
        else if (!my || !their) {
          const left = my ?? their
          if (left && text(left) !== text(old)) isInConflict = true
        } else {
          const merged: Record<string, unknown> = { Id }
          for (const name of ['Name', 'Phone'] as const) {
            const isMine = my[name] !== old[name]
            if (isMine && their[name] !== old[name] && my[name] !== their[name]) isInConflict = true
            merged[name] = isMine ? my[name] : their[name]
          }
          expected.push(merged)
        }
      }
      expect(conflicts).toEqual(isInConflict ? ['Rows'] : [])
      if (isInConflict) return
      const byId = (one: any, other: any) => one.Id - other.Id
      expect((body.Rows as unknown[]).toSorted(byId)).toEqual(expected)
    }),
    { numRuns: 500 },
  )
})
