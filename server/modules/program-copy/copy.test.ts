import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { type CopyCode, copyCodes, copyProgram } from '#contract/programs/program-copy.ts'
import { fillProgram } from '#server/test/copy-source.ts'
import { type MadeProgram, makePerson, makeProgram, makeRow, makeSite } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
let source: MadeProgram
let destination: MadeProgram
let superAdmin: Caller

beforeAll(async () => {
  installation = await startInstallation()
  superAdmin = await installation.as(await makePerson(installation.owner, Level.SuperAdmin))
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  source = await makeProgram(installation.owner)
  destination = await makeProgram(installation.owner)
})

const make = async (table: string, row: Record<string, unknown>, program = source): Promise<number> =>
  (await makeRow(installation.owner, table, { program_id: program.Id, ...row })).id
const copy = (dataTypes: CopyCode[]) =>
  superAdmin.ok(copyProgram, {
    query: { sourceProgramId: source.Id, destinationProgramId: destination.Id, dataTypes },
  })
const call = (query: object) => superAdmin.call(copyProgram, { query: query as never })
const rows = async (text: string, program = destination) =>
  (await installation.owner.query(text, [program.Id])).rows

const tables = [
  'competency_score',
  'competency_score_value',
  'competency_list',
  'major_study',
  'participation_level',
  'skill',
  'skill_participation_level',
  'comp_exam_item',
  'pathology',
  'pathology_setting',
  'student_level',
  'area',
  'site',
  'site_contact',
  'site_department',
  'site_network',
  'site_shift',
  'rotation',
  'rotation_level',
  'rotation_area',
  'form_type',
  'evaluation_template',
  'evaluation_template_level',
  'score_type',
  'score_value',
  'evaluation_category',
  'item_group',
  'evaluation_item',
  'day_off',
  'requirement',
  'program_menu_item',
  'program_menu',
]
const counts = async (program: MadeProgram) =>
  Object.fromEntries(
    (
      await rows(
        tables
          .map((table) => `select '${table}' as name, count(*) from ${table} where program_id = $1`)
          .join(' union all '),
        program,
      )
    ).map(({ name, count }) => [name, Number(count)]),
  )

const fill = () => fillProgram(installation.owner, source)

test('D3-262 D3-173 everything is copied in one call, and a second one doubles nothing', async () => {
  await fill()
  const expected = await counts(source)
  // What is deleted stays behind.
  expected.evaluation_item! -= 2
  expect((await copy([...copyCodes])).Copied.map(({ Code }) => Code).toSorted()).toEqual(
    [...copyCodes].toSorted(),
  )
  expect(await counts(destination)).toEqual(expected)
  expect(Object.values(expected)).not.toContain(0)
  const again = await copy([...copyCodes])
  expect(again.Copied.filter(({ Count }) => Count > 0)).toEqual([])
  expect(await counts(destination)).toEqual(expected)
})

test('what is copied refers to the destination’s own rows and keeps its values', async () => {
  await fill()
  await copy([...copyCodes])
  expect(
    await rows(
      `select s.name, s.notes, s.external_location_id, a.name as area, h.code, n.range::text from site s
        join area a on a.program_id = s.program_id and a.id = s.area_id
        join site_shift h on h.program_id = s.program_id and h.site_id = s.id
        join site_network n on n.program_id = s.program_id and n.site_id = s.id where s.program_id = $1`,
    ),
  ).toEqual([
    {
      name: 'Harbor',
      notes: 'Ask for the key',
      external_location_id: 'EXT-1',
      area: 'Imaging',
      code: 'HB-D',
      range: '10.1.0.0/16',
    },
  ])
  expect(
    await rows(
      `select t.due_days, f.name as type, f.view_on_form, l.level_id, i.text, v.value, g.is_mandatory, s.deleted_at is not null as is_deleted,
          t.is_shown_to_subject
        from evaluation_template t
        join form_type f on f.program_id = t.program_id and f.id = t.form_type_id
        join evaluation_template_level l on l.program_id = t.program_id and l.template_id = t.id
        join evaluation_item i on i.program_id = t.program_id and i.template_id = t.id and i.kind = 'scored'
        join item_group g on g.program_id = i.program_id and g.id = i.group_id and g.template_id = t.id
        join score_type s on s.program_id = i.program_id and s.id = i.score_type_id and s.template_id = t.id
        join score_value v on v.program_id = s.program_id and v.score_type_id = s.id
        where t.program_id = $1 order by t.id`,
    ),
  ).toEqual(
    [1, 2].map((nth) => ({
      due_days: nth,
      type: 'Clinical',
      view_on_form: false,
      level_id: 2,
      text: 'Kind',
      value: nth,
      is_mandatory: true,
      is_deleted: true,
      is_shown_to_subject: false,
    })),
  )
  expect(
    await rows(
      `select l.name as list, l.is_for_others, m.name as major, k.name as skill, k.unlock_count, e.text, s.name as score,
          v.label as initial, p.name as pathology
        from skill k join major_study m on m.program_id = k.program_id and m.id = k.major_study_id
        join competency_list l on l.program_id = m.program_id and l.id = m.list_id
        join comp_exam_item e on e.program_id = k.program_id and e.skill_id = k.id
        join competency_score s on s.program_id = e.program_id and s.id = e.score_id
        join competency_score_value v on v.program_id = e.program_id and v.id = e.default_value_id
        join pathology p on p.program_id = k.program_id and p.skill_id = k.id where k.program_id = $1 order by e.id limit 1`,
    ),
  ).toEqual([
    {
      list: 'Radiography 2027',
      is_for_others: true,
      major: 'Chest',
      skill: 'PA view',
      unlock_count: 3,
      text: 'Positions',
      score: 'Exam scale',
      initial: 'Pass',
      pathology: 'Pneumonia',
    },
  ])
  const [own] = await rows(
    'select options, language_profile_id is not null as has_words from program where id = $1',
  )
  expect(own).toEqual({ options: { VisualizeFirst: true }, has_words: true })
  const [menu] = await rows('select version, nodes from program_menu where program_id = $1')
  expect(menu).toEqual({ version: 1, nodes: [] })
})

test('D3-205 what an entry needs is copied with it, whoever asks', async () => {
  await fill()
  const { Copied } = await copy(['co1'])
  expect(Copied).toEqual([
    { Code: 'ma1', Count: 2 },
    { Code: 'ma20', Count: 1 },
    { Code: 'se1', Count: 1 },
    { Code: 'se2', Count: 2 },
    { Code: 'co1', Count: 2 },
  ])
})

test('what the destination has under the same name stays as it is and takes the copy’s place', async () => {
  await fill()
  const area = await make('area', { name: 'IMAGING', is_active: false }, destination)
  const site = await makeSite(installation.owner, destination, {
    name: 'Harbour',
    code: 'X',
    external_location_id: 'EXT-1',
  })
  const template = await make(
    'evaluation_template',
    { title: 'performance', evaluator_role: 'faculty', subject_role: 'student' },
    destination,
  )
  const category = await make(
    'evaluation_category',
    { template_id: template, name: 'Own', position: 1 },
    destination,
  )
  await make(
    'evaluation_item',
    {
      template_id: template,
      category_id: category,
      kind: 'fib',
      position: 1,
      text: 'Own',
      input_type: 'long',
    },
    destination,
  )
  await installation.owner.query('delete from student_level where program_id = $1', [destination.Id])
  await make('student_level', { id: 2, name: 'Other' }, destination)
  await copy([...copyCodes])
  expect(await rows('select id, name, is_active from area where program_id = $1')).toEqual([
    { id: area, name: 'IMAGING', is_active: false },
  ])
  expect(await rows('select id, name, area_id from site where program_id = $1')).toEqual([
    { id: site.Id, name: 'Harbour', area_id: null },
  ])
  expect(await rows('select site_id from site_shift where program_id = $1')).toEqual([{ site_id: site.Id }])
  // Level 2 is taken there by another one: the source's gets the next free number, and keeps its templates.
  expect(await rows('select id, name from student_level where program_id = $1 order by id')).toEqual([
    { id: 1, name: 'Level 1' },
    { id: 2, name: 'Other' },
    { id: 3, name: 'Level 2' },
  ])
  expect(
    await rows(
      `select t.evaluator_role, array_agg(i.text order by i.id) as items, min(l.level_id) as level from evaluation_template t
        join evaluation_item i on i.program_id = t.program_id and i.template_id = t.id
        left join evaluation_template_level l on l.program_id = t.program_id and l.template_id = t.id
        where t.program_id = $1 group by t.id, t.evaluator_role order by t.id`,
    ),
  ).toEqual([
    { evaluator_role: 'faculty', items: ['Own'], level: null },
    { evaluator_role: 'supervisor', items: ['Kind', 'Why'], level: 3 },
  ])
})

test('parts may follow later: templates first, their scores and items in a second copy', async () => {
  await fill()
  await copy(['et1'])
  expect((await counts(destination)).score_type).toBe(0)
  await copy(['et2'])
  await copy(['et2'])
  expect(await counts(destination)).toMatchObject({ score_type: 2, score_value: 2, evaluation_item: 0 })
  await copy(['et3'])
  expect(await counts(destination)).toMatchObject({
    score_type: 2,
    evaluation_category: 2,
    evaluation_item: 4,
  })
})

test('D3-201 D3-202 both programs, two different ones, and a data type are needed', async () => {
  const both = { sourceProgramId: source.Id, destinationProgramId: destination.Id }
  const wrong: [object, number, string][] = [
    [{ destinationProgramId: destination.Id, dataTypes: ['ar1'] }, 400, 'sourceProgramId'],
    [{ sourceProgramId: source.Id, dataTypes: ['ar1'] }, 400, 'destinationProgramId'],
    [both, 400, 'dataTypes'],
    [{ ...both, dataTypes: ['zz9'] }, 400, 'dataTypes.0'],
    [{ ...both, destinationProgramId: source.Id, dataTypes: ['ar1'] }, 422, 'destinationProgramId'],
  ]
  for (const [query, expected, field] of wrong) {
    const { status, body } = await call(query)
    expect(status, field).toBe(expected)
    expect((body as any).Errors[0].Field).toBe(field)
    if (expected === 422) expect((body as any).Message).toBe('Programs must not match')
  }
  await installation.owner.query('update program set deleted_at = now() where id = $1', [destination.Id])
  expect((await call({ ...both, dataTypes: ['ar1'] })).status).toBe(404)
})

test('a copy is in the audit of the destination; two at once add everything once', async () => {
  await fill()
  const expected = await counts(source)
  await Promise.all([copy(['et1', 'et3', 'si1']), copy(['et1', 'et3', 'si1'])])
  expect(await counts(destination)).toMatchObject({
    site: expected.site,
    evaluation_template: expected.evaluation_template,
    evaluation_category: expected.evaluation_category,
  })
  const [entry] = await rows(
    "select detail from audit where program_id = $1 and action = 'POST /programs/copies' order by id limit 1",
  )
  expect(entry.detail).toMatchObject({ From: source.Id, To: destination.Id })
})

test('only super admins copy', async () => {
  const admin = await installation.as(await makePerson(installation.owner, Level.Admin, { program: source }))
  const query = {
    sourceProgramId: source.Id,
    destinationProgramId: destination.Id,
    dataTypes: ['ar1' as const],
  }
  expect((await admin.call(copyProgram, { query })).status).toBe(403)
})
