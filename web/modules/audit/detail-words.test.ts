import { expect, test } from 'vitest'
import { plainWords } from '#web/words/plain-words.ts'
import { factsOf } from './detail-words.ts'

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
