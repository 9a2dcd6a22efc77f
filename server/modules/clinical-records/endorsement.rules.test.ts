import { expect, test } from 'vitest'
import { endorsement } from './endorsement.rules.ts'

const competency = {
  Study: 'Thorax',
  Procedure: 'Chest Routine',
  IsMandatory: true,
  PassedOn: '2026-10-02',
  IsSimulated: false,
  Patient: 'geriatric' as const,
  Examiner: 'Tess Lindgren',
  Credential: 'R.T.(R)',
}
const check = { Done: 1, Needed: 36, IsMet: false }

test('an endorsement counts what the registry asks, and says who signed it and what was not met', () => {
  const made = endorsement(
    {
      FirstName: 'Ada',
      LastName: 'Adams',
      StudentNumber: 'A-1',
      Program: 'Radiography',
      College: 'Harbor College',
      Cohort: '2027',
      GraduatedOn: null,
      ApprovedMinutes: 90,
      TargetMinutes: 600,
      Rotations: [],
      Competencies: [
        competency,
        { ...competency, Procedure: 'Arthrography', IsMandatory: false, IsSimulated: true },
      ],
      Evaluations: null,
      Requirements: null,
    },
    {
      Id: 1,
      Name: 'Dora Reyes',
      SignedOn: '2027-05-14',
      Text: 'Cleared.',
      Exception: 'One elective is open.',
      Checks: { Hours: check, Mandatory: check, Electives: { ...check, Needed: 15 }, Requirements: check },
    },
    { by: 'Cora', at: 'today' },
  )
  expect(made.lines).toEqual([
    'Candidate: Ada Adams · ID A-1',
    'Program: Radiography · Harbor College',
    'Clinical hours: 1.5 of 10.0',
    'Mandatory competencies: 1 of 36 · Electives: 1 of 15 · Simulated: 1',
    'Cleared.',
    'Exception: One elective is open.',
    'Signed by Dora Reyes, program director, on 05/14/2027',
  ])
  expect(made.rows).toEqual([
    ['Chest Routine', 'Thorax', '10/02/2026', 'Geriatric', 'Tess Lindgren, R.T.(R)'],
    ['Arthrography (elective)', 'Thorax', '10/02/2026', 'Simulated', 'Tess Lindgren, R.T.(R)'],
  ])
})
