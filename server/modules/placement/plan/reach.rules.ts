import type { IndexedPlan } from './indexed-plan.rules.ts'

/** Places of shifts and of sites, by block. */
export interface Places {
  optionPlaces: Int32Array
  sitePlaces: Int32Array
}

/** In how many blocks each student can be at each site, [i × sites + s], and anywhere, [i]. */
export interface Reach {
  bySite: Int16Array
  anywhere: Int16Array
}

/** Where students can be: blocks in which the site has places and a shift is open to them. */
export const reachOf = (
  { plan, blocks, options, allowed }: Pick<IndexedPlan, 'plan' | 'blocks' | 'options' | 'allowed'>,
  { optionPlaces, sitePlaces }: Places,
): Reach => {
  const students = plan.Students.length
  const sites = plan.Sites.length
  const bySite = new Int16Array(students * sites)
  const anywhere = new Int16Array(students)
  const width = options.length
  const here = new Uint8Array(sites)
  for (let i = 0; i < students; i++)
    for (let b = 0; b < blocks; b++) {
      here.fill(0)
      for (const [o, { site }] of options.entries())
        if (
          allowed[(i * blocks + b) * width + o] === 1 &&
          (optionPlaces[o * blocks + b] ?? 0) > 0 &&
          (sitePlaces[site * blocks + b] ?? 0) > 0
        )
          here[site] = 1
      for (let s = 0; s < sites; s++)
        if (here[s] === 1) bySite[i * sites + s] = (bySite[i * sites + s] ?? 0) + 1
      if (here.includes(1)) anywhere[i] = (anywhere[i] ?? 0) + 1
    }
  return { bySite, anywhere }
}

/** The sites that at least one student of a plan may go to in at least one block. */
export const reachedSites = (sites: number, { bySite }: Reach): number[] =>
  Array.from({ length: sites }, (_, s) => s).filter((s) =>
    bySite.some((blocks, at) => blocks > 0 && at % sites === s),
  )

/**
 * The places of each site in each block that a student of the plan may take, [s × blocks + b]: those of shifts that no rule closes to
 * everybody. What was accepted does not count against them.
 */
export const usablePlaces = (
  indexed: Pick<
    IndexedPlan,
    | 'plan'
    | 'blocks'
    | 'options'
    | 'allowed'
    | 'optionPlaces'
    | 'sitePlaces'
    | 'faultOf'
    | 'isPlain'
    | 'groupOf'
  >,
): Int32Array => {
  const { plan, blocks, options, allowed, optionPlaces, sitePlaces, faultOf, isPlain, groupOf } = indexed
  const width = options.length
  const students = [...plan.Students.keys()]
  // Of the students whose group alone decides, one speaks for all.
  const asked = students.filter(
    (i) =>
      !isPlain(i) || i === students.findIndex((other) => isPlain(other) && groupOf[other] === groupOf[i]),
  )
  const usable = new Int32Array(plan.Sites.length * blocks)
  for (const [o, { site }] of options.entries())
    for (let b = 0; b < blocks; b++) {
      const places = optionPlaces[o * blocks + b] ?? 0
      if (places === 0) continue
      const isOpen =
        students.some((i) => allowed[(i * blocks + b) * width + o] === 1) ||
        asked.some((i) => faultOf(i, b, o) === undefined)
      const at = site * blocks + b
      if (isOpen) usable[at] = Math.min(sitePlaces[at] ?? 0, (usable[at] ?? 0) + places)
    }
  return usable
}
