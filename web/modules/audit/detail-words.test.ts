import { expect, test } from 'vitest'
import { plainWords } from '#web/words/plain-words.ts'
import { factsOf, lineOf } from './detail-words.ts'

test('an entry of the audit is told in words: no field names, codes, brackets or bare ids', () => {
  const facts = factsOf(plainWords, 'America/New_York', {
    programId: 4,
    Revision: 3,
    studentLevelId: 12,
    IsActive: true,
    LastRenewalDate: '2026-03-09',
    DecidedAt: '2026-03-09T14:05:00Z',
    Entries: [71, 72, 73],
    Names: ['Ada', 'Ben'],
    Note: null,
    Fields: ['StudentNumber', 'EmailAddress'],
    ByKey: { Id: 9, Name: 'Registrar' },
    WrittenReason: 'Asked by the dean',
  })
  expect(facts).toEqual([
    ['Student level', 'no. 12'],
    ['Is active', 'Yes'],
    ['Last renewal date', '03/09/2026'],
    ['Decided at', '03/09/2026 10:05'],
    ['Entries', '3'],
    ['Names', 'Ada, Ben'],
    ['Note', '–'],
    ['Fields', 'Student number, Email address'],
    ['Key', 'Name: Registrar'],
    ['Reason given', 'Asked by the dean'],
  ])
})

test('a change of a time record says in one line which one, and what from and to', () => {
  const Before = { Type: 'Clock in', Date: '2026-03-09', Time: '07:03', Site: 'Harbor', Status: 'pending' }
  const line = (Detail: Record<string, unknown>, Names = {}, Action = 'POST /x') =>
    lineOf(plainWords, 'America/New_York', { Action, Detail, Names })
  expect(line({ Records: [Before], Before, After: { ...Before, Time: '07:30' }, Reason: 'Late' })).toBe(
    'Clock in, 03/09/2026 07:03, Harbor, pending · Time: 07:03 → 07:30',
  )
  const done = { Type: 'Exception', Date: '2026-03-09', Time: '07:00', EndTime: '15:00', Hours: '8:00' }
  expect(line({ Records: [done, done], Reason: 'No.' })).toBe(
    'Exception, 03/09/2026 07:00 – 15:00, 8:00 h; Exception, 03/09/2026 07:00 – 15:00, 8:00 h',
  )
  // Numbers are called by what they are of, wherever they stand.
  expect(
    line(
      { Removed: 1, Before: [{ StudentId: 4, SiteShiftId: 9 }], SiteIds: [3, 8] },
      { 'person 4': 'Ada Okafor', 'shift 9': 'D1, Harbor', 'site 3': 'Harbor', 'site 8': 'Mercy' },
    ),
  ).toBe('Removed: 1 · Before: Student: Ada Okafor · Site shift: D1, Harbor · Site: Harbor; Mercy')
  expect(line({ RequirementId: 5, Note: null }, { 'requirement 5': 'CPR card' })).toBe(
    'Requirement: CPR card',
  )
  expect(line({ Records: [Before] }, {}, 'GET /x')).toBe('')
})
