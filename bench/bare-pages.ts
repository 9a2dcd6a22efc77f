import { gridHead, gridPage } from './bare-competencies.ts'
import { homeCall } from './bare-home.ts'
import type { Call, Query } from './bare-hours.ts'
import { evaluationMeans, outcomes, siteUse } from './bare-outcomes.ts'
import { overview } from './bare-overview.ts'
import { studentEvaluations, studentHead, studentHours, studentShifts } from './bare-students.ts'

/**
 * Pages of the reference by their address, each with SQL written by hand for this one job: few statements, no
 * permissions, no row-level security. Sums that are kept with every change are read, as anybody would who keeps them.
 */
export const pageCalls = (query: Query): [RegExp, Call][] => [
  [/\/programs\/\d+\/home$/, homeCall(query)],
  [/\/competency-lists\/\d+\/grid\/head$/, gridHead(query)],
  [/\/competency-lists\/\d+\/grid\?/, gridPage(query)],
  [/\/outcomes\/site-use$/, siteUse(query)],
  [/\/outcomes\/evaluations$/, evaluationMeans(query)],
  [/\/outcomes$/, outcomes(query)],
  [/\/api\/overview$/, overview(query)],
  [/\/students\/\d+\/hours$/, studentHours(query)],
  [/\/students\/\d+\/shifts\?/, studentShifts(query)],
  [/\/students\/\d+\/evaluations\?/, studentEvaluations(query)],
  [/\/students\/\d+$/, studentHead(query)],
]
