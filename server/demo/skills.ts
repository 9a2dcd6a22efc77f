import type { MadeSite, Maker, ProgramPlan } from './maker.ts'

/** Employees of the first sites, and somebody who gets copies of emails. */
export const makeEmployees = async (
  maker: Maker,
  plan: ProgramPlan,
  sites: readonly MadeSite[],
  { reader, stamp }: { reader: number; stamp: string },
): Promise<void> => {
  for (const [index, [first, last]] of (
    [
      ['Helen', 'Abernathy'],
      ['Marcus', 'Castellane'],
      ['Yolanda', 'Whitfield'],
    ] as const
  ).entries())
    await maker.add('employee', {
      program_id: plan.id,
      site_id: sites[index % sites.length]!.id,
      first_name: first,
      last_name: last,
      email: `${first}.${last}@example.org`.toLowerCase(),
      dob: null,
      hash: `${plan.id.toString(16).padStart(8, '0')}${index.toString(16).padStart(24, '0')}`,
      num_arrt: String(410_200 + index),
      registry_number: `R-${1001 + index}`,
      created_at: stamp,
      updated_at: stamp,
    })
  await maker.add('notification_copy', {
    program_id: plan.id,
    account_id: reader,
    area_id: null,
    created_at: stamp,
  })
}

/** A small catalogue of skills, as a program begins with. */
export const makeSkills = async (maker: Maker, { id: program_id }: ProgramPlan): Promise<void> => {
  const score_id = await maker.add('competency_score', { program_id, name: 'Competency exam' })
  for (const [index, label] of ['Fail', 'Pass', 'Pass with distinction'].entries())
    await maker.add('competency_score_value', {
      program_id,
      score_id,
      label,
      value: index,
      position: index + 1,
      is_passing: index > 0,
    })
  const major_study_id = await maker.add('major_study', { program_id, name: 'General care', position: 1 })
  for (const [index, name] of ['Observed', 'Assisted', 'Performed'].entries())
    await maker.add('participation_level', {
      program_id,
      major_study_id,
      name,
      position: index + 1,
      is_counted: index > 0,
    })
  for (const [index, name] of ['Patient transfer', 'Hand hygiene'].entries()) {
    const skill_id = await maker.add('skill', {
      program_id,
      major_study_id,
      name,
      position: index + 1,
      is_mandatory: true,
      unlock_count: 3,
    })
    for (const [at, text] of ['Names the patient by two identifiers', 'Keeps the patient safe'].entries())
      await maker.add('comp_exam_item', { program_id, skill_id, text, score_id, position: at + 1 })
    await maker.add('pathology', { program_id, skill_id, name: 'Fracture', position: 1 })
  }
  await maker.put('pathology_setting', { program_id, is_asked: 'optional', allows_other: true })
}
