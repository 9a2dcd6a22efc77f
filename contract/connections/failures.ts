import { failure, failures, missing } from '#contract/core/failure.ts'

export const connectionFailures = failures({
  linked_people: failure(409, {
    en: 'People are linked by the claim that is used now, so it stays as it is. Unlink them first; nothing was saved.',
  }),
  no_connection: missing('This connection'),
  last_program: failure(409, {
    en: 'This is the last program of {Name}, so it stays connected. Connect another first, or delete the connection.',
  }),
  person_name_taken: failure(409, {
    en: '{Person} is known by this name already and has another email address. Unlink that account first; nothing was saved.',
    code: 'name_taken',
  }),
  name_taken: failure(409, '{Name} already exists. Nothing was saved.'),
  address_refused: failure(422, { en: '{Reason} Nothing was saved.', code: 'address' }),
  not_registered: failure(409, {
    en: 'No learning management system has registered for {Name} yet. Enter its registration address there first; nothing was saved.',
  }),
  registered: failure(409, {
    en: 'A learning management system has registered for {Name} already. To register another, add a connection; nothing was changed.',
  }),
  on_already: failure(409, { en: '{Name} is on already. Nothing was changed.', code: 'on' }),
  no_course: missing('This course'),
  no_request_for_links: missing('This request for links'),
  answered_before: failure(409, {
    en: 'The links were sent before. Open Practicum from your course again to add more.',
    code: 'answered',
  }),
  one_only: failure(422, 'Your course takes one link here. Choose one; nothing was sent.'),
  unreadable_roster: failure(422, {
    en: 'The roster could not be read: {Reason} Nothing was changed.',
    code: 'roster',
  }),
  no_connected_program: missing('This connected program'),
  roster_grew: failure(409, {
    en: 'Somebody of the roster was added meanwhile. Read it again; nothing was saved.',
    code: 'changed',
  }),
  no_roster: missing('This roster'),
  people_changed: failure(409, {
    en: 'People of the program have changed since the roster was read. Read it again; nothing was saved.',
    code: 'changed',
  }),
})
