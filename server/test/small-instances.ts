import fc from 'fast-check'
import {
  type Instance,
  type Limits,
  randomFrom,
  type Solution,
} from '#server/modules/placement/solve/instance.solver.ts'

/** Plans small enough to look at every solution, made by chance with all that a rule can ask. */
export const smallInstances = (mostStudents = 3): fc.Arbitrary<Instance> =>
  fc
    .record({
      students: fc.integer({ min: 1, max: mostStudents }),
      blocks: fc.integer({ min: 1, max: 2 }),
      options: fc.integer({ min: 1, max: 3 }),
      seed: fc.integer({ min: 1, max: 1_000_000 }),
      changeCost: fc.constantFrom(0, 0, 7),
      loadCost: fc.constantFrom(0, 0, 6),
      isByBlock: fc.boolean(),
    })
    .map(({ students, blocks, options, seed, changeCost, loadCost, isByBlock }): Instance => {
      const random = randomFrom(seed)
      const whole = (most: number) => Math.floor(random() * (most + 1))
      const sites = 2
      const siteOf = Int32Array.from({ length: options }, () => whole(sites - 1))
      const allowed = Uint8Array.from({ length: students * blocks * options }, () => (random() < 0.8 ? 1 : 0))
      const fixed = new Int16Array(students * blocks).fill(-1)
      for (let at = 0; at < fixed.length; at++) {
        const o = whole(options - 1)
        if (random() > 0.15 || allowed[at * options + o] !== 1) continue
        fixed[at] = o
        for (let other = 0; other < options; other++) if (other !== o) allowed[at * options + other] = 0
      }
      const limits = (): Limits => ({
        has: Uint8Array.from({ length: options }, () => whole(1)),
        least: Int16Array.from({ length: students }, () => (random() < 0.3 ? whole(blocks) : 0)),
        most: Int16Array.from({ length: students }, () => (random() < 0.4 ? whole(blocks) : blocks)),
        ...(random() < 0.35 && { softCost: whole(60) }),
      })
      return {
        students,
        blocks,
        options,
        sites,
        siteOf,
        optionPlaces: Int32Array.from({ length: options * blocks }, () => whole(2)),
        sitePlaces: Int32Array.from({ length: sites * blocks }, () => whole(3)),
        allowed,
        fixed,
        siteLeast: Int32Array.from({ length: sites * blocks }, () => (random() < 0.4 ? 2 + whole(1) : 0)),
        cost: Int32Array.from({ length: students * (isByBlock ? blocks : 1) * options }, () => whole(20)),
        changeCost,
        loadCost,
        unplacedCost: 1_000,
        missingCost: 250,
        categories: random() < 0.7 ? [limits(), limits()] : [],
      }
    })

/** Every way in which the cells of a plan can be; the same array each time, changed. */
export const everySolution = function* (instance: Instance): Generator<Solution> {
  const cells = instance.students * instance.blocks
  const solution = new Int16Array(cells).fill(-1)
  for (;;) {
    yield solution
    let at = 0
    while (at < cells && solution[at] === instance.options - 1) solution[at++] = -1
    if (at === cells) return
    solution[at] = (solution[at] ?? 0) + 1
  }
}
