import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { toBase64 } from '#contract/core/fields.ts'
import { AdminArea, Level } from '#contract/core/levels.ts'
import * as contract from '#contract/news/news.ts'
import { getOverview } from '#contract/reports/overview.ts'
import { getHome } from '#contract/reports/reports.ts'
import { makePerson, makeProgram, makeRow } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
let editor: Caller
let modality: { id: number; name: string }
let count = 0

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  await installation.owner.query('delete from admin_news')
  modality = (await makeRow(installation.owner, 'modality', { name: `Modality ${++count}` })) as never
  editor = await installation.as(
    await makePerson(installation.owner, Level.SuperAdmin, { super_admin_areas: AdminArea.AdminNews }),
  )
})

const daysAhead = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const body = (html: string, more: Partial<contract.NewsInput> = {}): contract.NewsInput => ({
  Date: daysAhead(-2),
  Text: toBase64(html),
  IsActive: true,
  ...more,
})
const add = (html: string, more: Partial<contract.NewsInput> = {}) =>
  editor.ok(contract.createNews, { body: body(html, more) })

test('D1-201 D1-274 D1-275 D1-277 an item is added with its text in base64 and read back, alone and in the list', async () => {
  const item = await add('<p>Naïve 🚑 <strong>news</strong></p>', { ModalityId: modality.id })
  expect(item).toEqual({
    Id: expect.any(Number),
    Modality: modality.name,
    ModalityId: modality.id,
    Text: '<p>Naïve 🚑 <strong>news</strong></p>',
    Date: daysAhead(-2),
    IsActive: true,
  })
  expect(await editor.ok(contract.getNews, { params: { newsId: item.Id } })).toEqual(item)
  const older = await add('<p>Older</p>', { Date: daysAhead(-9) })
  expect(await editor.ok(contract.listNews)).toEqual([item, older])
})

test('D1-011 an item without a modality goes to all', async () => {
  for (const ModalityId of [undefined, null]) {
    const item = await add('<p>For all</p>', { ModalityId })
    expect(item).toMatchObject({ Modality: null, ModalityId: null })
  }
})

test('D1-276 the modalities are those that are not deleted', async () => {
  await makeRow(installation.owner, 'modality', { name: 'Gone', deleted_at: '2026-01-01' })
  const names = (await editor.ok(contract.listNewsModalities)).map(({ Name }) => Name)
  expect(names).toContain(modality.name)
  expect(names).not.toContain('Gone')
})

test('D1-278 an item is changed: text, date, modality and whether it is active', async () => {
  const { Id } = await add('<p>Before</p>', { ModalityId: modality.id })
  const params = { newsId: Id }
  const changed = await editor.ok(contract.updateNews, {
    params,
    body: body('<p>After</p>', { Date: daysAhead(3), IsActive: false }),
  })
  expect(changed).toMatchObject({
    Text: '<p>After</p>',
    Date: daysAhead(3),
    IsActive: false,
    Modality: null,
  })
  const { rows } = await installation.owner.query(
    "select detail from audit where action = 'POST /admin-news/:newsId' order by id desc limit 1",
  )
  expect(rows[0].detail).toMatchObject({ Before: { IsActive: true }, After: { IsActive: false } })
})

test('D1-279 value=1 and value=0 set the active flag, however often they come', async () => {
  const { Id } = await add('<p>Flag</p>')
  const set = (value: number) =>
    editor.ok(contract.setNewsActive, { params: { newsId: Id }, query: { value } })
  for (const value of [0, 0, 1, 1]) expect((await set(value)).IsActive).toBe(value === 1)
  for (const value of ['2', 'true', ''])
    expect((await editor.send('POST', `/admin-news/${Id}/is-active?value=${value}`)).status).toBe(400)
})

test('D1-280 a deleted item is gone', async () => {
  const { Id } = await add('<p>Short</p>')
  await editor.ok(contract.deleteNews, { params: { newsId: Id } })
  expect(await editor.ok(contract.listNews)).toEqual([])
  for (const endpoint of [contract.getNews, contract.deleteNews])
    expect((await editor.call(endpoint, { params: { newsId: Id } })).status).toBe(404)
})

test('D1-238 the date must be one of the calendar, the text must show something, the modality must be there', async () => {
  const status = async (input: object) => (await editor.send('POST', '/admin-news', { body: input })).status
  expect(await status(body('<p>ok</p>', { Date: '2026-02-30' }))).toBe(400)
  expect(await status({ ...body('x'), Date: '02/03/2026' })).toBe(400)
  expect(await status({ ...body('x'), Text: 'not base64!' })).toBe(400)
  expect(await status(body('x'.repeat(310_000)))).toBe(400)
  expect(await status(body('<p> </p><p></p>'))).toBe(422)
  expect(await status(body('<script>alert(1)</script>'))).toBe(422)
  expect(await status(body('<p>ok</p>', { ModalityId: 999_999 }))).toBe(422)
  expect(await editor.ok(contract.listNews)).toEqual([])
})

test('D1-256 super admins without the AdminNews area and everybody else are refused', async () => {
  const other = await makePerson(installation.owner, Level.SuperAdmin, { super_admin_areas: AdminArea.Email })
  const all = await makePerson(installation.owner, Level.SuperAdmin)
  const admin = await makePerson(installation.owner, Level.Admin)
  expect((await (await installation.as(other)).call(contract.listNews)).status).toBe(403)
  expect((await (await installation.as(admin)).call(contract.listNews)).status).toBe(403)
  expect((await (await installation.as(all)).call(contract.listNews)).status).toBe(200)
})

test('D1-012 the home page shows active news from its date on, to all and to the own modality only', async () => {
  const { owner } = installation
  const program = await makeProgram(owner, { modality_id: modality.id, time_zone: 'UTC' })
  const faculty = await installation.as(await makePerson(owner, Level.Faculty, { program }))
  const foreign = await makeRow(owner, 'modality', { name: `Other ${count}` })
  await add('<p>mine</p>', { ModalityId: modality.id, Date: daysAhead(-1) })
  await add('<p>all</p>')
  await add('<p>theirs</p>', { ModalityId: foreign.id, Date: daysAhead(-1) })
  await add('<p>later</p>', { Date: daysAhead(2) })
  await add('<p>off</p>', { IsActive: false })
  const home = await faculty.ok(getHome, { params: { programId: program.Id } })
  expect(home.News.map(({ Html }) => Html)).toEqual(['<p>mine</p>', '<p>all</p>'])
  const overview = await editor.ok(getOverview)
  expect(overview.News.map(({ Html }) => Html)).toEqual(['<p>theirs</p>', '<p>mine</p>', '<p>all</p>'])
})
