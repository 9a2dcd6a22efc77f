import { addDays } from '#contract/core/calendar.ts'
import type { MadeStudent, Maker, ProgramPlan } from './maker.ts'

const immunizations = [
  'MMR (2 doses)',
  'Varicella (2 doses)',
  'Hepatitis B series',
  'Tdap booster',
  'Influenza, this season',
  'Tuberculosis screening',
  'COVID-19 primary series',
] as const
/** Days that a result holds; the others hold for good. */
const holds: Record<string, number> = {
  'Tdap booster': 3650,
  'Influenza, this season': 300,
  'Tuberculosis screening': 365,
}

/** What two vendors report: most is complete, some expires soon, a little is missing, open or expired. */
export const makeVerifications = async (
  maker: Maker,
  plan: ProgramPlan,
  students: readonly MadeStudent[],
): Promise<void> => {
  const { random, today } = maker
  const stamp = new Date(maker.now).toISOString()
  const add = (student: MadeStudent, row: Record<string, unknown>) =>
    maker.add('verification', {
      program_id: plan.id,
      student_id: student.id,
      result: '',
      ordered_on: null,
      completed_on: null,
      expires_on: null,
      created_at: stamp,
      updated_at: stamp,
      ...row,
    })
  for (const [index, student] of students.entries()) {
    if (index % 19 !== 7) {
      const ordered = addDays(today, -random.int(120, 330))
      const isOpen = index % 17 === 5
      const needsReview = index % 29 === 11
      await add(student, {
        type: 1,
        vendor: index % 5 === 0 ? 'Sentinel Screening' : 'ClearTrack',
        item: 'Level 2 background check',
        status: isOpen ? 'pending' : needsReview ? 'failed' : 'complete',
        result: isOpen ? 'In progress' : needsReview ? 'Consider' : 'Clear',
        ordered_on: isOpen ? addDays(today, -6) : ordered,
        completed_on: isOpen ? null : addDays(ordered, random.int(3, 12)),
        expires_on: isOpen ? null : addDays(ordered, 365),
      })
    }
    for (const item of immunizations) {
      const draw = random.next()
      if (draw < 0.03) continue
      const validDays = holds[item]
      const given = addDays(today, -random.int(20, (validDays ?? 900) + (draw < 0.3 ? 40 : -10)))
      const isOpen = draw > 0.96
      await add(student, {
        type: 2,
        vendor: 'Vaxline',
        item,
        status: draw < 0.05 ? 'missing' : isOpen ? 'pending' : draw > 0.95 ? 'waived' : 'complete',
        result: isOpen ? 'In review' : draw < 0.05 ? 'Not received' : draw > 0.95 ? 'Medical exemption' : '',
        completed_on: draw < 0.05 || isOpen ? null : given,
        expires_on: validDays && draw >= 0.05 && !isOpen && draw <= 0.95 ? addDays(given, validDays) : null,
      })
    }
  }
}

/** News of the installation and addresses that get no mail. */
export const makeNews = async (maker: Maker): Promise<void> => {
  const stamp = new Date(maker.now).toISOString()
  const news: [number | null, number, string, boolean][] = [
    [
      null,
      -1,
      '<p><strong>Maintenance on Sunday, 5 to 6 in the morning.</strong> Students can go on clocking in and out: the phone keeps the times and sends them afterwards.</p>',
      true,
    ],
    [
      1,
      -6,
      '<p>The accreditor’s new annual report form is out. The <em>hours summary</em> exports every figure it asks for.</p>',
      true,
    ],
    [7, -9, '<p>Skills labs can be scheduled like sites: check <em>Lab</em> on the site.</p>', true],
    [
      null,
      12,
      '<p><strong>Spring schedules open for all programs today.</strong> <em>Schedule a term</em> places a whole level from one rule, and lists by reason whom it could not place.</p>',
      true,
    ],
    [null, -190, '<p>Welcome to the new home page.</p>', false],
  ]
  for (const [modality, days, html, isActive] of news)
    await maker.add('admin_news', {
      modality_id: modality,
      date: addDays(maker.today, days),
      html,
      is_active: isActive,
      created_at: stamp,
      updated_at: stamp,
    })
  for (const [program, address] of [
    [null, '@mailinator.example'],
    [null, 'abuse@example.net'],
    [1, 'former.liaison@hgh.example'],
    [1, 'noreply@sbm.example'],
    [1, '@closed-clinic.example'],
    [3, 'retired.preceptor@example.org'],
  ] as const)
    await maker.add('email_block', { program_id: program, address, created_at: stamp })
}
