import { afterAll, beforeAll, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import * as contract from '#contract/scheduling/assignments.ts'
import {
  makePerson,
  makeProgram,
  makeRotation,
  makeRow,
  makeShift,
  makeSite,
  makeStudent,
} from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

const students = 42
const days = 121

let installation: Installation
let coordinator: Caller
let programId: number

/** More assignments than are sorted whole, with equal names, sites without an area and two rotations. */
beforeAll(async () => {
  installation = await startInstallation()
  const { owner } = installation
  const program = await makeProgram(owner)
  programId = program.Id
  coordinator = await installation.as(await makePerson(owner, Level.Coord, { program }))
  const area = await makeRow(owner, 'area', { program_id: programId, name: 'CT' })
  for (const [index, area_id] of [area.id, null, null].entries()) {
    const site = await makeSite(owner, program, {
      name: `${index % 2 ? 'north' : 'North'} ${index}`,
      area_id,
    })
    for (const type of ['day', 'evening'])
      await makeShift(owner, program, { site, type, code: `${type[0]}${index}`, capacity: 100 })
  }
  for (let number = 0; number < students; number++)
    await makeStudent(owner, program, {
      last_name: ['okafor', 'Okafor', 'Haddad', 'de la Cruz'][number % 4],
      first_name: ['Ana', 'ana', 'Wei'][number % 3],
    })
  for (const name of ['Clinical I', 'Clinical II']) await makeRotation(owner, program, { name })
  await owner.query(
    `insert into shift_assignment (program_id, rotation_id, site_shift_id, site_id, student_id, date, starts_at, ends_at)
    select $1, r.id, h.id, h.site_id, u.id, d, d + time '07:00', d + time '15:30'
    from (select id, row_number() over (order by id) as n from account where program_id = $1 and access_level = ${Level.Student}) u
    cross join generate_series(date '2026-10-01', date '2026-10-01' + ${days - 1}, interval '1 day') d
    join (select id, row_number() over (order by id) as n from rotation where program_id = $1) r
      on r.n = 1 + (u.n + extract(doy from d)::int) % 2
    join (select id, site_id, row_number() over (order by id) as n from site_shift where program_id = $1) h
      on h.n = 1 + (u.n * 7 + extract(doy from d)::int) % 6`,
    [programId],
  )
})
afterAll(() => installation?.stop())

const list = async (query: object) => {
  const { body } = await coordinator.call(contract.listShiftAssignments, {
    params: { programId },
    query: query as never,
  })
  return body
}
const keys: Record<string, string> = {
  Rotation: 'lower(r.name)',
  Date: 'a.date',
  LastName: 'lower(u.last_name)',
  FirstName: 'lower(u.first_name)',
  Area: "lower(coalesce(x.name, ''))",
  Site: 'lower(s.name)',
  SiteCode: 'lower(s.code)',
  ShiftCode: 'lower(h.code)',
  ShiftType: 'h.type',
}
/** The ids of all assignments in an order, sorted whole. */
const sorted = async (sort: string, more = ''): Promise<number[]> => {
  const direction = sort.startsWith('-') ? 'desc' : 'asc'
  const { rows } = await installation.owner.query(
    `select a.id::integer from shift_assignment a join rotation r on r.id = a.rotation_id join account u on u.id = a.student_id
    join site_shift h on h.id = a.site_shift_id join site s on s.id = a.site_id left join area x on x.program_id = s.program_id and x.id = s.area_id
    where a.program_id = $1 and a.removed_at is null ${more}
    order by ${keys[sort.replace('-', '')]} ${direction}, a.date ${direction}, a.id ${direction}`,
    [programId],
  )
  return rows.map(({ id }) => id)
}
const ids = (items: readonly { Id: number }[]) => items.map(({ Id }) => Id)

test('of thousands of assignments every sort gives its first, next and later pages', async () => {
  for (const field of contract.assignmentSorts) {
    for (const sort of [field, `-${field}`]) {
      const all = await sorted(sort)
      expect(all.length).toBe(students * days)
      const first = await list({ sort, pageSize: 60 })
      expect(ids(first.Items), sort).toEqual(all.slice(0, 60))
      expect(first.Total).toBe(all.length)
      const next = await list({ sort, pageSize: 60, cursor: first.NextCursor! })
      expect(ids(next.Items), sort).toEqual(all.slice(60, 120))
      const far = await list({ sort, pageSize: 60, page: 50 })
      expect(ids(far.Items), sort).toEqual(all.slice(49 * 60, 50 * 60))
      const last = await list({ sort, pageSize: 500, page: 11 })
      expect([ids(last.Items), last.NextCursor], sort).toEqual([all.slice(5_000), null])
    }
  }
})

test('cursors lead through equal names to the last assignment, also of a filtered list', async () => {
  for (const sort of ['-LastName', 'ShiftType']) {
    for (const [more, query] of [
      ['', {}],
      [" and a.date <> '2026-10-01'", { FromDate: '2026-10-02' }],
    ] as const) {
      const seen: number[] = []
      let cursor: string | null | undefined
      do {
        const { Items, NextCursor } = await list({
          sort,
          pageSize: 500,
          ...query,
          ...(cursor && { cursor }),
        })
        seen.push(...ids(Items))
        cursor = NextCursor
      } while (cursor)
      expect(seen).toEqual(await sorted(sort, more))
    }
  }
})
