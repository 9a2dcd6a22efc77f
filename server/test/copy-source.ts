import type pg from 'pg'
import { type MadeProgram, makeRotation, makeRow, makeShift, makeSite } from './factories.ts'

/** One of everything that can be copied, two of what may share a name. */
export const fillProgram = async (owner: pg.Pool, source: MadeProgram): Promise<void> => {
  const make = async (table: string, row: Record<string, unknown>): Promise<number> =>
    (await makeRow(owner, table, { program_id: source.Id, ...row })).id
  const score = await make('competency_score', { name: 'Exam scale' })
  const pass = await make('competency_score_value', { score_id: score, label: 'Pass', value: 1, position: 1 })
  await make('competency_score_value', {
    score_id: score,
    label: 'Fail',
    value: 0,
    position: 2,
    is_passing: false,
  })
  const list = await make('competency_list', {
    name: 'Radiography 2027',
    effective_on: '2027-01-01',
    is_for_others: true,
  })
  const major = await make('major_study', { list_id: list, name: 'Chest', position: 1 })
  const level = await make('participation_level', {
    major_study_id: major,
    name: 'Observed',
    position: 1,
    is_counted: false,
  })
  const skill = await make('skill', { major_study_id: major, name: 'PA view', position: 1, unlock_count: 3 })
  await owner.query('insert into skill_participation_level values ($1, $2, $3)', [source.Id, skill, level])
  const item = { skill_id: skill, text: 'Positions', score_id: score }
  await make('comp_exam_item', { ...item, position: 1, default_value_id: pass })
  await make('comp_exam_item', { ...item, position: 2, is_critical: true })
  await make('pathology', { skill_id: skill, name: 'Pneumonia', position: 1 })
  await owner.query("insert into pathology_setting values ($1, 'required', false)", [source.Id])
  const area = await make('area', { name: 'Imaging' })
  const site = await makeSite(owner, source, {
    name: 'Harbor',
    code: 'HB',
    area_id: area,
    external_location_id: 'EXT-1',
    notes: 'Ask for the key',
  })
  await make('site_contact', { site_id: site.Id, name: 'Ann' })
  await make('site_department', { site_id: site.Id, name: 'CT' })
  await make('site_network', { site_id: site.Id, name: 'Wards', range: '10.1.0.0/16' })
  await makeShift(owner, source, { site, code: 'HB-D' })
  const rotation = await makeRotation(owner, source, { name: 'Clinical I' })
  await make('rotation_level', { rotation_id: rotation.Id, level_id: 2 })
  await make('rotation_area', { rotation_id: rotation.Id, area_id: area })
  const formType = await make('form_type', { name: 'Clinical', view_on_form: false })
  for (const nth of [1, 2]) {
    const template = await make('evaluation_template', {
      title: 'Performance',
      form_type_id: formType,
      evaluator_role: 'supervisor',
      subject_role: 'student',
      due_days: nth,
      is_shown_to_subject: false,
    })
    await make('evaluation_template_level', { template_id: template, level_id: 2 })
    const type = await make('score_type', { template_id: template, title: 'Scale', deleted_at: '2026-01-01' })
    await make('score_value', { score_type_id: type, label: 'Good', value: nth, position: 1 })
    const category = await make('evaluation_category', { template_id: template, name: 'Care', position: 1 })
    const group = await make('item_group', { template_id: template, name: 'Core', is_mandatory: true })
    const own = { template_id: template, category_id: category, position: 1 }
    await make('evaluation_item', {
      ...own,
      kind: 'scored',
      text: 'Kind',
      score_type_id: type,
      group_id: group,
    })
    await make('evaluation_item', {
      ...own,
      kind: 'fib',
      text: 'Why',
      input_type: 'choice',
      choices: ['a', 'b'],
    })
    await make('evaluation_item', {
      ...own,
      kind: 'fib',
      text: 'Gone',
      input_type: 'long',
      deleted_at: '2026-01-01',
    })
  }
  await make('day_off', { name: 'Holiday', start_date: '2026-12-24', end_date: '2026-12-26' })
  await make('requirement', { name: 'CPR', blocks_placement: true })
  await make('program_menu_item', { menu_item_id: 72, link_order: 5, link_name: 'Fields' })
  await owner.query("insert into program_menu (program_id, version, nodes) values ($1, 7, '[]')", [source.Id])
  const { id } = await makeRow(owner, 'language_profile', { name: `Words ${source.Id}` })
  await owner.query('update program set options = $2, language_profile_id = $3 where id = $1', [
    source.Id,
    { VisualizeFirst: true },
    id,
  ])
}
