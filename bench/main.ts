import { writeFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Level } from '#contract/core/levels.ts'
import { copyCodes } from '#contract/programs/program-copy.ts'
import {
  type Installation,
  memoryMiB,
  type Process,
  processorSeconds,
  type SignedIn,
  startInstallation,
} from './installation.ts'
import { drain, hangUp, type Load, median, press, type Request, send } from './load.ts'
import { mailFigures } from './mail.ts'
import { type Marks, measurePages, type PageFigures } from './pages.ts'
import { recoveryFigures } from './recovery.ts'
import { asMarkdown, asText, type Figure, verdictOf } from './table.ts'
import { emailFigure, keepSums, makingFigure, seriesFigures } from './tasks.ts'

/**
 * `npm run bench [-- --scale S] [--quick] [--write]`: the product beside a bare reference on the same PostgreSQL, in turns,
 * median of the rounds. Without `--scale` on the demo's size and on 40 times that. `--write` puts docs/performance.md
 * anew. `--only f,g` measures some parts alone: the letters of the table, deep, export, copy, mail, memory, pages, growth,
 * recovery. Everything listens on loopback only, lies in a temporary folder and ends by itself.
 */
const { values: options } = parseArgs({
  options: {
    scale: { type: 'string' },
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
})
const large = Number(options.scale ?? (options.quick ? 1 : 40))
if (!Number.isInteger(large) || large < 1 || large > 1_000) {
  console.error('--scale is a whole number from 1 to 1000.')
  process.exit(2)
}
const parts = [
  ...['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k'],
  ...['deep', 'export', 'copy', 'mail', 'memory', 'pages', 'growth', 'recovery'],
] as const
type Part = (typeof parts)[number]
const only = options.only?.split(',')
const unknown = only?.find((name) => !parts.some((part) => part === name))
if (unknown !== undefined || (only && options.write)) {
  console.error(
    unknown === undefined
      ? '--write needs the whole run: leave --only out.'
      : `--only ${unknown} is none of ${parts.join(', ')}.`,
  )
  process.exit(2)
}
const wants = (part: Part): boolean => only === undefined || only.includes(part)
const rounds = options.quick ? 1 : 5
const windowMs = options.quick ? 300 : 1_800

interface Round extends Load {
  /** Milliseconds of processor a request costs, Node.js and PostgreSQL together. */
  cpuMs: number
}

const measure = async (
  at: Installation,
  process: Process,
  next: (connection: number) => Request,
): Promise<Round> => {
  await press(process.origin, next, { forMs: windowMs / 6 })
  const before = processorSeconds(process.pid) + at.databaseSeconds()
  const load = await press(process.origin, next, { forMs: windowMs })
  const used = processorSeconds(process.pid) + at.databaseSeconds() - before
  return { ...load, cpuMs: (used * 1000) / load.answered }
}

interface Compared {
  cpu: number
  perSecond: number
  p99: number
  ours: Round
  bare: Round
}

const middle = (rows: readonly Round[]): Round => ({
  perSecond: median(rows.map((row) => row.perSecond)),
  p99: median(rows.map((row) => row.p99)),
  cpuMs: median(rows.map((row) => row.cpuMs)),
  answered: median(rows.map((row) => row.answered)),
})

/** Ours and the reference in turns; ratios are medians of the rounds' own ratios, so that drift hits both alike. */
const compare = async (
  at: Installation,
  next: () => (connection: number) => Request,
  between: () => Promise<unknown> = async () => {},
): Promise<Compared> => {
  const pairs: { ours: Round; bare: Round }[] = []
  for (let round = 0; round < rounds; round++) {
    const pair: Partial<Record<'ours' | 'bare', Round>> = {}
    for (const side of round % 2 === 0 ? (['ours', 'bare'] as const) : (['bare', 'ours'] as const)) {
      pair[side] = await measure(at, at[side], next())
      await between()
    }
    pairs.push(pair as { ours: Round; bare: Round })
  }
  return {
    cpu: median(pairs.map(({ ours, bare }) => ours.cpuMs / bare.cpuMs)),
    perSecond: median(pairs.map(({ ours, bare }) => ours.perSecond / bare.perSecond)),
    p99: median(pairs.map(({ ours, bare }) => ours.p99 / bare.p99)),
    ours: middle(pairs.map(({ ours }) => ours)),
    bare: middle(pairs.map(({ bare }) => bare)),
  }
}

const api = '/new/api'
const get = (who: SignedIn, path: string): Request => ({
  method: 'GET',
  path: `${api}${path}`,
  headers: who.headers,
})

/** The reading calls of a program, by their letters in the table. */
const readsOf = (staff: SignedIn) => {
  const program = `/programs/${staff.programId}`
  return {
    a: [
      get(staff, `${program}/time-records?Status=pending&pageSize=50`),
      get(staff, `${program}/time-records/counts`),
    ],
    b: [get(staff, `${program}/shift-assignments?pageSize=100`)],
    c: [get(staff, `${program}/users?AccessLevel=39`)],
    e: [get(staff, `${program}/home`)],
  }
}

/** What opening a page asks: the director's outcomes, the installation overview, and a student's page. */
const pagesOf = (director: SignedIn, superAdmin: SignedIn, studentId: number) => {
  const program = `/programs/${director.programId}`
  const student = `${program}/students/${studentId}`
  return {
    f: [
      get(director, `${program}/outcomes`),
      get(director, `${program}/outcomes/site-use`),
      get(director, `${program}/outcomes/evaluations`),
    ],
    g: [get(superAdmin, '/overview')],
    h: [
      get(director, student),
      get(director, `${student}/hours`),
      get(director, `${student}/shifts?When=next&pageSize=4`),
      get(director, `${student}/evaluations?pageSize=1`),
    ],
  }
}

const inTurn = (requests: readonly Request[]) => () => {
  const at = new Map<number, number>()
  return (connection: number): Request => {
    const turn = at.get(connection) ?? connection
    at.set(connection, turn + 1)
    return requests[turn % requests.length]!
  }
}

const canonical = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(canonical)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            // The size of the database changes from call to call.
            .filter(([name]) => name !== 'DatabaseBytes')
            .sort(([one], [other]) => (one < other ? -1 : 1))
            .map(([name, inner]) => [name, canonical(inner)]),
        )
      : value

/** Both sides must answer the same, or their speeds say nothing. */
const proveSame = async (at: Installation, requests: readonly Request[]): Promise<void> => {
  for (const request of requests) {
    const [ours, bare] = await Promise.all([send(at.ours.origin, request), send(at.bare.origin, request)])
    if (JSON.stringify(canonical(JSON.parse(ours))) !== JSON.stringify(canonical(JSON.parse(bare))))
      throw new Error(
        `The reference answers ${request.path} differently:\n${ours.slice(0, 1500)}\n${bare.slice(0, 1500)}`,
      )
  }
}

const staffOf = async (at: Installation, programId: number): Promise<SignedIn> => {
  const { rows } = await at.owner.query(
    `select id::integer from account where program_id = $1 and access_level between 59 and 89 and deleted_at is null
      and deactivated_at is null order by access_level desc, id limit 1`,
    [programId],
  )
  return (await at.signIn([rows[0].id]))[0]!
}

/** The largest programs of the demo have coordinators alone. */
const directorOf = async (at: Installation, programId: number): Promise<SignedIn> => {
  const { rows } = await at.owner.query(
    `insert into account (program_id, user_name, access_level, first_name, last_name, email)
    values ($1, 'benchdirector', $2, 'Bench', 'Director', 'director@example.edu') returning id::integer`,
    [programId, Level.Director],
  )
  return (await at.signIn([rows[0].id]))[0]!
}

const superAdminOf = async (at: Installation): Promise<SignedIn> => {
  const { rows } = await at.owner.query(
    'select id::integer from account where access_level = 100 and deleted_at is null order by id limit 1',
  )
  return (await at.signIn([rows[0].id]))[0]!
}

/** Students clock in and out by turns, each at one connection only, every punch with a key of its own. */
const punches = async (at: Installation, programId: number) => {
  const { rows } = await at.owner.query(
    `select a.id::integer as id, s.id::integer as site, s.latitude, s.longitude
    from account a cross join lateral (select * from site s where s.program_id = a.program_id and s.deleted_at is null
      and s.is_active and s.latitude is not null order by (s.id * 7919 + a.id) % 31 limit 1) s
    where a.program_id = $1 and a.access_level = 39 and a.deleted_at is null and a.deactivated_at is null
      and not exists (select from time_record r where r.program_id = a.program_id and r.student_id = a.id
        and r.occurred_at > now() - interval '2 days')
    order by a.id limit 480`,
    [programId],
  )
  const { rows: last } = await at.owner.query('select max(id)::integer as id from time_record')
  const students = await at.signIn(rows.map(({ id }) => id))
  let keys = 0
  const next = () => {
    const turns = new Map<number, number>()
    return (connection: number): Request => {
      const own = Math.max(1, Math.floor((students.length - connection + 15) / 16))
      const turn = turns.get(connection) ?? 0
      turns.set(connection, turn + 1)
      const index = ((Math.floor(turn / 2) % own) * 16 + connection) % students.length
      const { site, latitude, longitude } = rows[index]
      return {
        method: 'POST',
        path: `${api}/clock/punches`,
        headers: { ...students[index]!.headers, 'idempotency-key': `bench-${process.pid}-${++keys}` },
        body: JSON.stringify({
          Kind: turn % 2 === 0 ? 'in' : 'out',
          SiteId: site,
          Latitude: latitude,
          Longitude: longitude,
        }),
      }
    }
  }
  const forget = async () => {
    await at.owner.query('delete from time_record where program_id = $1 and id > $2', [programId, last[0].id])
  }
  return { next, forget, students: students.length }
}

const ratio = (value: number): string => `${value.toFixed(2)}×`
const ms = (value: number): string => `${value < 10 ? value.toFixed(2) : Math.round(value)} ms`

const comparedFigures = (
  letter: string,
  what: string,
  compared: Compared,
  [must, stretch]: [number, number],
): Figure[] => [
  {
    what: `${letter} ${what}: CPU vs bare`,
    value: compared.cpu,
    text: ratio(compared.cpu),
    must,
    stretch,
    bar: `≤ ${must}× / ≤ ${stretch}×`,
    note: `${ms(compared.ours.cpuMs)} against ${ms(compared.bare.cpuMs)} a request`,
  },
  {
    what: `${letter} requests/s vs bare`,
    value: compared.perSecond,
    text: ratio(compared.perSecond),
    must: 0.45,
    stretch: 0.65,
    isMore: true,
    bar: '≥ 0.45× / ≥ 0.65×',
    note: `${Math.round(compared.ours.perSecond)} against ${Math.round(compared.bare.perSecond)}`,
  },
  {
    what: `${letter} p99 vs bare`,
    value: compared.p99,
    text: ratio(compared.p99),
    must: 3,
    stretch: 2,
    bar: '≤ 3× / ≤ 2×',
    note: `${ms(compared.ours.p99)} against ${ms(compared.bare.p99)}`,
  },
]

/** The same calls on a program that is the same in both sizes. */
const growth = async (small: Installation, grown: Installation): Promise<Figure[]> => {
  const sides = await Promise.all(
    [small, grown].map(async (at) => ({ at, reads: readsOf(await staffOf(at, 3)) })),
  )
  const figures: Figure[] = []
  for (const letter of ['a', 'b', 'c', 'e'] as const) {
    const costs = new Map<Installation, number[]>()
    for (let round = 0; round < 3; round++)
      for (const { at, reads } of sides) {
        const { cpuMs } = await measure(at, at.ours, inTurn(reads[letter])())
        costs.set(at, [...(costs.get(at) ?? []), cpuMs])
      }
    const [before, after] = [median(costs.get(small)!), median(costs.get(grown)!)]
    figures.push({
      what: `${letter} cost of growth, ${grown.scale}× against ${small.scale}×`,
      value: after / before,
      text: ratio(after / before),
      must: 1.5,
      stretch: 1.2,
      bar: '≤ 1.5× / ≤ 1.2×',
      note: `${ms(after)} against ${ms(before)}`,
    })
  }
  return figures
}

const deepPage = async (at: Installation, staff: SignedIn, assignments: number): Promise<Figure> => {
  const list = `/programs/${staff.programId}/shift-assignments?pageSize=100`
  const page = Math.max(2, Math.floor(assignments / 100) - 1)
  const { NextCursor } = JSON.parse(await send(at.ours.origin, get(staff, `${list}&page=${page}`))) as {
    NextCursor: string | null
  }
  const costs: [number[], number[]] = [[], []]
  const requests = [get(staff, list), get(staff, `${list}&cursor=${encodeURIComponent(NextCursor ?? '')}`)]
  for (let round = 0; round < (options.quick ? 1 : 3); round++)
    for (const [index, request] of requests.entries())
      costs[index]!.push((await measure(at, at.ours, () => request)).cpuMs)
  const value = NextCursor ? median(costs[1]) / median(costs[0]) : Number.NaN
  return {
    what: 'deep page ÷ first page',
    value,
    text: ratio(value),
    must: 2,
    stretch: 1.2,
    bar: '≤ 2× / ≤ 1.2×',
    note: `page ${page + 1} of 100 rows by cursor; the first page also counts`,
  }
}

const exportFigures = async (at: Installation, staff: SignedIn, rows: number): Promise<Figure[]> => {
  const file = get(staff, `/programs/${staff.programId}/shift-assignments/export?Format=xlsx`)
  await drain(at.ours.origin, file)
  const held = memoryMiB(at.ours.pid)
  let most = held
  const watch = setInterval(() => {
    most = Math.max(most, memoryMiB(at.ours.pid))
  }, 20)
  const times: [ours: number[], bare: number[]] = [[], []]
  for (let round = 0; round < 3; round++)
    for (const [index, side] of (['ours', 'bare'] as const).entries()) {
      const started = performance.now()
      await drain(at[side].origin, file)
      times[index]!.push(performance.now() - started)
    }
  const others = inTurn(readsOf(staff).a)
  const alone = await press(at.ours.origin, others(), { connections: 4, forMs: windowMs })
  let goesOn = true
  const exporting = (async () => {
    while (goesOn) await drain(at.ours.origin, file)
  })()
  const meanwhile = await press(at.ours.origin, others(), { connections: 4, forMs: windowMs * 2 })
  goesOn = false
  await exporting
  clearInterval(watch)
  const added = most - held
  const slower = meanwhile.p99 / alone.p99
  const [time, bareTime] = [median(times[0]), median(times[1])]
  const size = `${rows.toLocaleString('en-US')} rows`
  return [
    {
      what: `export of ${size} to XLSX: time vs a hand-made streamer`,
      value: time / bareTime,
      text: ratio(time / bareTime),
      must: 2,
      stretch: 1.3,
      bar: '≤ 2× / ≤ 1.3×',
      note: `${ms(time)} against ${ms(bareTime)}; ${Math.round((rows / time) * 1000).toLocaleString('en-US')} rows a second`,
    },
    {
      what: 'export: memory',
      value: added,
      text: `+${Math.round(added)} MiB`,
      must: 100,
      stretch: 60,
      bar: '≤ +100 / ≤ +60 MiB',
      note: 'over what the process held before, other calls meanwhile',
    },
    {
      what: 'export: p99 of others meanwhile',
      value: slower,
      text: ratio(slower),
      must: 3,
      stretch: 2,
      bar: '≤ 3× / ≤ 2×',
      note: `${ms(meanwhile.p99)} against ${ms(alone.p99)}, 4 connections, one export after the other`,
    },
  ]
}

/** The largest program copied into new ones: the whole call, one transaction. */
const copyFigure = async (at: Installation, programId: number): Promise<Figure> => {
  const superAdmin = await superAdminOf(at)
  const times: number[] = []
  let copied = 0
  for (let round = 0; round < rounds; round++) {
    const { rows } = await at.owner.query(
      `insert into program (college_id, name) select college_id, $2 from program where id = $1 returning id::integer`,
      [programId, `Copied ${round}`],
    )
    const begun = performance.now()
    const answer = await send(at.ours.origin, {
      method: 'POST',
      path: `${api}/programs/copies?sourceProgramId=${programId}&destinationProgramId=${rows[0].id}&dataTypes=${copyCodes.join(',')}`,
      headers: superAdmin.headers,
    })
    times.push(performance.now() - begun)
    copied = JSON.parse(answer).Copied.reduce((sum: number, { Count }: { Count: number }) => sum + Count, 0)
  }
  const seconds = median(times) / 1000
  return {
    what: 'program copy of the largest program, one transaction',
    value: seconds,
    text: `${seconds.toFixed(2)} s`,
    must: 10,
    stretch: 2,
    bar: '≤ 10 / ≤ 2 s',
    note: `${copied.toLocaleString('en-US')} rows, everything that can be copied`,
  }
}

const kilobytes = (what: string, value: number, must: number, stretch: number): Figure => ({
  what,
  value,
  text: `${value.toFixed(1)} kB`,
  must,
  stretch,
  bar: `≤ ${must} / ≤ ${stretch} kB`,
})

const interaction = (what: string, value: number): Figure => ({
  what: `${what}: slowest interaction`,
  value,
  text: ms(value),
  must: 200,
  stretch: 100,
  bar: '≤ 200 / ≤ 100 ms',
})

const marks = (what: string, found: Marks | undefined): Figure[] =>
  (['performance', 'accessibility', 'best-practices'] as const).map((name) => {
    const must = name === 'performance' ? 95 : 100
    const value = found?.[name] ?? Number.NaN
    return {
      what: `Lighthouse, phone, ${what}: ${name}`,
      value,
      text: String(value),
      must,
      stretch: 100,
      isMore: true,
      bar: `≥ ${must} / 100`,
    }
  })

const pageFigures = (pages: PageFigures | undefined): Figure[] => {
  const { kilobytes: size, interaction: slowest, lighthouse } = pages ?? {}
  const count = (value: number | undefined) => (value ?? Number.NaN).toLocaleString('en-US')
  return [
    kilobytes('JavaScript of the sign-in page, gzip', size?.signIn ?? Number.NaN, 120, 100),
    kilobytes('JavaScript of the admin home, gzip', size?.adminHome ?? Number.NaN, 250, 180),
    interaction(`schedule of ${count(slowest?.scheduleCells)} cells`, slowest?.schedule ?? Number.NaN),
    interaction(`people, ${count(slowest?.peopleRows)} rows`, slowest?.people ?? Number.NaN),
    ...marks('sign-in', lighthouse?.signIn),
    ...marks('clock', lighthouse?.clock),
  ]
}

/** What the web process holds, and how soon it answered at first. */
const processFigures = (at: Installation): Figure[] => {
  const [held, most] = [memoryMiB(at.ours.pid), memoryMiB(at.ours.pid, 'VmHWM')]
  return [
    {
      what: 'web process: memory under load',
      value: most,
      text: `${Math.round(most)} MiB`,
      must: 250,
      stretch: 160,
      bar: '≤ 250 / ≤ 160 MiB',
      note: `the most it ever held; ${Math.round(held)} MiB at the end`,
    },
    {
      what: 'web process: ready after the database',
      value: at.readyAfterDatabaseMs / 1000,
      text: `${(at.readyAfterDatabaseMs / 1000).toFixed(2)} s`,
      must: 1,
      stretch: 0.5,
      bar: '≤ 1 / ≤ 0.5 s',
      note: `${(at.readyMs / 1000).toFixed(2)} s from starting the process, the start of its own PostgreSQL included`,
    },
  ]
}

const say = (text: string): void => console.log(text)

const run = async (): Promise<void> => {
  const began = performance.now()
  say(`Making data at ${large} times the demo's size …`)
  const at = await startInstallation(large)
  const started: Installation[] = [at]
  try {
    const figures: Figure[] = []
    const programId = large >= 4 ? 4 : 3
    const staff = await staffOf(at, programId)
    const reads = readsOf(staff)
    const { rows: sizes } = await at.owner.query(
      `select (select count(*) from shift_assignment where program_id = $1 and removed_at is null)::integer as own,
        (select count(*) from account where program_id = $1 and access_level = 39 and deleted_at is null
          and deactivated_at is null)::integer as students,
        (select count(*) from account where access_level = 39)::integer as all_students,
        (select count(*) from shift_assignment)::integer as assignments,
        (select count(*) from time_record)::integer as records, (select count(*) from program)::integer as programs`,
      [programId],
    )
    const size = sizes[0]
    const { rows: anyone } = await at.owner.query(
      `select id::integer from account where program_id = $1 and access_level = 39 and deleted_at is null
        and deactivated_at is null order by id limit 1`,
      [programId],
    )
    const pages = pagesOf(await directorOf(at, programId), await superAdminOf(at), anyone[0].id)
    if (wants('f') || wants('g') || wants('h')) await keepSums(at, programId)
    const compared = { ...reads, ...pages }
    const bars = {
      a: ['approve list, 50 rows and counts', [2.5, 1.6]],
      b: ['assignment search, 100 rows', [2.5, 1.6]],
      c: [`student list whole, ${size.students} rows`, [1.5, 1]],
      e: ['dashboard counts', [1.3, 1.1]],
      f: ['director’s outcomes, its three calls', [2.5, 1.6]],
      g: [`installation overview, ${size.programs} programs`, [2.5, 1.6]],
      h: ['student’s page, its four calls', [2.5, 1.6]],
    } as const
    const letters = (Object.keys(bars) as (keyof typeof bars)[]).filter(wants)
    for (const letter of letters) await proveSame(at, compared[letter])
    say('Both sides answer the same. Measuring …')
    const measured = async (letter: keyof typeof bars): Promise<void> => {
      if (!wants(letter)) return
      const [what, [must, stretch]] = bars[letter]
      figures.push(
        ...comparedFigures(letter, what, await compare(at, inTurn(compared[letter])), [must, stretch]),
      )
    }
    for (const letter of ['a', 'b', 'c'] as const) await measured(letter)
    if (wants('d')) {
      const clock = await punches(at, programId)
      figures.push(
        ...comparedFigures(
          'd',
          'clock punch with all rules and audit',
          await compare(at, clock.next, clock.forget),
          [3, 2],
        ),
      )
      await at.owner.query('vacuum analyze time_record')
    }
    for (const letter of ['e', 'f', 'g', 'h'] as const) await measured(letter)
    if (wants('i')) figures.push(await makingFigure(at, programId))
    if (wants('j')) figures.push(...(await seriesFigures(at, staff)))
    if (wants('k')) figures.push(await emailFigure(at, staff))
    if (wants('deep')) figures.push(await deepPage(at, staff, size.own))
    if (wants('export')) figures.push(...(await exportFigures(at, staff, size.own)))
    if (wants('copy')) figures.push(await copyFigure(at, programId))
    if (wants('mail')) figures.push(...(await mailFigures(at, programId)))
    if (wants('memory')) figures.push(...processFigures(at))
    if (wants('pages')) {
      const [student] = await at.signIn([anyone[0].id])
      figures.push(...pageFigures(await measurePages(at, staff, student!)))
    }
    if (wants('growth') && options.scale === undefined && !options.quick) {
      say("Making data at the demo's size …")
      const small = await startInstallation(1)
      started.push(small)
      figures.push(...(await growth(small, at)))
    }
    if (wants('recovery')) {
      const clock = await punches(at, programId)
      figures.push(...(await recoveryFigures(at, clock.next, get(staff, '/state'))))
    }
    const seconds = Math.round((performance.now() - began) / 1000)
    const count = (value: number) => value.toLocaleString('en-US')
    const data = `${size.programs} programs, ${count(size.all_students)} students, ${count(size.assignments)} assignments, ${count(
      size.records,
    )} time records; measured in a program of ${size.students} students`
    say(`\n${asText(figures)}\n\n${data}. ${seconds} s.`)
    if (options.write)
      writeFileSync(join(import.meta.dirname, '..', 'docs', 'performance.md'), page(figures, data, seconds))
  } finally {
    for (const each of started.reverse()) await each.stop()
    hangUp()
  }
}

const machine = (): string => {
  const model = cpus()[0]?.model.trim() ?? ''
  return `${availableParallelism()} processor cores${model ? ` (${model})` : ''}, ${Math.round(totalmem() / 2 ** 30)} GiB of memory, ${process.platform}`
}

const page = (figures: readonly Figure[], data: string, seconds: number): string => {
  const missed = figures.filter((figure) => verdictOf(figure) === 'missed')
  const missing = figures.filter((figure) => verdictOf(figure) === 'n/a')
  const list = (rows: readonly Figure[]) =>
    rows
      .map(
        ({ what, text, bar, note }) => `- **${what}**: ${text}, asked is ${bar}${note ? ` (${note})` : ''}`,
      )
      .join('\n')
  return `# Performance

Written by \`npm run bench -- --write\` on ${new Date().toISOString().slice(0, 10)}; do not edit by hand.

Machine: ${machine()}, Node.js ${process.versions.node}. The load, both servers and
PostgreSQL share these cores.

Data: ${data}.
The whole run took ${seconds} seconds.

${asMarkdown(figures)}

## How it is measured

- **Ours** is \`server/main.ts\` as it runs for people (role \`web\`): session, permission, validation, row-level security,
  transaction, audit and the compiled answer are on. **Bare** is \`bench/bare.ts\`: one \`node:http\` process with \`pg\`, one
  session look-up and hand-written SQL as the owner. Both work on the same PostgreSQL with the same data; before the clock
  starts the bench proves that both answer the reading calls alike, and stops if not.
- For the dashboard the reference runs the product's own statements, so that line is the cost of what is around them.
- For the newer pages (f to h) the reference is \`bench/bare-pages.ts\`: SQL written by hand for each page, on the same kept sums.
- For the tasks (i to k) the reference is one statement written by hand that leaves the same rows, in turns with ours, each undone
  before the next; ours is timed as people see it, to the last byte of the answer.
- For the punch the reference reads the open punch, the site and the shift and writes one row without insight, doubts,
  idempotency or audit; those are what the product pays for.
- 16 connections are kept busy for ${windowMs / 1000} s, ours and bare in turns, ${rounds} rounds. A ratio is the median of the rounds' ratios.
- CPU of a request is user and system time of the Node.js process and of all PostgreSQL processes, from \`/proc\`; elsewhere
  it says n/a. Answers are not compressed: the load asks for none.
- Memory and p99 come from the operating system's and the load's own clocks: on few cores p99 holds the wait for a core.
- The relay of the emails listens in the bench and takes its time for each; its limit is what the library alone sends to it.
- JavaScript is what a real browser loads until the page rests, each file packed by gzip. Lighthouse's marks are the middle of five runs.

## Not reached

${missed.length > 0 ? list(missed) : 'Every measured bar is reached.'}
${missing.length > 0 ? `\nCould not be measured here:\n\n${list(missing)}\n` : ''}
## Not measured yet

Automatic assignment, and 400 times the demo's size (\`npm run bench -- --scale 400\`).
`
}

await run()
await sleep(0)
