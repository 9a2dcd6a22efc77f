import { failure, failures, missing, missingAmong } from '#contract/core/failure.ts'
import { commaText } from './student-levels.ts'

export const peopleFailures = failures({
  no_student: missing('This student'),
  no_students: missingAmong('students'),
  no_people: missingAmong('people'),
  no_such_student: missing('A student'),
  no_supervisor: missing('This supervisor'),
  no_person: missing('This person'),
  not_allowed: failure(403, '{FirstName} {LastName} has a higher level than you. Nothing was changed.'),
  merged: failure(409, {
    en: '{Name} was merged into the account of {Into}. To have both again, undo the merge in Merge accounts. Nothing was changed.',
  }),
  test_user: failure(422, {
    en: '{FirstName} {LastName} is a test user: a super admin switches the access in Test Users Access. Nothing was changed.',
  }),
  no_employee: missing('This employee'),
  site_gone: failure(422, {
    en: 'This site does not exist. Choose another; nothing was saved.',
    code: 'site',
  }),
  own_access: failure(422, { en: 'You cannot end your own access. Nothing was changed.', code: 'self' }),
  left_already: failure(409, {
    en: '{FirstName} {LastName} has left already. Nothing was changed.',
    code: 'left',
  }),
  not_left: failure(409, '{FirstName} {LastName} has not left. Nothing was changed.'),
  not_handed_to: failure(422, {
    en: 'Only another active student of the program can get the shifts. Nothing was changed.',
    code: 'hand_to',
  }),
  last_day: failure(422, {
    en: 'There is time on {Date}. Choose that day or a later one, or delete the time first. Nothing was changed.',
  }),
  level_in_use: failure(409, {
    en: 'Not Saved. {Who} {Have} a level that would be cleared. Give {Count|this student|these students} another level first.',
    code: 'in_use',
  }),
  level_in_templates: failure(409, {
    en: 'Not Saved. {Templates} {Count|names|name} a level that would be cleared.',
    code: 'in_use',
  }),
  no_label: failure(422, 'Level {Level} has no label. Nothing was saved.'),
  same_account: failure(422, { en: 'Choose two accounts. Nothing was changed.', code: 'same' }),
  own_account: failure(422, {
    en: 'Your own account cannot end: keep it, and merge the other into it. Nothing was changed.',
    code: 'self',
  }),
  different_levels: failure(422, {
    en: '{Kept} and {Merged} have different roles. Give them the same role first. Nothing was changed.',
    code: 'levels',
  }),
  no_merge: missing('This merge'),
  undone: failure(409, 'This merge was undone already. Nothing was changed.'),
  no_user_name: failure(409, {
    en: 'No user name could be made just now. Nothing was saved; try again.',
    code: 'name_taken',
  }),
  level_not_given: failure(422, {
    en: 'You may not give the level {Level}. Nothing was saved.',
    code: 'level',
  }),
  area_gone: failure(422, {
    en: 'This area does not exist. Choose another; nothing was saved.',
    code: 'area',
  }),
  of_directory: failure(409, {
    en: 'The {Field} comes from {Name}, so nothing was saved. Change it there, or take it over here.',
  }),
  no_program: failure(422, 'Select a college and a program first; nothing was saved.'),
  user_name_taken: failure(409, {
    en: 'The user name {UserName} is taken. Choose another.',
    code: 'name_taken',
  }),
  email_required: failure(422, { en: 'Email address is required. Nothing was saved.', code: 'no_email' }),
  student_number: failure(409, '{Name} has the student ID {Number} too. Nothing was saved.'),
  no_email: failure(422, '{FirstName} {LastName} has no email address. Nothing was sent.'),
  no_authenticator: failure(422, '{FirstName} {LastName} has no authenticator.'),
  view_as_oneself: failure(422, { en: 'This is you already.', code: 'self' }),
  no_access: failure(422, { en: '{Name} has no access, so there is nothing to see.', code: 'inactive' }),
  no_longer_super_admin: failure(403, {
    en: 'You are no longer a super admin. Nothing was saved.',
    code: 'area',
  }),
  has_other_areas: failure(403, {
    en: '{UserName} has areas that you do not have, so you cannot change this person. Nothing was saved.',
    code: 'area',
  }),
  area_not_held: failure(403, {
    en: 'You can grant or remove only the areas that you have yourself. Nothing was saved.',
    code: 'area',
  }),
  no_super_admin: missing('This super admin'),
  oneself: failure(422, 'Ask another super admin to change your own access. Nothing was saved.'),
  no_student_levels: missingAmong('student levels'),
  comma: failure(422, commaText),
})
