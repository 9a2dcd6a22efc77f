import { serialize } from 'node:v8'
import { type IndexedPlan, indexPlan } from './indexed-plan.rules.ts'
import type { Plan } from './plan.rules.ts'

/** Bytes that the indexed plans of a process may take together: a plan of 300 students in 12 blocks on 40 shifts takes half a megabyte. */
const mostBytes = 96 * 2 ** 20

interface Cached {
  /** The plan that was indexed. */
  plan: Buffer
  indexed: IndexedPlan
  bytes: number
}

/** By program and plan, the most recently used last. */
const cache = new Map<string, Cached>()

/**
 * A plan by position, indexed again only when anything of it has changed. Every caller reads the plan, and it is compared whole, so
 * that nothing old is ever used, whatever has written it, in this process or in another one. Callers change nothing in it.
 */
export const indexedPlanOf = (programId: number, planId: number, plan: Plan): IndexedPlan => {
  const key = `${programId} ${planId}`
  const bytes = serialize(plan)
  const before = cache.get(key)
  cache.delete(key)
  if (before?.plan.equals(bytes)) {
    cache.set(key, before)
    return before.indexed
  }
  const indexed = indexPlan(plan)
  cache.set(key, { plan: bytes, indexed, bytes: 2 * bytes.length + 2 * indexed.allowed.length })
  let sum = 0
  for (const [name, each] of [...cache].reverse()) {
    sum += each.bytes
    if (sum > mostBytes) cache.delete(name)
  }
  return indexed
}
