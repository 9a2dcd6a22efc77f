import { expect, test } from 'vitest'
import { findRequests, type PlacingNames } from './assignments-import.rules.ts'

const names: PlacingNames = {
  students: [
    {
      id: 1,
      number: 'A-100',
      userName: 'amara',
      email: 'amara@example.org',
      firstName: 'Amara',
      lastName: 'Okoye',
    },
  ],
  rotations: [
    { id: 10, name: 'Clinical I', startDate: '2026-09-01', endDate: '2026-12-18' },
    { id: 11, name: 'Clinical II', startDate: '2026-09-01', endDate: '2026-12-18' },
    { id: 12, name: 'Clinical II', startDate: '2027-01-11', endDate: '2027-05-07' },
  ],
  shifts: [{ id: 20, code: 'HGH-D1', siteCode: 'HGH', site: 'Harbor General' }],
}
const cells = { Student: 'A-100', Rotation: 'Clinical I', Shift: 'HGH-D1', Date: '2026-11-19' }
const find = (...rows: Record<string, string | undefined>[]) =>
  findRequests(
    rows.map((values, index) => ({ line: index + 2, values: { ...cells, ...values } as never })),
    { Student: 'Who', Shift: 'Shift code' } as never,
    names,
  )

test('names are found without regard to case and blanks', () => {
  expect(find({ Rotation: ' clinical  i ', Shift: 'hgh-d1' })).toEqual({
    requests: [{ line: 2, StudentId: 1, RotationId: 10, SiteShiftId: 20, Date: '2026-11-19' }],
    errors: [],
  })
})

test('of rotations with the same name the one counts that runs on the date, its first and last day included', () => {
  const rotationOn = (date: string) => find({ Rotation: 'Clinical II', Date: date }).requests[0]?.RotationId
  expect(rotationOn('2026-09-01')).toBe(11)
  expect(rotationOn('2026-12-18')).toBe(11)
  expect(rotationOn('2027-01-11')).toBe(12)
  expect(rotationOn('2026-12-19')).toBeUndefined()
  expect(find({ Rotation: 'Clinical II', Date: '2026-12-19' }).errors).toEqual([
    {
      Row: 2,
      Column: 'Rotation',
      Message: '2 rotations are called Clinical II, and not one of them alone runs on this date.',
    },
  ])
})

test('a rotation of its name alone counts on every date: whether it runs is a rule of placement', () => {
  expect(find({ Date: '2027-03-01' }).requests).toHaveLength(1)
})

test('a site next to the shift may be its code or its name, and has to be its own', () => {
  for (const Site of ['hgh', 'Harbor General']) expect(find({ Site }).errors).toEqual([])
  const { requests, errors } = find({ Site: 'Lakeview' })
  expect(requests).toEqual([])
  expect(errors).toEqual([
    { Row: 2, Column: 'Site', Message: 'HGH-D1 is a shift of Harbor General, not of Lakeview.' },
  ])
})

test('what is not known is told at its cell, each for itself, and such a row is left out', () => {
  const { requests, errors } = find({ Student: 'nobody', Rotation: 'Clinical IX', Shift: 'X1' }, {})
  expect(requests.map(({ line }) => line)).toEqual([3])
  expect(errors).toEqual([
    { Row: 2, Column: 'Who', Message: '“nobody” is not an active student of this program.' },
    { Row: 2, Column: 'Rotation', Message: '“Clinical IX” is not a rotation of this program.' },
    { Row: 2, Column: 'Shift code', Message: '“X1” is not a shift of this program.' },
  ])
})

test('a row with a cell that could not be read is told already and says nothing more', () => {
  for (const cell of ['Student', 'Rotation', 'Shift', 'Date'])
    expect(find({ [cell]: undefined }), cell).toEqual({ requests: [], errors: [] })
})

test('the same student, shift and date twice is told at the second row, which is left out', () => {
  const { requests, errors } = find({}, { Student: 'amara' }, { Date: '2026-11-20' })
  expect(requests.map(({ line }) => line)).toEqual([2, 4])
  expect(errors).toEqual([
    { Row: 3, Column: 'Who', Message: 'Duplicate student, shift and date (also in row 2).' },
  ])
})
