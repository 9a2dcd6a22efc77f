import { hash } from '@node-rs/argon2'
import pg from 'pg'
import { addDays, daysBetween, formatDate, mondayOf } from '#contract/core/calendar.ts'
import { Level, type LevelName } from '#contract/core/levels.ts'
import { type Doubt, insightOf } from '#contract/time/insight.ts'
import type { FileStore } from '#server/core/files/file-store.ts'
import { instantOf, isHoliday } from './calendar.ts'
import { addFile, type DemoFiles, makeDocuments, makeSitePapers } from './documents.ts'
import { makeEmployment } from './employment.ts'
import { makeEvaluations } from './evaluations.ts'
import {
  type Duty,
  type MadeShift,
  type MadeSite,
  type MadeStudent,
  Maker,
  type ProgramPlan,
} from './maker.ts'
import { makeMenu } from './menu.ts'
import {
  collegeStems,
  fields,
  firstNames,
  harborSites,
  lastNames,
  regions,
  siteKinds,
  siteStems,
} from './names.ts'
import { makePayments, makeTaxRates } from './payments.ts'
import { type Random, randomFrom } from './random.ts'
import { makeSaved } from './saved.ts'
import { makeEmployees, makeSkills } from './skills.ts'
import { makePlanGoals, makeSyncLog } from './upkeep.ts'
import { makeNews, makeVerifications } from './verifications.ts'

/** The password of every demo account (interface 5). */
export const demoPassword = 'Bluebird-42-harbor'

export interface GenerateOptions {
  /** 1 is the demo: three programs, 150 students. S makes S programs of 150 students on average, at least three. */
  scale: number
  /** The day that counts as today, 'YYYY-MM-DD': 12 weeks lie before it and 8 after. */
  today: string
  seed?: number
  /** Where the files of documents are kept; without it there are no documents. */
  files?: FileStore
  /** Told after each program: how many of how many are made. */
  onProgress?: (done: number, all: number) => void
}

const planPrograms = (random: Random, scale: number): ProgramPlan[] => {
  const harbor = {
    timeZone: 'America/New_York',
    latitude: 41.6362,
    longitude: -70.9342,
    city: 'New Bedford',
    state: 'MA',
  }
  const lakeside = {
    timeZone: 'America/Chicago',
    latitude: 43.0389,
    longitude: -87.9065,
    city: 'Milwaukee',
    state: 'WI',
  }
  const plans: ProgramPlan[] = [
    { id: 1, collegeId: 1, name: 'Radiography', field: 'Radiography', students: 46, suffix: '', ...harbor },
    {
      id: 2,
      collegeId: 1,
      name: 'Sonography',
      field: 'Diagnostic Medical Sonography',
      students: 24,
      ...harbor,
    },
    { id: 3, collegeId: 2, name: 'Nursing', field: 'Nursing', students: 80, suffix: '2', ...lakeside },
  ]
  for (let id = 4; id <= scale; id++) {
    const [city, state, latitude, longitude, timeZone] = random.pick(regions)
    // Most programs are small, a few very large; the fourth is the largest of large installations.
    const spread = Math.round(60 * Math.exp(random.next() * 1.6))
    const students = id === 4 && scale >= 40 ? 3_000 : spread
    const field = random.pick(fields)
    plans.push({
      id,
      collegeId: 2 + Math.ceil((id - 3) / 3),
      name: `${field} ${id}`,
      field,
      students,
      city,
      state,
      latitude,
      longitude,
      timeZone,
    })
  }
  return plans
}

/** What programs call things, by the numbers of `termDefaults`. */
const languageProfiles: [name: string, entries: [key: number, value: string, plural: string][]][] = [
  [
    'Nursing words',
    [
      [1, 'clinical site', 's'],
      [14, 'preceptor', 's'],
    ],
  ],
  [
    'Sonography words',
    [
      [1, 'clinical affiliate', 's'],
      [4, 'assessment', 's'],
      [14, 'clinical instructor', 's'],
    ],
  ],
]

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

const makeAccounts = async (maker: Maker, plan: ProgramPlan, areas: number[], passwordHash: string) => {
  const { random } = maker
  const used = new Set<string>()
  const account = (row: Record<string, unknown>) => {
    const first = random.pick(firstNames)
    const last = random.pick(lastNames)
    return {
      first,
      last,
      row: {
        program_id: plan.id,
        password_hash: passwordHash,
        is_demo: true,
        is_email_confirmed: true,
        first_name: first,
        last_name: last,
        user_name: '',
        access_level: 0,
        email: '',
        phone: '(508) 555-0100',
        zip: '02740',
        institution: '',
        middle_name: '',
        suffix: '',
        student_number: null,
        student_level_id: null,
        cohort: null,
        area_id: null,
        preferences: {},
        super_admin_areas: null,
        created_at: new Date(maker.now).toISOString(),
        updated_at: new Date(maker.now).toISOString(),
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
  for (let n = 0; n < Math.max(2, Math.round(plan.students / 8)); n++)
    supervisors.push((await add({ access_level: Level.Supervisor })).id)
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

const makeSites = async (
  maker: Maker,
  plan: ProgramPlan,
  areas: number[],
  store: DemoFiles | undefined,
): Promise<MadeSite[]> => {
  const { random, today } = maker
  const isHarbor = plan.collegeId === 1
  const count = plan.suffix !== undefined ? 40 : Math.min(120, Math.max(6, Math.round(plan.students / 6)))
  const sites: MadeSite[] = []
  const codes = new Set<string>()
  for (let n = 0; n < count; n++) {
    const known = isHarbor ? harborSites[n] : undefined
    const stem = siteStems[n % siteStems.length]!
    const name =
      known?.[0] ??
      `${stem} ${random.pick(siteKinds)}${n >= siteStems.length ? ` ${Math.floor(n / siteStems.length) + 1}` : ''}`
    let code = known?.[1] ?? `${stem.slice(0, 2)}${name.split(' ').at(-1)!.slice(0, 1)}`.toUpperCase()
    for (let next = 2; codes.has(code); next++) code = `${code.slice(0, 3)}${next}`
    codes.add(code)
    const latitude = known?.[4] ?? Number((plan.latitude + (random.next() - 0.5) * 1.1).toFixed(4))
    const longitude = known?.[5] ?? Number((plan.longitude + (random.next() - 0.5) * 1.4).toFixed(4))
    const isActive = plan.suffix === undefined || n < 32
    const agreed = n % 3 === 0 ? 4 + (n % 5) : null
    const beds = random.int(20, 600)
    const capacity = random.int(4, 14)
    const id = await maker.add('site', {
      program_id: plan.id,
      area_id: areas[n % areas.length],
      name,
      contract_name: name,
      code,
      type: 'GENERAL ACUTE CARE',
      address: `${random.int(1, 980)} ${random.pick(['Main', 'Ridge', 'Harbor', 'Elm', 'Union', 'Second'])} Street`,
      city: known?.[2] ?? plan.city,
      state: known?.[3] ?? plan.state,
      zip: '02740',
      phone: '(508) 555-0142',
      website: '',
      county: '',
      beds,
      capacity,
      latitude,
      longitude,
      precision_m: 150,
      time_zone: plan.timeZone,
      is_dst: plan.timeZone !== 'America/Phoenix',
      allow_overnight: true,
      allow_multiclock: false,
      reject_inaccurate_pins: false,
      reject_accuracy_m: 200,
      lab: code === 'SIM',
      forbid_cs_logclock_editing: false,
      reminders: true,
      notes: '',
      is_active: isActive,
      created_at: new Date(maker.now).toISOString(),
      updated_at: new Date(maker.now).toISOString(),
    })
    const network = `${code}-${random.pick(['Staff', 'Imaging', 'Public'])}`
    await maker.add('site_network', {
      program_id: plan.id,
      site_id: id,
      name: network,
      range: `198.51.${n % 256}.0/28`,
    })
    await maker.add('site_contact', {
      program_id: plan.id,
      site_id: id,
      name: `${random.pick(firstNames)} ${random.pick(lastNames)}`,
      role: 'Clinical liaison',
      email: `liaison@${code.toLowerCase()}.example`,
      phone: '(508) 555-0177',
    })
    for (const department of ['Imaging', 'Emergency'])
      await maker.add('site_department', { program_id: plan.id, site_id: id, name: department })
    const ends = n === 2 ? 16 : n === 4 ? 71 : n === 6 ? 83 : n === 8 ? -21 : random.int(120, 800)
    await maker.add('affiliate_agreement', {
      program_id: plan.id,
      site_id: id,
      initial_date: addDays(today, -1100),
      last_renewal_date: addDays(today, ends - 1095),
      terms: '3 years',
      is_active: true,
      is_approved: true,
      termination_date: addDays(today, ends),
      capacity: agreed,
      contacts:
        n % 2 === 0
          ? [
              {
                Name: 'Office of Affiliations',
                Role: 'Legal',
                Email: `affiliations@${code.toLowerCase()}.example`,
                Phone: '',
              },
            ]
          : [],
      notes: '',
      file_id:
        store && n % 4 !== 3
          ? await addFile(maker, plan, store, {
              file: `agreement-${code.toLowerCase()}.pdf`,
              title: 'Affiliation agreement',
              lines: [
                `Between ${name} and the program ${plan.name}.`,
                'Students learn under the supervision of the site’s own staff.',
                'The program keeps proof of CPR, immunizations and background checks.',
                'Term: three years. Either party may end it with 60 days’ notice.',
              ],
            })
          : null,
      created_at: new Date(maker.now).toISOString(),
      updated_at: new Date(maker.now).toISOString(),
    })
    if (isActive)
      sites.push({
        id,
        name,
        code,
        latitude,
        longitude,
        network,
        maxStudents: Math.min(capacity, agreed ?? capacity),
        agreementEnds: addDays(today, ends),
      })
  }
  return sites
}

const shiftTimes = {
  day: ['07:00', '15:30'],
  evening: ['15:00', '23:30'],
  night: ['23:00', '07:30'],
  weekend: ['08:00', '18:00'],
  other: ['13:00', '17:00'],
} as const

const makeShifts = async (maker: Maker, plan: ProgramPlan, sites: MadeSite[]): Promise<MadeShift[]> => {
  const { random, today } = maker
  const wanted = Math.max(5, Math.min(sites.length, Math.ceil(plan.students / 5)))
  const shifts: MadeShift[] = []
  for (const [index, site] of sites.slice(0, wanted).entries()) {
    const types: MadeShift['type'][] =
      site.code === 'SIM'
        ? ['other']
        : index % 7 === 1
          ? ['day', 'evening']
          : index % 7 === 2
            ? ['day', 'night']
            : index % 7 === 5
              ? ['weekend']
              : index % 7 === 3
                ? ['day', 'weekend']
                : ['day']
    for (const type of types) {
      const [start, end] = shiftTimes[type]
      const weekdays = type === 'weekend' ? [0, 6] : [1, 2, 3, 4, 5]
      const code = `${site.code}-${type.charAt(0).toUpperCase()}1`
      const capacity = random.int(4, 12)
      const id = await maker.add('site_shift', {
        program_id: plan.id,
        site_id: site.id,
        code,
        name: type.charAt(0).toUpperCase() + type.slice(1),
        type,
        weekdays,
        start_time: start,
        end_time: end,
        capacity,
        start_date: addDays(today, -200),
        end_date: addDays(today, 300),
        created_at: new Date(maker.now).toISOString(),
        updated_at: new Date(maker.now).toISOString(),
      })
      shifts.push({ id, site, type, code, start, end, weekdays, capacity })
    }
  }
  return shifts
}

/** The two days of the program's own holiday: a Thursday and a Friday in three weeks. */
const daysOff = (today: string): readonly string[] => [24, 25].map((days) => addDays(mondayOf(today), days))

/** Hours that a student owes for a week of five working days: most are ahead of it, a handful behind. */
const hoursOfWeek = 16
const workDays = (from: string, to: string, today: string): number =>
  Array.from({ length: daysBetween(from, to) + 1 }, (_, index) => addDays(from, index)).filter(
    (date) => daysBetween(mondayOf(date), date) < 5 && !isHoliday(date) && !daysOff(today).includes(date),
  ).length

/** Students whose CPR card ran out a week ago (see `makeProgram`). */
const isExpired = (index: number): boolean => index % 23 === 4
/** How many days ago. */
const expiredDaysAgo = 7

/**
 * Two or three shifts a week each, some of them a weekend, and a new site every four weeks. Nobody works on holidays but
 * today, and what the program's rules refuse is not placed: but for three conflicts ahead, each of which shows a rule.
 */
const makeAssignments = async (
  maker: Maker,
  plan: ProgramPlan,
  students: MadeStudent[],
  shifts: MadeShift[],
  rotations: { id: number; from: string; to: string }[],
): Promise<Duty[]> => {
  const { random, today } = maker
  const placed = new Map<string, number>()
  const duties: Duty[] = []
  const weekdays = shifts.filter(({ type }) => type !== 'weekend')
  const weekends = shifts.filter(({ type }) => type === 'weekend')
  const count = (key: string): number => placed.get(key) ?? 0
  const isFull = ({ id, capacity, site }: MadeShift, date: string): boolean =>
    count(`shift ${id} ${date}`) >= capacity || count(`site ${site.id} ${date}`) >= site.maxStudents
  const expiredOn = addDays(today, -expiredDaysAgo)
  const mayWork = (shift: MadeShift, date: string): boolean =>
    !isFull(shift, date) &&
    date <= shift.site.agreementEnds &&
    !daysOff(today).includes(date) &&
    (date === today || !isHoliday(date))
  const place = async (student: MadeStudent, shift: MadeShift, date: string): Promise<boolean> => {
    const rotation = rotations.find(({ from, to }) => from <= date && date <= to)
    if (!rotation) return false
    const startsAt = instantOf(date, shift.start, plan.timeZone)
    const endsAt = instantOf(shift.end > shift.start ? date : addDays(date, 1), shift.end, plan.timeZone)
    const id = await maker.add('shift_assignment', {
      program_id: plan.id,
      rotation_id: rotation.id,
      site_shift_id: shift.id,
      site_id: shift.site.id,
      student_id: student.id,
      date,
      starts_at: startsAt,
      ends_at: endsAt,
      created_at: new Date(maker.now).toISOString(),
      updated_at: new Date(maker.now).toISOString(),
    })
    for (const key of [`shift ${shift.id} ${date}`, `site ${shift.site.id} ${date}`])
      placed.set(key, count(key) + 1)
    duties.push({ id, rotation: rotation.id, shift, student, date, startsAt, endsAt })
    return true
  }
  const thisMonday = mondayOf(today)
  for (const [index, student] of students.entries()) {
    for (let week = -12; week < 8; week++) {
      const block = Math.floor((week + 12) / 4)
      const monday = addDays(thisMonday, week * 7)
      const start = index + block * 3
      let days = random.int(2, 3)
      const weekend = index % 6 === 3 ? weekends[Math.floor(index / 6) % weekends.length] : undefined
      const hasNoCard = (date: string): boolean => isExpired(index) && date > expiredOn
      if (weekend && (week + index) % 2 === 0) {
        for (const day of [5, 6]) {
          const date = addDays(monday, day)
          if (!hasNoCard(date) && mayWork(weekend, date) && (await place(student, weekend, date))) days--
        }
      }
      let last = ''
      for (let step = 0; step < weekdays.length && days > 0; step++) {
        const shift = weekdays[(start + step) % weekdays.length]!
        for (let day = index % 2; day < (weekend ? 4 : 5) && days > 0; day += 2) {
          const date = addDays(monday, day)
          if (date <= last || !mayWork(shift, date) || hasNoCard(date)) continue
          if (!(await place(student, shift, date))) continue
          last = shift.type === 'night' ? addDays(date, 1) : date
          days--
        }
      }
    }
  }
  if (plan.suffix !== undefined) await placeConflicts()
  return duties

  /** A card that ran out, a site whose agreement has ended, and a night right after a day. */
  async function placeConflicts(): Promise<void> {
    const days = Array.from({ length: 28 }, (_none, ahead) => addDays(today, 1 + ahead)).filter(
      (date) => daysBetween(mondayOf(date), date) < 4 && !isHoliday(date),
    )
    const isFree = ({ id }: MadeStudent, date: string) =>
      !duties.some((duty) => duty.student.id === id && Math.abs(daysBetween(duty.date, date)) <= 1)
    const open = (date: string) => weekdays.find((shift) => shift.type === 'day' && mayWork(shift, date))
    const expired = students.find((_student, index) => isExpired(index))
    const first = open(days[0]!)
    if (expired && first) await place(expired, first, days[0]!)
    const ended = weekdays.find(
      (shift) => shift.type === 'day' && shift.site.agreementEnds < days[1]! && !isFull(shift, days[1]!),
    )
    const next = students.find(
      (student, index) => index > 1 && !isExpired(index) && isFree(student, days[1]!),
    )
    if (ended && next) await place(next, ended, days[1]!)
    const night = weekdays.find((shift) => shift.type === 'night' && mayWork(shift, days[2]!))
    const tired = duties.find(
      ({ date, shift, student }) =>
        date === days[2] &&
        shift.type === 'day' &&
        student !== students[1] &&
        duties.every((duty) => duty.student !== student || duty.date !== addDays(date, 1)),
    )
    if (night && tired) await place(tired.student, night, days[2]!)
  }
}

const minutesLater = (instant: string, minutes: number): string =>
  new Date(Date.parse(instant) + minutes * 60_000).toISOString()
const minutesBetween = (from: string, to: string): number =>
  Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 60_000))

/** A time record as it is written: of the server, clean and pending unless `row` says otherwise. */
const timeRecord = (
  row: Record<
    'program_id' | 'student_id' | 'site_id' | 'kind' | 'occurred_at' | 'date' | 'rotation_id',
    unknown
  > &
    Record<string, unknown>,
): Record<string, unknown> => ({
  ends_at: null,
  received_at: row.occurred_at,
  source: 'server',
  assignment_id: null,
  partner_id: null,
  minutes: 0,
  status: 'pending',
  insight: 1,
  reasons: [],
  latitude: null,
  longitude: null,
  accuracy_m: null,
  distance_m: null,
  is_inside: null,
  address: null,
  network_name: null,
  shift_type: null,
  offset_minutes: null,
  reason: '',
  change_to: null,
  change_reason: null,
  change_status: null,
  decided_at: null,
  decided_by: null,
  decision_reason: null,
  mailed_at: null,
  history: [],
  created_at: row.occurred_at,
  updated_at: row.occurred_at,
  ...row,
})

/** A time change that a student asked for. */
interface TimeWish {
  student: MadeStudent
  date: string
  reason: string
}

/** What students ask to change about a clock-in and a clock-out: the minutes and why. */
const wishes: Record<'in' | 'out', readonly [minutes: number, reason: string][]> = {
  in: [
    [-30, 'Orientation began before the shift'],
    [-10, 'No signal in the basement, clocked in upstairs'],
    [-15, 'Helped the night shift finish a trauma series'],
  ],
  out: [
    [25, 'Stayed until the last patient was done'],
    [-20, 'Let go early: no more patients'],
    [15, 'Forgot to clock out, left with my supervisor'],
  ],
}

/** True at the same one of every so many times it is asked: the demo has some of a kind on any day, whatever chance gives. */
const oneIn = (every: number, at: number): (() => boolean) => {
  let count = 0
  return () => ++count % every === at
}

const makePunches = async (
  maker: Maker,
  plan: ProgramPlan,
  duties: Duty[],
  coordinator: number,
  rotationOf: (date: string) => number | null,
): Promise<TimeWish[]> => {
  const { random, today } = maker
  const recent = addDays(today, -9)
  const asked: TimeWish[] = []
  const isTurnToReport = oneIn(15, 4)
  const isTurnToAsk = oneIn(21, 8)
  const isTurnToForget = oneIn(24, 9)
  for (const duty of duties) {
    const { shift, student, date } = duty
    if (date > today || Date.parse(duty.startsAt) > maker.now - 10 * 60_000) continue
    const isToday = date === today
    const isRecent = date >= recent
    const common = { program_id: plan.id, student_id: student.id, date, rotation_id: rotationOf(date) }
    const row = (kind: string, occurredAt: string, more: Record<string, unknown>) =>
      timeRecord({
        ...common,
        site_id: shift.site.id,
        kind,
        occurred_at: occurredAt,
        assignment_id: duty.id,
        shift_type: shift.type,
        offset_minutes: 0,
        ...more,
      })
    const fate = random.next()
    if (!isToday && fate < 0.02) {
      const reportedAt = minutesLater(duty.startsAt, -40)
      await maker.add(
        'time_record',
        row('absence', duty.startsAt, {
          source: 'self',
          ends_at: duty.endsAt,
          minutes: minutesBetween(duty.startsAt, duty.endsAt),
          reason: 'Fever since the night',
          received_at: reportedAt,
          insight: 3,
          reasons: [{ Code: 'self_reported' }],
          status: isRecent ? 'pending' : 'approved',
          ...(!isRecent && { decided_at: minutesLater(duty.endsAt, 600), decided_by: coordinator }),
        }),
      )
      continue
    }
    if (fate < 0.03) continue
    const decided = !isRecent || (!isToday && random.chance(0.35))
    const isRejected = decided && random.chance(0.01)
    const verdict = decided
      ? {
          status: isRejected ? 'rejected' : 'approved',
          decided_at: minutesLater(duty.endsAt, 700),
          decided_by: coordinator,
          ...(isRejected && { decision_reason: 'Left without telling the instructor' }),
        }
      : {}
    const isReported = !isToday && !decided && plan.suffix !== undefined && isTurnToReport()
    if (isReported || (!isToday && fate < 0.05)) {
      await maker.add(
        'time_record',
        row('exception', duty.startsAt, {
          source: 'self',
          ends_at: duty.endsAt,
          minutes: minutesBetween(duty.startsAt, duty.endsAt),
          reason: 'Phone battery died',
          insight: 3,
          reasons: [{ Code: 'self_reported' }],
          ...verdict,
        }),
      )
      continue
    }
    const punch = (kind: 'in' | 'out', planned: string) => {
      const doubts: Doubt[] = []
      const chance = random.next()
      const isWish = !decided && plan.suffix !== undefined && isTurnToAsk()
      const draw = isWish ? 0.045 : chance
      let offset = random.int(-9, 6)
      let distance = random.int(2, 90)
      let accuracy = random.int(5, 30)
      let network: string | null = random.chance(0.55) ? shift.site.network : null
      let source = 'server'
      const change: Record<string, unknown> = {}
      if (draw < 0.02) {
        distance = random.int(2500, 9000)
        network = null
        doubts.push({ Code: 'far_away', Value: distance })
      } else if (draw < 0.03) {
        source = 'offline'
        doubts.push({ Code: 'offline' })
      } else if (draw < 0.036) doubts.push({ Code: 'clock_off', Value: random.int(12, 40) })
      else if (draw < 0.042) doubts.push({ Code: 'impossible_travel', Value: random.int(180, 600) })
      else if (draw < 0.05) {
        doubts.push({ Code: 'change_asked' })
        const [minutes, reason] = wishes[kind][duty.id % wishes[kind].length]!
        change.change_to = minutesLater(planned, minutes)
        change.change_reason = reason
        change.change_status = decided ? 'accepted' : 'asked'
        if (!decided) asked.push({ student, date, reason })
      } else if (draw < 0.09) {
        offset = random.int(18, 45)
        doubts.push({ Code: 'outside_tolerance', Value: offset })
      } else if (draw < 0.11) {
        accuracy = random.int(220, 600)
        doubts.push({ Code: 'poor_accuracy', Value: accuracy })
      } else if (draw < 0.13) {
        distance = random.int(170, 420)
        network = null
        doubts.push({ Code: 'unknown_network', Value: distance })
      }
      const at = minutesLater(planned, offset)
      const scale = distance / 111_000
      return {
        at,
        values: {
          source,
          insight: insightOf(doubts),
          reasons: doubts,
          offset_minutes: offset,
          distance_m: distance,
          accuracy_m: accuracy,
          is_inside: distance <= 150,
          latitude: Number((shift.site.latitude + scale).toFixed(4)),
          longitude: shift.site.longitude,
          network_name: network,
          address: '198.51.100.7',
          ...change,
          ...verdict,
        },
      }
    }
    const arrival = punch('in', duty.startsAt)
    const isOpen = Date.parse(duty.endsAt) > maker.now
    const isForgotten = random.chance(0.03)
    const isUnmatched =
      !isOpen && !decided && (isForgotten || (plan.suffix !== undefined && isTurnToForget()))
    if (isOpen || isUnmatched) {
      await maker.add('time_record', row('in', arrival.at, arrival.values))
      continue
    }
    const leaving = punch('out', duty.endsAt)
    const inId = maker.nextId('time_record')
    await maker.add('time_record', row('in', arrival.at, { ...arrival.values, partner_id: inId + 1 }))
    await maker.add(
      'time_record',
      row('out', leaving.at, {
        ...leaving.values,
        // A night ends on the day after the one it began on.
        date: leaving.at >= instantOf(addDays(date, 1), '00:00', plan.timeZone) ? addDays(date, 1) : date,
        partner_id: inId,
        minutes: minutesBetween(arrival.at, leaving.at),
      }),
    )
  }
  return asked
}

/** What a graduate keeps: a rotation of last year with its hours at two sites. */
const makeGraduate = async (
  maker: Maker,
  plan: ProgramPlan,
  { graduate, coordinator }: { graduate: number; coordinator: number },
  sites: readonly MadeSite[],
): Promise<void> => {
  const stamp = new Date(maker.now).toISOString()
  const start = addDays(mondayOf(maker.today), -60 * 7)
  const days = 42
  const rotation = await maker.add('rotation', {
    program_id: plan.id,
    name: `Clinical practice, ${start.slice(0, 4)}`,
    start_date: start,
    end_date: addDays(start, days * 2),
    target_minutes: days * 8 * 60,
    cohorts: [],
    notes: '',
    created_at: stamp,
    updated_at: stamp,
  })
  for (let n = 0; n < days; n++) {
    const date = addDays(start, n * 2)
    const begin = `${date}T12:00:00.000Z`
    const minutes = 8 * 60 + (n % 3) * 10
    await maker.add(
      'time_record',
      timeRecord({
        program_id: plan.id,
        student_id: graduate,
        site_id: sites[n < days / 2 ? 0 : 1 % sites.length]!.id,
        kind: 'exception',
        occurred_at: begin,
        date,
        ends_at: minutesLater(begin, minutes),
        source: 'import',
        rotation_id: rotation,
        minutes,
        status: 'approved',
        decided_at: stamp,
        decided_by: coordinator,
      }),
    )
  }
}

/** Emails of the last days in every state: queued, sent, failed and being sent. */
const mails = [
  {
    status: 1,
    label: 'PLACEMENT_made',
    subject: 'Your next shifts',
    html: '<p>Your schedule has new shifts.</p>',
  },
  {
    status: 3,
    label: 'TIME_approved',
    subject: 'Your hours were approved',
    html: '<p>Your coordinator approved 17.0 h of last week.</p>',
  },
  {
    status: 3,
    label: 'EVALUATION_late',
    subject: 'An evaluation is overdue',
    html: '<p>Site and instructor was due on Friday. It takes two minutes.</p>',
  },
  {
    status: 4,
    label: 'PLACEMENT_made',
    subject: 'Your next shifts',
    html: '<p>Your schedule has new shifts.</p>',
  },
  {
    status: 2,
    label: 'REQUIREMENT_expiring',
    subject: 'Your CPR card expires soon',
    html: '<p>Your CPR card expires in 30 days. Upload a new one in time to keep your placements.</p>',
  },
] as const

const makeProgram = async (
  maker: Maker,
  plan: ProgramPlan,
  passwordHash: string,
  files: FileStore | undefined,
): Promise<void> => {
  const { random, today } = maker
  const stamp = new Date(maker.now).toISOString()
  await maker.add('program', {
    college_id: plan.collegeId,
    name: plan.name,
    modality_id: 1 + Math.max(0, fields.indexOf(plan.field)),
    program_class_id: 1,
    program_type_id: 1 + (plan.id % 2),
    state: plan.state,
    time_zone: plan.timeZone,
    has_credit: true,
    requires_totp: false,
    is_payment_enabled: false,
    active_from: '2020-01-01',
    active_through: null,
    is_menu_visible: true,
    options: {},
    created_at: stamp,
    updated_at: stamp,
    language_profile_id:
      plan.field === 'Nursing' ? 1 : plan.field === 'Diagnostic Medical Sonography' ? 2 : null,
  })
  for (const [index, name] of ['Level 1', 'Level 2', 'Graduating'].entries())
    await maker.put('student_level', { program_id: plan.id, id: index + 1, name })
  const areas: number[] = []
  for (const name of ['General', 'Advanced imaging', 'Mobile and surgery'])
    areas.push(
      await maker.add('area', {
        program_id: plan.id,
        name,
        is_active: true,
        are_notifications_enabled: false,
        created_at: stamp,
        updated_at: stamp,
      }),
    )
  const people = await makeAccounts(maker, plan, areas, passwordHash)
  const store = files && plan.suffix !== undefined ? { files, by: people.coordinator } : undefined
  const sites = await makeSites(maker, plan, areas, store)
  const shifts = await makeShifts(maker, plan, sites)
  const monday = mondayOf(today)
  const rotations: { id: number; from: string; to: string }[] = []
  for (const [name, from, to] of [
    ['Clinical I', -12 * 7, -6 * 7 - 1],
    ['Clinical II', -6 * 7, 8 * 7 - 1],
  ] as const) {
    const start = addDays(monday, from)
    const end = addDays(monday, to)
    const id = await maker.add('rotation', {
      program_id: plan.id,
      name: `${name}, ${today.slice(0, 4)}`,
      start_date: start,
      end_date: end,
      target_minutes: Math.round((workDays(start, end, today) / 5) * hoursOfWeek) * 60,
      cohorts: [],
      notes: '',
      created_at: stamp,
      updated_at: stamp,
    })
    for (const level of [1, 2])
      await maker.put('rotation_level', { program_id: plan.id, rotation_id: id, level_id: level })
    rotations.push({ id, from: start, to: end })
  }
  await maker.add('day_off', {
    program_id: plan.id,
    name: 'Program holiday',
    start_date: daysOff(today)[0],
    end_date: daysOff(today).at(-1),
  })
  const supervisors: { id: number; sites: number[] }[] = []
  for (const [index, id] of people.supervisors.entries()) {
    const own = [sites[index % sites.length]!, sites[(index + 3) % sites.length]!].filter(
      (site, at, all) => all.indexOf(site) === at,
    )
    for (const site of own)
      await maker.put('supervisor_site', { program_id: plan.id, account_id: id, site_id: site.id })
    supervisors.push({ id, sites: own.map((site) => site.id) })
  }
  // Both have the sites of the demo's supervisor, where students are.
  for (const account of people.atSites)
    for (const site of supervisors[0]?.sites ?? [])
      await maker.put('supervisor_site', { program_id: plan.id, account_id: account, site_id: site })
  const cpr = await maker.add('requirement', { program_id: plan.id, name: 'CPR', blocks_placement: true })
  for (const [index, student] of people.students.entries()) {
    await maker.put('student_requirement', {
      program_id: plan.id,
      student_id: student.id,
      requirement_id: cpr,
      status: 'accepted',
      completed_on: addDays(today, -400),
      expires_on: addDays(
        today,
        isExpired(index) ? -expiredDaysAgo : index % 23 === 9 ? 45 : random.int(200, 500),
      ),
    })
  }
  await makeVerifications(maker, plan, people.students)
  if (plan.suffix !== undefined) await makePayments(maker, plan)
  await makeEmployment(maker, plan, people.alumni, sites)
  const duties = await makeAssignments(maker, plan, people.students, shifts, rotations)
  const rotationOf = (date: string) =>
    rotations.find(({ from, to }) => from <= date && date <= to)?.id ?? null
  const asked = await makePunches(maker, plan, duties, people.coordinator, rotationOf)
  if (people.graduate) await makeGraduate(maker, plan, people, sites)
  await makeMenu(maker, plan)
  if (store) {
    await makeDocuments(maker, plan, sites, store)
    await makeSitePapers(maker, plan, sites, store)
  }
  if (plan.suffix !== undefined)
    await makeSaved(maker, plan, {
      students: people.students,
      by: people.coordinator,
      rotation: `Clinical II, ${today.slice(0, 4)}`,
      from: rotations[1]!.from,
    })
  await makeEmployees(maker, plan, sites, { reader: people.faculty, stamp })
  await makeSkills(maker, plan)
  await makeSyncLog(maker, plan, people.coordinator)
  await makePlanGoals(maker, plan, Number(today.slice(0, 4)))
  await makeEvaluations(maker, {
    plan,
    students: people.students,
    supervisors,
    faculty: people.faculty,
    sites,
    duties,
  })
  for (const [index, { status, label, subject, html }] of mails.entries()) {
    const at = minutesLater(stamp, -index * 400)
    await maker.add('mail', {
      program_id: plan.id,
      account_id: people.students[index % people.students.length]?.id,
      label,
      recipient: `student${index}@example.org`,
      sender: '',
      carbon_copy: [],
      subject,
      html,
      status,
      status_message: status === 4 ? '550 No such mailbox' : status === 3 ? 'Sent' : '',
      attempts: status === 4 ? 3 : 1,
      send_after: status === 1 || status === 2 ? addDays(today, 3) : at,
      sent_at: status === 3 ? at : null,
      blocked_at: null,
      created_at: at,
    })
  }
  await maker.add('mail', {
    program_id: plan.id,
    account_id: null,
    label: 'AGREEMENT_expiring',
    recipient: 'former.liaison@hgh.example',
    sender: '',
    carbon_copy: [],
    subject: 'Your affiliation agreement ends soon',
    html: '<p>The affiliation agreement ends in 30 days.</p>',
    status: 4,
    status_message: 'Blocked: former.liaison@hgh.example is on the email blacklist. It was not sent.',
    attempts: 0,
    send_after: stamp,
    sent_at: null,
    blocked_at: stamp,
    created_at: stamp,
  })
  const announce = (category: string, html: string, daysAgo: number) =>
    maker.add('announcement', {
      program_id: plan.id,
      category,
      html,
      is_active: true,
      created_at: minutesLater(stamp, -daysAgo * 1440),
      created_by: people.coordinator,
    })
  await announce(
    'Registrants',
    '<p>Welcome. Your coordinator approves your account within two days; then your schedule opens.</p>',
    20,
  )
  await announce(
    'Students',
    plan.field === 'Nursing'
      ? '<p><strong>Flu shots</strong> are given on Monday, 07:30 to 09:00, in the skills lab. Most sites ask for this season’s shot before your first shift.</p>'
      : '<p><strong>Dosimeters</strong> are exchanged on the first Monday of the month, 07:30 to 09:00, in the skills lab. Please bring yours, also when you have no shift that day.</p>',
    9,
  )
  await announce(
    'Faculty',
    '<p>Final evaluations of this rotation are due on its last Friday. <em>Assign to many</em> on the status page takes a whole level at once.</p>',
    5,
  )
  const closed = await announce(
    'All',
    '<p>Sites close for students on the two days of the program holiday.</p>',
    3,
  )
  for (const [index, student] of people.students.entries()) {
    if (index % 5 < 2) continue
    await maker.put('announcement_reader', {
      program_id: plan.id,
      announcement_id: closed,
      account_id: student.id,
      acknowledged_at: minutesLater(stamp, -index * 7),
    })
  }
  for (const { student, date, reason } of asked.slice(-4))
    await maker.add('notification', {
      program_id: plan.id,
      account_id: people.coordinator,
      kind: 'time_change_asked',
      text: `Time change requested by ${student.first} ${student.last}: ${formatDate(date)}. ${reason}`,
      link: '/new/admin/approve-time-records',
      created_at: stamp,
    })
}

/** Rows whose sums triggers would keep one by one; set-based they take a moment. */
const sumUp = async (client: pg.ClientBase): Promise<void> => {
  await client.query(`insert into shift_day (program_id, site_shift_id, date, placed, capacity)
    select a.program_id, a.site_shift_id, a.date, count(*), max(s.capacity) from shift_assignment a
    join site_shift s on s.program_id = a.program_id and s.id = a.site_shift_id where a.removed_at is null
    group by a.program_id, a.site_shift_id, a.date`)
  await client.query(`insert into student_hours (program_id, student_id, rotation_id, approved_minutes, pending_minutes, absence_minutes, makeup_minutes)
    select program_id, student_id, coalesce(rotation_id, 0),
      coalesce(sum(minutes) filter (where kind <> 'absence' and status = 'approved'), 0),
      coalesce(sum(minutes) filter (where kind <> 'absence' and status = 'pending'), 0),
      coalesce(sum(minutes) filter (where kind = 'absence'), 0), coalesce(sum(minutes) filter (where kind = 'makeup'), 0)
    from time_record where deleted_at is null and status <> 'rejected' and kind <> 'in' and (kind <> 'out' or partner_id is not null)
    group by program_id, student_id, coalesce(rotation_id, 0)`)
}

/**
 * Sign-ins of the past two weeks in the programs of the demo, most of them on weekdays. All have ended, so that nobody comes
 * in by one.
 */
const signInForTwoWeeks = async (client: pg.ClientBase, today: string): Promise<void> => {
  await client.query(
    `insert into session (token_hash, csrf_token, account_id, created_at, last_seen_at, expires_at, ended_at)
    select sha256(convert_to(format('demo %s %s', a.id, d.date), 'UTF8')), '', a.id, s.at, s.at + interval '25 minutes',
      s.at + interval '1 hour', s.at + interval '25 minutes'
    from account a join program p on p.id = a.program_id
    cross join (select ($1::date - n) as date from generate_series(1, 14) n) d
    cross join lateral (select abs(hashtext(format('%s %s', a.id, d.date))) as chance) c
    cross join lateral (select (d.date + time '06:30' + c.chance % 600 * interval '1 minute') at time zone p.time_zone as at) s
    where p.id <= 3 and a.deactivated_at is null and a.deleted_at is null
      and c.chance % 100 < case when extract(isodow from d.date) < 6 then 58 + extract(isodow from d.date) % 3 * 6 else 19 end
    order by s.at`,
    [today],
  )
  await client.query('select keep_sign_in_days()')
}

/**
 * Fills an empty, migrated database. The same scale, seed and day make the same data. Everything is one transaction: an
 * interrupted run leaves the database empty.
 *
 * @throws Error when there are programs already
 */
export const generate = async (
  ownerUrl: string,
  { scale, today, seed = 2026, files, onProgress }: GenerateOptions,
): Promise<void> => {
  const client = new pg.Client({ connectionString: ownerUrl, options: '-c TimeZone=UTC' })
  await client.connect()
  try {
    await client.query('begin')
    const { rows } = await client.query('select 1 from program limit 1')
    if (rows.length > 0)
      throw new Error('There are programs in this database already: only an empty one can be filled.')
    for (const table of ['shift_assignment', 'time_record'])
      await client.query(`alter table ${table} disable trigger user`)
    // Rows come in the order of their making, not of their references: a pair of punches points at each other.
    await client.query('set constraints all deferred')
    const random = randomFrom(seed)
    const maker = new Maker(client, random, today)
    const passwordHash = await hash(demoPassword, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
    const plans = planPrograms(random, scale)
    const stamp = new Date(maker.now).toISOString()
    const colleges = Math.max(...plans.map(({ collegeId }) => collegeId))
    for (let n = 1; n <= colleges; n++) {
      const name =
        n === 1
          ? 'Harbor College'
          : n === 2
            ? 'Lakeside University'
            : `${collegeStems[n % collegeStems.length]} College ${n}`
      const plan = plans.find(({ collegeId }) => collegeId === n)
      await maker.add('college', {
        name,
        address: '1 College Way',
        city: plan?.city ?? '',
        state: plan?.state ?? '',
        zip: '',
        phone: '',
        website: '',
        latitude: plan?.latitude,
        longitude: plan?.longitude,
        created_at: stamp,
        updated_at: stamp,
      })
    }
    for (const name of fields) await maker.add('modality', { name })
    for (const [index, name] of ['Accredited', 'Provisional', 'Certificate'].entries())
      await maker.add('program_class', { name, value: name.charAt(0), is_default: index === 0 })
    for (const name of ['Two-year', 'Four-year']) await maker.add('program_type', { name })
    for (const [name, entries] of languageProfiles) {
      const profile = await maker.add('language_profile', { name })
      for (const [key, value, plural] of entries)
        await maker.put('language_entry', { profile_id: profile, key_id: key, value, singular: '', plural })
    }
    await maker.add('account', {
      program_id: null,
      password_hash: passwordHash,
      is_demo: true,
      is_email_confirmed: true,
      first_name: 'Miriam',
      last_name: 'Castellane',
      user_name: 'super',
      access_level: Level.SuperAdmin,
      email: 'super@example.org',
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
    })
    await maker.flush()
    for (const [index, plan] of plans.entries()) {
      await makeProgram(maker, plan, passwordHash, files)
      await maker.flush()
      onProgress?.(index + 1, plans.length)
    }
    await makeNews(maker)
    await makeTaxRates(maker)
    await maker.finish()
    await client.query('set constraints all immediate')
    await sumUp(client)
    await signInForTwoWeeks(client, today)
    for (const table of ['shift_assignment', 'time_record'])
      await client.query(`alter table ${table} enable trigger user`)
    await client.query('commit')
    await client.query('analyze')
  } finally {
    await client.end()
  }
}
