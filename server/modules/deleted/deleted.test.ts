import { afterAll, beforeAll, expect, test } from 'vitest'
import * as areas from '#contract/areas/areas.ts'
import { Level } from '#contract/core/levels.ts'
import { DeletedKind, exportDeleted, listDeleted } from '#contract/deleted/deleted.ts'
import { type Restore, restores } from '#contract/deleted/restores.ts'
import { deleteDocumentCategory } from '#contract/documents/documents.ts'
import { deleteEmployee, restoreEmployee } from '#contract/people/employees.ts'
import { mergeAccounts } from '#contract/people/merging.ts'
import { deleteSite, listSites, restoreSite, updateSite } from '#contract/sites/sites.ts'
import { generate } from '#server/demo/generate.ts'
import { makePerson, makeProgram, makeRow, makeSite, makeStudent } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { sourceOf } from './deleted.queries.ts'

let installation: Installation
let programId: number
let director: Caller
let coordinator: Caller
let above: Caller
const inProgram = () => ({ params: { programId } })
const list = (who: Caller, query: object = {}) => who.ok(listDeleted, { ...inProgram(), query })
const first = async (text: string, values: unknown[] = []): Promise<any> =>
  (await installation.owner.query(text, values)).rows[0]

beforeAll(async () => {
  installation = await startInstallation()
  await generate(installation.owner.options.connectionString!, {
    scale: 1,
    files: installation.services.files,
  })
  const account = (name: string) =>
    first('select id as "Id", program_id from account where user_name = $1', [name])
  const found = await account('coordinator')
  programId = Number(found.program_id)
  coordinator = await installation.as({ Id: Number(found.Id) })
  director = await installation.as({ Id: Number((await account('director')).Id) })
  above = await installation.as(await makePerson(installation.owner, Level.SuperAdmin))
})
afterAll(() => installation?.stop())

test('whatever a program deletes softly is in the list', async () => {
  const { rows } = await installation.owner.query<{ table: string }>(
    `select d.table_name as table from information_schema.columns d
     where d.table_schema = 'public' and d.column_name in ('deleted_at', 'removed_at')
       and exists (select from information_schema.columns p where p.table_schema = 'public'
         and p.table_name = d.table_name and p.column_name = 'program_id') order by 1`,
  )
  const listed = new Set(DeletedKind.options.map((kind) => sourceOf(kind).table))
  expect(rows.map(({ table }) => table).filter((table) => !listed.has(table))).toEqual([
    // Ended by merging, which is listed; people who leave are deactivated.
    'account',
    // Values of a score, which the form of the score has.
    'competency_score_value',
    // The list of addresses that get no email, with its own page.
    'email_block',
    // What a student takes back before anybody has decided about it.
    'requirement_proof',
    // Which provider signs in which program's people.
    'saml_program',
    // A directory's own record of a person.
    'scim_user',
    // Values of a score type, likewise.
    'score_value',
    // Gone and come again with every import of results.
    'verification',
  ])
})

/** A row of the kind that is deleted now; none where the demo has none of it. */
const deleteOne = async (kind: DeletedKind): Promise<number | undefined> => {
  if (kind === 'merged-account') {
    const program = { Id: programId, CollegeId: 0, Name: '' }
    const [kept, merged] = [
      await makeStudent(installation.owner, program, { first_name: 'Ada', last_name: 'Moss' }),
      await makeStudent(installation.owner, program, { first_name: 'Ada', last_name: 'Moss' }),
    ]
    const body = { KeptId: kept.Id, MergedId: merged.Id, Take: [], DryRun: false }
    return (await director.ok(mergeAccounts, { ...inProgram(), body })).MergeId!
  }
  if (kind === 'webhook')
    await makeRow(installation.owner, 'webhook_endpoint', {
      program_id: programId,
      url: 'https://example.org/hook',
      description: 'Registrar',
      secret: 'x',
      events: '{}',
    })
  if (kind === 'site-part') {
    const [site] = await director.ok(listSites, inProgram())
    const at = { params: { programId, siteId: site!.Id } } // The demo has sites.
    const added = await director.ok(updateSite, {
      ...at,
      body: { Name: site!.Name, Contacts: [{ Name: 'Zoe' }] },
    })
    await director.ok(updateSite, {
      ...at,
      body: { Name: site!.Name, Contacts: [], Seen: { Contacts: added.Contacts } },
    })
    return (await first('select max(id) as id from site_part_removed where program_id = $1', [programId]))!.id
  }
  const { table, at } = sourceOf(kind)
  const own =
    kind === 'custom-report' ? "and owner_id = (select id from account where user_name = 'coordinator')" : ''
  // Neither decided nor half of a pair.
  const still = kind === 'time-record' ? "and status = 'pending' and partner_id is null" : ''
  const row = await first(
    `update ${table} set ${at} = now() where program_id = $1 and id = (
       select max(id) from ${table} where program_id = $1 and ${at} is null ${own} ${still}) returning id`,
    [programId],
  )
  return row && Number(row.id)
}

test.each(DeletedKind.options)('%s: deleted, found in the list, and brought back', async (kind) => {
  const id = await deleteOne(kind)
  if (id === undefined) return
  const others: Record<string, Caller> = {
    'custom-report': coordinator,
    'payment-arrangement': above,
    webhook: above,
  }
  const who = others[kind] ?? director
  const { Items } = await list(who, { Kind: kind })
  const row = Items.find(({ Id }) => Id === id)
  expect(row).toMatchObject({ Kind: kind, Beneath: null })
  expect(row!.Name).not.toBe('')
  const how = restores[kind]
  if ('read' in how) return
  const input = how.input({ programId, id, parentId: row!.ParentId })
  const { status, body } = await who.call(how.call, input as never)
  expect([200, 204], JSON.stringify(body)).toContain(status)
  expect((await list(who, { Kind: kind })).Items.map(({ Id }) => Id)).not.toContain(id)
})

test.each([
  ['agreement', 'site', 'site_id'],
  ['document', 'document_category', 'category_id'],
  ['employee', 'site', 'site_id'],
  ['evaluation-category', 'evaluation_template', 'template_id'],
  ['evaluation-item', 'evaluation_category', 'category_id'],
  ['exam-item', 'skill', 'skill_id'],
  ['examiner', 'site', 'site_id'],
  ['item-group', 'evaluation_template', 'template_id'],
  ['outcome', 'plan_goal', 'goal_id'],
  ['pathology', 'skill', 'skill_id'],
  ['placement-draft', 'placement_plan', 'plan_id'],
  ['procedure', 'major_study', 'major_study_id'],
  ['score-type', 'evaluation_template', 'template_id'],
  ['site-document', 'site', 'site_id'],
  ['site-shift', 'site', 'site_id'],
] as const)('%s: what it belongs to is brought back before it', async (kind, parent, column) => {
  // The demo has some of each.
  const id = (await deleteOne(kind))!
  const { table } = sourceOf(kind)
  const setParent = (value: string) =>
    installation.owner.query(
      `update ${parent} set deleted_at = ${value} where id = (select ${column} from ${table} where id = $1)`,
      [id],
    )
  await setParent("now() + interval '1 second'")
  const rowOf = async () =>
    (await list(director, { Kind: kind, pageSize: 100 })).Items.find(({ Id }) => Id === id)
  const row = await rowOf()
  expect(row!.Beneath).not.toBeNull()
  const how = restores[kind] as Restore
  const input = how.input({ programId, id, parentId: row!.ParentId }) as never
  const refused = await director.call(how.call, input)
  expect(refused.status, JSON.stringify(refused.body)).toBe(409)
  expect(await rowOf()).toBeDefined()
  await setParent('null')
  expect([200, 204]).toContain((await director.call(how.call, input)).status)
})

const area = { Name: 'Nuclear medicine', IsActive: true, AreNotificationsEnabled: false }
const deleteArea = async (who: Caller, Name = area.Name): Promise<number> => {
  const { Id } = await who.ok(areas.createArea, { ...inProgram(), body: { ...area, Name } })
  await who.ok(areas.deleteArea, { params: { programId, areaId: Id } })
  return Id
}

test('who deleted it and when; search, person and days find it, newest first, page by page and as a file', async () => {
  const from = new Date().toISOString()
  const ids = [await deleteArea(coordinator), await deleteArea(director, 'Ultrasound of the heart')]
  const { Items } = await list(coordinator, { Kind: 'area' })
  expect(Items.slice(0, 2)).toMatchObject([
    { Id: ids[1], Name: 'Ultrasound of the heart' },
    { Id: ids[0], Name: area.Name },
  ])
  expect(Items[0]!.DeletedAt >= from).toBe(true)
  const coordinatorId = Items[1]!.DeletedById!
  const { name } = await first("select first_name || ' ' || last_name as name from account where id = $1", [
    coordinatorId,
  ])
  expect(Items[1]!.DeletedBy).toBe(name)
  expect((await list(coordinator, { search: 'HEART ultra' })).Items.map(({ Id }) => Id)).toEqual([ids[1]])
  const byThem = await list(coordinator, { PersonId: coordinatorId, Kind: 'area' })
  expect(byThem.Items.map(({ Id }) => Id)).toEqual([ids[0]])
  expect((await list(coordinator, { ThroughDate: '2020-01-01' })).Total).toBe(0)
  expect((await list(coordinator, { FromDate: '2020-01-01', Kind: 'area' })).Total).toBe(Items.length)
  const second = await list(coordinator, { Kind: 'area', page: 2, pageSize: 1 })
  expect(second).toMatchObject({ Total: Items.length, Items: [{ Id: ids[0] }] })
  const { status, body } = await coordinator.call(exportDeleted, {
    ...inProgram(),
    query: { Kind: 'area', Format: 'csv' },
  })
  expect(status).toBe(200)
  expect(String(body).split('\r\n').slice(0, 3).join()).toMatch(
    /Kind.*Deleted by.*Ultrasound of the heart.*Nuclear medicine/s,
  )
})

test('a name that is taken by now and a parent that is deleted too are said, and nothing changes', async () => {
  const taken = await deleteArea(coordinator, 'Dental')
  await coordinator.ok(areas.createArea, { ...inProgram(), body: { ...area, Name: 'Dental' } })
  const again = await coordinator.call(areas.restoreArea, { params: { programId, areaId: taken } })
  expect([again.status, (again.body as unknown as { Message: string }).Message]).toEqual([
    409,
    'Dental already exists.',
  ])
  expect((await list(coordinator, { search: 'Dental' })).Items.map(({ Id }) => Id)).toEqual([taken])

  const program = { Id: programId, CollegeId: 0, Name: '' }
  const site = await makeSite(installation.owner, program, { name: 'Cedar Clinic' })
  const { id } = await makeRow(installation.owner, 'employee', {
    program_id: programId,
    site_id: site.Id,
    first_name: 'Ida',
    last_name: 'Cole',
    email: 'ida.cole@example.org',
  })
  await coordinator.ok(deleteEmployee, { params: { programId, employeeId: id } })
  await coordinator.ok(deleteSite, { params: { programId, siteId: site.Id } })
  expect((await list(coordinator, { search: 'Cole Ida' })).Items).toMatchObject([
    { Kind: 'employee', Name: 'Cole, Ida', Detail: 'Cedar Clinic', Beneath: 'Cedar Clinic' },
  ])
  const beneath = await coordinator.call(restoreEmployee, { params: { programId, employeeId: id } })
  expect([beneath.status, (beneath.body as unknown as { Message: string }).Message]).toEqual([
    409,
    'Bring Cedar Clinic back first; nothing was changed.',
  ])
  const { rows } = await installation.owner.query(
    'select from employee where id = $1 and deleted_at is null',
    [id],
  )
  expect(rows).toEqual([])
  await coordinator.ok(restoreSite, { params: { programId, siteId: site.Id } })
  await coordinator.ok(restoreEmployee, { params: { programId, employeeId: id } })
})

test('what went with something is listed with that alone', async () => {
  const { id } = await first(
    `select category_id as id from document where program_id = $1 and deleted_at is null limit 1`,
    [programId],
  )
  await coordinator.ok(deleteDocumentCategory, { params: { programId, categoryId: Number(id) } })
  const kinds = (await list(coordinator)).Items.map(({ Kind }) => Kind)
  expect(kinds[0]).toBe('document-category')
  expect(kinds).not.toContain('document')
})

test('nobody sees more than before: private kinds, own reports, other programs, and levels below', async () => {
  for (const kind of ['note', 'dose-reading', 'custom-report'] as const) await deleteOne(kind)
  const seenBy = async (who: Caller) =>
    new Set((await list(who, { pageSize: 100 })).Items.map(({ Kind }) => Kind))
  const [seen, fromAbove] = [await seenBy(coordinator), await seenBy(above)]
  expect([...seen]).toEqual(expect.arrayContaining(['note', 'dose-reading', 'custom-report']))
  for (const kind of ['note', 'dose-reading', 'custom-report'] as const) expect(fromAbove).not.toContain(kind)
  expect(seen).not.toContain('payment-arrangement')
  const { subject_id } = await first(
    `select subject_id from audit where action = 'GET /programs/:programId/deleted' and subject_id is not null limit 1`,
  )
  expect(subject_id).toBeTruthy()
  const { body } = await coordinator.call(exportDeleted, { ...inProgram(), query: { Format: 'csv' } })
  expect(String(body)).not.toMatch(/^(Note|Dosimeter reading)/m)

  const faculty = await installation.as(
    await makePerson(installation.owner, Level.Faculty, { program_id: programId }),
  )
  expect((await faculty.call(listDeleted, { ...inProgram(), query: {} })).status).toBe(403)
  const other = await makeProgram(installation.owner)
  expect((await coordinator.call(listDeleted, { params: { programId: other.Id }, query: {} })).status).toBe(
    404,
  )
  const theirs = await installation.as(await makePerson(installation.owner, Level.Coord, { program: other }))
  expect((await theirs.ok(listDeleted, { params: { programId: other.Id }, query: {} })).Total).toBe(0)
  for (const query of [{ Kind: 'x' }, { PersonId: 0 }, { FromDate: '2026-13-01' }, { sort: 'Name' }])
    expect((await coordinator.call(listDeleted, { ...inProgram(), query: query as never })).status).toBe(400)
})
