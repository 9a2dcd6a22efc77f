import type { SyncEvent } from '#contract/imports/sync.ts'
import type { Maker, ProgramPlan } from './maker.ts'

const runs: readonly { module: number; hoursAgo: number; event: SyncEvent }[] = [
  {
    module: 1,
    hoursAgo: 5,
    event: { Success: true, Key: 'Registrar', Rows: 60, Added: 0, Changed: 2, Unchanged: 58 },
  },
  {
    module: 4,
    hoursAgo: 28,
    event: {
      Success: false,
      Key: 'Immunization vendor',
      Message: 'Nothing was imported: row 14, Student: Student names no student of this program: 990017.',
      Errors: [{ Row: 14, Column: 'Student', Message: 'Student names no student of this program: 990017.' }],
    },
  },
  {
    module: 4,
    hoursAgo: 52,
    event: { Success: true, Key: 'Immunization vendor', Rows: 118, Added: 9, Changed: 4, Unchanged: 105 },
  },
  {
    module: 3,
    hoursAgo: 340,
    event: { Success: true, File: 'sites-fall.csv', Rows: 12, Added: 3, Changed: 1, Unchanged: 8 },
  },
  {
    module: 2,
    hoursAgo: 720,
    event: { Success: true, File: 'faculty.csv', Rows: 6, Added: 6, Changed: 0, Unchanged: 0 },
  },
]

/** A few runs of data sync, one of them refused. */
export const makeSyncLog = async (maker: Maker, plan: ProgramPlan, accountId: number): Promise<void> => {
  for (const { module, hoursAgo, event } of runs.toReversed())
    await maker.add('sync_log', {
      program_id: plan.id,
      module_id: module,
      account_id: accountId,
      event,
      created_at: new Date(maker.now - hoursAgo * 3_600_000).toISOString(),
    })
}

interface Planned {
  outcome: string
  measure: string
  benchmark: string
  timing: string
  responsible: string
  result: string
  action: string
}

const goals: readonly { text: string; outcomes: readonly Planned[] }[] = [
  {
    text: 'Students will be clinically competent.',
    outcomes: [
      {
        outcome: 'Students apply positioning skills.',
        measure: 'Final competency form, items 1 to 8',
        benchmark: 'Average of at least 4.0 on a scale of 5',
        timing: 'Last spring term',
        responsible: 'Clinical coordinator',
        result: '4.3, 19 students',
        action: 'Met. Keep the benchmark for another year.',
      },
      {
        outcome: 'Students practice radiation protection.',
        measure: 'Evaluation by supervisors, section “Safety”',
        benchmark: '90 % rated “always”',
        timing: 'Each term',
        responsible: 'Faculty',
        result: '86 %',
        action: 'Not met. A laboratory day on shielding is added in fall.',
      },
    ],
  },
  {
    text: 'Students will communicate effectively.',
    outcomes: [
      {
        outcome: 'Students explain procedures to patients.',
        measure: 'Patient care evaluation, items 3 and 4',
        benchmark: 'Average of at least 4.2 on a scale of 5',
        timing: 'First and last term',
        responsible: 'Clinical instructors',
        result: '',
        action: '',
      },
    ],
  },
]

/** The plan of a year, measured in part. */
export const makePlanGoals = async (maker: Maker, plan: ProgramPlan, year: number): Promise<void> => {
  for (const { text, outcomes } of goals) {
    const goalId = await maker.add('plan_goal', { program_id: plan.id, year, text })
    for (const outcome of outcomes)
      await maker.add('plan_outcome', { program_id: plan.id, goal_id: goalId, ...outcome })
  }
}
