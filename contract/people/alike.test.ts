import { expect, test } from 'vitest'
import { AlikePeople } from './alike.ts'

const person = (FirstName: string, LastName: string, StudentNumber: string | null = null) => ({
  FirstName,
  LastName,
  StudentNumber,
})
const isAlike = (one: ReturnType<typeof person>, other: ReturnType<typeof person>) =>
  new AlikePeople([one]).find(other) !== undefined

test.each([
  ['Maria', 'Gonzales', 'María', 'González-Lopez'],
  ['Mary', 'Gonzalez', 'Maria', 'Gonzales'],
  ['Seán', 'O’Brien', 'sean', "O'BRIEN"],
  ['Alex', 'Reyes Montoya', 'Alexander', 'Reyes-Montoya'],
  ['Jon', 'Petersen', 'Jonathan', 'Peterson'],
  ['Madonna', '', '', 'Madonna'],
])('%s %s may be %s %s', (first, last, otherFirst, otherLast) => {
  const [one, other] = [person(first, last), person(otherFirst, otherLast)]
  expect([isAlike(one, other), isAlike(other, one)]).toEqual([true, true])
})

test.each([
  ['Maria', 'Gonzales', 'Marcus', 'Gonzales'],
  ['Ana', 'Lee', 'Ana', 'Lea'],
  ['Kim', 'Tran', 'Tim', 'Tran'],
  ['Maria', 'Lopez', 'Maria', 'Gomez'],
  ['', '', '', ''],
])('%s %s is not %s %s', (first, last, otherFirst, otherLast) => {
  const [one, other] = [person(first, last), person(otherFirst, otherLast)]
  expect([isAlike(one, other), isAlike(other, one)]).toEqual([false, false])
})

test('two student IDs are two people, one says nothing', () => {
  expect(isAlike(person('Ana', 'Cruz', 'S-1'), person('Ana', 'Cruz', 'S-2'))).toBe(false)
  expect(isAlike(person('Ana', 'Cruz', 's-1'), person('Ana', 'Cruz', 'S-1'))).toBe(true)
  expect(isAlike(person('Ana', 'Cruz', 'S-1'), person('Ana', 'Cruz'))).toBe(true)
})
