import { createHash } from 'node:crypto'
import { addDays } from '#contract/core/calendar.ts'
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

interface Score {
  label: string
  value: number | null
  needsComment?: boolean
}
const agreement: readonly Score[] = [
  { label: 'Strongly disagree', value: 1, needsComment: true },
  { label: 'Disagree', value: 2, needsComment: true },
  { label: 'Neutral', value: 3 },
  { label: 'Agree', value: 4 },
  { label: 'Strongly agree', value: 5 },
  { label: 'N/A', value: null },
]
const independence: readonly Score[] = [
  { label: 'Needs help throughout', value: 1, needsComment: true },
  { label: 'Needs some help', value: 2 },
  { label: 'On their own', value: 3 },
]

interface Fib {
  text: string
  input: 'short' | 'long' | 'number' | 'date' | 'yesno' | 'choice'
  choices?: string[]
  isMandatory?: boolean
  answers: string[]
}
const aboutStudent: readonly Fib[] = [
  {
    text: 'What should be kept, what should change?',
    input: 'long',
    answers: [
      'Calm and careful with anxious patients.',
      'Ask for the next exam before the list is empty.',
      'Reliable in surgery, still slow with the portable unit.',
    ],
  },
  { text: 'Would you work with this student again?', input: 'yesno', isMandatory: true, answers: ['yes'] },
  {
    text: 'Where was most of the shift spent?',
    input: 'choice',
    choices: ['General rooms', 'Portable', 'Surgery', 'Emergency'],
    answers: ['General rooms', 'Portable', 'Surgery', 'Emergency'],
  },
  { text: 'Exams done under your eyes', input: 'number', answers: ['6', '9', '11', '14'] },
]
const aboutSite: readonly Fib[] = [
  {
    text: 'What would make this a better place to learn?',
    input: 'long',
    answers: ['More time in fluoroscopy.', 'A desk to write notes at.', 'Nothing; I would come back.'],
  },
]

interface Plan {
  title: string
  evaluator: string
  subject: string
  isAnonymous: boolean
  isActive: boolean
  formType: number
  category: string
  items: string[]
  /** Items asked by the second scale, in their own category. */
  skills?: string[]
  fibs: readonly Fib[]
  due: 'after_shift' | 'rotation_end'
  /** What the template adds to the usual: its rule, its reminders. */
  more?: Record<string, unknown>
}
interface MadeItem {
  id: number
  /** Score value ids with their values, lowest first; none for fill-in items. */
  scores: { id: number; value: number; share: number; isLow: boolean }[]
  fib: Fib | undefined
}

const scoreType = async (
  maker: Maker,
  programId: number,
  templateId: number,
  title: string,
  scores: readonly Score[],
  isDeleted = false,
) => {
  const id = await maker.add('score_type', {
    program_id: programId,
    template_id: templateId,
    title,
    deleted_at: isDeleted ? new Date(maker.now).toISOString() : null,
  })
  const values: {
    Id: number
    Label: string
    Value: number | null
    IsNotApplicable: boolean
    NeedsComment: boolean
  }[] = []
  for (const [index, { label, value, needsComment = false }] of scores.entries()) {
    const valueId = await maker.add('score_value', {
      program_id: programId,
      score_type_id: id,
      label,
      value,
      position: index + 1,
      is_not_applicable: value === null,
      needs_comment: needsComment,
    })
    values.push({
      Id: valueId,
      Label: label,
      Value: value,
      IsNotApplicable: value === null,
      NeedsComment: needsComment,
    })
  }
  return { Id: id, Title: title, IsDeleted: isDeleted, Values: values }
}

/** A template with everything in it, and its form as evaluations keep it when they are submitted. */
const template = async (maker: Maker, programId: number, plan: Plan) => {
  const stamp = new Date(maker.now).toISOString()
  const own = { program_id: programId }
  const instructions = '<p>Answer for this shift only. What you write is kept as you go.</p>'
  const id = await maker.add('evaluation_template', {
    ...own,
    title: plan.title,
    form_type_id: plan.formType,
    evaluator_role: plan.evaluator,
    subject_role: plan.subject,
    instructions,
    is_anonymous: plan.isAnonymous,
    due_rule: plan.due,
    due_days: 7,
    due_date: null,
    is_active: plan.isActive,
    is_automatic: false,
    automatic_from: null,
    make_on: 'shift',
    make_days: 0,
    make_each: 'shift',
    made_through: null,
    escalate_after: null,
    may_be_asked: false,
    ...plan.more,
    created_at: stamp,
    updated_at: stamp,
  })
  const inTemplate = { ...own, template_id: id }
  const scale = await scoreType(maker, programId, id, 'Agreement 1–5', agreement)
  const scales = plan.skills
    ? [scale, await scoreType(maker, programId, id, 'Independence 1–3', independence)]
    : [scale]
  await scoreType(
    maker,
    programId,
    id,
    'Pass or fail (2024)',
    [
      { label: 'Pass', value: 1 },
      { label: 'Fail', value: 0, needsComment: true },
    ],
    true,
  )
  const categories: { Id: number; Name: string }[] = []
  const category = async (name: string): Promise<number> => {
    const Id = await maker.add('evaluation_category', {
      ...inTemplate,
      name,
      position: categories.length + 1,
    })
    categories.push({ Id, Name: name })
    return Id
  }
  const group = await maker.add('item_group', { ...inTemplate, name: 'Core', is_mandatory: true })
  const kept: Record<string, unknown>[] = []
  const items: MadeItem[] = []
  const add = async (
    categoryId: number,
    text: string,
    type: typeof scale | undefined,
    isMandatory: boolean,
    more: { group?: number; fib?: Fib } = {},
  ): Promise<void> => {
    const { fib } = more
    const itemId = await maker.add('evaluation_item', {
      ...inTemplate,
      category_id: categoryId,
      kind: fib ? 'fib' : 'scored',
      position: kept.length + 1,
      text,
      score_type_id: type?.Id ?? null,
      group_id: more.group ?? null,
      input_type: fib?.input ?? null,
      choices: fib?.choices ?? [],
      is_mandatory: isMandatory,
    })
    kept.push({
      Id: itemId,
      CategoryId: categoryId,
      Kind: fib ? 'fib' : 'scored',
      Text: text,
      ScoreTypeId: type?.Id ?? null,
      GroupId: more.group ?? null,
      InputType: fib?.input ?? null,
      Choices: fib?.choices ?? [],
      IsMandatory: isMandatory,
    })
    items.push({
      id: itemId,
      scores: (type?.Values ?? []).flatMap(({ Id, Value, NeedsComment }, at, values) => {
        if (Value === null) return []
        const last = values.filter((each) => each.Value !== null).length - 1
        return [{ id: Id, value: Value, share: at / last, isLow: NeedsComment }]
      }),
      fib,
    })
  }
  const first = await category(plan.category)
  for (const [index, text] of plan.items.entries()) {
    await add(first, text, scale, index < 4, index < 3 ? { group } : {})
  }
  if (plan.skills) {
    const second = await category('Independence')
    for (const text of plan.skills) await add(second, text, scales[1], true)
  }
  const last = await category('Remarks')
  for (const fib of plan.fibs) await add(last, fib.text, undefined, fib.isMandatory ?? false, { fib })
  const content = {
    Title: plan.title,
    Instructions: instructions,
    IsAnonymous: plan.isAnonymous,
    ScoreTypes: scales,
    Groups: [{ Id: group, Name: 'Core', IsMandatory: true }],
    Categories: categories,
    Items: kept,
  }
  const form = await maker.add('evaluation_form', {
    ...inTemplate,
    hash: `\\x${createHash('sha256').update(JSON.stringify(content)).digest('hex')}`,
    content,
    made_at: stamp,
  })
  return { id, items, form, isAnonymous: plan.isAnonymous }
}

/** Site feedback is asked for since so many days ago. */
const feedbackDays = 14
const dayMs = 24 * 60 * 60 * 1_000

/** Templates with scored and fill-in items, and evaluations in every status: done, open, due soon and late. */
export const makeEvaluations = async (
  maker: Maker,
  { plan, students, supervisors, faculty, sites, duties }: MadeProgram,
): Promise<void> => {
  const { random, today } = maker
  const formTypeOf = (name: string, isShown: boolean) =>
    maker.add('form_type', { program_id: plan.id, name, view_on_form: isShown, deleted_at: null })
  const clinical = await formTypeOf('Clinical', true)
  const course = await formTypeOf('Course', true)
  const retired = await formTypeOf('Before 2025', false)
  const usual = { isAnonymous: false, isActive: true, due: 'after_shift' as const }
  const ofStudent = await template(maker, plan.id, {
    ...usual,
    title: 'Student performance',
    more: { may_be_asked: true, escalate_after: 14 },
    evaluator: 'supervisor',
    subject: 'student',
    formType: clinical,
    category: 'Competence',
    items: skill,
    skills: ['Radiographs of chest and abdomen', 'Radiographs of the extremities', 'Portable radiographs'],
    fibs: aboutStudent,
  })
  const ofSite = await template(maker, plan.id, {
    ...usual,
    title: 'Site and instructor',
    evaluator: 'student',
    subject: 'site',
    formType: clinical,
    category: 'Teaching',
    items: teaching,
    fibs: aboutSite,
  })
  const ofProgram = await template(maker, plan.id, {
    ...usual,
    title: 'Voice of the students',
    evaluator: 'anonymous',
    subject: 'program',
    isAnonymous: true,
    formType: course,
    category: 'Teaching',
    items: teaching,
    fibs: aboutSite,
    due: 'rotation_end',
  })
  await template(maker, plan.id, {
    ...usual,
    title: 'Student performance (2024)',
    evaluator: 'supervisor',
    subject: 'student',
    isActive: false,
    formType: retired,
    category: 'Competence',
    items: skill.slice(0, 4),
    fibs: aboutStudent.slice(0, 1),
  })

  const ofDays = await template(maker, plan.id, {
    ...usual,
    title: 'Site feedback',
    evaluator: 'student',
    subject: 'site',
    formType: clinical,
    category: 'Teaching',
    items: teaching,
    fibs: aboutSite,
    more: {
      is_automatic: true,
      automatic_from: addDays(today, -feedbackDays),
      make_each: 'site',
      made_through: today,
      escalate_after: 7,
    },
  })
  const ofRotation = await template(maker, plan.id, {
    ...usual,
    title: 'Rotation review',
    evaluator: 'faculty',
    subject: 'student',
    formType: clinical,
    category: 'Competence',
    items: skill,
    fibs: aboutStudent,
    due: 'rotation_end',
    more: {
      is_automatic: true,
      automatic_from: today,
      make_on: 'rotation_end',
      make_days: -7,
      make_each: 'rotation',
    },
  })
  await maker.put('evaluation_template_person', {
    program_id: plan.id,
    template_id: ofRotation.id,
    account_id: faculty,
  })

  const stamp = new Date(maker.now).toISOString()
  let handedIn = 0
  const evaluate = async (made: {
    form: typeof ofStudent
    evaluator: number | null
    subject: number | null
    site: number | null
    date: string
    isDone: boolean
    /** What it was made for, where its template makes it. */
    occasion?: { occasion: string; rotation_id: number; student_id: number }
  }): Promise<void> => {
    const { form, date, isDone } = made
    const submitted = isDone ? `${addDays(date, 2)}T${form.isAnonymous ? '00' : '16'}:00:00Z` : null
    const answers = form.items.map((item) => ({
      item,
      at: random.int(1, Math.max(1, item.scores.length - 1)),
    }))
    const scored = answers.flatMap(({ item, at }) => item.scores[at]?.value ?? [])
    const id = await maker.add('evaluation', {
      program_id: plan.id,
      template_id: form.id,
      evaluator_id: made.evaluator,
      subject_id: made.subject,
      site_id: made.site,
      date,
      end_date: addDays(date, 7),
      is_completed: isDone,
      submitted_at: submitted,
      total_score: isDone ? scored.reduce((sum, each) => sum + each, 0) / scored.length : null,
      form_id: isDone ? form.form : null,
      anonymous_number: isDone && form.isAnonymous ? ++handedIn : null,
      occasion: made.occasion?.occasion ?? null,
      rotation_id: made.occasion?.rotation_id ?? null,
      student_id: made.occasion?.student_id ?? null,
      created_at: stamp,
      updated_at: stamp,
    })
    if (!isDone) return
    for (const { item, at } of answers) {
      const given = item.scores[at]
      await maker.put('evaluation_answer', {
        program_id: plan.id,
        evaluation_id: id,
        item_id: item.id,
        score_value_id: given?.id ?? null,
        score: given?.value ?? null,
        scale_share: given?.share ?? null,
        is_low: given?.isLow ?? false,
        text: item.fib ? item.fib.answers[random.int(0, item.fib.answers.length - 1)] : null,
        comment: given && given.value < 3 && !item.fib ? 'Needs more practice with the portable unit.' : null,
        answered_at: submitted,
      })
    }
  }
  for (const [index, student] of students.entries()) {
    for (let n = 0; n < 5; n++) {
      const supervisor = supervisors[(index + n) % supervisors.length]!
      const site = supervisor.sites[n % supervisor.sites.length] ?? sites[0]!.id
      const date = addDays(today, -(n * 13 + (index % 9)))
      const isDone = n > 1 || (n === 1 && index % 4 !== 0)
      const at = { site, date, isDone }
      await evaluate({ ...at, form: ofStudent, evaluator: supervisor.id, subject: student.id })
      await evaluate({ ...at, form: ofSite, evaluator: student.id, subject: null })
    }
    if (index % 3 === 0) {
      const date = addDays(today, -(20 + (index % 40)))
      await evaluate({ form: ofProgram, evaluator: null, subject: null, site: null, date, isDone: true })
    }
  }
  // What the rule of "Site feedback" has made: one for each student and site, after the last shift there in the rotation.
  const last = new Map(
    duties.map((duty) => [`rotation:${duty.rotation}:site:${duty.shift.site.id} ${duty.student.id}`, duty]),
  )
  for (const [key, { student, rotation, shift, date, endsAt }] of last) {
    const age = Math.round((Date.parse(today) - Date.parse(date)) / dayMs)
    if (age > feedbackDays || Date.parse(endsAt) > maker.now) continue
    await evaluate({
      form: ofDays,
      evaluator: student.id,
      subject: null,
      site: shift.site.id,
      date,
      isDone: age > 4 && student.id % 3 > 0,
      occasion: {
        occasion: key.split(' ')[0] ?? '',
        rotation_id: rotation,
        student_id: student.id,
      },
    })
  }
}
