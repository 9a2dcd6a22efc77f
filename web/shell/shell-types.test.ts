import { expect, test } from 'vitest'
import { activePath, type MenuItem } from './shell-types.ts'

const items: MenuItem[] = [
  { id: 'home', label: 'Home', href: '/new/admin/home' },
  {
    id: 'people',
    label: 'People',
    href: '#',
    items: [
      { id: 'users', label: 'Users', href: '/new/admin/manage-users' },
      { id: 'import', label: 'Import', href: '/new/admin/manage-users/import?step=1' },
    ],
  },
]

test('the open page marks its item and those above it', () => {
  expect(activePath(items, '/new/admin/home')).toEqual(['home'])
  expect(activePath(items, '/new/admin/manage-users/12')).toEqual(['people', 'users'])
})
test('the longest address wins', () => {
  expect(activePath(items, '/new/admin/manage-users/import')).toEqual(['people', 'import'])
})
test('an address that only begins alike marks nothing', () => {
  expect(activePath(items, '/new/admin/homes')).toEqual([])
})
test('the kind in the query tells two items of one page apart', () => {
  const kinds: MenuItem[] = [1, 2].map((type) => ({
    id: `kind${type}`,
    label: 'Verification',
    href: `/new/admin/verification?type=${type}`,
  }))
  expect(activePath(kinds, '/new/admin/verification?type=2')).toEqual(['kind2'])
})
test('the index page is not above all others', () => {
  const own: MenuItem[] = [{ id: 'inbox', label: 'Inbox', href: '/new/' }]
  expect(activePath(own, '/new/')).toEqual(['inbox'])
  expect(activePath(own, '/new/help')).toEqual([])
})
