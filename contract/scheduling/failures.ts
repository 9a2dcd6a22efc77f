import { failure, failures, missing, missingAmong } from '#contract/core/failure.ts'

export const schedulingFailures = failures({
  no_shift: missing('This shift'),
  no_rotation: missing('This rotation'),
  no_chosen_rotation: missing('The rotation'),
  no_shifts: missingAmong('shifts'),
  no_assignment: missing('This assignment'),
  no_calendar: missing('This calendar'),
  no_day_off: missing('This day off'),
  no_program: failure(409, 'Select a college and program first; nothing was changed.'),
  refused: failure(422, 'Nothing was changed. {Reason}{More}'),
  changed_meanwhile: failure(409, {
    en: 'Others are changing these assignments right now, so nothing was changed. Try again in a moment.',
  }),
  disabled_for_faculty: failure(403, 'Add/Edit Disabled for faculty'),
  no_chosen_shift: missing('The shift'),
  name_taken: failure(409, '{Name} already exists.'),
  rotation_in_use: failure(409, {
    en: '{Name} cannot be deleted because it has {Assignments}. Remove them first.',
    code: 'in_use',
  }),
  too_many: failure(422, {
    en: 'This makes more than {Most} assignments. Nothing was added. Choose fewer students or a shorter time, and add the rest after it.',
  }),
  no_dates: failure(422, {
    en: 'There are no dates on these weekdays and weeks, so nothing was added. Change the dates or the weekdays.',
  }),
  code_taken: failure(409, '{Code} already exists.'),
  same_time: failure(422, {
    en: 'The shift would start and end at {Time}. Nothing was saved; check the end, or allow 24-hour shifts in the settings of the program.',
  }),
  capacity: failure(409, {
    en: '{Placed} students are placed on {Code} on {Date}, more than {Capacity}. Remove some first, or keep at least {Placed} places.',
  }),
  overlap: failure(409, {
    en: 'With these times {Name} would be on {Code} and {Other} at once on {Date}. Change that assignment first.',
  }),
  shift_in_use: failure(409, {
    en: '{Code} cannot {Change} because it has {Assignments}. Remove them first.',
    code: 'in_use',
  }),
})
