import { Group } from '#contract/placement/plans.ts'
import { planFacts, shiftFacts, siteFacts, studentFacts } from '#server/test/placement-facts.ts'
import { buildModel } from './model.ts'
import { instanceOf } from './plan-instance.ts'
import { usualWeights } from '#contract/placement/weights.ts'
import { brokenRules, randomFrom } from './solver/instance.ts'
import { openHighs } from './solver/linear.ts'
import { gapOf, solve } from './solver/solve.ts'
import { makeEven, unevennessOf, isEven } from './solver/even.ts'
import { solveEven } from './solver/exact.ts'
const highs = await openHighs()
let ok = 0
for (let seed = 1; seed <= Number(process.argv[2] ?? 20); seed++) {
  const random = randomFrom(seed)
  const whole = (most: number) => Math.floor(random() * (most + 1))
  const S = 3 + whole(7), k = 1 + whole(3), B = S, N = k * S
  const ids = Array.from({ length: S }, (_, s) => s + 1)
  // planted: Latin square rows shuffled, with isotopy
  const perm = (n: number) => { const a = Array.from({length:n},(_,x)=>x); for (let x=n-1;x>0;x--){const y=whole(x);[a[x],a[y]]=[a[y]!,a[x]!]} return a }
  const rows = Array.from({ length: k }, () => { const [p,q,r]=[perm(S),perm(S),perm(S)]; return Array.from({length:S},(_,x)=>Array.from({length:S},(_,b)=>p[(q[x]!+r[b]!)%S]!)) }).flat()
  const pinShare = random() * 0.5
  const facts = planFacts({
    blocks: B, Template: 'wheel',
    Sites: [...ids.map((id) => siteFacts(id)), siteFacts(90, { Takes: 0 })],
    Shifts: [...ids.map((id) => shiftFacts(id, id, { Capacity: k + (random() < 0.3 ? whole(2) : 0) })), shiftFacts(90, 90, {Capacity: 5})],
    Students: rows.map((row, i) => studentFacts(i + 1, {
      SiteIds: ids.toSorted(() => random() - 0.5).slice(0, 3),
      Pins: row.flatMap((s, b) => (random() < pinShare ? [{ Block: b, SiteId: s + 1 }] : [])),
    })),
  })
  const model = buildModel(facts)
  const { instance } = instanceOf(model, { weights: usualWeights, places: [], cells: [] })
  let t = performance.now()
  const a = makeEven(instance, { seed: 1, fewestOf: () => 0 })
  const u0 = unevennessOf(instance, a); const t0 = performance.now() - t
  t = performance.now()
  const end = [...solve(highs, instance, { seed: 1, steps: 5 })].at(-1)!
  const u = unevennessOf(instance, end.assignment)
  if (isEven(u)) ok++
  console.log(seed, `S${S} k${k} pins ${(pinShare*100)|0}%`, u0.join(), `${t0|0}ms`, '->', u.join(), `${(performance.now() - t)|0}ms gap ${gapOf(end)} broken ${brokenRules(instance,end.assignment).length}`)
}
console.log(ok)
