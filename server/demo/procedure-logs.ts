import { addDays } from '#contract/core/calendar.ts'
import type { Duty, MadeProcedure, MadeProgram, Maker } from './maker.ts'
import { type Random, randomFrom } from './random.ts'

const repeatReasons = ['Positioning', 'Motion', 'Clipped anatomy', 'Exposure']
const radiographers = ['Renee Alvarez', 'Tom Becker', 'Priya Raman']
const returnReasons = ['The count was one', 'Not seen on this shift', 'You assisted, please correct it']
/** Of a student's procedures at any time, which moves on slowly so that some reach what their exam needs. */
const poolSize = 9
/** Days after which nearly everything is decided. */
const settledDays = 5

interface Entry {
  state: 'submitted' | 'verified' | 'returned'
  repeats: number
}

const entryOf = (random: Random, age: number): Entry => {
  const repeats = random.chance(0.05) ? 1 : 0
  const state =
    age > settledDays
      ? random.chance(0.95)
        ? 'verified'
        : random.chance(0.5)
          ? 'returned'
          : 'submitted'
      : random.chance(0.7)
        ? 'submitted'
        : 'verified'
  return { state, repeats }
}

/**
 * What students logged on their shifts of the past weeks, in every state: most of it verified, the last days waiting, some
 * returned. It has chance of its own, so that it changes nothing of what is made after it.
 */
export const makeProcedureLogs = async (
  maker: Maker,
  { plan, students, supervisors, faculty, duties }: MadeProgram,
  procedures: readonly MadeProcedure[],
): Promise<void> => {
  const random = randomFrom(7_000 + plan.id)
  const { today, now } = maker
  const indexOf = new Map(students.map(({ id }, index) => [id, index]))
  const supervisorsOf = Map.groupBy(
    supervisors.flatMap(({ id, sites }) => sites.map((site) => ({ id, site }))),
    ({ site }) => site,
  )
  const stamp = new Date(now).toISOString()
  const add = async (duty: Duty, procedure: MadeProcedure, entry: Entry, hasShift = true) => {
    const age = Math.round((Date.parse(today) - Date.parse(duty.date)) / 86_400_000)
    const named = supervisorsOf.get(duty.shift.site.id) ?? []
    const supervisor = named[(indexOf.get(duty.student.id) ?? 0) % Math.max(1, named.length)]?.id ?? null
    const [observed, assisted, performed] = procedure.levels
    const level = random.chance(age > 60 ? 0.45 : 0.75) ? performed : random.chance(0.5) ? assisted : observed
    const decidedAt = new Date(Math.min(now, Date.parse(`${addDays(duty.date, 1)}T19:00:00Z`))).toISOString()
    const isDecided = entry.state !== 'submitted'
    await maker.add('procedure_log', {
      program_id: plan.id,
      student_id: duty.student.id,
      skill_id: procedure.id,
      date: duty.date,
      assignment_id: hasShift ? duty.id : null,
      site_id: duty.shift.site.id,
      supervisor_id: supervisor,
      level_id: level ?? null,
      count: random.chance(0.7) ? 1 : random.int(2, 4),
      patient: random.chance(0.08) ? 'geriatric' : random.chance(0.04) ? 'pediatric' : 'adult',
      repeats: entry.repeats,
      repeat_reason: entry.repeats > 0 ? random.pick(repeatReasons) : '',
      radiographer: entry.repeats > 0 && entry.state === 'verified' ? random.pick(radiographers) : '',
      pathology_id: null,
      other_pathology: '',
      note: random.chance(0.06) ? 'AP and lateral' : '',
      state: entry.state,
      return_reason: entry.state === 'returned' ? random.pick(returnReasons) : '',
      decided_at: isDecided ? decidedAt : null,
      decided_by: isDecided ? (supervisor ?? faculty) : null,
      revision: isDecided ? 2 : 1,
      key: `00000000-0000-4000-8000-${maker.nextId('procedure_log').toString(16).padStart(12, '0')}`,
      created_at: stamp,
      created_by: duty.student.id,
      updated_at: stamp,
      updated_by: isDecided ? (supervisor ?? faculty) : duty.student.id,
    })
  }
  const imaging = procedures.filter(({ isPatientCare }) => !isPatientCare)
  const pool = imaging.length > 0 ? imaging : procedures
  const past = duties.filter(({ date, endsAt }) => date <= today && Date.parse(endsAt) < now)
  for (const duty of past) {
    const index = indexOf.get(duty.student.id) ?? 0
    const age = Math.round((Date.parse(today) - Date.parse(duty.date)) / 86_400_000)
    const start = index * 3 + Math.floor((100 - Math.min(100, age)) / 20) * 4
    const lines = random.int(1, 4)
    const picked = new Set<MadeProcedure>()
    for (let line = 0; line < lines; line++)
      picked.add(pool[(start + random.int(0, poolSize - 1)) % pool.length]!)
    for (const procedure of picked) await add(duty, procedure, entryOf(random, age))
  }
  // Everybody begins with patient care, which needs one log each.
  const care = procedures.filter(({ isPatientCare }) => isPatientCare)
  const firstOf = new Map<number, Duty>()
  for (const duty of past) if (!firstOf.has(duty.student.id)) firstOf.set(duty.student.id, duty)
  for (const [studentId, duty] of firstOf)
    for (const procedure of care.slice(0, 4 + ((indexOf.get(studentId) ?? 0) % 5)))
      await add(duty, procedure, { state: 'verified', repeats: 0 })
  await showEverything()

  /** The demo's student and supervisor see a returned entry, a repeat that waits, and a day without a shift. */
  async function showEverything(): Promise<void> {
    if (plan.suffix === undefined) return
    const sites = new Set(supervisors[0]?.sites)
    const recent = past.filter(({ shift }) => sites.has(shift.site.id)).slice(-400)
    const ofStudent = past.filter(({ student }) => student === students[1]).at(-1)
    if (ofStudent) {
      await add(ofStudent, pool[0]!, { state: 'returned', repeats: 0 })
      await add(ofStudent, pool[1 % pool.length]!, { state: 'submitted', repeats: 1 })
      await add(ofStudent, pool[2 % pool.length]!, { state: 'submitted', repeats: 0 }, false)
    }
    const latest = recent.toSorted((one, other) => other.date.localeCompare(one.date)).slice(0, 3)
    for (const duty of latest) {
      await add(duty, pool[3 % pool.length]!, { state: 'submitted', repeats: 0 })
      await add(duty, pool[4 % pool.length]!, { state: 'submitted', repeats: 0 })
    }
    const [first] = latest
    if (first) await add(first, pool[5 % pool.length]!, { state: 'submitted', repeats: 1 })
  }
}
