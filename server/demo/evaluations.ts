import { addDays } from './calendar.ts'
import type { MadeProgram, Maker } from './maker.ts'

const teaching = [
  'The instructor explained positioning before each exam.',
  'I received feedback on the day it was needed.',
  'Radiation protection was practiced without exception.',
  'The equipment let me practice what this course asks for.',
  'I was part of the team.',
]
const skill = [
  'Verifies the patient’s identity and the request.',
  'Explains the exam to the patient.',
  'Positions the patient correctly.',
  'Selects exposure factors.',
  'Protects patient, staff and visitors.',
  'Judges the quality of the images.',
]

const score = async (
  maker: Maker,
  programId: number,
  templateId: number,
): Promise<{ type: number; values: number[] }> => {
  const type = await maker.add('score_type', {
    program_id: programId,
    template_id: templateId,
    title: 'Agreement 1–5',
  })
  const values: number[] = []
  for (const [index, label] of [
    'Strongly disagree',
    'Disagree',
    'Neutral',
    'Agree',
    'Strongly agree',
  ].entries()) {
    values.push(
      await maker.add('score_value', {
        program_id: programId,
        score_type_id: type,
        label,
        value: index + 1,
        position: index + 1,
        is_not_applicable: false,
        needs_comment: index < 2,
      }),
    )
  }
  await maker.add('score_value', {
    program_id: programId,
    score_type_id: type,
    label: 'N/A',
    value: null,
    position: 6,
    is_not_applicable: true,
    needs_comment: false,
  })
  return { type, values }
}

const template = async (
  maker: Maker,
  programId: number,
  row: {
    title: string
    evaluator: string
    subject: string
    isAnonymous: boolean
    items: string[]
    formType: number
  },
) => {
  const stamp = new Date(maker.now).toISOString()
  const id = await maker.add('evaluation_template', {
    program_id: programId,
    title: row.title,
    form_type_id: row.formType,
    evaluator_role: row.evaluator,
    subject_role: row.subject,
    instructions: '<p>Answer for this shift only. What you write is kept as you go.</p>',
    is_anonymous: row.isAnonymous,
    due_rule: 'after_shift',
    due_days: 7,
    due_date: null,
    is_active: true,
    created_at: stamp,
    updated_at: stamp,
  })
  const { type, values } = await score(maker, programId, id)
  const category = await maker.add('evaluation_category', {
    program_id: programId,
    template_id: id,
    name: row.subject === 'student' ? 'Competence' : 'Teaching',
    position: 1,
  })
  const remarks = await maker.add('evaluation_category', {
    program_id: programId,
    template_id: id,
    name: 'Remarks',
    position: 2,
  })
  const group = await maker.add('item_group', {
    program_id: programId,
    template_id: id,
    name: 'Core',
    is_mandatory: true,
  })
  const items: number[] = []
  for (const [index, text] of row.items.entries()) {
    items.push(
      await maker.add('evaluation_item', {
        program_id: programId,
        template_id: id,
        category_id: category,
        kind: 'scored',
        position: index + 1,
        text,
        score_type_id: type,
        group_id: index < 3 ? group : null,
        input_type: null,
        choices: [],
        is_mandatory: index < 4,
      }),
    )
  }
  const fib = await maker.add('evaluation_item', {
    program_id: programId,
    template_id: id,
    category_id: remarks,
    kind: 'fib',
    position: 20,
    text: 'What should be kept, what should change?',
    score_type_id: null,
    group_id: null,
    input_type: 'long',
    choices: [],
    is_mandatory: false,
  })
  return { id, items, values, fib }
}

/** Templates with scored and fill-in items, and evaluations in every status: done, open, due soon and late. */
export const makeEvaluations = async (
  maker: Maker,
  { plan, students, supervisors, sites }: MadeProgram,
): Promise<void> => {
  const { random, today } = maker
  const formType = await maker.add('form_type', { program_id: plan.id, name: 'Clinical', view_on_form: true })
  const ofStudent = await template(maker, plan.id, {
    title: 'Student performance',
    evaluator: 'supervisor',
    subject: 'student',
    isAnonymous: false,
    items: skill,
    formType,
  })
  const ofSite = await template(maker, plan.id, {
    title: 'Site and instructor',
    evaluator: 'student',
    subject: 'site',
    isAnonymous: false,
    items: teaching,
    formType,
  })
  const stamp = new Date(maker.now).toISOString()
  for (const [index, student] of students.entries()) {
    for (let n = 0; n < 5; n++) {
      const supervisor = supervisors[(index + n) % supervisors.length]!
      const site = supervisor.sites[n % supervisor.sites.length] ?? sites[0]!.id
      const age = n * 13 + (index % 9)
      const date = addDays(today, -age)
      const isDone = n > 1 || (n === 1 && index % 4 !== 0)
      for (const made of [
        { form: ofStudent, evaluator: supervisor.id, subject: student.id },
        { form: ofSite, evaluator: student.id, subject: null },
      ]) {
        const scores = made.form.items.map(() => random.int(2, 5))
        const submitted = isDone ? `${addDays(date, 2)}T16:00:00Z` : null
        const id = await maker.add('evaluation', {
          program_id: plan.id,
          template_id: made.form.id,
          evaluator_id: made.evaluator,
          subject_id: made.subject,
          site_id: site,
          date,
          end_date: addDays(date, 7),
          is_completed: isDone,
          submitted_at: submitted,
          signed_name: isDone ? 'Signed' : '',
          total_score: isDone ? scores.reduce((sum, each) => sum + each, 0) / scores.length : null,
          created_at: stamp,
          updated_at: stamp,
        })
        if (!isDone) continue
        for (const [at, item] of made.form.items.entries()) {
          const value = scores[at]!
          await maker.put('evaluation_answer', {
            program_id: plan.id,
            evaluation_id: id,
            item_id: item,
            score_value_id: made.form.values[value - 1],
            text: null,
            comment: value < 3 ? 'Needs more practice with the portable unit.' : null,
            answered_at: submitted,
          })
        }
        await maker.put('evaluation_answer', {
          program_id: plan.id,
          evaluation_id: id,
          item_id: made.form.fib,
          score_value_id: null,
          text: 'Calm and careful with anxious patients.',
          comment: null,
          answered_at: submitted,
        })
      }
    }
  }
}
