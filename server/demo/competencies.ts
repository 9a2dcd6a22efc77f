import { readFileSync } from 'node:fs'
import { isAlwaysDirectName } from '#contract/competencies/competency-rules.ts'
import { addDays } from '#contract/core/calendar.ts'
import type { MadeProcedure, Maker, ProgramPlan } from './maker.ts'

interface Planned {
  section: string
  name: string
  isMandatory: boolean
  logs: number
  mayBeSimulated: boolean
}

/** Commas that are not between quotation marks. */
const comma = /,(?=(?:[^"]*"[^"]*")*[^"]*$)/

/** What radiography asks: the file that a program would import. */
const radiography: readonly Planned[] = readFileSync(
  new URL('radiography-competencies.csv', import.meta.url),
  'utf8',
)
  .trim()
  .split(/\r?\n/)
  .slice(1)
  .map((line) => {
    const [section = '', name = '', mandatory, logs, simulation] = line
      .split(comma)
      .map((cell) => cell.replace(/^"|"$/g, ''))
    return {
      section,
      name,
      isMandatory: mandatory === 'Y',
      logs: Number(logs),
      mayBeSimulated: simulation === 'Y',
    }
  })

/** A small catalogue, as other programs begin with. */
const general: readonly Planned[] = ['Patient transfer', 'Hand hygiene'].map((name) => ({
  section: 'General patient care',
  name,
  isMandatory: true,
  logs: 3,
  mayBeSimulated: true,
}))

const electivesFrom: Readonly<Record<string, number>> = { Head: 1, 'Fluoroscopy Studies': 2 }
const levels = ['Observed', 'Assisted', 'Performed']
const careItems = [
  'Names the patient by two identifiers',
  'Keeps the patient safe',
  'Speaks with the patient',
]
const imagingItems = [
  'Confirms identity and the order',
  'Positions, aligns and centers',
  'Collimates and marks',
  'Chooses exposure and shields',
  'Judges the image',
  'Speaks with the patient',
]
const pathologies: Readonly<Record<string, readonly string[]>> = {
  'Chest Routine': ['Pneumonia', 'Pneumothorax', 'Pleural effusion', 'Cardiomegaly'],
  Ribs: ['Fracture'],
  Hand: ['Fracture', 'Foreign body', 'Arthritis'],
  Wrist: ['Colles fracture', 'Scaphoid fracture'],
  Knee: ['Osteoarthritis', 'Effusion', 'Fracture'],
  Hip: ['Femoral neck fracture', 'Osteoarthritis', 'Replacement'],
  'Lumbar Spine': ['Compression fracture', 'Spondylolisthesis', 'Scoliosis'],
  'Abdomen Supine': ['Obstruction', 'Free air', 'Kidney stone'],
  'Patient transfer': ['Fracture'],
}

/** The scores of exams: answers the score, and the value that items begin with. */
const makeScore = async (maker: Maker, program_id: number): Promise<{ score: number; initial: number }> => {
  const score = await maker.add('competency_score', { program_id, name: 'Competency exam', is_active: true })
  const values: number[] = []
  for (const [index, label] of ['Unsatisfactory', 'Satisfactory', 'Good'].entries())
    values.push(
      await maker.add('competency_score_value', {
        program_id,
        score_id: score,
        label,
        value: index + 1,
        position: index + 1,
        is_passing: index > 0,
      }),
    )
  return { score, initial: values.at(-1)! }
}

/** A term that is over and one that runs. */
const makeTermTargets = async (maker: Maker, program_id: number, list_id: number): Promise<void> => {
  const terms = [
    { name: 'Clinical I', from: -150, through: -61, exams: 3 },
    { name: 'Clinical II', from: -60, through: 40, exams: 8 },
  ]
  for (const { name, from, through, exams } of terms)
    await maker.add('competency_term_target', {
      program_id,
      list_id,
      name,
      cohort: null,
      from_date: addDays(maker.today, from),
      through_date: addDays(maker.today, through),
      exams,
    })
}

/** The competency list of a program with everything in it; radiography's is what its registry asks. Answers its procedures. */
export const makeCompetencies = async (
  maker: Maker,
  { id: program_id, field }: ProgramPlan,
  stamp: string,
): Promise<MadeProcedure[]> => {
  const isRadiography = field === 'Radiography'
  const year = Number(maker.today.slice(0, 4))
  const { score, initial } = await makeScore(maker, program_id)
  const list_id = await maker.add('competency_list', {
    program_id,
    name: isRadiography ? `ARRT Radiography ${year}` : `Competencies ${year}`,
    registry: isRadiography ? 'ARRT' : '',
    effective_on: `${year}-01-01`,
    is_for_others: true,
    electives_needed: isRadiography ? 15 : 0,
    most_simulated: 10,
    examiners: ['supervisor', 'faculty', 'coordinator'],
    visited_within_days: 0,
    retry_days: 1,
    recheck_months: 0,
    pediatric_max_age: 6,
    geriatric_min_age: 65,
    geriatric_needs_impairment: true,
    comment_below: 2,
    passing_percent: 75,
    created_at: stamp,
    updated_at: stamp,
  })
  if (isRadiography) await makeTermTargets(maker, program_id, list_id)
  const sections = new Map<string, { id: number; levels: number[] }>()
  const procedures: MadeProcedure[] = []
  for (const [index, planned] of (isRadiography ? radiography : general).entries()) {
    const { section, name } = planned
    const isCare = /patient care/i.test(section)
    let major = sections.get(section)
    if (major === undefined) {
      const major_study_id = await maker.add('major_study', {
        program_id,
        list_id,
        name: section,
        position: sections.size + 1,
        is_patient_care: isCare,
        electives_needed: electivesFrom[section] ?? 0,
      })
      major = { id: major_study_id, levels: [] }
      sections.set(section, major)
      for (const [at, level] of levels.entries())
        major.levels.push(
          await maker.add('participation_level', {
            program_id,
            major_study_id,
            name: level,
            position: at + 1,
            is_counted: at === levels.length - 1,
          }),
        )
    }
    const skill_id = await maker.add('skill', {
      program_id,
      major_study_id: major.id,
      name,
      position: index + 1,
      is_mandatory: planned.isMandatory,
      unlock_count: planned.logs,
      may_be_simulated: planned.mayBeSimulated,
      needs_lab_check: /Extremity|Spine/.test(section),
      is_always_direct: isAlwaysDirectName(`${section} ${name}`),
      created_at: stamp,
      updated_at: stamp,
    })
    procedures.push({ id: skill_id, isPatientCare: isCare, levels: major.levels })
    for (const [at, text] of (isCare ? careItems : imagingItems).entries())
      await maker.add('comp_exam_item', {
        program_id,
        skill_id,
        text,
        score_id: score,
        position: at + 1,
        is_critical: at === 0,
        default_value_id: at === 0 ? null : initial,
      })
    for (const [at, pathology] of (pathologies[name] ?? []).entries())
      await maker.add('pathology', { program_id, skill_id, name: pathology, position: at + 1 })
  }
  await maker.put('pathology_setting', { program_id, is_asked: 'optional', allows_other: true })
  return procedures
}
