import type { Language } from '#contract/language/language.ts'
import type { PlacementRule } from '#contract/scheduling/scheduling-rules.ts'
import { noticeIn } from '#server/core/language/spanish.ts'

/** What a student reads where a rule of placement keeps them off a shift. */
const texts: Readonly<Record<PlacementRule, string>> = {
  last_day: 'The day is after your last day in the program.',
  rotation_dates: 'The shift is outside the dates of its rotation.',
  rotation_level: 'This rotation is not for your level or cohort.',
  shift_dates: 'The shift no longer runs on that day.',
  shift_weekday: 'The shift no longer runs on that day.',
  program_dates: 'The day is outside the dates of your program.',
  day_off: 'That day is a day off.',
  compliance: 'A requirement is missing, or will have expired by that day.',
  agreement: 'The site has no agreement in force on that day.',
  overlap: 'You have another shift at that time.',
  capacity: 'The shift is full.',
  hours_per_day: 'You would be over the hours allowed in a day.',
  hours_per_week: 'You would be over the hours allowed in a week.',
}

/** A refusal in words for the student themselves. */
export const ownRefusal = (rule: PlacementRule): string => texts[rule]

/** What keeps a student off a shift that a list shows, in their language. */
export const blockedBy = (
  Rule: PlacementRule,
  language: Language,
): { Rule: PlacementRule; Message: string } => ({
  Rule,
  Message: noticeIn(ownRefusal(Rule), language),
})
