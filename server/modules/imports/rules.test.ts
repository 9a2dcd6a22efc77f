import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ImportField } from '#contract/core/import-fields.ts'
import { Level } from '#contract/core/levels.ts'
import { importables, importKinds } from '#contract/imports/import-kinds.ts'
import { hasChoices, matchColumns } from '#contract/imports/imports-rules.ts'
import { siteImport } from '#contract/sites/sites-fields.ts'
import { freeUserName, userNameStem } from '#server/core/auth/user-names.ts'
import { namedChoices, notAmong } from '#server/core/imports/choices.ts'
import { planPeople } from '../people/people.import.ts'
import { planSites } from '../sites/sites.import.ts'
import { decodeText } from './decode.rules.ts'
import { notesMark, readTable, separatorOf, withNames } from './parse.rules.ts'
import { mappingErrors, readRows } from './rows.rules.ts'

const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`
const print = (rows: readonly string[][]) => rows.map((row) => row.map(quote).join(',')).join('\r\n')

const choicesFor = (fields: readonly ImportField[]) =>
  Object.fromEntries(
    fields
      .filter(hasChoices)
      .map(({ name }) => [name, namedChoices('a value', new Map([['level 1', 1]]), ['Level 1'])]),
  )

describe('reading CSV', () => {
  test('parse(print(rows)) gives the rows but a notes row, whatever is in the cells', async () => {
    const cell = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      fc.constantFrom('"', '""', ',', ';', '\n', '\r\n', '\t', '=A1', '', ' ', '\uFEFF', '# note'),
    )
    const table = fc
      .integer({ min: 1, max: 6 })
      .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 12 }))
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        const header = Array.from({ length: rows[0]?.length ?? 1 }, (_, index) => `c${index}`)
        const read = await readTable(print([header, ...rows]))
        expect(read.errors).toEqual([])
        expect(read.columns).toEqual(header)
        const [first, ...others] = rows.filter((row) => row.some((text) => text !== ''))
        // It would be the notes row of a sample file.
        const isNotes = first?.[0]?.startsWith(notesMark) ?? true
        expect(read.rows.map(({ cells }) => cells)).toEqual(isNotes ? others : [first, ...others])
      }),
      { numRuns: 300 },
    )
  })

  test('whatever the text, reading, mapping and checking it never fails', async () => {
    const piece = fc.oneof(
      fc.string({ maxLength: 20 }),
      fc.string({ unit: 'binary', maxLength: 10 }),
      fc.constantFrom(
        'Name',
        'Lat',
        'Lon',
        'Email',
        ',',
        '"',
        '\n',
        '\r',
        ';',
        '\t',
        '-999',
        '91',
        '\u0000',
        '=1+1',
      ),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 40 }),
        fc.constantFrom(...importKinds),
        async (pieces, kind) => {
          const table = await readTable(pieces.join(''))
          const { fields } = importables[kind]
          const mapping = matchColumns(fields, table.columns)
          mappingErrors(importables[kind], table.columns, mapping)
          const { rows, errors } = readRows(fields, table, mapping, choicesFor(fields))
          expect(rows).toHaveLength(table.rows.length)
          for (const { Row, Message } of [...table.errors, ...errors]) {
            expect(Row).toBeGreaterThan(0)
            expect(Message.length).toBeLessThan(400)
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  test('whatever the bytes, they become text or a sentence', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const decoded = decodeText(bytes)
        expect('text' in decoded ? typeof decoded.text : decoded.problem.length > 10).toBeTruthy()
      }),
    )
  })

  test('UTF-16 without a mark is recognised by its zeros', () => {
    for (const bytes of [
      Buffer.from('Name,City\na,b', 'utf16le'),
      Buffer.from('Name,City\na,b', 'utf16le').swap16(),
    ])
      expect(decodeText(bytes)).toEqual({ text: 'Name,City\na,b', encoding: 'UTF-16' })
  })

  test('the separator is the one of the header, quotes left out', () => {
    expect(separatorOf('a,b,c\n;;;;')).toBe(',')
    expect(separatorOf('"a,b,c";d')).toBe(';')
    expect(separatorOf('a\tb')).toBe('\t')
    expect(separatorOf('alone')).toBe(',')
  })

  test('titles above the header are left out, and Excel’s own line says what is between cells; columns of other names keep the first row', async () => {
    const { fields } = importables.students
    const rows = ['Student ID;First name;Last name;Email', '1;Ana;Lee, MD, PhD, RN, CT, MR;a@b.edu']
    for (const [above, first] of [
      ['', 1],
      ['sep=;\r\n', 2],
      ['Roster\n\n', 3],
      ['\uFEFFsep=;\nRoster of Ana and others;\n', 3],
    ] as const) {
      const table = await readTable(`${above}${rows.join('\n')}`, fields)
      expect([table.columns.length, table.errors, table.rows.map(({ line }) => line)]).toEqual([
        4,
        [],
        [first + 1],
      ])
    }
    const other = await readTable('Vorname,Nachname\nAna,Lee\n', fields)
    expect(other.columns).toEqual(['Vorname', 'Nachname'])
  })

  test('a column of whole names is split where no other has them', async () => {
    const { fields } = importables.students
    const split = async (text: string) => withNames(await readTable(text, fields), fields)
    expect(
      (await split('Name,Email\n"van der Berg, Jan, Jr.",x\nAna María Gómez,y\nCher,z')).rows,
    ).toMatchObject([
      { cells: ['van der Berg, Jan, Jr.', 'x', 'van der Berg', 'Jan, Jr.'] },
      { cells: ['Ana María Gómez', 'y', 'Gómez', 'Ana María'] },
      { cells: ['Cher', 'z', 'Cher', ''] },
    ])
    expect((await split('Name,Last name\na,b')).columns).toEqual(['Name', 'Last name'])
    const sites = importables.sites.fields
    expect(withNames(await readTable('Name,City\nHarbor General,x', sites), sites).columns).toEqual([
      'Name',
      'City',
    ])
  })

  test('a row has the number of the line it begins on', async () => {
    const { rows } = await readTable('a\n"1\n2"\n\n3')
    expect(rows.map(({ line }) => line)).toEqual([2, 5])
  })
})

describe('matching columns', () => {
  test('every column serves at most one field, and every match is a column of the file', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...importKinds),
        fc.array(
          fc.constantFrom('ID', 'Name', 'NAME', 'E-Mail', 'Level', 'Zip Code', 'X', 'lat', 'Unknown', ''),
        ),
        (kind, columns) => {
          const used = Object.values(matchColumns(importables[kind].fields, columns))
          expect(new Set(used).size).toBe(used.length)
          for (const column of used) expect(columns).toContain(column)
        },
      ),
    )
  })

  test('a column with the field’s own name goes before one that merely means it', () => {
    expect(matchColumns(siteImport.fields, ['Site', 'Name'])).toMatchObject({ Name: 'Name' })
  })
})

test('a choice with a comma is told in quotation marks', () => {
  expect(notAmong('Measles', 'a requirement', ['CPR', 'Measles, Mumps, Rubella', 'Hepatitis B'])).toEqual({
    sentence: '“Measles” is not a requirement. Use CPR, “Measles, Mumps, Rubella” or Hepatitis B.',
  })
})

describe('user names', () => {
  test('are made of letters and digits and never of anything else, for whatever name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (first, last) => {
        expect(userNameStem({ firstName: first, lastName: last })).toMatch(/^[a-z0-9]*[a-z]$/)
        expect(userNameStem({ firstName: first, lastName: last }).length).toBeLessThanOrEqual(40)
      }),
    )
  })

  test('fold accents and count on', () => {
    expect(userNameStem({ firstName: 'Łukasz', lastName: 'Müller-Straße' })).toBe('lmullerstrasse')
    const bruce = { firstName: '李', lastName: '小龙' }
    expect(userNameStem({ ...bruce, email: 'xl.li7@college.edu', studentNumber: 'S-42' })).toBe('xlli')
    expect(userNameStem({ ...bruce, email: '20260042@college.edu' })).toBe('20260042')
    expect(userNameStem({ ...bruce, email: '李@college.edu', studentNumber: 'S-42' })).toBe('s42')
    expect(userNameStem({ ...bruce, firstName: 'Bruce', email: 'li@college.edu' })).toBe('bruce')
    expect(userNameStem({ firstName: 'Suharto', lastName: '' })).toBe('suharto')
    expect(userNameStem(bruce)).toBe('user')
    const taken = new Set(['alee', 'alee2', 'alee4'])
    const counters = new Map<string, number>()
    expect([1, 2, 3].map(() => freeUserName('alee', taken, counters))).toEqual(['alee3', 'alee5', 'alee6'])
  })

  test('of one import are all different, whatever is taken', () => {
    const name = fc.constantFrom('Lee', 'Li', 'Núñez', '')
    fc.assert(
      fc.property(
        fc.array(name),
        fc.array(fc.constantFrom('alee', 'alee2', 'ali', 'a')),
        (lastNames, taken) => {
          const rows = lastNames.map((LastName, index) => ({
            line: index + 2,
            values: { FirstName: 'A', LastName, EmailAddress: `${index}@example.org` },
          }))
          const { added } = planPeople('students', rows, [], {}, { taken, ownLevel: Level.Coord })
          const made = added.map(({ user_name }) => user_name)
          expect(new Set([...made, ...taken]).size).toBe(made.length + new Set(taken).size)
        },
      ),
    )
  })
})

test('importing what is there changes nothing: a second plan of the same rows is all unchanged', () => {
  const zoneAt = (lat: number) => (lat > 0 ? 'America/New_York' : 'America/Lima')
  const row = fc.record(
    {
      Name: fc.constantFrom('A', 'B', 'C'),
      City: fc.constantFrom('x', 'y'),
      Beds: fc.nat(100),
      Status: fc.boolean(),
      Latitude: fc.double({ min: -90, max: 90, noNaN: true }),
      Longitude: fc.double({ min: -180, max: 180, noNaN: true }),
    },
    { requiredKeys: ['Name'] },
  )
  fc.assert(
    fc.property(fc.array(row, { maxLength: 20 }), (values) => {
      const rows = values.map((each, index) => ({
        line: index + 2,
        values: { ExternalLocationId: String(index), ...each } as Record<string, string | number | boolean>,
      }))
      const options = { zoneAt, programZone: 'America/New_York', year: 2026 }
      const first = planSites(rows, [], {}, options)
      expect(first.added).toHaveLength(rows.length)
      const existing = first.added.map((entity, index) => ({ ...entity, id: index + 1 }))
      expect(planSites(rows, existing, {}, options)).toMatchObject({
        added: [],
        changed: [],
        unchanged: rows.length,
      })
    }),
  )
})

test('a row that adds a site of a name that is there already says so', () => {
  const options = { zoneAt: () => 'America/New_York', programZone: 'America/New_York', year: 2026 }
  const rows = ['Harbor General', 'Bayview'].map((Name, index) => ({
    line: index + 2,
    values: { Name, City: 'Salem' },
  }))
  const existing = [
    { id: 1, name: 'harbor general', city: 'Boston', state: 'MA', external_location_id: null },
  ]
  const { added, warnings } = planSites(rows, existing, {}, options)
  expect(added).toHaveLength(2)
  expect(warnings).toEqual([
    {
      Row: 2,
      Column: 'Name',
      Message: expect.stringMatching(/^There is a site of this name already in Boston, MA/),
    },
  ])
})
