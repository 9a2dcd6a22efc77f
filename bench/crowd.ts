import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { beside, besideFigures } from './background.ts'
import { dayFromNow, get } from './calls.ts'
import type { Installation, SignedIn } from './installation.ts'
import { type Request, send } from './load.ts'
import { windowMs } from './options.ts'
import type { Figure } from './table.ts'

/** Nothing is left to the worker here. */
const noWorker = { processes: () => [] }
const heavyAtOnce = 8
const abandoned = 180

/** Asks, and hangs up before the answer can be there. */
const hangUpSoon = (origin: string, { path, headers }: Request): Promise<void> =>
  new Promise((resolve) => {
    const request = http.get(`${origin}${path}`, { headers, agent: false })
    request.once('error', () => resolve())
    request.once('close', () => resolve())
    setTimeout(() => request.destroy(), 100)
  })

/** A call of these that is refused for now, because too many run, comes again as a browser's page would. */
const sendInTurn = async (origin: string, request: Request, until: number): Promise<void> => {
  while (performance.now() < until)
    await send(origin, request).catch(async (error: Error) => {
      if (!/answered (429|503)/.test(error.message)) throw error
      await sleep(100)
    })
}

/** The heaviest pages of the largest program by eight people at once, and 180 calls of them that nobody waits for. */
export const crowdFigures = async (at: Installation, staff: SignedIn): Promise<Figure[]> => {
  const { origin } = at.ours
  const program = `/programs/${staff.programId}`
  const { rows } = await at.owner.query(
    `select id::integer from account where program_id = $1 and access_level between 69 and 89 and deleted_at is null
      and deactivated_at is null order by access_level desc, id limit ${heavyAtOnce}`,
    [staff.programId],
  )
  const people = await at.signIn(rows.map(({ id }) => id))
  const heavy = [
    `${program}/shift-assignments/grid/conflicts?FromDate=${dayFromNow(-30)}&ThroughDate=${dayFromNow(60)}`,
    `${program}/evaluation-results?By=subject&FromDate=${dayFromNow(-45)}`,
    `${program}/hours-summary?FromDate=${dayFromNow(-45)}`,
    `${program}/time-summaries?By=student&FromDate=${dayFromNow(-45)}`,
  ]
  const heavyOf = (index: number): Request =>
    get(people[index % people.length]!, heavy[index % heavy.length]!)
  for (let index = 0; index < heavy.length; index++) await send(origin, heavyOf(index))
  const crowd = await beside(at, staff, noWorker, () => {
    const until = performance.now() + 3 * windowMs
    return Promise.all(
      Array.from({ length: heavyAtOnce }, (_, index) => sendInTurn(origin, heavyOf(index), until)),
    )
  })
  let readyMs = 0
  const left = await beside(at, staff, noWorker, async () => {
    await Promise.all(Array.from({ length: abandoned }, (_, index) => hangUpSoon(origin, heavyOf(index))))
    const asked = performance.now()
    const ready = await fetch(`${origin}/readyz`)
    if (!ready.ok) throw new Error(`/readyz answered ${ready.status} after ${abandoned} abandoned calls`)
    readyMs = performance.now() - asked
  })
  return [
    ...besideFigures(
      `${heavyAtOnce} heavy calls at once`,
      crowd,
      'conflicts of the schedule, results, hours, totals',
    ),
    ...besideFigures(
      `${abandoned} abandoned calls`,
      left,
      `/readyz answered ${Math.round(readyMs)} ms after the last was left`,
    ),
  ]
}
