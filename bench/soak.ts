import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { dayFromNow, get, punchersOf, punchOf, staffOf } from './calls.ts'
import { type Installation, memoryMiB, type SignedIn, startInstallation } from './installation.ts'
import { drain, hangUp, median, percentile, type Request, send } from './load.ts'
import { machine } from './machine.ts'
import { postmasterOf } from './recovery.ts'
import { keepSums } from './tasks.ts'

const usage = 'npm run soak [-- --minutes 60 --scale 40 --write]'
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    scale: { type: 'string', default: '40' },
    write: { type: 'boolean', default: false },
  },
})
const minutes = Number(values.minutes)
const scale = Number(values.scale)
if (![minutes, scale].every((value) => Number.isInteger(value) && value >= 1)) {
  console.error(`Whole numbers from 1, please: ${usage}`)
  process.exit(2)
}

/** What 1,000 programs ask for in a busy half hour (docs/scaling.md), a second. */
const punchesPerSecond = 30
const screensPerSecond = 25
/** Calls that are under way at once; what would come on top of them is counted as refused. */
const maxOpen = 400
interface Minute {
  calls: number
  failed: number
  p50: number
  p99: number
  /** Of the product's process, of all of PostgreSQL's without what they share, and what they share: a cache that fills. */
  memory: number
  database: number
  cache: number
}

/** Memory of a process tree in MiB, each shared page counted once: its own, and the memory that its processes share. */
const proportionalMiB = (postmaster: number): { database: number; cache: number } => {
  let all = 0
  let shared = 0
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const parent = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1]
      if (Number(name) !== postmaster && Number(parent) !== postmaster) continue
      const memory = readFileSync(`/proc/${name}/smaps_rollup`, 'utf8')
      all += Number(/^Pss:\s+(\d+)/m.exec(memory)?.[1] ?? 0)
      shared += Number(/^Pss_Shmem:\s+(\d+)/m.exec(memory)?.[1] ?? 0)
    } catch {
      // It has ended meanwhile.
    }
  }
  return { database: (all - shared) / 1024, cache: shared / 1024 }
}

type Screen = () => Request[]

/** What people open, by how often: students on their phones mostly, staff the pages of their morning. */
const screensOf = (students: readonly SignedIn[], staff: readonly SignedIn[]): Screen => {
  const any = <T>(of: readonly T[]): T => of[Math.floor(Math.random() * of.length)]!
  const ofStudent = (...paths: string[]) => {
    const who = any(students)
    return paths.map((path) => get(who, path))
  }
  const ofStaff = (paths: (program: string) => string[]) => {
    const who = any(staff)
    return paths(`/programs/${who.programId}`).map((path) => get(who, path))
  }
  const from = dayFromNow(-30)
  const through = dayFromNow(60)
  const screens: readonly [share: number, open: Screen][] = [
    [40, () => ofStudent('/state', '/clock')],
    [12, () => ofStudent('/clock/records')],
    [10, () => ofStaff((program) => ['/state', `${program}/home`])],
    [
      10,
      () =>
        ofStaff((program) => [
          `${program}/time-records?Status=pending&pageSize=50`,
          `${program}/time-records/counts`,
        ]),
    ],
    [8, () => ofStaff((program) => [`${program}/shift-assignments?pageSize=100`])],
    [5, () => ofStaff((program) => [`${program}/users/list?AccessLevels=39&pageSize=50`])],
    [5, () => ofStaff((program) => [`${program}/evaluations?pageSize=50`])],
    [
      4,
      () =>
        ofStaff((program) => {
          const grid = `${program}/shift-assignments/grid`
          const dates = `FromDate=${from}&ThroughDate=${through}`
          return [`${grid}/days?${dates}`, `${grid}?${dates}`]
        }),
    ],
    [3, () => ofStaff((program) => [`${program}/hours-summary?FromDate=${from}`])],
    [2, () => ofStaff((program) => [`${program}/missed-time-records`])],
    [1, () => ofStaff((program) => [`${program}/time-summaries?By=student&FromDate=${from}`])],
  ]
  const all = screens.reduce((sum, [share]) => sum + share, 0)
  return () => {
    let place = Math.random() * all
    const found = screens.find(([share]) => {
      place -= share
      return place < 0
    })
    // The shares end above the place.
    return found![1]()
  }
}

/** Calls `work` so many times a second on the average, as people come: independent of each other, until told to stop. */
const arrive = (perSecond: number, work: () => void): (() => void) => {
  let timer: NodeJS.Timeout
  let due = performance.now()
  const next = (): void => {
    // Gaps of independent arrivals; what fell due while the process was busy comes at once.
    while (due <= performance.now()) {
      work()
      due += (-Math.log(1 - Math.random()) / perSecond) * 1_000
    }
    timer = setTimeout(next, Math.max(0, due - performance.now()))
  }
  next()
  return () => clearTimeout(timer)
}

const soak = async (at: Installation): Promise<Minute[]> => {
  const { rows: programs } = await at.owner.query<{ id: number }>(
    `select id::integer from program p where deleted_at is null and exists (select from account a where a.program_id = p.id
      and a.access_level between 59 and 89 and a.deleted_at is null and a.deactivated_at is null) order by id`,
  )
  const staff: SignedIn[] = []
  for (const { id } of programs) staff.push(await staffOf(at, id))
  const punchers = await punchersOf(at, { limit: 3_000 })
  const screen = screensOf(
    punchers.map(({ student }) => student),
    staff,
  )
  const postmaster = postmasterOf(at)
  let times: number[] = []
  const counts = { open: 0, failed: 0 }
  const ask = async (request: Request): Promise<void> => {
    if (counts.open >= maxOpen) {
      counts.failed++
      return
    }
    counts.open++
    const began = performance.now()
    await send(at.ours.origin, request).catch((error: Error) => {
      if (counts.failed++ < 5) console.error(error.message)
    })
    times.push(performance.now() - began)
    counts.open--
  }
  let turn = 0
  const punch = (): void => {
    const puncher = punchers[turn % punchers.length]!
    const kind = Math.floor(turn / punchers.length) % 2 === 0 ? 'in' : 'out'
    turn++
    void ask(punchOf(puncher, kind, `soak-${process.pid}-${turn}`))
  }
  const open = (): void => {
    for (const request of screen()) void ask(request)
  }
  const exporting = setInterval(() => {
    const who = staff[turn % staff.length]!
    void drain(
      at.ours.origin,
      get(who, `/programs/${who.programId}/shift-assignments/export?Format=csv`),
    ).catch((error: Error) => console.error(error.message))
  }, 20_000)
  const stops = [arrive(punchesPerSecond, punch), arrive(screensPerSecond, open)]
  const found: Minute[] = []
  try {
    for (let minute = 1; minute <= minutes; minute++) {
      await sleep(60_000)
      const measured = times
      times = []
      const line: Minute = {
        calls: measured.length,
        failed: counts.failed,
        p50: percentile(measured, 0.5),
        p99: percentile(measured, 0.99),
        memory: memoryMiB(at.ours.pid),
        ...proportionalMiB(postmaster),
      }
      counts.failed = 0
      found.push(line)
      console.log(
        `${String(minute).padStart(3)}  ${line.calls} calls, ${line.failed} failed, p50 ${line.p50.toFixed(1)} ms, p99 ${line.p99.toFixed(0)} ms, ${line.memory.toFixed(0)} + ${line.database.toFixed(0)} + ${line.cache.toFixed(0)} MiB`,
      )
    }
  } finally {
    clearInterval(exporting)
    for (const stop of stops) stop()
    const limit = performance.now() + 30_000
    while (counts.open > 0 && performance.now() < limit) await sleep(50)
  }
  return found
}

/**
 * What is not flat or not right; nothing when all is well. The first third fills caches and pools, and the heap to what its busiest
 * moments need: what leaks goes on growing after it.
 */
const faultsOf = (found: readonly Minute[]): string[] => {
  const settled = found.slice(Math.floor(found.length / 3))
  const quarter = Math.max(1, Math.floor(settled.length / 4))
  const grown = (of: (minute: Minute) => number): number =>
    median(settled.slice(-quarter).map(of)) / median(settled.slice(0, quarter).map(of))
  const failed = found.reduce((sum, { failed: count }) => sum + count, 0)
  return [
    ...(failed > 0 ? [`${failed} calls failed.`] : []),
    ...(grown(({ memory }) => memory) > 1.1
      ? ['The process holds a tenth more at the end than at the beginning.']
      : []),
    ...(grown(({ database }) => database) > 1.25
      ? ['PostgreSQL holds a quarter more at the end than at the beginning.']
      : []),
    ...(grown(({ p99 }) => p99) > 1.5
      ? ['The slowest hundredth is half slower at the end than at the beginning.']
      : []),
  ]
}

const page = (found: readonly Minute[], faults: readonly string[], data: string): string => {
  const all = found.reduce((sum, { calls }) => sum + calls, 0)
  const step = Math.max(1, Math.round(found.length / 12))
  const rows = Array.from({ length: Math.ceil(found.length / step) }, (_, part) => {
    const some = found.slice(part * step, (part + 1) * step)
    const middle = (of: (minute: Minute) => number): string =>
      Math.round(median(some.map(of))).toLocaleString('en-US')
    const last = part * step + some.length
    return `| ${part * step + 1}–${last} | ${some.reduce((sum, { calls }) => sum + calls, 0).toLocaleString('en-US')} | ${median(some.map(({ p50 }) => p50)).toFixed(1)} ms | ${middle(({ p99 }) => p99)} ms | ${middle(({ memory }) => memory)} MiB | ${middle(({ database }) => database)} MiB | ${middle(({ cache }) => cache)} MiB |`
  })
  return `# Soak

Written by \`npm run soak -- --write\` on ${new Date().toISOString().slice(0, 10)}; do not edit by hand.

Machine: ${machine()}, Node.js ${process.versions.node}. The people,
one process with \`ROLE=all\` and PostgreSQL share these cores.

Data: ${data}. The load is that of 1,000 programs in a busy half hour ([scaling.md](scaling.md)): ${punchesPerSecond} punches and ${screensPerSecond} screens
a second, each arriving when it does, whether the others are answered or not, and an export every 20 seconds; ${all.toLocaleString('en-US')} calls in
${found.length} minutes, ${found.reduce((sum, { failed }) => sum + failed, 0)} failed.

| minutes | calls | half within | 99 % within | the process | PostgreSQL | its cache |
|---|---|---|---|---|---|---|
${rows.join('\n')}

The middle minute of each line. PostgreSQL’s processes hold what is told without their cache, which they share and which grows until it
is full.

${faults.length === 0 ? 'Memory and times are flat: after the first third, the last quarter holds no more than a tenth above the first one, and its\nslowest hundredth takes less than half as long again.' : faults.join('\n')}
`
}

console.log(`Making data at ${scale} times the demo's size …`)
const at = await startInstallation(scale, { role: 'all' })
try {
  await keepSums(at, scale >= 4 ? 4 : 3)
  const { rows } = await at.owner.query(
    `select (select count(*) from program)::integer as programs,
      (select count(*) from account where access_level = 39)::integer as students,
      (select count(*) from time_record)::integer as records`,
  )
  const { programs, students, records } = rows[0]
  const data = `${programs} programs, ${students.toLocaleString('en-US')} students, ${records.toLocaleString('en-US')} time records at the beginning`
  console.log(`${data}. ${minutes} minutes …`)
  const found = await soak(at)
  const faults = faultsOf(found)
  for (const fault of faults) console.log(fault)
  if (values.write)
    writeFileSync(join(import.meta.dirname, '..', 'docs', 'soak.md'), page(found, faults, data))
  process.exitCode = faults.length === 0 ? 0 : 1
} finally {
  await at.stop()
  hangUp()
}
