import { Level, type LevelName } from '#contract/core/levels.ts'
import type { MadeStudent, Maker, ProgramPlan } from './maker.ts'
import { firstNames, lastNames } from './names.ts'

/** The demo's user names, and what each of them is. */
const levelOfAccount: Record<string, LevelName> = {
  admin: 'Admin',
  director: 'Director',
  coordinator: 'Coord',
  faculty: 'Faculty',
  supervisor: 'Supervisor',
  siteemployee: 'SiteEmployee',
  employee: 'GenericEmployee',
  registrant: 'Registrant',
  alumnus: 'Alumnus',
}

/** What the accounts of all people of the demo have in common; names and what else is particular comes on top. */
export const blankAccount = (maker: Maker, passwordHash: string) => {
  const stamp = new Date(maker.now).toISOString()
  return {
    password_hash: passwordHash,
    is_demo: true,
    is_email_confirmed: true,
    user_name: '',
    access_level: 0,
    email: '',
    phone: '',
    zip: '',
    institution: '',
    middle_name: '',
    suffix: '',
    student_number: null,
    student_level_id: null,
    cohort: null,
    area_id: null,
    preferences: {},
    super_admin_areas: null,
    created_at: stamp,
    updated_at: stamp,
  }
}

/** The supervisor whom several programs of the demo know. */
export const sharedSupervisor = {
  first: 'Andre',
  last: 'Adebayo',
  email: 'andre.adebayo@hospital.example',
}

/**
 * The people of a program: in the demo one of each level under a fixed user name, then supervisors, faculty, students and
 * alumni as the plan says. `areas` are ids, over which the students are spread evenly.
 */
export const makeAccounts = async (
  maker: Maker,
  plan: ProgramPlan,
  areas: number[],
  passwordHash: string,
) => {
  const { random } = maker
  const used = new Set<string>()
  const account = (row: Record<string, unknown>) => {
    const first = random.pick(firstNames)
    const last = random.pick(lastNames)
    return {
      first,
      last,
      row: {
        ...blankAccount(maker, passwordHash),
        program_id: plan.id,
        first_name: first,
        last_name: last,
        phone: '(508) 555-0100',
        zip: '02740',
        ...row,
      },
    }
  }
  const named = (first: string, last: string): string => {
    const base = `${first}${last}`
      .toLowerCase()
      .replace(/[^a-z]/g, '')
      .slice(0, 30)
    const program = plan.id > 1 ? `p${plan.id}` : ''
    let name = `${base}${program}`
    for (let n = 2; used.has(name); n++) name = `${base}${n}${program}`
    used.add(name)
    return name
  }
  const add = async (row: Record<string, unknown>, fixed?: { first: string; last: string }) => {
    const made = account(row)
    const first = fixed?.first ?? made.first
    const last = fixed?.last ?? made.last
    const userName = (row.user_name as string) || named(first, last)
    const email =
      (row.email as string) ||
      `${userName}@${plan.collegeId === 1 ? 'harborcollege' : `college${plan.collegeId}`}.example`
    const id = await maker.add('account', {
      ...made.row,
      first_name: first,
      last_name: last,
      user_name: userName,
      email,
    })
    return { id, first, last }
  }
  const supervisors: number[] = []
  let faculty = 0
  let coordinator = 0
  /** Of the demo: who works at sites, and who has left with a record. */
  const atSites: number[] = []
  let graduate = 0
  if (plan.suffix !== undefined) {
    for (const [name, level] of Object.entries(levelOfAccount)) {
      const fixed =
        name === 'coordinator' && plan.suffix === '' ? { first: 'Dana', last: 'Whitfield' } : undefined
      const { id } = await add(
        {
          user_name: `${name}${plan.suffix}`,
          access_level: Level[level],
          email: `${name}${plan.suffix}@example.org`,
        },
        fixed,
      )
      if (name === 'supervisor') supervisors.push(id)
      if (name === 'siteemployee' || name === 'employee') atSites.push(id)
      if (name === 'alumnus') graduate = id
      if (name === 'faculty') faculty = id
      if (name === 'coordinator') coordinator = id
    }
  }
  coordinator ||= (await add({ access_level: Level.Coord })).id
  faculty ||= (await add({ access_level: Level.Faculty })).id
  for (let n = 0; n < Math.max(2, Math.round(plan.students / 8)); n++) {
    // One of them supervises in every program of the demo, and has one inbox for all.
    const shared = n === 0 && plan.suffix !== undefined
    const row = { access_level: Level.Supervisor, ...(shared && { email: sharedSupervisor.email }) }
    supervisors.push((await add(row, shared ? sharedSupervisor : undefined)).id)
  }
  for (let n = 0; n < Math.max(1, Math.round(plan.students / 15)); n++)
    await add({ access_level: Level.Faculty })
  const students: MadeStudent[] = []
  for (let n = 0; n < plan.students; n++) {
    const level = n % 2 === 0 ? 1 : 2
    const row = {
      access_level: Level.Student,
      student_level_id: level,
      cohort: level === 1 ? '2028' : '2027',
      area_id: areas[n % areas.length],
      student_number: `S${String(plan.id).padStart(3, '0')}${String(n + 1).padStart(5, '0')}`,
    }
    const isDemo = n === 1 && plan.suffix !== undefined
    const fixed = isDemo && plan.suffix === '' ? { first: 'Amara', last: 'Okafor' } : undefined
    const { id, first, last } = await add(
      isDemo
        ? { ...row, user_name: `student${plan.suffix}`, email: `student${plan.suffix}@example.org` }
        : row,
      fixed,
    )
    students.push({ id, level, first, last })
  }
  const alumni: number[] = []
  for (let n = 0; n < Math.round(plan.students / 6); n++)
    alumni.push((await add({ access_level: Level.Alumnus, cohort: n % 2 ? '2024' : '2025' })).id)
  return { students, supervisors, faculty, coordinator, alumni, atSites, graduate }
}
