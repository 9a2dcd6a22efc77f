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
