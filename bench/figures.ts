import { copyCodes } from '#contract/programs/program-copy.ts'
import { fetchWorkbook, startTaskWorker } from './background.ts'
import { api, get, readsOf, staffOf, superAdminOf } from './calls.ts'
import { type Compared, inTurn, measure } from './compare.ts'
import { type Installation, memoryMiB, type SignedIn } from './installation.ts'
import { drain, median, press, send } from './load.ts'
import { options, rounds, windowMs } from './options.ts'
import type { Marks, MeasuredPage, PageFigures } from './pages.ts'
import type { Scrolling } from './scrolling.ts'
import type { Figure } from './table.ts'

const ratio = (value: number): string => `${value.toFixed(2)}×`
const ms = (value: number): string => `${value < 10 ? value.toFixed(2) : Math.round(value)} ms`

/** How long making the data took, at the size that its bar is for. */
export const makingFigures = ({ scale, makingMinutes }: Installation): Figure[] => [
  {
    what: `data of ${scale} times the demo’s size: made in`,
    value: makingMinutes,
    text: `${makingMinutes.toFixed(1)} min`,
    must: 15,
    stretch: 6,
    bar: '≤ 15 / ≤ 6 min',
  },
]

/** Bars in milliseconds of processor. */
export interface OwnBars {
  /** What a call may take more than the reference. */
  added?: readonly [must: number, stretch: number]
  /** What it may take in all. */
  whole?: readonly [must: number, stretch: number]
}

/** The lines of a compared call: processor, requests a second and the slowest hundredth. `must` and `stretch` are of the first. */
export const comparedFigures = (
  letter: string,
  what: string,
  compared: Compared,
  [must, stretch]: [number, number],
  { added, whole }: OwnBars = {},
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
  ...(added
    ? [
        {
          what: `${letter} CPU over bare`,
          value: compared.added,
          text: `${compared.added < 0 ? '' : '+'}${ms(compared.added)}`,
          must: added[0],
          stretch: added[1],
          bar: `≤ +${added[0]} / ≤ +${added[1]} ms`,
        },
      ]
    : []),
  ...(whole
    ? [
        {
          what: `${letter} CPU in all`,
          value: compared.ours.cpuMs,
          text: ms(compared.ours.cpuMs),
          must: whole[0],
          stretch: whole[1],
          bar: `≤ ${whole[0]} / ≤ ${whole[1]} ms`,
        },
      ]
    : []),
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
export const growth = async (small: Installation, grown: Installation): Promise<Figure[]> => {
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

/** The last page by cursor beside the first. */
export const deepPage = async (at: Installation, staff: SignedIn, assignments: number): Promise<Figure> => {
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

/** A whole export: its time beside a hand-made streamer, the memory it takes, and what others wait meanwhile. */
export const exportFigures = async (at: Installation, staff: SignedIn, rows: number): Promise<Figure[]> => {
  const path = `/programs/${staff.programId}/shift-assignments/export?Format=xlsx`
  const worker = await startTaskWorker(at)
  const oursWhole = () => fetchWorkbook(at.ours.origin, staff, path)
  const whole = { ours: oursWhole, bare: () => drain(at.bare.origin, get(staff, path)) }
  await oursWhole()
  const held = memoryMiB(at.ours.pid)
  let most = held
  const watch = setInterval(() => {
    most = Math.max(most, memoryMiB(at.ours.pid))
  }, 20)
  const times: [ours: number[], bare: number[]] = [[], []]
  for (let round = 0; round < 3; round++)
    for (const [index, side] of (['ours', 'bare'] as const).entries()) {
      const started = performance.now()
      await whole[side]()
      times[index]!.push(performance.now() - started)
    }
  const others = inTurn(readsOf(staff).a)
  const alone = await press(at.ours.origin, others(), { connections: 4, forMs: windowMs })
  let goesOn = true
  const exporting = (async () => {
    while (goesOn) await oursWhole()
  })()
  const meanwhile = await press(at.ours.origin, others(), { connections: 4, forMs: windowMs * 2 })
  goesOn = false
  await exporting
  clearInterval(watch)
  await worker.stop()
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
export const copyFigure = async (at: Installation, programId: number): Promise<Figure> => {
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

const weights: readonly [page: MeasuredPage, name: string, must: number, stretch: number][] = [
  ['signIn', 'sign-in', 75, 60],
  ['clock', 'the clock', 130, 100],
  ['home', 'the admin home', 170, 130],
  ['approve', 'the approve list', 200, 150],
  ['schedule', 'the schedule', 220, 170],
  ['sites', 'the sites', 260, 180],
]

const slowScreens: readonly [screen: keyof PageFigures['slowInteraction'], name: string][] = [
  ['schedule', 'keys, wheel and presses in the schedule'],
  ['approve', 'ticks in the approve list'],
  ['hours', 'sorting the hours'],
  ['assignments', 'ticks in the assignments'],
  ['missed', 'ticks in the missed records'],
  ['competencies', 'keys in the competency grid'],
  ['tickAll', 'the tick of all in the approve list'],
  ['filters', 'filters of the approve list'],
  ['sites', 'opening sites'],
  ['exams', 'opening competency exams'],
]

const scrolled = (grid: string, columns: string, found: Scrolling | undefined): Figure => {
  const count = (value: number | undefined) => (value ?? Number.NaN).toLocaleString('en-US')
  return {
    what: `${grid} of ${count(found?.rows)} students by ${count(found?.columns)} ${columns}, scrolled: work for a frame`,
    value: found?.workMs ?? Number.NaN,
    text: `${(found?.workMs ?? Number.NaN).toFixed(1)} ms`,
    must: 16,
    stretch: 8,
    bar: '≤ 16 / ≤ 8 ms',
    note: `a sixtieth second is 16.7; ${Math.round(found?.framesPerSecond ?? Number.NaN)} frames a second by the clock, ${found?.late} of ${found?.frames} late`,
  }
}

/** With the processor slowed to a quarter, as that of a phone. */
const slow = (what: string, value: number, must: number, stretch: number): Figure => ({
  what: `CPU ÷ 4, ${what}`,
  value,
  text: ms(value),
  must,
  stretch,
  bar: `≤ ${must} / ≤ ${stretch} ms`,
})

/** What pages load and how fast they react; all n/a where there is no browser. */
export const pageFigures = (pages: PageFigures | undefined): Figure[] => {
  const {
    kilobytes: size,
    interaction: slowest,
    largestPaint,
    slowInteraction,
    scrolling,
    lighthouse,
  } = pages ?? {}
  const count = (value: number | undefined) => (value ?? Number.NaN).toLocaleString('en-US')
  return [
    ...weights.map(([page, name, must, stretch]) =>
      kilobytes(`JavaScript of ${name}`, size?.[page] ?? Number.NaN, must, stretch),
    ),
    ...weights.flatMap(([page, name]) =>
      page === 'sites'
        ? []
        : [slow(`${name}: largest paint`, largestPaint?.[page] ?? Number.NaN, 1_800, 1_200)],
    ),
    ...slowScreens.map(([screen, name]) =>
      slow(`${name}: slowest interaction`, slowInteraction?.[screen] ?? Number.NaN, 150, 80),
    ),
    interaction(`schedule of ${count(slowest?.scheduleCells)} cells`, slowest?.schedule ?? Number.NaN),
    interaction(`people, ${count(slowest?.peopleRows)} rows`, slowest?.people ?? Number.NaN),
    scrolled('schedule', 'days', scrolling?.schedule),
    scrolled('competency grid', 'procedures', scrolling?.competencies),
    ...marks('sign-in', lighthouse?.signIn),
    ...marks('clock', lighthouse?.clock),
  ]
}

/** What the web process holds, and how soon it answered at first. */
export const processFigures = (at: Installation): Figure[] => {
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
