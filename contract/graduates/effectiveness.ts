import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { DateOnly, Id, InProgram, Line, RequiredLine, SeenRows, Text } from '#contract/core/fields.ts'
import { profileKeys } from './measure-profiles.ts'
import { measureKinds, partReasons, partStates, populations, successes, targets } from './measures-rules.ts'

export const maxMeasures = 20
export const maxEnteredYears = 30

const Year = z.number().int().min(1950).max(2099)
const Percent = z.number().min(0).max(100)
const People = z.number().int().min(0).max(100_000)

const totals = {
  Year,
  /** Both or none; they go before what is counted. */
  Numerator: People.nullable(),
  Denominator: People.nullable(),
  /** The nation's mean in percent. */
  Mean: Percent.nullable(),
}
const YearTotals = z
  .strictObject(totals)
  .refine(({ Numerator, Denominator }) => (Numerator === null) === (Denominator === null), {
    path: ['Denominator'],
    message: 'belongs to the other figure',
  })
  .refine(
    ({ Numerator, Denominator }) => Numerator === null || Denominator === null || Numerator <= Denominator,
    { path: ['Numerator'], message: 'must not be above those who count' },
  )

const allOf = <const G extends Record<string, readonly string[]>>(groups: G) =>
  // Zod wants a tuple; the list is made of the groups, so its type is given here.
  z.enum(Object.values(groups).flat() as unknown as [G[keyof G][number]])

const rules = {
  Kind: z.enum(measureKinds),
  Success: allOf(successes),
  Population: allOf(populations),
  WithinMonths: z.number().int().min(1).max(120).nullable(),
  Years: z.number().int().min(1).max(10),
  Target: z.enum(targets),
  Threshold: Percent.nullable(),
  /** Measures with the same text are alternatives: one of them is enough. */
  Alternative: z.string(),
  /** Fewer people than this are not published; 0 publishes all. */
  FewestShown: z.number().int().min(0).max(50),
  IsPublished: z.boolean(),
}

const MeasureInput = z
  .strictObject({
    Name: RequiredLine(100),
    ...rules,
    Alternative: Line(50),
    Entered: z.array(YearTotals).max(maxEnteredYears),
  })
  .superRefine(({ Kind, Success, Population, Target, Threshold, Entered }, context) => {
    const tell = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message })
    const has = (group: readonly string[], value: string) => group.includes(value)
    if (!has(successes[Kind], Success)) tell('Success', 'does not fit the kind of measure')
    if (!has(populations[Kind], Population)) tell('Population', 'does not fit the kind of measure')
    if ((Target === 'threshold') !== (Threshold !== null))
      tell('Threshold', Target === 'threshold' ? 'is required' : 'must be empty')
    if (new Set(Entered.map((each) => each.Year)).size < Entered.length)
      tell('Entered', 'must name each year once')
  })
export type MeasureInput = z.output<typeof MeasureInput>

const settings = {
  /** Whether everybody can read the page of the program's results. */
  IsPublic: z.boolean(),
  /** Above the figures on that page. */
  Introduction: z.string(),
}

export const EffectivenessInput = z.strictObject({
  ...settings,
  Introduction: Text(4000),
  /** A measure, and a year entered for it, goes that was seen and is not sent. */
  Measures: z.array(MeasureInput).max(maxMeasures),
  Seen: z
    .strictObject({
      Measures: SeenRows({ Name: z.string(), ...rules, Entered: SeenRows(totals) }),
    })
    .optional(),
})
export type EffectivenessInput = z.output<typeof EffectivenessInput>

const Count = z.number().int()
const Rate = z.number().nullable()
const Pooled = z.object({ From: Year, Through: Year, Numerator: Count, Denominator: Count, Rate }).nullable()

export const MeasureWithResult = z.object({
  Id,
  Name: z.string(),
  ...rules,
  Entered: z.array(
    z.object({ Year, Numerator: Count.nullable(), Denominator: Count.nullable(), Mean: Rate }),
  ),
  Result: z.object({
    Years: z.array(
      z.object({
        Year,
        Numerator: Count,
        Denominator: Count,
        /** Of a placement measure: graduates of whom no work is known. They count only once their window is over. */
        Unknown: Count,
        Rate,
        IsOpen: z.boolean(),
        IsEntered: z.boolean(),
        Mean: Rate,
      }),
    ),
    Pooled,
    Against: Rate,
    IsMet: z.boolean().nullable(),
  }),
})
export type MeasureWithResult = z.infer<typeof MeasureWithResult>

export const Effectiveness = z.object({
  Today: DateOnly,
  ...settings,
  /** In their order. */
  Measures: z.array(MeasureWithResult),
  /** Graduates without an exam, and without a placement: who has to be asked. */
  WithoutExam: Count,
  WithoutPlacement: Count,
})
export type Effectiveness = z.infer<typeof Effectiveness>

export const getEffectiveness = endpoint({
  method: 'GET',
  path: '/programs/:programId/effectiveness',
  may: 'graduates.read',
  summary: 'Pass, placement and completion rates as the accreditor asks, with the numbers behind them',
  params: InProgram,
  answer: Effectiveness,
})

/** A person behind a rate: whether and why they count. */
export const RatePerson = z.object({
  Name: z.string(),
  Cohort: z.string(),
  /** In which they count; null without the day that says it. */
  Year: Year.nullable(),
  State: z.enum(partStates),
  Reason: z.enum(partReasons).nullable(),
  /** Of the years that the rate counts together. */
  IsInRate: z.boolean(),
})
export type RatePerson = z.infer<typeof RatePerson>

export const listMeasurePeople = endpoint({
  method: 'GET',
  path: '/programs/:programId/effectiveness/measures/:measureId/people',
  may: 'graduates.read',
  summary:
    'Who counts in a measure, who does not, and why; the latest year first. Totals that are entered for a year name nobody',
  params: z.strictObject({ programId: Id, measureId: Id }),
  answer: z.array(RatePerson),
})

export const saveEffectiveness = endpoint({
  method: 'POST',
  path: '/programs/:programId/effectiveness',
  may: 'effectiveness.write',
  summary: 'Set the measures, totals that are entered for years, and the public page',
  params: InProgram,
  body: EffectivenessInput,
  answer: Effectiveness,
  basis: { read: getEffectiveness, rows: { Measures: ['Name'], 'Measures.Entered': ['Year'] } },
})

export const startFromProfile = endpoint({
  method: 'POST',
  path: '/programs/:programId/effectiveness/profile',
  may: 'effectiveness.write',
  summary:
    'Put the measures of an accreditor in place of the present ones; totals entered for years go with them',
  params: InProgram,
  body: z.strictObject({ Profile: z.enum(profileKeys) }),
  answer: Effectiveness,
  basis: { read: getEffectiveness },
})

export const exportEffectiveness = endpoint({
  method: 'GET',
  path: '/programs/:programId/effectiveness/export',
  isHeavy: true,
  may: 'graduates.read',
  summary: 'The measures by year as a file',
  params: InProgram,
  query: z.strictObject({ Format: z.enum(['csv', 'xlsx', 'pdf']).default('xlsx') }),
  answers: 'file',
})

/** What everybody may see: no person, and no figure of fewer people than the program hides. */
export const PublishedOutcomes = z.object({
  Program: z.string(),
  College: z.string(),
  Introduction: z.string(),
  Measures: z.array(
    z.object({
      Name: z.string(),
      Kind: z.enum(measureKinds),
      Success: rules.Success,
      Population: rules.Population,
      WithinMonths: rules.WithinMonths,
      Target: rules.Target,
      Against: Rate,
      FewestShown: rules.FewestShown,
      Years: z.array(z.object({ Year, Numerator: Count.nullable(), Denominator: Count.nullable(), Rate })),
      Pooled,
    }),
  ),
})
export type PublishedOutcomes = z.infer<typeof PublishedOutcomes>

export const getPublishedOutcomes = endpoint({
  method: 'GET',
  path: '/published-outcomes/:program',
  may: 'everyone',
  summary: 'The results that a program publishes',
  params: z.strictObject({ program: Id }),
  answer: PublishedOutcomes,
  errors: { 404: 'the program publishes none' },
})
