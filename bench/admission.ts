import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { readsOf } from './calls.ts'
import { inTurn } from './compare.ts'
import type { Installation, SignedIn } from './installation.ts'
import { percentile, press } from './load.ts'
import { options, windowMs } from './options.ts'
import type { Figure } from './table.ts'

const perSecond = 200
const forMs = options.quick ? 3_000 : 30_000
const healthEveryMs = 200

const healthMs = async (origin: string): Promise<number> => {
  const began = performance.now()
  const response = await fetch(`${origin}/healthz`)
  await response.arrayBuffer()
  return performance.now() - began
}

/** What signed-in people and whoever watches over the process wait for, while anonymous calls of the worst kinds come. */
export const admissionFigures = async (at: Installation, staff: SignedIn): Promise<Figure[]> => {
  const { origin } = at.ours
  const lists = inTurn(readsOf(staff).a)
  const load = { connections: 4, forMs: Math.max(windowMs, 3_000) }
  const quiet = await press(origin, lists(), load)
  const health: number[] = []
  let isOver = false
  // Apart, so that what it sends does not delay what is measured here.
  const attacker = new Worker(new URL('./attacker.ts', import.meta.url), {
    workerData: { origin, perSecond, forMs },
  })
  const attacking = async (): Promise<{ sent: number; answered: number }> => {
    const [told] = await once(attacker, 'message')
    isOver = true
    return told
  }
  const watching = async (): Promise<void> => {
    while (!isOver) {
      health.push(await healthMs(origin))
      await sleep(healthEveryMs)
    }
  }
  const loads: Awaited<ReturnType<typeof press>>[] = []
  const reading = async (): Promise<void> => {
    while (!isOver) loads.push(await press(origin, lists(), load))
  }
  const [told] = await Promise.all([attacking(), watching(), reading()])
  if (told.answered > 0) throw new Error(`${told.answered} calls of nobody were answered.`)
  const p99 = percentile(
    loads.map((one) => one.p99),
    0.5,
  )
  const slowest = Math.max(...health)
  return [
    {
      what: `${perSecond} anonymous calls a second of the worst kinds: p99 of signed-in lists vs quiet`,
      value: p99 / quiet.p99,
      text: `${(p99 / quiet.p99).toFixed(2)}×`,
      must: 3,
      stretch: 2,
      bar: '≤ 3× / ≤ 2×',
      note: `${Math.round(p99)} ms against ${Math.round(quiet.p99)} ms; for ${forMs / 1000} s, ${told.sent} sent`,
    },
    {
      what: 'the same: slowest answer of /healthz',
      value: slowest,
      text: `${Math.round(slowest)} ms`,
      must: 1_000,
      stretch: 250,
      bar: '≤ 1,000 / ≤ 250 ms',
      note: `of ${health.length}`,
    },
  ]
}
