export const testAccess = {
  title: 'Test Users Access',
  intro:
    'A test user sees and does in one {program} what its coordinator or administrator does. While you admit one, it has your e-mail address: switch to it from your own menu.',
  confirmFirst: 'A test user gets your e-mail address. Confirm it first.',
  count_one: '{count} {program}',
  count_other: '{count} {programs}',
  search: 'Search {colleges} and {programs}',
  id: 'Id',
  name: '{College} — {Program}',
  coord: 'Coordinator',
  admin: 'Admin',
  toggle: '{mode}: {name}',
  failed: 'The last change was not saved.',
  nothing: 'No {program} has this in its name.',
}
