import { makeInstance } from './placement-instances.ts'
import { openHighs } from '#server/modules/placement/solver/linear.ts'
import { solve, gapOf } from '#server/modules/placement/solver/solve.ts'
const h = await openHighs()
for (const [s,b,o,c] of [[300,12,40,true],[1000,16,120,true]] as const) {
const inst = makeInstance({students:s,blocks:b,options:o,slack:1.1,ranks:5,skew:1,isCoupled:c},1)
const t=performance.now();
for (const p of solve(h, inst, {seed:1, steps: 12})) console.log(s, p.phase, p.step, p.cost, p.bound, (gapOf(p)*100).toFixed(2), ((performance.now()-t)/1000).toFixed(1), p.assignment.filter((x:number)=>x<0).length)
}
