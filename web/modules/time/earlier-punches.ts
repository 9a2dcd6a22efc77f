import type { PunchInput } from '#contract/time/clock.ts'
import { change, keep, type Owner } from '#web/api/queue/queue.ts'
import { punchKind } from './punch-kind.ts'

interface EarlierPunch {
  key: string
  body: PunchInput & { OccurredAt: string }
  refusal?: string
}

const nameOf = (account: number): string => `practicum-punches-${account}`

const readEarlier = (account: number): EarlierPunch[] => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(nameOf(account)) ?? '[]')
    return Array.isArray(kept) ? (kept as EarlierPunch[]) : []
  } catch {
    return []
  }
}

/**
 * Takes over the punches that releases before 0.2 kept in the local storage. Their keys stay: one that is taken over
 * twice, or was sent meanwhile, counts once.
 */
export const takeEarlierPunches = async (owner: Owner): Promise<void> => {
  const earlier = readEarlier(owner.account)
  if (earlier.length === 0) return
  for (const { key, body, refusal } of earlier) {
    const item = await keep(punchKind, owner, { body }, { key, madeAt: body.OccurredAt })
    if (refusal !== undefined) await change({ ...item, refusal })
  }
  localStorage.removeItem(nameOf(owner.account))
}
