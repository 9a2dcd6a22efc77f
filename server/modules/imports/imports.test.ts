import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Level, levels } from '#contract/core/levels.ts'
import { may } from '#contract/core/permissions.ts'
import { type ImportKind, importables } from '#contract/imports/import-kinds.ts'
import * as contract from '#contract/imports/imports.ts'
import { updateUser } from '#contract/people/people.ts'
import { getSite, listSites, updateSite } from '#contract/sites/sites.ts'
import { transaction } from '#server/core/database/pool.ts'
import type { Failure } from '#server/core/runtime/failure.ts'
import {
  type MadeProgram,
  makePerson,
  makeProgram,
  makeRotation,
  makeRow,
  makeShift,
  makeSite,
  makeStudent,
  makeSupervisor,
} from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { importAnswer } from '#server/test/tasks.ts'
import { importTable } from './import-table.service.ts'

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

const hospitals = readFileSync(join(import.meta.dirname, 'fixtures/hospitals.csv'))
const colleges = readFileSync(join(import.meta.dirname, 'fixtures/colleges.csv'))

type Kind = Exclude<ImportKind, 'colleges'>
interface Options {
  DryRun?: boolean
  SendLinks?: boolean
  mapping?: Record<string, string>
  caller?: Caller
}
const send = async (Kind: Kind, content: string | Uint8Array, options: Options = {}) => {
  const { mapping, caller = coordinator, ...query } = options
  const reply = await caller.call(
    contract.importIntoProgram,
    {
      params: { programId: program.Id },
      query: { Kind, ...query },
      ...(mapping && { body: { mapping } }),
    },
    { files: [{ field: 'file', name: `${Kind}.csv`, content }] },
  )
  return importAnswer(installation, caller, reply)
}
const run = async (Kind: Kind, content: string | Uint8Array, options: Options = {}) => {
  const { status, body } = await send(Kind, content, options)
  expect(body, JSON.stringify(body).slice(0, 400)).toMatchObject({ ErrorCount: 0 })
  expect(status).toBe(200)
  return body
}
const dry = async (Kind: Kind, content: string | Uint8Array, options: Options = {}) => {
  const { status, body } = await send(Kind, content, { ...options, DryRun: true })
  expect(status).toBe(200)
  return body
}
const undo = (importId: number) =>
  coordinator.call(contract.undoImport, { params: { programId: program.Id, importId } })
const sites = () => coordinator.ok(listSites, { params: { programId: program.Id } })
const rowsOf = async (table: string) =>
  (await installation.owner.query(`select * from ${table} where program_id = $1 order by id`, [program.Id]))
    .rows

describe('sites', () => {
  test('D3-043 the hospital file is matched by name, and a dry run says what would happen without doing it', async () => {
    const result = await dry('sites', hospitals)
    expect(result).toMatchObject({
      Rows: 25,
      Added: 25,
      Changed: 0,
      Unchanged: 0,
      Errors: [],
      ImportId: null,
    })
    expect(result.Mapping).toEqual({
      Name: 'NAME',
      ExternalLocationId: 'ID',
      Type: 'TYPE',
      Address: 'ADDRESS',
      City: 'CITY',
      State: 'STATE',
      Zip: 'ZIP',
      Phone: 'TELEPHONE',
      County: 'COUNTY',
      Website: 'WEBSITE',
      Beds: 'BEDS',
      Latitude: 'LATITUDE',
      Longitude: 'LONGITUDE',
      Status: 'STATUS',
    })
    expect(result.Columns).toHaveLength(16)
    expect(result.Sample).toHaveLength(5)
    expect(await sites()).toEqual([])
  })

  test('every row becomes a site; NOT AVAILABLE and -999 are empty; the zone comes from the place', async () => {
    const result = await run('sites', hospitals)
    expect(result).toMatchObject({ Rows: 25, Added: 25, Changed: 0, Unchanged: 0 })
    const made = await rowsOf('site')
    expect(made).toHaveLength(25)
    const first = made.find(({ external_location_id }) => external_location_id === '53391362')
    expect(first).toMatchObject({
      name: 'LOS ROBLES HOSPITAL & MEDICAL CENTER - EAST CAMPUS',
      phone: '',
      beds: 62,
      latitude: 34.15493887,
      time_zone: 'America/Los_Angeles',
      is_dst: true,
      is_active: true,
    })
    expect(JSON.stringify(made)).not.toMatch(/NOT AVAILABLE|-999/)
  })

  test('the same file again changes nothing; a changed cell is a change; an empty cell erases nothing', async () => {
    await run('sites', hospitals)
    expect(await run('sites', hospitals)).toMatchObject({ Added: 0, Changed: 0, Unchanged: 25 })
    const edited = hospitals
      .toString('utf8')
      .replace('WESTLAKE VILAGE', 'WESTLAKE VILLAGE')
      .replace('150 VIA MERIDA', '')
    expect(await run('sites', edited)).toMatchObject({ Added: 0, Changed: 1, Unchanged: 24 })
    const [site] = (await rowsOf('site')).filter(({ external_location_id: id }) => id === '53391362')
    expect(site).toMatchObject({ city: 'WESTLAKE VILLAGE', address: '150 VIA MERIDA' })
  })

  test('columns in any order and under any name go where the mapping says', async () => {
    const csv = 'Stadt;Haus;Breite;Länge\nNew Bedford;Harbor General;41.63;-70.93\n'
    const result = await run('sites', csv, {
      mapping: { Name: 'Haus', City: 'Stadt', Latitude: 'Breite', Longitude: 'Länge' },
    })
    expect(result.Added).toBe(1)
    expect(await sites()).toMatchObject([
      { Name: 'Harbor General', Latitude: 41.63, Longitude: -70.93, TimeZone: 'America/New_York', Code: '' },
    ])
  })

  test('areas are named, and one that does not exist is told', async () => {
    const { id } = await makeRow(installation.owner, 'area', { program_id: program.Id, name: 'Imaging' })
    await run('sites', 'Name,Area\nHarbor General,imaging\n')
    expect(await sites()).toMatchObject([{ AreaId: id }])
    const { Errors } = await dry('sites', 'Name,Area\nElsewhere,Surgery\n')
    expect(Errors).toEqual([{ Row: 2, Column: 'Area', Message: '“Surgery” is not an area. Use Imaging.' }])
  })

  test('a site without an id is known by name, city and state', async () => {
    await run('sites', 'Name,City,State,Phone\nMercy,Taunton,MA,5550101\nMercy,Boston,MA,5550102\n')
    expect(await run('sites', 'Name,City,State,Phone\nMERCY,taunton,MA,5550103\n')).toMatchObject({
      Added: 0,
      Changed: 1,
    })
  })

  test('the zone of a site follows its place, unless somebody set another one', async () => {
    await run('sites', 'ID,Name,Lat,Lon\n1,East,41.6,-70.9\n2,Set,41.6,-70.9\n')
    await installation.owner.query(
      "update site set time_zone = 'America/Denver' where program_id = $1 and name = 'Set'",
      [program.Id],
    )
    await run('sites', 'ID,Name,Lat,Lon\n1,East,34.05,-118.24\n2,Set,34.05,-118.24\n')
    expect((await rowsOf('site')).map(({ time_zone }) => time_zone)).toEqual([
      'America/Los_Angeles',
      'America/Denver',
    ])
  })
})

describe('bad files are refused row by row, and nothing of them is kept', () => {
  const refused = async (
    content: string | Uint8Array,
    errors: object[],
    kind: Kind = 'sites',
    options: Options = {},
  ) => {
    const preview = await dry(kind, content, options)
    expect(preview.Errors).toEqual(errors.map((error) => expect.objectContaining(error)))
    const { status, body } = await send(kind, content, options)
    expect(status).toBe(422)
    expect(body).toMatchObject({ Code: 'rows_refused', Added: 0, Changed: 0, Unchanged: 0, ImportId: null })
    expect(body.Errors).toEqual(preview.Errors)
    expect((body as unknown as { Message: string }).Message).toMatch(/^Nothing was imported/)
    expect(await rowsOf(kind === 'sites' ? 'site' : 'account')).toHaveLength(kind === 'sites' ? 0 : 1)
  }

  test('a missing required column', () =>
    refused('City\nTaunton\n', [
      { Row: 1, Column: 'Name', Message: 'No column is matched to Name, which is required.' },
    ]))

  test('a doubled column', () =>
    refused('Name,City,NAME\na,b,c\n', [
      { Row: 1, Message: 'The file has 2 columns named NAME. Rename all but one.' },
    ]))

  test('a column matched to two fields, a field that is none, and a column that does not exist', () =>
    refused(
      'Name,City\na,b\n',
      [
        { Row: 1, Column: 'Name', Message: 'The column Name is matched to Name and to Code. Choose one.' },
        { Row: 1, Column: 'Color', Message: 'Color is not a field of sites.' },
        { Row: 1, Column: 'Place', Message: 'The file has no column Place.' },
      ],
      'sites',
      { mapping: { Name: 'Name', Code: 'Name', Color: 'City', Notes: 'Place' } },
    ))

  test('quotes that never close, told with the row in which they open', () =>
    refused('Name,City\nHarbor,Taunton\n"Mercy,Boston\nEastgate,Newport\n', [
      { Row: 3, Message: 'A quote opens in row 3 and never closes. Close it, or double it inside the text.' },
    ]))

  test('rows that are wider or narrower than the header', () =>
    refused('Name,City\nHarbor,Taunton,lost\nMercy\n', [
      { Row: 2, Message: 'The row has 3 cells where the header has 2.' },
      { Row: 3, Message: 'The row has 1 cell where the header has 2.' },
    ]))

  test('doubled keys', () =>
    refused('ID,Name\n7,Harbor\n8,Mercy\n7,Harbor again\n', [
      { Row: 4, Column: 'ID', Message: 'Duplicate External ID (also in row 2).' },
    ]))

  test('coordinates off the globe, half a coordinate, and text in place of a figure', () =>
    refused('Name,Lat,Lon,Beds\na,91,0,1\nb,0,-180.5,1\nc,12,,1\nd,north,0,many\ne,1,1,2.5\n', [
      { Row: 2, Column: 'Lat', Message: 'Latitude lies off the globe: it must be between -90 and 90: 91.' },
      { Row: 3, Column: 'Lon', Message: expect.stringContaining('between -180 and 180') },
      { Row: 4, Column: 'Lon', Message: 'Longitude is empty while Latitude is given.' },
      { Row: 5, Column: 'Beds', Message: 'Beds is not a whole number: many.' },
      { Row: 5, Column: 'Lat', Message: 'Latitude is not a number: north.' },
      { Row: 6, Column: 'Beds', Message: 'Beds is not a whole number: 2.5.' },
    ]))

  test('names of 10,000 characters and names of nothing', () =>
    refused(`Name,City\n${'x'.repeat(10_000)},a\n,b\n`, [
      { Row: 2, Column: 'Name', Message: 'Name has 10,000 characters; at most 255 fit.' },
      { Row: 3, Column: 'Name', Message: 'Name is required and empty.' },
    ]))

  test('an empty file, a header alone, an archive, a picture', async () => {
    await refused('', [
      { Row: 1, Message: 'The file is empty. Choose a CSV or Excel (.xlsx) file with a header row.' },
    ])
    await refused('Name,City\n', [{ Row: 1, Message: 'The file has a header and no rows.' }])
    await refused(Buffer.from('504b030414000000', 'hex'), [
      { Row: 1, Message: expect.stringContaining('damaged or incomplete') },
    ])
    await refused(Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), [
      { Row: 1, Message: expect.stringContaining('neither text nor a workbook') },
    ])
  })

  test('one bad row among many keeps all of them out', async () => {
    const lines = Array.from({ length: 300 }, (_, index) => `Site ${index},${index === 250 ? 'x' : '4'}`)
    await refused(`Name,Capacity\n${lines.join('\n')}\n`, [{ Row: 252, Column: 'Capacity' }])
  })

  test('a call without a file is malformed', async () => {
    const { status, body } = await coordinator.call(
      contract.importIntoProgram,
      { params: { programId: program.Id }, query: { Kind: 'sites' } },
      { files: [] },
    )
    expect(status).toBe(400)
    expect((body as any).Errors).toEqual([{ Field: 'file', Message: 'Choose a file.' }])
  })
})

describe('what people really have in their files', () => {
  const names = 'Ünïcödé Spital,قسم الأشعة,Urgent 🚑 Care'
  const csv = `Name\r\n${names.replaceAll(',', '\r\n')}\r\n`
  const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])

  test.each([
    ['UTF-8 without a mark', Buffer.from(csv)],
    ['UTF-8 with a mark', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(csv)])],
    ['UTF-16 little end first', utf16(csv)],
    ['UTF-16 big end first', utf16(csv).swap16()],
  ])('%s: emoji and right-to-left letters come through', async (_encoding, bytes) => {
    await run('sites', bytes)
    expect((await sites()).map(({ Name }) => Name).toSorted()).toEqual(names.split(',').toSorted())
  })

  test('Windows-1252 is recognised where the bytes are no UTF-8', async () => {
    await run(
      'sites',
      Buffer.concat([
        Buffer.from('Name\r\nH'),
        Buffer.from([0xf4]),
        Buffer.from('pital G'),
        Buffer.from([0xe9]),
        Buffer.from('n'),
      ]),
    )
    expect(await sites()).toMatchObject([{ Name: 'Hôpital Gén' }])
  })

  test('formulas are kept as the text they are, and markup goes', async () => {
    await run(
      'sites',
      `Name,Notes,Code\n"=HYPERLINK(""http://x"")",+1+1,'=A1\n<b>Mercy</b> <script>x</script>,@SUM(1),B\n`,
    )
    expect(await rowsOf('site')).toMatchObject([
      { name: '=HYPERLINK("http://x")', notes: '+1+1', code: '=A1' },
      { name: 'Mercy x', notes: '@SUM(1)' },
    ])
  })

  test('tabs, semicolons, mixed line breaks, blank lines and breaks inside quotes', async () => {
    await run('sites', 'Name\tNotes\r\n\r\nHarbor\t"one\ntwo"\nMercy\tthree\r')
    expect(await rowsOf('site')).toMatchObject([
      { name: 'Harbor', notes: 'one\ntwo' },
      { name: 'Mercy', notes: 'three' },
    ])
    const { Errors } = await dry('sites', 'Name;Beds\n"a\nb";1\nMercy;x\n')
    expect(Errors).toMatchObject([
      { Row: 2, Column: 'Name' },
      { Row: 4, Column: 'Beds' },
    ])
  })

  test('100,000 rows go in whole', async () => {
    const lines = Array.from(
      { length: 100_000 },
      (_, index) =>
        `${index},SITE ${index},${25 + (index % 240) / 10},${-124 + (index % 560) / 10},NOT AVAILABLE,${index % 900}`,
    )
    const result = await run('sites', `ID,NAME,LATITUDE,LONGITUDE,TELEPHONE,BEDS\n${lines.join('\n')}\n`)
    expect(result).toMatchObject({ Rows: 100_000, Added: 100_000 })
    const { rows } = await installation.owner.query(
      'select count(*) as count, count(distinct external_location_id) as ids from site where program_id = $1',
      [program.Id],
    )
    expect(rows).toEqual([{ count: 100_000, ids: 100_000 }])
  }, 120_000)
})

describe('people', () => {
  const roster =
    'Student ID,First Name,Last Name,Email,Level,Cohort\nS1,Ana,Núñez,ana@example.org,Level 1,2027\nS2,Bo,Li,bo@example.org,2,2027\n'

  test('D3-172 students come in with number, level and cohort; user names are made from the name', async () => {
    expect(await run('students', roster)).toMatchObject({ Rows: 2, Added: 2 })
    const made = (await rowsOf('account')).filter(({ access_level }) => access_level === Level.Student)
    expect(made).toMatchObject([
      {
        first_name: 'Ana',
        last_name: 'Núñez',
        email: 'ana@example.org',
        student_number: 'S1',
        student_level_id: 1,
        cohort: '2027',
      },
      { student_number: 'S2', student_level_id: 2 },
    ])
    expect(made[0].user_name).toMatch(/^anunez\d*$/)
    expect(made[0].password_hash).toBeNull()
    expect(await run('students', roster)).toMatchObject({ Added: 0, Unchanged: 2 })
  })

  test('user names are unique in the installation: made ones count on, given ones are refused', async () => {
    const other = await makeProgram(installation.owner)
    await makePerson(installation.owner, Level.Student, { program: other, user_name: 'QzCounter' })
    await run(
      'students',
      'First Name,Last Name,Email\nQ,Zcounter,a1@example.org\nQ,Zcounter,a2@example.org\n',
    )
    const made = (await rowsOf('account')).filter(({ access_level }) => access_level === Level.Student)
    expect(made.map(({ user_name }) => user_name)).toEqual(['qzcounter2', 'qzcounter3'])
    const many = Array.from({ length: 3_000 }, (_, at) => `Q${at},Zmany,q${at}@example.org`)
    const { AddedNames } = await dry('students', ['First Name,Last Name,Email', ...many].join('\n'))
    expect([AddedNames.length, AddedNames[0], AddedNames.at(-1)]).toEqual([
      3_000,
      'Zmany, Q0 (q0@example.org)',
      'Zmany, Q2999 (q2999@example.org)',
    ])
    const { Errors } = await dry(
      'students',
      'UserName,First Name,Last Name,Email\nqzcounter,A,B,b@example.org\n',
    )
    expect(Errors).toEqual([
      { Row: 2, Column: 'UserName', Message: 'The user name qzcounter is taken. Choose another one.' },
    ])
  })

  test('a roster changes the level of a student it knows, and never the user name', async () => {
    await makeStudent(installation.owner, program, {
      student_number: 'S1',
      first_name: 'Ana',
      last_name: 'Núñez',
      email: 'ana@example.org',
    })
    expect(await run('students', roster.replace('Level 1', 'Level 2'))).toMatchObject({
      Added: 1,
      Changed: 1,
    })
    const { Errors } = await dry(
      'students',
      'Student ID,UserName,First Name,Last Name,Email\nS1,other1,Ana,N,ana@example.org\n',
    )
    expect(Errors).toMatchObject([{ Column: 'UserName', Message: expect.stringContaining('never change') }])
    const moved = await dry(
      'students',
      'Student ID,First Name,Last Name,Email,Level,Group\nS1,Ana,Núñez,ana2@example.org,Level 1,2031\n',
    )
    const Name = 'Núñez, Ana (ana@example.org)'
    expect(moved.Changes).toEqual([
      { Row: 2, Name, Column: 'Email', Before: 'ana@example.org', After: 'ana2@example.org' },
      { Row: 2, Name, Column: 'Level', Before: 'Level 2', After: 'Level 1' },
      { Row: 2, Name, Column: 'Group', Before: '2027', After: '2031' },
    ])
    const renaming = 'Student ID,First Name,Last Name,Email\nS1,ANA,Nunez,ana@example.org\n'
    expect((await dry('students', renaming)).Warnings).toEqual([])
    const { Warnings } = await dry('students', renaming.replace('ANA,Nunez', 'Zoë,Lee'))
    expect(Warnings).toMatchObject([
      { Row: 2, Message: expect.stringMatching(/^Ana Núñez \(.*\) is renamed Zoë Lee\.$/) },
    ])
  })

  test('who nearly has the name of somebody is told with both names, and imported; rows to check count once each', async () => {
    const { owner } = installation
    await makeStudent(owner, program, {
      first_name: 'María',
      last_name: 'González-Lopez',
      student_number: null,
      user_name: 'mariagl',
    })
    const file = [
      'First Name,Last Name,Email,Phone',
      'Maria,Gonzales,maria@example.org,',
      'Alexander,Reed,alex@example.org,',
      'Alex,Reed,reed@example.org,',
      'Bo,Li,alex@example.org,',
    ].join('\n')
    const preview = await dry('students', file)
    expect(preview.Warnings).toEqual([
      {
        Row: 2,
        Column: 'Last Name',
        Message:
          'Maria Gonzales is added, and may be the same person as María González-Lopez (mariagl), who is in the program.',
      },
      {
        Row: 4,
        Column: 'Last Name',
        Message: 'Alex Reed is added, and may be the same person as Alexander Reed in row 3.',
      },
      { Row: 5, Column: 'Email', Message: 'Bo Li has the same email as Alexander Reed in row 3.' },
    ])
    const { Added, Warnings, WarningRows } = await run('students', file)
    expect({ Added, Warnings, WarningRows }).toEqual({
      Added: 4,
      Warnings: preview.Warnings,
      WarningRows: preview.WarningRows,
    })
    expect(WarningRows).toBe(3)
  })

  test('people are known by email and name where number and user name tell nobody; others of the email are told with both names', async () => {
    const { owner } = installation
    const ana = { first_name: 'Ana', last_name: 'O’Brien-Núñez', email: 'ana@example.org' }
    const known = await makeStudent(owner, program, { ...ana, student_number: null, user_name: 'anaob1' })
    const result = await run(
      'students',
      [
        'Student ID,UserName,First Name,Last Name,Email,Cohort',
        // The school's user name beside somebody of the same email and name.
        "S1,aob44,Ana,O'Brien Nunez,ana@example.org,2028",
        'S2,,Boris,Reed,boris@example.org,2028',
        'S3,,Cy,Fox,cy@example.org,2028',
        // One email in two rows, and that of somebody with another name.
        'S4,,Di,Fox,cy@example.org,2028',
        'S5,,Eve,Ray,ANA@example.org,2028',
      ].join('\n'),
    )
    // Row 6 has two.
    expect(result).toMatchObject({ Added: 4, Changed: 1, WarningRows: 3 })
    expect(result.Warnings).toEqual([
      {
        Row: 2,
        Column: 'UserName',
        Message:
          "Ana O'Brien Nunez is known by email and name as Ana O’Brien-Núñez (anaob1); user names never change, so anaob1 stays.",
      },
      { Row: 5, Column: 'Email', Message: 'Di Fox has the same email as Cy Fox in row 4.' },
      { Row: 6, Column: 'Email', Message: "Eve Ray has the same email as Ana O'Brien Nunez in row 2." },
      {
        Row: 6,
        Column: 'Email',
        Message:
          'Eve Ray is added beside Ana O’Brien-Núñez (anaob1), who has the same email. If they are one person, give the row the student ID or user name of Ana O’Brien-Núñez.',
      },
    ])
    const people = (await rowsOf('account')).filter(({ access_level }) => access_level === Level.Student)
    expect(people).toHaveLength(5)
    expect(people.find(({ id }) => id === known.Id)).toMatchObject({ student_number: 'S1', cohort: '2028' })
  })

  test('bad people are told: no address, a level that does not exist, doubled numbers', async () => {
    const { Errors } = await dry(
      'students',
      'Student ID,First Name,Last Name,Email,Level\nS1,A,B,nobody,Level 1\nS1,A,B,c@example.org,Level 9\n,,,d@example.org,1\n,Sukarno,,e@example.org,1\n,\u200b,\u2060,f@example.org,1\n',
    )
    expect(Errors).toMatchObject([
      { Row: 2, Column: 'Email', Message: 'Email is not an email address: nobody.' },
      { Row: 3, Column: 'Level', Message: '“Level 9” is not a student level. Use Level 1 or Level 2.' },
      { Row: 3, Column: 'Student ID', Message: 'Duplicate student ID (also in row 2).' },
      { Row: 4, Column: 'Last Name', Message: 'Last name is required and empty.' },
      { Row: 6, Column: 'Last Name', Message: 'Last name is required and empty.' },
    ])
  })

  test('D3-254 staff come in with their role, none above the importing person', async () => {
    const csv = (role: string) => `First,Last,Email,Role\nSam,Sun,sam@example.org,${role}\n`
    expect((await dry('staff', csv('Director'))).Errors).toMatchObject([
      { Column: 'Role', Message: 'Role is a role above your own: Director.' },
    ])
    expect((await dry('staff', csv('Wizard'))).Errors).toMatchObject([
      { Message: expect.stringContaining('“Wizard” is not a role. Use ') },
    ])
    await run('staff', csv('Clinical instructor'))
    expect((await rowsOf('account')).at(-1)).toMatchObject({ access_level: Level.Faculty, first_name: 'Sam' })
  })

  test('an email with the way to a password goes to whoever was added, when asked for', async () => {
    await run('students', roster)
    expect(
      (await installation.owner.query('select from mail where program_id = $1', [program.Id])).rows,
    ).toHaveLength(0)
    await run('students', roster.replace('S2', 'S3').replace('bo@', 'cy@'), { SendLinks: true })
    const { rows } = await installation.owner.query(
      'select recipient, html from mail where program_id = $1',
      [program.Id],
    )
    expect(rows).toMatchObject([
      { recipient: 'cy@example.org', html: expect.stringContaining('/new/reset-password') },
    ])
  })
})

describe('what somebody else changes during an import', () => {
  /** Changes a person in a transaction that commits only when the import waits for the row. */
  const during = async (change: string, id: number, work: () => ReturnType<typeof send>) => {
    const other = await installation.owner.connect()
    try {
      await other.query('begin')
      await other.query(`update account set ${change} where id = $1`, [id])
      let isDone = false
      const running = work().finally(() => {
        isDone = true
      })
      while (!isDone) {
        const { rows } = await other.query(
          'select from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))',
        )
        if (rows.length > 0) break
      }
      await other.query('commit')
      return await running
    } finally {
      other.release()
    }
  }
  const file = 'Student ID,First Name,Last Name,Email,Level,Phone\nS1,Ana,Lee,ana@example.org,1,555-0142\n'
  const open = async () =>
    (
      await makeStudent(installation.owner, program, {
        student_number: 'S1',
        first_name: 'Ana',
        last_name: 'Lee',
        email: 'ana@example.org',
        student_level_id: 1,
        phone: '1',
      })
    ).Id

  test('stays where the file changes something else, and undo takes back what the import changed alone', async () => {
    const id = await open()
    const { status, body } = await during("email = 'new@example.org', student_level_id = 2", id, () =>
      send('students', file),
    )
    expect([status, body.Changed]).toEqual([200, 1])
    const person = async () => (await rowsOf('account')).find((row) => row.id === id)
    const theirs = { email: 'new@example.org', student_level_id: 2 }
    expect(await person()).toMatchObject({ ...theirs, phone: '555-0142' })
    const { rows } = await installation.owner.query(
      'select before, after from import_change where import_id = $1',
      [body.ImportId],
    )
    expect(rows).toMatchObject([{ before: { phone: '1' }, after: { phone: '555-0142' } }])
    expect((await undo(body.ImportId!)).status).toBe(204)
    expect(await person()).toMatchObject({ ...theirs, phone: '1' })
  })

  test('is an error where a phone, ZIP code or name is in no known form, and stays where it is so already', async () => {
    await open()
    const head = 'Student ID,First Name,Last Name,Email,Phone,ZIP,Cohort\n'
    const known = await send('students', `${head}S1,Ana,Lee,ana@example.org,1,none,2031\n`)
    expect([known.status, known.body.Changed]).toEqual([200, 1])
    const refused = await send(
      'students',
      `${head}S1,Ana,Lee,ana@example.org,-1,,\nS2,🌸🌸,Ito,ito@example.org,📞📞📞,abcde,\n`,
    )
    expect(refused.body.Errors.map(({ Row, Column }) => [Row, Column])).toEqual([
      [2, 'Phone'],
      [3, 'First Name'],
      [3, 'Phone'],
      [3, 'ZIP'],
    ])
  })

  test('is not overwritten where the preview showed another value, or none: nothing is imported, and the result is as it is now', async () => {
    const id = await open()
    const preview = await dry('students', file)
    expect(preview.Changes).toMatchObject([{ Row: 2, Column: 'Phone', Before: '1' }])
    const set = (text: string) => installation.owner.query(`update account set ${text} where id = $1`, [id])
    await set("phone = '777-0142', middle_name = 'Maria'")
    const sendSeen = (seen: ReturnType<typeof contract.previewOf>) =>
      coordinator.call(
        contract.importIntoProgram,
        { params: { programId: program.Id }, query: { Kind: 'students' }, body: { seen } },
        { files: [{ field: 'file', name: 'students.csv', content: file }] },
      )
    const refused = await sendSeen(contract.previewOf(preview))
    expect(refused).toMatchObject({
      status: 409,
      body: {
        Code: 'changed_meanwhile',
        Message:
          'Nothing was imported: row 2, Phone: Someone else changed this since the preview. Their change was kept. Check it, then import again.',
        Changes: [{ Row: 2, Column: 'Phone', Before: '777-0142' }],
        Changed: 1,
      },
    })
    expect((await sendSeen([])).status).toBe(409)
    await set("cohort = '2031'")
    expect((await sendSeen(contract.previewOf(refused.body))).status).toBe(200)
    const [person] = (await rowsOf('account')).filter((row) => row.id === id)
    expect(person).toMatchObject({ phone: '555-0142', middle_name: 'Maria', cohort: '2031' })
  })

  test('is not overwritten where the file changes the same: nothing is imported, told by row and column', async () => {
    const id = await open()
    const { status, body } = await during("phone = '777-0142'", id, () =>
      send('students', `${file}S2,Bo,Ray,bo@example.org,1,555-0143\n`),
    )
    expect(status).toBe(409)
    expect(body).toMatchObject({
      Code: 'changed_meanwhile',
      Message:
        'Nothing was imported: row 2, Phone: Someone else changed this during the import. Their change was kept. Check it, then import again.',
      Errors: [{ Row: 2, Column: 'Phone', Message: 'Someone else changed this during the import.' }],
    })
    const made = (await rowsOf('account')).filter(({ access_level }) => access_level === Level.Student)
    expect(made).toMatchObject([{ phone: '777-0142' }])
    expect(await run('students', file)).toMatchObject({ Changed: 1 })
  })
})

describe('undo', () => {
  test('takes away what was added and puts back what was changed', async () => {
    await run('sites', 'ID,Name,City,Beds\n1,Harbor,Taunton,10\n')
    const second = await run('sites', 'ID,Name,City,Beds\n1,Harbor,Boston,\n2,Mercy,Fall River,5\n')
    expect(second).toMatchObject({ Added: 1, Changed: 1 })
    expect((await undo(second.ImportId!)).status).toBe(204)
    expect((await rowsOf('site')).filter(({ deleted_at }) => !deleted_at)).toMatchObject([
      { name: 'Harbor', city: 'Taunton', beds: 10 },
    ])
    const again = await undo(second.ImportId!)
    expect(again.status).toBe(409)
    expect((again.body as any).Message).toMatch(/undone already/)
    expect(await run('sites', 'ID,Name\n2,Mercy\n')).toMatchObject({ Added: 1 })
  })

  const told = async (importId: number) => {
    const { Kept, KeptTold } = await coordinator.ok(contract.getImport, {
      params: { programId: program.Id, importId },
    })
    return { Kept, KeptTold }
  }

  test('is refused while all that it made is in use, by name', async () => {
    const { ImportId } = await run('sites', 'Name\nMercy\n')
    const [site] = await sites()
    const shift = await makeShift(installation.owner, program, { site: site! })
    const { status, body } = await undo(ImportId!)
    expect(status).toBe(409)
    expect(body).toMatchObject({ Code: 'in_use', Message: expect.stringContaining('Mercy has shifts') })
    expect(await sites()).toHaveLength(1)

    // What was deleted is no use.
    await installation.owner.query('update site_shift set deleted_at = now() where id = $1', [shift.Id])
    const person = await makeSupervisor(installation.owner, program, [site!.Id])
    expect(((await undo(ImportId!)).body as any).Message).toContain('Mercy has supervisors')
    await installation.owner.query('update account set deleted_at = now() where id = $1', [person.Id])
    expect((await undo(ImportId!)).status).toBe(204)
  })

  test('keeps and names what was changed or used since, and takes back the rest', async () => {
    const { ImportId } = await run('sites', 'Name\nBaker\nHarbor\nMercy\nUnion\n')
    const [baker, harbor] = await sites()
    await makeShift(installation.owner, program, { site: baker! })
    const params = { programId: program.Id, siteId: harbor!.Id }
    const whole = await coordinator.ok(getSite, { params })
    await coordinator.ok(updateSite, { params, body: { Name: 'Harbor General', TimeZone: whole.TimeZone } })
    expect((await undo(ImportId!)).status).toBe(204)
    expect((await sites()).map(({ Name }) => Name)).toEqual(['Baker', 'Harbor General'])
    expect(await told(ImportId!)).toEqual({
      Kept: 2,
      KeptTold: ['Baker has shifts', 'Harbor General was changed since'],
    })

    const people = await run(
      'students',
      'First,Last,Email\nAda,Edited,a@example.org\nBen,Left,b@example.org\n',
    )
    const [ada] = (await rowsOf('account')).slice(-2)
    await coordinator.ok(updateUser, {
      params: { programId: program.Id, userId: ada.id },
      body: {
        FirstName: 'Ada',
        LastName: 'Edited',
        EmailAddress: 'a@example.org',
        PhoneNumber: '5085550100',
        AreaId: null,
        AccessLevel: Level.Student,
      },
    })
    expect((await undo(people.ImportId!)).status).toBe(204)
    expect(await told(people.ImportId!)).toEqual({ Kept: 1, KeptTold: ['Ada Edited was changed since'] })
    expect((await rowsOf('account')).slice(-2)).toMatchObject([
      { last_name: 'Edited', phone: '5085550100', deleted_at: null },
      { last_name: '', deleted_at: expect.any(String) },
    ])
  })

  test('of what a later import changed, and its undo put back, takes all', async () => {
    const first = await run('sites', 'ID,Name,City\n1,Harbor,Taunton\n')
    const second = await run('sites', 'ID,Name,City\n1,Harbor,Boston\n')
    expect((await undo(first.ImportId!)).status).toBe(409)
    for (const { ImportId } of [second, first]) expect((await undo(ImportId!)).status).toBe(204)
    expect(await sites()).toEqual([])
  })

  test('knows of every kind what was changed since, by the date that the database keeps', async () => {
    const { rows } = await installation.owner.query(
      `select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'import_id' and not a.attisdropped
      where c.relkind in ('r', 'p') and exists (select from pg_attribute k where k.attrelid = c.oid and k.attname = 'created_by' and not k.attisdropped)
        and not exists (select from pg_trigger t where t.tgrelid = c.oid and t.tgname = 'touch')
      order by 1`,
    )
    // Made besides the rows of a file, and taken away when nothing is left in them.
    expect(rows.map(({ relname }) => relname)).toEqual([])
  })

  test('is refused when somebody changed since what it would put back', async () => {
    const site = await makeSite(installation.owner, program, {
      name: 'Harbor',
      external_location_id: '1',
      city: 'Taunton',
    })
    const { ImportId } = await run('sites', 'ID,Name,City\n1,Harbor,Boston\n')
    await installation.owner.query("update site set phone = '1' where id = $1", [site.Id])
    await installation.owner.query("update site set city = 'Salem' where id = $1", [site.Id])
    const { status, body } = await undo(ImportId!)
    expect(status).toBe(409)
    expect((body as any).Message).toMatch(/Harbor was changed since/)
    expect((await sites())[0]).toMatchObject({ Name: 'Harbor' })
  })

  test('of a roster frees the user names, and is refused once a student is placed', async () => {
    const csv = 'First,Last,Email\nUndoable,Person,u@example.org\n'
    const { ImportId } = await run('students', csv)
    expect((await undo(ImportId!)).status).toBe(204)
    const again = await run('students', csv)
    const student = (await rowsOf('account')).at(-1)
    expect(student.user_name).toBe('uperson')
    const shift = await makeShift(installation.owner, program)
    const rotation = await makeRotation(installation.owner, program)
    await makeRow(installation.owner, 'shift_assignment', {
      program_id: program.Id,
      rotation_id: rotation.Id,
      site_shift_id: shift.Id,
      site_id: shift.SiteId,
      student_id: student.id,
      date: '2026-12-01',
      starts_at: '2026-12-01T12:00:00Z',
      ends_at: '2026-12-01T20:00:00Z',
    })
    const { status, body } = await undo(again.ImportId!)
    expect(status).toBe(409)
    expect((body as any).Message).toMatch(/Undoable Person is placed on shifts/)
  })
})

test('nobody changes their own email by a file: that asks for a proof', async () => {
  const person = await makePerson(installation.owner, Level.Coord, { program, email: 'own@example.org' })
  const other = await makePerson(installation.owner, Level.Faculty, { program, email: 'other@example.org' })
  const caller = await installation.as(person)
  const file = (...who: { UserName: string }[]) =>
    `User name,First name,Last name,Email,Role\n${who.map(({ UserName }) => `${UserName},Dana,Reyes,thief-${UserName}@example.org,Faculty`).join('\n')}`
  const send = (content: string) =>
    caller.call(
      contract.importIntoProgram,
      { params: { programId: program.Id }, query: { Kind: 'staff' } },
      { files: [{ field: 'file', name: 'staff.csv', content }] },
    )
  const refused = await send(file(other, person))
  expect(refused.body).toMatchObject({
    Errors: [
      { Row: 3, Column: 'Email', Message: 'This is your own email. Change it on the page of your account.' },
    ],
  })
  expect((await rowsOf('account')).map(({ email }) => email)).toEqual(
    expect.arrayContaining(['own@example.org', 'other@example.org']),
  )
  expect((await send(file(other))).body).toMatchObject({ Changed: 1, Errors: [] })
})

describe('the history', () => {
  test('tells each run with its counts, newest first, and what was undone', async () => {
    const first = await run('sites', 'Name\nHarbor\n')
    const second = await run('students', 'First,Last,Email\nA,B,hist@example.org\n')
    await undo(first.ImportId!)
    const list = await coordinator.ok(contract.listImports, { params: { programId: program.Id } })
    expect(list).toMatchObject({
      Total: 2,
      Items: [
        {
          Id: second.ImportId,
          Kind: 'students',
          FileName: 'students.csv',
          Status: 'done',
          Rows: 1,
          DoneRows: 1,
          Added: 1,
        },
        { Id: first.ImportId, Kind: 'sites', Status: 'undone', UndoneDate: expect.any(String) },
      ],
    })
    const one = await coordinator.ok(contract.getImport, {
      params: { programId: program.Id, importId: second.ImportId! },
    })
    expect(one).toEqual(list.Items[0])
    const filtered = await coordinator.ok(contract.listImports, {
      params: { programId: program.Id },
      query: { Kind: 'sites' },
    })
    expect(filtered.Items).toHaveLength(1)
  })

  test('an import of another program does not exist', async () => {
    const { ImportId } = await run('sites', 'Name\nHarbor\n')
    const other = await makeProgram(installation.owner)
    const stranger = await installation.as(
      await makePerson(installation.owner, Level.Coord, { program: other }),
    )
    const at = { params: { programId: other.Id, importId: ImportId! } }
    expect((await stranger.call(contract.getImport, at)).status).toBe(404)
    expect((await stranger.call(contract.undoImport, at)).status).toBe(404)
    expect((await stranger.ok(contract.listImports, { params: { programId: other.Id } })).Total).toBe(0)
  })

  test('every import is in the audit with its counts', async () => {
    await run('sites', 'Name\nHarbor\n')
    const { rows } = await installation.owner.query(
      "select detail from audit where program_id = $1 and action = 'POST /programs/:programId/imports'",
      [program.Id],
    )
    expect(rows).toMatchObject([{ detail: { Kind: 'sites', Added: 1, DryRun: false } }])
  })
})

describe('colleges', () => {
  const importColleges = (caller: Caller, content: string | Uint8Array, DryRun = false) =>
    caller.call(
      contract.importColleges,
      { query: { DryRun } },
      { files: [{ field: 'file', name: 'colleges.csv', content }] },
    )

  test('D3-013 super admins import colleges by their IPEDS id, see them in the history and undo it', async () => {
    const admin = await installation.as(await makePerson(installation.owner, Level.SuperAdmin))
    const { status, body } = await importColleges(admin, colleges)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      Rows: 15,
      Added: 15,
      Mapping: { IpedsId: 'IPEDSID', Name: 'NAME', Phone: 'TELEPHONE' },
    })
    expect((await importColleges(admin, colleges)).body).toMatchObject({ Added: 0, Unchanged: 15 })
    const history = await admin.ok(contract.listCollegeImports)
    expect(history.Items[1]).toMatchObject({ Id: body.ImportId, Kind: 'colleges', Added: 15 })
    const at = { params: { importId: body.ImportId! } }
    expect(await admin.ok(contract.getCollegeImport, at)).toMatchObject({ Status: 'done' })
    const { rows } = await installation.owner.query("select id, name from college where ipeds_id = '190682'")
    const taught = await makeProgram(installation.owner, { college_id: rows[0].id })
    expect((await admin.call(contract.undoCollegeImport, at)).status).toBe(204)
    expect(await admin.ok(contract.getCollegeImport, at)).toMatchObject({
      Status: 'undone',
      Kept: 1,
      KeptTold: ['CUNY SCHOOL OF LAW has programs'],
    })
    const left = await installation.owner.query(
      'select name from college where ipeds_id is not null and deleted_at is null',
    )
    expect(left.rows).toEqual([{ name: 'CUNY SCHOOL OF LAW' }])
    await installation.owner.query('delete from student_level where program_id = $1', [taught.Id])
    await installation.owner.query('delete from program where id = $1', [taught.Id])
  })

  test('nobody else imports colleges', async () => {
    expect((await importColleges(coordinator, colleges, true)).status).toBe(403)
  })
})

test('every field of every kind has its column', () => {
  for (const { fields } of Object.values(importables))
    expect(new Set(fields.map(({ name }) => name)).size).toBe(fields.length)
})

test('who may not import a kind imports none of it, whichever way the rows come', async () => {
  const { services, owner } = installation
  const wrong: string[] = []
  for (const { Id: AccessLevel, Name } of levels) {
    const { Id } = await makePerson(owner, AccessLevel, { program })
    const user = { Id, AccessLevel, SuperAdminAreas: null, isSuperAdmin: AccessLevel === Level.SuperAdmin }
    for (const kind of Object.keys(importables) as ImportKind[]) {
      const job = { kind, programId: program.Id, fileName: '', isDryRun: true, sendsLinks: false }
      const table = { columns: [], rows: [], errors: [] }
      const refusal = await transaction(
        services.transactions,
        { accountId: Id, programIds: [program.Id], isSuper: user.isSuperAdmin },
        (db) => importTable({ db, services, user, audit: {} }, { ...job, table }),
      ).then(
        () => undefined,
        (error: Failure) => error.code,
      )
      if ((refusal === 'not_allowed') === may(user, importables[kind].may))
        wrong.push(`${kind} by ${Name}: ${refusal}`)
    }
  }
  expect(wrong).toEqual([])
})

test('an import that is being undone says so to whoever undoes it too', async () => {
  const { ImportId } = await run('sites', hospitals)
  const other = await installation.owner.connect()
  try {
    await other.query('begin')
    await other.query("select pg_advisory_xact_lock(hashtextextended('undo:' || $1::bigint, 0))", [ImportId])
    expect(await undo(ImportId!)).toMatchObject({
      status: 409,
      body: { Code: 'undo_running', Message: expect.stringContaining('is being undone already') },
    })
  } finally {
    await other.query('rollback')
    other.release()
  }
  const replies = await Promise.all([undo(ImportId!), undo(ImportId!)])
  expect(replies.map(({ status }) => status).toSorted()).toEqual([204, 409])
})
