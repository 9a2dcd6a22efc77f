import { addDays } from '#contract/core/calendar.ts'
import { profiles } from '#contract/graduates/measure-profiles.ts'
import type { Placement } from '#contract/graduates/measures-rules.ts'
import type { Maker, ProgramPlan } from './maker.ts'
import { firstNames, lastNames } from './names.ts'
import { randomFrom } from './random.ts'

const profileOf: Record<string, keyof typeof profiles> = {
  'Diagnostic Medical Sonography': 'jrcdms',
  'Respiratory Care': 'coarc',
  Nursing: 'acen',
}
const exams: Record<string, string> = {
  Radiography: 'ARRT (R)',
  'Diagnostic Medical Sonography': 'RDMS',
  'Respiratory Care': 'TMC',
  Nursing: 'NCLEX-RN',
}

const classes = 6
const classSize = 14

/** Columns are called as the fields are: `WithinMonths` is `within_months`. */
const inColumns = (fields: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name.replace(/(?!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase(),
      value,
    ]),
  )

/** Six classes that have left the program, with their exams and first jobs, and the measures of the program's accreditor. */
export const makeGraduates = async (maker: Maker, plan: ProgramPlan): Promise<void> => {
  const random = randomFrom(plan.id * 7919)
  const stamp = new Date(maker.now).toISOString()
  // The exam of respiratory care has two cut scores.
  const hasTwoCuts = plan.field === 'Respiratory Care'
  const thisYear = Number(maker.today.slice(0, 4))
  for (let back = classes; back >= 1; back--) {
    const year = thisYear - back
    for (let n = 0; n < classSize; n++) {
      const row = {
        program_id: plan.id,
        first_name: random.pick(firstNames),
        last_name: random.pick(lastNames),
        student_number: `G${year}${String(n + 1).padStart(3, '0')}`,
        cohort: String(year),
        entered_on: `${year - 2}-08-22`,
        graduated_on: null as string | null,
        withdrew_on: null as string | null,
        withdrawal_reason: null as string | null,
        exam: '',
        first_attempt_on: null as string | null,
        first_attempt_result: null as string | null,
        passed_on: null as string | null,
        high_cut_on: null as string | null,
        placement: null as string | null,
        started_work_on: null as string | null,
        notes: '',
        created_at: stamp,
        updated_at: stamp,
      }
      if (random.chance(0.14)) {
        row.withdrew_on = addDays(row.entered_on, random.int(40, 420))
        row.withdrawal_reason = random.pick(['academic', 'financial', 'family', 'changedField'])
      } else {
        const graduated = `${year}-05-${random.chance(0.9) ? '16' : '30'}`
        row.graduated_on = graduated
        row.exam = exams[plan.field] ?? 'Registry'
        if (random.chance(0.94)) {
          const tested = addDays(graduated, random.int(20, 150))
          row.first_attempt_on = tested
          row.first_attempt_result = random.chance(0.85)
            ? hasTwoCuts && random.chance(0.6)
              ? 'high'
              : 'passed'
            : 'failed'
          if (row.first_attempt_result === 'failed') row.passed_on = addDays(tested, 60)
          else row.passed_on = tested
          if (row.first_attempt_result === 'high') row.high_cut_on = tested
        }
        // The latest class has not all been asked.
        if (back > 1 || random.chance(0.7)) {
          const placement: Placement = random.pick([
            ...(['field', 'field', 'field', 'field', 'field', 'field', 'field'] as const),
            'seeking',
            'education',
            'otherField',
            'unreachable',
          ])
          row.placement = placement
          if (placement === 'field') row.started_work_on = addDays(graduated, random.int(10, 200))
        }
      }
      await maker.add('graduate', row)
    }
  }
  const { measures } = profiles[profileOf[plan.field] ?? 'jrcert']
  for (const [position, measure] of measures.entries()) {
    const id = await maker.add('outcome_measure', {
      program_id: plan.id,
      position,
      is_published: true,
      ...inColumns(measure),
    })
    if (measure.Target === 'mean')
      for (let back = classes; back >= 1; back--)
        await maker.put('outcome_year', {
          program_id: plan.id,
          measure_id: id,
          year: thisYear - back,
          numerator: null,
          denominator: null,
          mean: 86 + back / 2,
        })
  }
  if (plan.suffix !== undefined)
    await maker.put('published_outcomes', {
      program_id: plan.id,
      is_public: true,
      introduction: 'Results of the program as its accreditor asks. Questions: program office, room 204.',
      updated_at: stamp,
    })
}
