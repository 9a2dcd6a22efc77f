import { failure, failures, missing, missingAmong } from '#contract/core/failure.ts'

export const communicationFailures = failures({
  own_address: failure(409, '{Address} is your own address. It would get no more email of the program.'),
  own_domain: failure(409, {
    en: '{Count} {Count|person has|people have} an address at {Domain}. They would get no email except about their accounts.',
  }),
  no_address: missing('This address'),
  known_address: failure(409, {
    en: 'The address is on the list already. Nothing was changed.',
    code: 'known',
  }),
  name_taken: failure(409, {
    en: 'A text named {Name} already exists. Nothing was saved. Replace it, or choose another name.',
  }),
  too_many: failure(422, {
    en: 'The program keeps {Count} texts. Nothing was saved; delete one that is no longer used.',
  }),
  no_text: missing('This text'),
  not_allowed: failure(403, {
    en: 'Only super admins write to Email Notifications and Payment Contacts. Nothing was sent.',
  }),
  no_such_program: missing('One of these programs'),
  no_such_site: missing('One of these sites'),
  invalid: failure(400, '{Reason} Nothing was sent.'),
  time_past: failure(422, {
    en: 'The time to send it is past. Nothing was sent; choose a later one.',
    code: 'past',
  }),
  time_too_far: failure(422, { en: 'Choose a time within a year. Nothing was sent.', code: 'far' }),
  no_files: missingAmong('files'),
  too_large: failure(422, {
    en: 'The files are larger than 20 MB together. Nothing was sent; remove some of them.',
  }),
  not_own_address: failure(403, {
    en: 'You may send from your own address only. Nothing was sent; change your address under Change/Confirm Email if it is another one.',
    code: 'sender',
  }),
  too_many_streams: failure(429, {
    en: 'Practicum is open in too many windows for live updates. Close one; everything else works on.',
    es: 'Practicum está abierto en demasiadas ventanas. Cierre una; todo lo demás sigue funcionando.',
  }),
  no_template: missing('This template'),
  no_own_email: failure(422, {
    en: 'Your account has no email address. Nothing was sent.',
    code: 'no_email',
  }),
  unknown_parameter: failure(422, {
    en: '{Name} is no setting of this template. Nothing was saved.',
    code: 'parameter',
  }),
  parameter_switch: failure(422, {
    en: '{Name}: send 1 for checked, or 0. Nothing was saved.',
    code: 'parameter',
  }),
  parameter_line: failure(422, {
    en: '{Name}: one line of at most 255 characters. Nothing was saved.',
    code: 'parameter',
  }),
  template: failure(422, '{Reason} Nothing was saved.'),
  always_sent: failure(409, 'Someone could not sign in without this email, so it stays on.'),
  switched_off: failure(409, '{Name} is switched off. Nothing was sent.'),
  no_notification: missing('This notification'),
  person_gone: failure(422, {
    en: 'This person does not exist. Choose another; nothing was saved.',
    es: 'Esta persona no existe. Elija otra; no se guardó nada.',
    code: 'person',
  }),
  not_staff: failure(422, {
    en: '{Name} is no staff, and emails to others are not theirs to read. Choose another; nothing was saved.',
    code: 'role',
  }),
  area_gone: failure(422, {
    en: 'This area does not exist. Choose another; nothing was saved.',
    code: 'area',
  }),
  copies_taken: failure(409, { en: '{Name} gets these copies already.', code: 'taken' }),
  no_email: missing('This email'),
  no_staff: failure(422, {
    en: '{Name} has no staff with an email address. Nothing was mailed; add a coordinator first.',
  }),
  nobody: failure(400, 'Please select a program or individual users.'),
  too_many_emails: failure(422, {
    en: 'Your selections would result in too many emails being sent at once. Please change your selections to ensure that 5,000 emails or fewer are sent.',
    code: 'too_many',
  }),
})
