export const testAccess = {
  title: 'Test Users Access',
  intro:
    'A test user works in one {program} as its coordinator or administrator would. While enabled, it uses your email address. Switch to it from your user menu.',
  confirmFirst: 'A test user uses your email address. Confirm it first.',
  count_one: '{count} {program}',
  count_other: '{count} {programs}',
  search: 'Search {colleges} and {programs}',
  id: 'Id',
  name: '{College} — {Program}',
  coord: 'Coordinator',
  admin: 'Admin',
  toggle: '{mode}: {name}',
  failed: 'The last change was not saved.',
}
