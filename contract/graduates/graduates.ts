import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import {
  DateOnly,
  Id,
  InProgram,
  Line,
  PageOf,
  paging,
  RequiredLine,
  Sort,
  Text,
  Written,
} from '#contract/core/fields.ts'
import { examResults, placements, withdrawalReasons } from './measures-rules.ts'

export const ExamResult = z.enum(examResults)
export const WithdrawalReason = z.enum(withdrawalReasons)
export const Placement = z.enum(placements)

/** Where somebody is who entered the program. */
export const graduateStates = ['graduated', 'enrolled', 'withdrew'] as const

const facts = {
  EnteredOn: DateOnly.nullable(),
  GraduatedOn: DateOnly.nullable(),
  WithdrewOn: DateOnly.nullable(),
  WithdrawalReason: WithdrawalReason.nullable(),
  FirstAttemptOn: DateOnly.nullable(),
  FirstAttemptResult: ExamResult.nullable(),
  PassedOn: DateOnly.nullable(),
  HighCutOn: DateOnly.nullable(),
  Placement: Placement.nullable(),
  StartedWorkOn: DateOnly.nullable(),
}

/** A person who entered the program, whether they have graduated, have left or are still in it; with or without an account. */
export const Graduate = z.object({
  Id,
  /** The account of the person, where there is one still. */
  UserId: Id.nullable(),
  FirstName: z.string(),
  LastName: z.string(),
  StudentNumber: z.string(),
  Cohort: z.string(),
  /** Such as 'ARRT (R)'. */
  Exam: z.string(),
  Notes: z.string(),
  ...facts,
})
export type Graduate = z.infer<typeof Graduate>

type Problem = [path: keyof typeof facts, message: string]

/** What does not fit together in the dates and results of a person; the first of each field. */
export const problemsOf = (person: Pick<Graduate, keyof typeof facts>): Problem[] => {
  const problems: Problem[] = []
  const tell = (isWrong: boolean, path: Problem[0], message: string) => {
    if (isWrong) problems.push([path, message])
  }
  const { EnteredOn, GraduatedOn, WithdrewOn, FirstAttemptOn, FirstAttemptResult, PassedOn, HighCutOn } =
    person
  const isBefore = (date: string | null, other: string | null) =>
    date !== null && other !== null && date < other
  tell(isBefore(GraduatedOn, EnteredOn), 'GraduatedOn', 'must not be before the day of entry')
  tell(isBefore(WithdrewOn, EnteredOn), 'WithdrewOn', 'must not be before the day of entry')
  tell(WithdrewOn !== null && GraduatedOn !== null, 'WithdrewOn', 'must be empty for a graduate')
  tell(
    (WithdrewOn === null) !== (person.WithdrawalReason === null),
    'WithdrawalReason',
    'belongs to a withdrawal',
  )
  tell(
    (FirstAttemptOn === null) !== (FirstAttemptResult === null),
    'FirstAttemptResult',
    'belongs to the first attempt',
  )
  const first = FirstAttemptResult ?? 'failed'
  tell(
    first !== 'failed' && PassedOn !== FirstAttemptOn,
    'PassedOn',
    'is the day of the first attempt, which was passed',
  )
  tell(PassedOn !== null && FirstAttemptOn === null, 'PassedOn', 'needs the first attempt')
  tell(
    first === 'failed' && isBefore(PassedOn, FirstAttemptOn),
    'PassedOn',
    'must not be before the first attempt',
  )
  tell(
    first === 'high' && HighCutOn !== FirstAttemptOn,
    'HighCutOn',
    'is the day of the first attempt, which reached it',
  )
  tell(HighCutOn !== null && PassedOn === null, 'HighCutOn', 'needs the day of passing')
  tell(isBefore(HighCutOn, PassedOn), 'HighCutOn', 'must not be before the day of passing')
  tell(
    person.StartedWorkOn !== null && person.Placement !== 'field' && person.Placement !== 'otherField',
    'StartedWorkOn',
    'belongs to a job',
  )
  tell(person.Placement !== null && GraduatedOn === null, 'Placement', 'belongs to a graduate')
  return problems
}

/** What cannot have happened yet on a day: graduations, withdrawals and exam results; the first of each field. */
export const futureOf = (
  person: Pick<Graduate, 'GraduatedOn' | 'WithdrewOn' | 'FirstAttemptOn' | 'PassedOn' | 'HighCutOn'>,
  today: string,
): Problem[] =>
  (['GraduatedOn', 'WithdrewOn', 'FirstAttemptOn', 'PassedOn', 'HighCutOn'] as const)
    .filter((path) => (person[path] ?? today) > today)
    .map((path) => [path, 'must not be in the future'])

export const GraduateInput = z
  .strictObject({
    FirstName: Written('name', RequiredLine(100)),
    LastName: Written('name', RequiredLine(100)),
    StudentNumber: Line(50).default(''),
    Cohort: Line(100).default(''),
    Exam: Line(100).default(''),
    Notes: Text(2000).default(''),
    ...facts,
  })
  .superRefine((input, context) => {
    for (const [path, message] of problemsOf(input))
      context.addIssue({ code: 'custom', path: [path], message })
  })
export type GraduateInput = z.output<typeof GraduateInput>

const oneGraduate = z.strictObject({ programId: Id, graduateId: Id })

const filter = {
  State: z.enum(graduateStates).optional(),
  /** The year of graduation. */
  Year: z.number().int().min(1950).max(2099).optional(),
  Cohort: z.string().max(100).optional(),
  /** Graduates of whom something is missing that the measures ask: an exam, or a placement. */
  Missing: z.enum(['exam', 'placement']).optional(),
  search: Line(100).default(''),
  sort: Sort(['Name', 'Cohort', 'EnteredOn', 'GraduatedOn', 'FirstAttemptOn']).default('Name'),
}
const GraduateFilter = z.strictObject(filter)
export type GraduateFilter = z.output<typeof GraduateFilter>

export const listGraduates = endpoint({
  method: 'GET',
  path: '/programs/:programId/graduates',
  may: 'graduates.read',
  summary: 'A page of those who entered the program, with what became of them',
  params: InProgram,
  query: z.strictObject({ ...paging, ...filter }),
  answer: PageOf(Graduate),
})

export const exportGraduates = endpoint({
  method: 'GET',
  path: '/programs/:programId/graduates/export',
  proof: 'file',
  isHeavy: true,
  mayBePrepared: true,
  mayBeBehind: true,
  may: 'graduates.read',
  summary: 'Those who entered the program, as a file',
  params: InProgram,
  query: z.strictObject({ ...filter, Format: z.enum(['csv', 'xlsx']).default('xlsx') }),
  answers: 'file',
})

export const createGraduate = endpoint({
  method: 'POST',
  path: '/programs/:programId/graduates',
  may: 'graduates.write',
  summary: 'Add a person who entered the program',
  params: InProgram,
  body: GraduateInput,
  answer: Graduate,
})

export const addClass = endpoint({
  method: 'POST',
  path: '/programs/:programId/graduates/class',
  may: 'graduates.write',
  summary: 'Add everybody of a cohort who is not among the graduates yet, with the same dates',
  params: InProgram,
  body: z
    .strictObject({ Cohort: RequiredLine(100), EnteredOn: DateOnly, GraduatedOn: DateOnly.nullable() })
    .refine(({ EnteredOn, GraduatedOn }) => GraduatedOn === null || GraduatedOn >= EnteredOn, {
      path: ['GraduatedOn'],
      message: 'must not be before the day of entry',
    }),
  /** Those who had a row before keep it as it is. */
  answer: z.object({ Added: z.number().int(), Known: z.number().int() }),
  errors: { 422: 'nobody is in the cohort' },
})

export const getGraduate = endpoint({
  method: 'GET',
  path: '/programs/:programId/graduates/:graduateId',
  may: 'graduates.read',
  summary: 'One person who entered the program',
  params: oneGraduate,
  answer: Graduate,
})

export const updateGraduate = endpoint({
  method: 'POST',
  path: '/programs/:programId/graduates/:graduateId',
  may: 'graduates.write',
  summary: 'Change what is known of a person who entered the program',
  params: oneGraduate,
  body: GraduateInput,
  answer: Graduate,
  basis: { read: getGraduate },
})

export const deleteGraduate = endpoint({
  method: 'DELETE',
  path: '/programs/:programId/graduates/:graduateId',
  proof: true,
  may: 'graduates.write',
  summary: 'Delete the row of a person; it can be restored',
  params: oneGraduate,
})

export const restoreGraduate = endpoint({
  method: 'POST',
  path: '/programs/:programId/graduates/:graduateId/restoration',
  may: 'graduates.write',
  summary: 'Bring a deleted row back',
  params: oneGraduate,
  answer: Graduate,
  errors: { 409: 'the person has been added again in the meantime' },
})
