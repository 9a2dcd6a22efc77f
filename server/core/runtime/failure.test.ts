import { expect, test } from 'vitest'
import { failure, failures, missingAmong } from '#contract/core/failure.ts'
import { sentence, text } from '#contract/language/texts.ts'
import { Failure, fail, refuseMissing } from './failure.ts'

const shiftFailures = failures({
  full: failure(409, { en: '{Shift} is full.', es: '{Shift} está lleno.' }),
  over: failure(409, { en: 'It is over.', es: 'Ya pasó.', code: 'closed' }),
  refused: failure(422, { en: '{Why} Nothing was saved.', es: '{Why} No se guardó nada.' }),
  no_shifts: missingAmong('shifts'),
})

test('a failure is answered in the language of its reader, with its values beside it', () => {
  const thrown = fail(shiftFailures.full, { Shift: 'Day' }, 'ShiftId')
  expect(thrown.message).toBe('Day is full.')
  expect(thrown.body('en')).toEqual({
    Message: 'Day is full.',
    Code: 'full',
    Errors: [{ Field: 'ShiftId', Message: 'Day is full.' }],
    Values: { Shift: 'Day' },
  })
  expect(thrown.body('es')).toMatchObject({
    Message: 'Day está lleno.',
    Errors: [{ Message: 'Day está lleno.' }],
    Values: { Shift: 'Day' },
  })
})

test('its code is its name, or the one that it shares; what it tells besides is there as it is', () => {
  const thrown = fail(shiftFailures.over, { extra: { Left: 0 }, retryAfterSeconds: 5 })
  expect(thrown.body('es')).toEqual({ Message: 'Ya pasó.', Code: 'closed', Left: 0 })
  expect(thrown).toMatchObject({ status: 409, retryAfterSeconds: 5 })
})

test('a reason within it is said in the same language', () => {
  const Why = sentence(text('It is late.', 'Es tarde.'))
  const thrown = new Failure(sentence(shiftFailures.refused, { Why }), 'Date')
  expect(thrown.body('en').Message).toBe('It is late. Nothing was saved.')
  expect(thrown.body('es')).toMatchObject({
    Message: 'Es tarde. No se guardó nada.',
    Values: { Why: 'Es tarde.' },
  })
})

test('a list that names what is not there says the first ten, and all of them beside it', () => {
  const wanted = Array.from({ length: 13 }, (_, index) => index + 1)
  expect(refuseMissing(shiftFailures.no_shifts, [1, 2], [1, 2])).toBeUndefined()
  try {
    refuseMissing(shiftFailures.no_shifts, wanted, [13])
    expect.unreachable()
  } catch (error) {
    const body = (error as Failure).body('es')
    expect(body).toMatchObject({ Code: 'not_found', Missing: wanted.slice(0, 12) })
    expect(body.Message).toMatch(/: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 y 2 más\. No se cambió nada\./)
    expect((error as Failure).message).toMatch(
      /do not exist, .*: 1, 2, .*10 and 2 more\. Nothing was changed\./,
    )
  }
})

test('Spanish has to fill in what English does, and a throw gives each value', () => {
  // Types are asked, and nothing is thrown.
  const refused = () => [
    // @ts-expect-error Spanish leaves the shift out
    failure(409, { en: '{Shift} is full.', es: 'Está lleno.' }),
    // @ts-expect-error the shift is missing
    fail(shiftFailures.full),
    // @ts-expect-error there is nothing to fill in
    fail(shiftFailures.over, { Shift: 'Day' }),
  ]
  expect(refused).toBeTypeOf('function')
})
