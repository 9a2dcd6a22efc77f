import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import * as contract from '#contract/documents/documents.ts'
import { documentRoles } from '#contract/documents/documents-rules.ts'
import { listAccessLevels } from '#contract/people/people.ts'
import { listSites } from '#contract/sites/sites.ts'
import {
  type MadeProgram,
  makePerson,
  makeProgram,
  makeSite,
  makeStudent,
  makeSupervisor,
} from '#server/test/factories.ts'
import { addressOf, type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
let program: MadeProgram
let coordinator: Caller

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())

beforeEach(async () => {
  program = await makeProgram(installation.owner)
  coordinator = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
})

const params = (more: object = {}) => ({ params: { programId: program.Id, ...more } as never })
const addCategory = (Name = 'Handbooks', caller = coordinator) =>
  caller.ok(contract.createDocumentCategory, { ...params(), body: { Name } })
const categories = async () =>
  (await coordinator.ok(contract.listDocumentCategories, params())).map(({ Name }) => Name)

const pdf = '%PDF-1.7\nHow we work'
let files = 0
const fileOf = (name: string, content: string | Uint8Array = pdf) => ({
  files: [{ field: 'file', name, content }],
})
type Input = Omit<contract.DocumentInput, 'CategoryId' | 'Name'> & { CategoryId?: number; Name?: string }
const send = async (input: Input = {}, more: object = fileOf(`file${++files}.pdf`)) => {
  const CategoryId = input.CategoryId ?? (await addCategory(`Category ${++files}`)).Id
  return coordinator.call(
    contract.createDocument,
    { ...params(), body: { document: { Name: 'Student handbook', ...input, CategoryId } } },
    more,
  )
}
const add = async (input: Input = {}, more?: object) => {
  const { status, body } = await send(input, more)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const message = (body: unknown): string => (body as { Message: string }).Message
const fieldsOf = (body: unknown) => (body as { Errors: { Field: string; Message: string }[] }).Errors
const audited = async (action: string) => {
  const { rows } = await installation.owner.query(
    'select account_id, detail from audit where program_id = $1 and action like $2 order by id',
    [program.Id, action],
  )
  return rows
}

describe('categories', () => {
  test('D2-104 D2-181 D2-182 D2-183 are added, listed by name and renamed', async () => {
    const forms = await addCategory('Forms')
    expect(forms).toEqual({ Id: expect.any(Number), Name: 'Forms', DocumentCount: 0 })
    await addCategory('checklists')
    const renamed = await coordinator.ok(contract.updateDocumentCategory, {
      ...params({ categoryId: forms.Id }),
      body: { Name: ' Paper forms ' },
    })
    expect(renamed).toEqual({ ...forms, Name: 'Paper forms' })
    expect(await categories()).toEqual(['checklists', 'Paper forms'])
  })

  test('D2-134 have names of at most 100 characters', async () => {
    expect((await addCategory('x'.repeat(100))).Name).toHaveLength(100)
    const { status, body } = await coordinator.call(contract.createDocumentCategory, {
      ...params(),
      body: { Name: 'x'.repeat(101) },
    })
    expect(status).toBe(400)
    expect(fieldsOf(body)).toEqual([{ Field: 'Name', Message: 'Name can have at most 100 characters.' }])
  })

  test('D2-133 may have no name, and more than one of them', async () => {
    await addCategory('')
    await addCategory('')
    expect(await categories()).toEqual(['', ''])
  })

  test('of one name there is one, in any case of letters', async () => {
    await addCategory('Forms')
    const second = await coordinator.call(contract.createDocumentCategory, {
      ...params(),
      body: { Name: 'FORMS' },
    })
    expect(second.status).toBe(409)
    expect(message(second.body)).toBe('FORMS already exists. Choose another name; nothing was saved.')
  })

  test('D2-136 D2-184 D2-191 deleting one deletes its documents and their files too, and answers nothing', async () => {
    const [kept, gone] = [await addCategory('Kept'), await addCategory('Gone')]
    const [stays, goes] = [await add({ CategoryId: kept.Id }), await add({ CategoryId: gone.Id })]
    const before = await add({ CategoryId: gone.Id, Name: 'Deleted before' })
    await coordinator.ok(contract.deleteDocument, params({ documentId: before.Id }))
    const { status, body } = await coordinator.call(
      contract.deleteDocumentCategory,
      params({ categoryId: gone.Id }),
    )
    expect([status, body]).toEqual([204, ''])
    expect(await categories()).toEqual(['Kept'])
    const left = await coordinator.ok(contract.listDocuments, params())
    expect(left.map(({ Id }) => Id)).toEqual([stays.Id])
    const file = await coordinator.call(contract.downloadDocument, params({ documentId: goes.Id }))
    expect(file.status).toBe(404)
    // Deleted once, it is not there a second time.
    expect(
      (await coordinator.call(contract.deleteDocumentCategory, params({ categoryId: gone.Id }))).status,
    ).toBe(404)

    const back = await coordinator.ok(contract.restoreDocumentCategory, params({ categoryId: gone.Id }))
    expect(back).toEqual({ Id: gone.Id, Name: 'Gone', DocumentCount: 1 })
    expect((await coordinator.call(contract.getDocument, params({ documentId: before.Id }))).status).toBe(404)
  })

  test('a deleted one does not come back over what took its name or its file meanwhile', async () => {
    const old = await addCategory('Forms')
    await add({ CategoryId: old.Id }, fileOf('form.pdf'))
    await coordinator.ok(contract.deleteDocumentCategory, params({ categoryId: old.Id }))
    const fresh = await addCategory('forms')
    const restore = () => coordinator.call(contract.restoreDocumentCategory, params({ categoryId: old.Id }))
    const taken = await restore()
    expect([taken.status, message(taken.body)]).toEqual([
      409,
      'Forms exists again. Rename that one first; the deleted category was kept as it is.',
    ])
    await coordinator.ok(contract.updateDocumentCategory, {
      ...params({ categoryId: fresh.Id }),
      body: { Name: 'Others' },
    })
    await add({ CategoryId: fresh.Id }, fileOf('FORM.pdf'))
    const file = await restore()
    expect(file.status).toBe(409)
    expect(message(file.body)).toMatch(/has the file form.pdf now/)
  })

  test('D2-149 belong to coordinators and above, in their own program', async () => {
    const { Id } = await addCategory()
    const faculty = await installation.as(await makePerson(installation.owner, Level.Faculty, { program }))
    expect((await faculty.call(contract.listDocumentCategories, params())).status).toBe(403)
    const other = await makeProgram(installation.owner)
    const theirs = await installation.as(
      await makePerson(installation.owner, Level.Coord, { program: other }),
    )
    const at = { params: { programId: other.Id, categoryId: Id } }
    expect(
      (await theirs.call(contract.updateDocumentCategory, { ...at, body: { Name: 'Mine' } })).status,
    ).toBe(404)
    expect((await theirs.call(contract.deleteDocumentCategory, at)).status).toBe(404)
    expect(await categories()).toEqual(['Handbooks'])
  })
})

describe('documents', () => {
  test('D2-105 D2-186 D2-187 D2-188 D2-191 are added with their file, listed and read whole', async () => {
    const category = await addCategory()
    const [first, second] = [
      await makeSite(installation.owner, program, { name: 'Harbor' }),
      await makeSite(installation.owner, program, { name: 'Bayview' }),
    ]
    const document = await add(
      {
        CategoryId: category.Id,
        Name: 'Student handbook',
        Description: 'Read it before the first day.',
        Access: '49,39',
        SiteIds: [first.Id, second.Id, first.Id],
        StudentLevelIds: [2],
      },
      fileOf('../../handbook 2026.pdf'),
    )
    expect(document).toEqual({
      Id: expect.any(Number),
      Category: 'Handbooks',
      CategoryId: category.Id,
      Name: 'Student handbook',
      Filename: 'handbook 2026.pdf',
      Description: 'Read it before the first day.',
      Access: '39,49',
      StudentLevels: ['Level 2'],
      Sites: ['Bayview', 'Harbor'],
      Url: `/new/api/programs/${program.Id}/documents/${document.Id}/file`,
      SiteMappings: [{ SiteId: first.Id }, { SiteId: second.Id }],
      StudentLevelMappings: [{ LevelId: 2 }],
      SiteIds: [first.Id, second.Id],
      StudentLevelIds: [2],
      MediaType: 'application/pdf',
      ByteCount: pdf.length,
      FileDate: expect.any(String),
    })
    expect(await coordinator.ok(contract.listDocuments, params())).toEqual([document])
    expect(await coordinator.ok(contract.getDocument, params({ documentId: document.Id }))).toEqual(document)
    const file = await coordinator.send('GET', document.Url.replace('/new/api', ''))
    expect(file.body).toBe(pdf)
    expect(file.headers.get('content-disposition')).toMatch(/^attachment;.*handbook 2026\.pdf/)
  })

  test('D2-189 D2-131 D2-132 are changed; without a file the one they have stays, with one it is another', async () => {
    const document = await add({ Description: 'First', Access: '59' }, fileOf('first.pdf'))
    const at = params({ documentId: document.Id })
    const change = (more: Partial<contract.DocumentInput>, sent: object = { files: [] }) =>
      coordinator.call(
        contract.updateDocument,
        { ...at, body: { document: { CategoryId: document.CategoryId, Name: 'Renamed', ...more } } },
        sent,
      )
    const renamed = await change({ Description: '' })
    expect(renamed.body).toMatchObject({
      Name: 'Renamed',
      Description: '',
      // What is left out stays.
      Access: '59',
      Filename: 'first.pdf',
      FileDate: document.FileDate,
    })
    expect((await change({ Filename: 'a/better name.pdf' })).body.Filename).toBe('better name.pdf')
    const { body } = await change({}, fileOf('second.txt', 'Plain words'))
    expect(body).toMatchObject({ Filename: 'second.txt', MediaType: 'text/plain', ByteCount: 11 })
    expect((await coordinator.send('GET', body.Url.replace('/new/api', ''))).body).toBe('Plain words')
    const rows = await audited('POST /programs/:programId/documents/:documentId')
    expect(rows[0].detail).toMatchObject({
      Before: { Name: 'Student handbook', Access: '59' },
      After: { Name: 'Renamed', Access: '59' },
    })
  })

  test('D2-129 D2-130 D2-131 a category, a name of at most 100 characters and a file are required', async () => {
    const { Id: CategoryId } = await addCategory()
    const without = await coordinator.call(
      contract.createDocument,
      { ...params(), body: { document: { Name: 'Handbook' } as never } },
      fileOf('a.pdf'),
    )
    expect([without.status, fieldsOf(without.body)]).toEqual([
      400,
      [{ Field: 'document.CategoryId', Message: 'Category is required.' }],
    ])
    const unknown = await send({ CategoryId: 999_999 })
    expect([unknown.status, message(unknown.body)]).toEqual([
      422,
      'This category does not exist. Choose another; nothing was saved.',
    ])
    for (const [Name, text] of [
      [' ', 'Name is required.'],
      ['x'.repeat(101), 'Name can have at most 100 characters.'],
    ] as const) {
      const { status, body } = await send({ CategoryId, Name })
      expect([status, fieldsOf(body)]).toEqual([400, [{ Field: 'document.Name', Message: text }]])
    }
    await add({ CategoryId, Name: 'x'.repeat(100) })
    const empty = await send({ CategoryId }, { files: [] })
    expect([empty.status, fieldsOf(empty.body)]).toEqual([
      400,
      [{ Field: 'file', Message: 'Choose a file.' }],
    ])
  })

  test('D2-200 a file whose name exists is refused with 409, in any case of letters', async () => {
    const first = await add({}, fileOf('Handbook.pdf'))
    const again = await send({}, fileOf('HANDBOOK.PDF'))
    expect(again.status).toBe(409)
    expect(message(again.body)).toBe(
      'File with name HANDBOOK.PDF already exists. Please rename file and try again.',
    )
    await coordinator.ok(contract.deleteDocument, params({ documentId: first.Id }))
    await add({}, fileOf('handbook.pdf'))
    const back = await coordinator.call(contract.restoreDocument, params({ documentId: first.Id }))
    expect(back.status).toBe(409)
  })

  test('leave under a name that opens them as what they are', async () => {
    const { Id: CategoryId } = await addCategory()
    for (const [given, content, name] of [
      ['notes.bat', 'start it', 'notes.bat.txt'],
      ['map.HTML', '%PDF-1.4', 'map.HTML.pdf'],
      ['plan.exe. ', '%PDF-1.4', 'plan.exe. .pdf'],
      ['a\u202efdp.hta', 'start it', 'afdp.hta.txt'],
      ['hours.CSV', 'a,b', 'hours.CSV'],
      ['plan', '%PDF-1.4', 'plan.pdf'],
    ] as const) {
      const { body } = await send({ CategoryId, Name: given }, fileOf(given, content))
      const reply = await fetch(new URL((body as { Url: string }).Url, installation.url), coordinator)
      const [, left] = /filename\*=UTF-8''(.*)$/.exec(reply.headers.get('content-disposition')!)!
      expect(decodeURIComponent(left!)).toBe(name)
    }
  })

  test('are known by their content, whatever their name, and have at most 20 MiB', async () => {
    const { Id: CategoryId } = await addCategory()
    for (const content of [
      Buffer.from('4d5a9000030000000400', 'hex'),
      '<html><script>1</script></html>',
      '',
    ]) {
      const { status, body } = await send({ CategoryId }, fileOf('note.pdf', content))
      expect(status).toBe(415)
      expect(message(body)).toBe(
        'note.pdf is no PDF, picture, text or office file by its content. Nothing was kept.',
      )
    }
    const large = Buffer.alloc(20 * 1024 * 1024 + 1, 'a')
    expect((await send({ CategoryId }, fileOf('large.txt', large))).status).toBe(413)
  })

  test('D2-106 access that is none is refused; NONE and null are kept', async () => {
    const { Id: CategoryId } = await addCategory()
    expect((await add({ CategoryId, Access: 'NONE' })).Access).toBe('NONE')
    expect((await add({ CategoryId, Access: null })).Access).toBeNull()
    expect((await add({ CategoryId, Access: documentRoles.join(',') })).Access).toBeNull()
    const { status, body } = await send({ CategoryId, Access: '100' })
    expect([status, fieldsOf(body)[0]!.Field]).toEqual([400, 'document.Access'])
  })

  test('D2-116 sites and student levels are kept only with roles that have them', async () => {
    const site = await makeSite(installation.owner, program)
    const readers = { SiteIds: [site.Id], StudentLevelIds: [1] }
    expect(await add({ Access: '59', ...readers })).toMatchObject({ SiteIds: [], StudentLevelIds: [] })
    expect(await add({ Access: '45', ...readers })).toMatchObject({ SiteIds: [site.Id], StudentLevelIds: [] })
    expect(await add({ Access: '39', ...readers })).toMatchObject({ SiteIds: [], StudentLevelIds: [1] })
  })

  test('a site or student level that does not exist is refused; what went since may stay', async () => {
    const other = await makeSite(installation.owner, await makeProgram(installation.owner))
    expect((await send({ Access: '49', SiteIds: [other.Id] })).status).toBe(422)
    expect((await send({ Access: '39', StudentLevelIds: [7] })).status).toBe(422)
    const site = await makeSite(installation.owner, program)
    const document = await add({ Access: '49', SiteIds: [site.Id] })
    await installation.owner.query('update site set deleted_at = now() where id = $1', [site.Id])
    const { body } = await coordinator.call(
      contract.updateDocument,
      {
        ...params({ documentId: document.Id }),
        body: {
          document: { CategoryId: document.CategoryId, Name: 'Same', Access: '49', SiteIds: [site.Id] },
        },
      },
      { files: [] },
    )
    expect(body).toMatchObject({ SiteIds: [site.Id], Sites: [] })
  })

  test('D2-190 D2-191 a deleted one is gone, answers nothing, and comes back', async () => {
    const document = await add()
    const at = params({ documentId: document.Id })
    const { status, body } = await coordinator.call(contract.deleteDocument, at)
    expect([status, body]).toEqual([204, ''])
    expect((await coordinator.call(contract.getDocument, at)).status).toBe(404)
    expect((await coordinator.call(contract.deleteDocument, at)).status).toBe(404)
    expect(await coordinator.ok(contract.restoreDocument, at)).toEqual(document)
    await coordinator.ok(contract.deleteDocument, at)
    await coordinator.ok(contract.deleteDocumentCategory, params({ categoryId: document.CategoryId }))
    const orphan = await coordinator.call(contract.restoreDocument, at)
    expect([orphan.status, (orphan.body as any).Code]).toEqual([409, 'category_deleted'])
  })

  test('D2-185 a coordinator reads the roles and the sites that the form offers', async () => {
    const site = await makeSite(installation.owner, program)
    const levels = await coordinator.ok(listAccessLevels, { query: { min: 29, max: 89 } })
    expect(levels.map(({ Id }) => Id).filter((id) => documentRoles.includes(id))).toEqual([...documentRoles])
    expect((await coordinator.ok(listSites, params())).map(({ Id }) => Id)).toEqual([site.Id])
  })

  test('are searched, filtered, sorted and paged', async () => {
    const [forms, books] = [await addCategory('Forms'), await addCategory('Books')]
    await add({ CategoryId: forms.Id, Name: 'Incident', Description: '100 % true', Access: '49' })
    await add({ CategoryId: books.Id, Name: 'Zebra', Access: '39' }, fileOf('incident-list.txt', 'x'))
    await add({ CategoryId: books.Id, Name: 'alpha' })
    const names = async (query: object) =>
      (await coordinator.ok(contract.searchDocuments, { ...params(), query })).Items.map(({ Name }) => Name)
    expect(await names({})).toEqual(['alpha', 'Zebra', 'Incident'])
    expect(await names({ sort: '-Name' })).toEqual(['Zebra', 'Incident', 'alpha'])
    expect(await names({ search: 'INCIDENT' })).toEqual(['Zebra', 'Incident'])
    expect(await names({ search: '%' })).toEqual(['Incident'])
    expect(await names({ CategoryId: forms.Id })).toEqual(['Incident'])
    expect(await names({ Level: 39 })).toEqual(['alpha', 'Zebra'])
    const second = await coordinator.ok(contract.searchDocuments, {
      ...params(),
      query: { page: 2, pageSize: 2 },
    })
    expect(second).toMatchObject({ Total: 3, Page: 2, PageSize: 2, Items: [{ Name: 'Incident' }] })
  })

  test('D2-149 belong to coordinators and above, in their own program', async () => {
    const document = await add()
    const faculty = await installation.as(await makePerson(installation.owner, Level.Faculty, { program }))
    expect((await faculty.call(contract.listDocuments, params())).status).toBe(403)
    expect((await faculty.call(contract.deleteDocument, params({ documentId: document.Id }))).status).toBe(
      403,
    )
    const other = await makeProgram(installation.owner)
    const theirs = await installation.as(
      await makePerson(installation.owner, Level.Admin, { program: other }),
    )
    for (const programId of [program.Id, other.Id]) {
      const at = { params: { programId, documentId: document.Id } }
      expect((await theirs.call(contract.getDocument, at)).status).toBe(404)
      expect((await theirs.call(contract.downloadDocument, at)).status).toBe(404)
      expect((await theirs.call(contract.deleteDocument, at)).status).toBe(404)
      expect(
        (
          await theirs.call(
            contract.updateDocument,
            { ...at, body: { document: { CategoryId: document.CategoryId, Name: 'Mine' } } },
            fileOf('mine.pdf'),
          )
        ).status,
      ).toBe(404)
    }
    expect((await theirs.call(contract.listLibrary, { params: { programId: program.Id } })).status).toBe(404)
  })
})

describe('the reader', () => {
  const library = (caller: Caller, query: object = {}) =>
    caller.ok(contract.listLibrary, { ...params(), query })
  const namesFor = async (caller: Caller) => (await library(caller)).Items.map(({ Name }) => Name)
  const person = async (level: Level, row: object = {}) =>
    installation.as(await makePerson(installation.owner, level, { program, ...row }))

  test('D2-083 D2-151 finds what is for their role, by category, and everything that is for everyone', async () => {
    const [books, forms] = [await addCategory('Books'), await addCategory('Forms')]
    await add({ CategoryId: forms.Id, Name: 'For students', Access: '39' })
    await add({ CategoryId: books.Id, Name: 'For all', Access: null })
    await add({ CategoryId: books.Id, Name: 'For alumni and registrants', Access: '29,36' })
    await add({ CategoryId: forms.Id, Name: 'For nobody', Access: 'NONE' })
    expect(await namesFor(await person(Level.Student))).toEqual(['For all', 'For students'])
    expect(await namesFor(await person(Level.Alumnus))).toEqual(['For all', 'For alumni and registrants'])
    expect(await namesFor(await person(Level.Registrant))).toEqual(['For all', 'For alumni and registrants'])
    expect(await namesFor(await person(Level.Faculty))).toEqual(['For all'])
    expect(await namesFor(await person(Level.CCUnderHood))).toEqual(['For all'])
    expect((await library(await person(Level.Student))).Categories).toEqual([
      { Id: books.Id, Name: 'Books', Count: 1 },
      { Id: forms.Id, Name: 'Forms', Count: 1 },
    ])
    const inactive = await person(Level.Inactive)
    expect((await inactive.call(contract.listLibrary, params())).status).toBe(403)
    const root = await installation.as(await makePerson(installation.owner, Level.SuperAdmin))
    expect(await namesFor(root)).toHaveLength(4)
  })

  test('D2-083 people of sites find what is for a site they are tied to', async () => {
    const [own, other] = [
      await makeSite(installation.owner, program),
      await makeSite(installation.owner, program),
    ]
    await add({ Name: 'A', Access: '45,47,49,59', SiteIds: [own.Id] })
    await add({ Name: 'B', Access: '45,47,49,59', SiteIds: [other.Id, own.Id] })
    await add({ Name: 'C', Access: '49', SiteIds: [other.Id] })
    await add({ Name: 'D', Access: '49' })
    const supervisor = await installation.as(await makeSupervisor(installation.owner, program, [own.Id]))
    expect(await namesFor(supervisor)).toEqual(['A', 'B', 'D'])
    expect(await namesFor(await person(Level.Supervisor))).toEqual(['D'])
    expect(await namesFor(await person(Level.Faculty))).toEqual(['A', 'B'])
    expect(await namesFor(await person(Level.SiteEmployee))).toEqual([])
    await installation.owner.query('update site set deleted_at = now() where id = $1', [own.Id])
    expect(await namesFor(supervisor)).toEqual(['D'])
  })

  test('D2-083 students find what is for their level', async () => {
    await add({ Name: 'First', Access: '39,59', StudentLevelIds: [1] })
    await add({ Name: 'Second', Access: '39', StudentLevelIds: [2] })
    await add({ Name: 'Every', Access: '39' })
    const student = (level: number | null) =>
      makeStudent(installation.owner, program, { student_level_id: level }).then(installation.as)
    expect(await namesFor(await student(1))).toEqual(['First', 'Every'])
    expect(await namesFor(await student(2))).toEqual(['Second', 'Every'])
    expect(await namesFor(await student(null))).toEqual(['Every'])
    expect(await namesFor(await person(Level.Faculty))).toEqual(['First'])
  })

  test('D2-083 downloads by the same rule, each on the record', async () => {
    const { Id } = await makeStudent(installation.owner, program)
    const student = await installation.as({ Id })
    const forHer = await add({ Name: 'Handbook', Access: '39', StudentLevelIds: [1] }, fileOf('handbook.pdf'))
    const notForHer = await add({ Access: '39', StudentLevelIds: [2] })
    const fetch = (caller: Caller, documentId: number) =>
      caller.send('GET', addressOf(contract.downloadDocument, params({ documentId })))
    expect((await fetch(student, forHer.Id)).body).toBe(pdf)
    const refused = await fetch(student, notForHer.Id)
    expect([refused.status, message(refused.body)]).toEqual([
      404,
      'This document does not exist, or you do not have access to it.',
    ])
    expect((await fetch(await person(Level.Faculty), forHer.Id)).status).toBe(404)
    // Who manages documents reads all of them.
    expect((await fetch(coordinator, notForHer.Id)).status).toBe(200)
    // A file goes out before its transaction ends.
    const rows = () => audited('GET /programs/:programId/documents/:documentId/file')
    await expect.poll(rows).toHaveLength(2)
    expect(await rows()).toContainEqual({
      account_id: Id,
      detail: {
        programId: program.Id,
        documentId: forHer.Id,
        DocumentId: forHer.Id,
        Name: 'Handbook',
        Filename: 'handbook.pdf',
      },
    })
  })

  test('searches, chooses a category and pages', async () => {
    const [books, forms] = [await addCategory('Books'), await addCategory('Forms')]
    await add({ CategoryId: books.Id, Name: 'Anatomy' })
    await add({ CategoryId: forms.Id, Name: 'Incident form', Description: 'anatomy of a fall' })
    const student = await person(Level.Student)
    expect((await library(student, { search: 'ANATOMY' })).Total).toBe(2)
    const chosen = await library(student, { search: 'anatomy', CategoryId: forms.Id })
    expect(chosen).toMatchObject({ Total: 1, Items: [{ Name: 'Incident form' }] })
    expect(chosen.Categories).toHaveLength(2)
    expect(await library(student, { page: 2, pageSize: 1 })).toMatchObject({
      Total: 2,
      Items: [{ Name: 'Incident form' }],
    })
    expect(Object.keys(chosen.Items[0]!)).not.toContain('Access')
  })
})
