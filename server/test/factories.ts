import type pg from 'pg'
import { Level } from '#contract/core/levels.ts'

/**
 * Things for tests, put straight into the database. Each makes its own parents, and every name is unique, so that a test
 * says only what matters to it.
 */
let counter = 0
const next = (): number => ++counter

export interface MadeProgram {
  Id: number
  CollegeId: number
  Name: string
}
export interface MadePerson {
  Id: number
  ProgramId: number | null
  UserName: string
  AccessLevel: number
}

const insert = async (
  owner: pg.Pool,
  table: string,
  row: Record<string, unknown>,
): Promise<{ id: number } & Record<string, any>> => {
  const names = Object.keys(row).filter((name) => row[name] !== undefined)
  const { rows } = await owner.query(
    `insert into ${table} (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')}) returning *`,
    names.map((name) => row[name]),
  )
  return rows[0]
}

/** Inserts any row as the owner; for tables that have no factory of their own. */
export const makeRow = insert

export const makeCollege = async (
  owner: pg.Pool,
  row: { name?: string } = {},
): Promise<{ Id: number; Name: string }> => {
  const { id, name } = await insert(owner, 'college', { name: `College ${next()}`, ...row })
  return { Id: id, Name: name }
}

export const makeProgram = async (
  owner: pg.Pool,
  row: { name?: string; college_id?: number; time_zone?: string; options?: object } & Record<
    string,
    unknown
  > = {},
): Promise<MadeProgram> => {
  const college = row.college_id ?? (await makeCollege(owner)).Id
  const program = await insert(owner, 'program', { name: `Program ${next()}`, ...row, college_id: college })
  for (const level of [1, 2])
    await insert(owner, 'student_level', { program_id: program.id, id: level, name: `Level ${level}` })
  return { Id: program.id, CollegeId: college, Name: program.name }
}

/** A person of a level; in a program of their own unless one is given. Super admins have none unless one is given. */
export const makePerson = async (
  owner: pg.Pool,
  level: Level,
  { program, ...row }: { program?: { Id: number } } & Record<string, unknown> = {},
): Promise<MadePerson> => {
  const programId = program?.Id ?? (level === Level.SuperAdmin ? null : (await makeProgram(owner)).Id)
  const number = next()
  const account = await insert(owner, 'account', {
    program_id: programId,
    user_name: `person${number}`,
    access_level: level,
    first_name: `First${number}`,
    last_name: `Last${number}`,
    email: `person${number}@example.org`,
    is_email_confirmed: true,
    ...row,
  })
  return { Id: account.id, ProgramId: programId, UserName: account.user_name, AccessLevel: level }
}

export const makeStudent = (
  owner: pg.Pool,
  program?: { Id: number },
  row: Record<string, unknown> = {},
): Promise<MadePerson> =>
  makePerson(owner, Level.Student, { ...(program && { program }), student_level_id: 1, ...row })

export const makeSite = async (
  owner: pg.Pool,
  program: { Id: number },
  row: Record<string, unknown> = {},
): Promise<{ Id: number; Name: string }> => {
  const number = next()
  const site = await insert(owner, 'site', {
    program_id: program.Id,
    name: `Site ${number}`,
    code: `S${number}`,
    latitude: 41.63,
    longitude: -70.93,
    ...row,
  })
  return { Id: site.id, Name: site.name }
}

export const makeSupervisor = async (
  owner: pg.Pool,
  program: { Id: number },
  siteIds: number[] = [],
): Promise<MadePerson> => {
  const person = await makePerson(owner, Level.Supervisor, { program })
  for (const site of siteIds)
    await owner.query('insert into supervisor_site values ($1, $2, $3)', [program.Id, person.Id, site])
  return person
}

/** The date, or the one a year from now when that is later: room for tests of fixed days and for tests of today. */
const orInAYear = (date: string): string => {
  const ahead = new Date(Date.now() + 365 * 86_400_000).toISOString().slice(0, 10)
  return ahead > date ? ahead : date
}

export const makeRotation = async (
  owner: pg.Pool,
  program: { Id: number },
  row: Record<string, unknown> = {},
): Promise<{ Id: number; Name: string }> => {
  const rotation = await insert(owner, 'rotation', {
    program_id: program.Id,
    name: `Rotation ${next()}`,
    start_date: '2026-08-31',
    end_date: orInAYear('2027-06-30'),
    target_minutes: 340 * 60,
    ...row,
  })
  return { Id: rotation.id, Name: rotation.name }
}

export const makeShift = async (
  owner: pg.Pool,
  program: { Id: number },
  { site, ...row }: { site?: { Id: number } } & Record<string, unknown> = {},
): Promise<{ Id: number; Code: string; SiteId: number }> => {
  const siteId = site?.Id ?? (await makeSite(owner, program)).Id
  const shift = await insert(owner, 'site_shift', {
    program_id: program.Id,
    site_id: siteId,
    code: `SH${next()}`,
    name: 'Day',
    type: 'day',
    weekdays: [0, 1, 2, 3, 4, 5, 6],
    start_time: '07:00',
    end_time: '15:30',
    capacity: 4,
    start_date: '2026-01-01',
    end_date: orInAYear('2027-12-31'),
    ...row,
  })
  return { Id: shift.id, Code: shift.code, SiteId: siteId }
}
