import { serialize } from 'node:v8'
import { buildModel, type Model } from './indexed-plan.rules.ts'
import type { PlanFacts } from './plan.rules.ts'

/** Bytes that the models of a process may hold together: a plan of 300 students in 12 blocks on 40 shifts takes half a megabyte. */
const mostBytes = 96 * 2 ** 20

interface Kept {
  facts: Buffer
  model: Model
  bytes: number
}

/** By program and plan, whichever was asked for last at the end. */
const kept = new Map<string, Kept>()

/**
 * A plan in numbers, built again only when anything that it is built of has changed. The facts are read by every caller and
 * compared whole, so that whatever has written them, in this process or in another one, nothing old is ever used. Callers change nothing in it.
 */
export const keptModelOf = (programId: number, planId: number, facts: PlanFacts): Model => {
  const key = `${programId} ${planId}`
  const bytes = serialize(facts)
  const before = kept.get(key)
  kept.delete(key)
  if (before?.facts.equals(bytes)) {
    kept.set(key, before)
    return before.model
  }
  const model = buildModel(facts)
  kept.set(key, { facts: bytes, model, bytes: 2 * bytes.length + 2 * model.allowed.length })
  let sum = 0
  for (const [name, each] of [...kept].reverse()) {
    sum += each.bytes
    if (sum > mostBytes) kept.delete(name)
  }
  return model
}
