import { link, type MailKind, note, studentFirstName, text } from './mail-fields.ts'

const rankingFields = {
  'student.firstName': studentFirstName,
  'plan.name': text('The name of the plan', 'Clinical II, spring 2030'),
  'plan.closes': text('When the ranking closes', '12/04/2029 17:00'),
}

/** Emails about the plans of placements. */
export const placementMailKinds = {
  PLACEMENT_ranking_open: {
    person: 'student',
    fields: { ...rankingFields, link: link('The page on which the student ranks') },
    parameters: [note('When', 'Sent when a ranking opens, to all students of the plan.')],
  },
  PLACEMENT_ranking_reminder: {
    person: 'student',
    fields: { ...rankingFields, link: link('The page on which the student ranks') },
    parameters: [
      note(
        'When',
        'Sent a day before a ranking closes, and when staff remind students, to those who have not submitted one.',
      ),
    ],
  },
  PLACEMENT_ranking_receipt: {
    person: 'student',
    fields: {
      ...rankingFields,
      ranking: text('The sites in their order', '1. Harbor General Hospital, 2. Mercy Ridge'),
      link: link('The page on which the student ranks'),
    },
    parameters: [note('When', 'Sent when a student submits a ranking.')],
  },
  PLACEMENT_published: {
    person: 'student',
    fields: {
      'student.firstName': studentFirstName,
      'plan.name': rankingFields['plan.name'],
      placements: text('Where the student is in each block', 'Block 1: Harbor General Hospital, HGH-D'),
      link: link('The page with the result and its reasons'),
    },
    parameters: [note('When', 'Sent to the students of a plan when its placements are published.')],
  },
} satisfies Record<string, MailKind>
