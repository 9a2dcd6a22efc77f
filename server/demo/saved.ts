import type { ReportDefinition } from '#contract/reports/custom-reports.ts'
import type { MadeStudent, Maker, ProgramPlan } from './maker.ts'

const reports = (rotation: string, from: string): { name: string; definition: ReportDefinition }[] => [
  {
    name: 'Hours by site this rotation',
    definition: {
      Subject: 'hours',
      Columns: ['Hours'],
      Filters: [
        { Field: 'Rotation', Operator: 'is', Value: rotation },
        { Field: 'Status', Operator: 'is', Value: 'approved' },
      ],
      GroupBy: ['Site'],
      Sort: '-Hours',
    },
  },
  {
    name: 'Absences since the term began',
    definition: {
      Subject: 'hours',
      Columns: ['Date', 'LastName', 'FirstName', 'Site', 'Hours', 'Status'],
      Filters: [
        { Field: 'Type', Operator: 'is', Value: 'absence' },
        { Field: 'Date', Operator: 'at-least', Value: from },
      ],
      GroupBy: [],
      Sort: '-Date',
    },
  },
  {
    name: 'Overdue evaluations by evaluator',
    definition: {
      Subject: 'evaluations',
      Columns: [],
      Filters: [{ Field: 'IsLate', Operator: 'is', Value: 'true' }],
      GroupBy: ['Evaluator'],
      Sort: '-Count',
    },
  },
]

const texts: readonly { name: string; subject: string; html: string }[] = [
  {
    name: 'Missing clock-outs',
    subject: '{{firstName}}, a clock-out is missing',
    html: '<p>Hello {{firstName}},</p><p>At least one of your shifts has a clock-in without a clock-out, so its hours do not count yet. Please open <strong>Hours</strong> and report the missing time by Friday.</p>',
  },
  {
    name: 'First day at a new site',
    subject: 'Before your first day at the new site',
    html: '<p>Hello {{firstName}},</p><p>your next rotation begins on Monday. Please bring:</p><ul><li>your badge</li><li>your CPR card</li><li>the site’s orientation sheet, signed</li></ul><p>Parking and entrances are under <strong>Documents</strong>.</p>',
  },
  {
    name: 'Thank you to supervisors',
    subject: 'Thank you for this term',
    html: '<p>Dear {{name}},</p><p>the term ends this week. Thank you for teaching our students. Two minutes more would help them: please complete the evaluations that are still open.</p>',
  },
]

const notes: readonly string[] = [
  'Met about time management. Agreed on two early shifts a week until the end of the rotation.',
  'Asked for a site closer to home from January on: cares for a parent on weekdays.',
  'Calm with anxious patients. Good candidate for the emergency rotation.',
]

/** What a coordinator has put by: custom reports, email texts and notes about students. */
export const makeSaved = async (
  maker: Maker,
  plan: ProgramPlan,
  made: { students: readonly MadeStudent[]; by: number; rotation: string; from: string },
): Promise<void> => {
  const stamp = new Date(maker.now).toISOString()
  const saved = { created_at: stamp, created_by: made.by, updated_at: stamp, updated_by: made.by }
  for (const { name, definition } of reports(made.rotation, made.from))
    await maker.add('custom_report', {
      program_id: plan.id,
      owner_id: made.by,
      name,
      definition,
      is_shared: true,
      ...saved,
    })
  for (const text of texts) await maker.add('email_text', { program_id: plan.id, ...text, ...saved })
  for (const [index, text] of notes.entries()) {
    const at = new Date(maker.now - (index * 11 + 2) * 86_400_000).toISOString()
    await maker.add('student_note', {
      program_id: plan.id,
      student_id: made.students[index + 1]!.id,
      text,
      created_at: at,
      created_by: made.by,
      updated_at: at,
    })
  }
}
