import { expect, test } from 'vitest'
import { AdminArea, Level, levels } from './levels.ts'
import {
  allPages,
  isStaffAddress,
  type MenuPlace,
  mayOpen,
  menuHeadings,
  pageAbove,
  pageAt,
  programFor,
} from './pages.ts'
import { may } from './permissions.ts'

const who = (AccessLevel: number, SuperAdminAreas: number | null = null) => ({ AccessLevel, SuperAdminAreas })
/** An address of the page, with something for each part that it reads. */
const addressOf = (path: string): string => `/new/${path.replace(/\$\w+/g, '12')}`
const placesOf = ({ menu }: (typeof allPages)[number]): readonly MenuPlace[] =>
  menu === undefined ? [] : 'id' in menu ? [menu] : menu

test('E2 every address leads to its page, with a slash at the end and a query too', () => {
  expect(new Set(allPages.map(({ path }) => path)).size).toBe(allPages.length)
  for (const { path, frame } of allPages) {
    for (const address of [addressOf(path), `${addressOf(path)}/`, `${addressOf(path)}?x=1#y`])
      expect(pageAt(address)?.path, address).toBe(path)
    if (frame === 'staff') expect(isStaffAddress(addressOf(path)), path).toBe(true)
    if (frame === 'own') expect(isStaffAddress(addressOf(path)), path).toBe(false)
  }
  expect(pageAt('/new/admin/no-such-page')).toBeUndefined()
  expect(pageAt('/new/evaluate/')?.path).toBe('evaluate')
})

test('E2 ids of menus are given once, and every menu has a page that somebody may open', () => {
  const ids = [
    ...allPages.flatMap((page) => placesOf(page).map(({ id }) => id)),
    ...Object.values(menuHeadings).map(({ id }) => id),
  ]
  expect(new Set(ids).size).toBe(ids.length)
  for (const page of allPages)
    for (const { under } of placesOf(page))
      if (typeof under === 'string')
        expect(
          levels.some(({ Id }) => mayOpen(who(Id), addressOf(page.path))),
          page.path,
        ).toBe(true)
      else for (const level of under) expect(mayOpen(who(level), addressOf(page.path)), page.path).toBe(true)
})

test('E2 whoever opens a page has its permission, and staff pages open from Faculty on', () => {
  for (const page of allPages)
    for (const { Id } of levels) {
      const opens = mayOpen(who(Id), addressOf(page.path))
      if (opens && page.may) expect(may(who(Id), page.may), `${page.path} ${Id}`).toBe(true)
      if (opens && isStaffAddress(page.path))
        expect(Id >= Level.Faculty || page.supervisorsToo === true, `${page.path} ${Id}`).toBe(true)
    }
})

test('A45 D3-250 pages that change what a level may not save do not open for it', () => {
  for (const [path, level] of [
    ['admin/add-user', Level.Faculty],
    ['admin/manage-users', Level.Faculty],
    ['admin/manage-users/edit', Level.Faculty],
    ['admin/manage-areas/edit', Level.Faculty],
    ['admin/rotations/edit', Level.Faculty],
    ['admin/shifts/edit', Level.Faculty],
    ['admin/evaluations/templates/edit', Level.Faculty],
  ] as const) {
    expect(mayOpen(who(level), `/new/${path}`), path).toBe(false)
    expect(mayOpen(who(Level.Coord), `/new/${path}`), path).toBe(true)
  }
  const path = '/new/admin/manage-users'
  expect(mayOpen(who(Level.SuperAdmin, AdminArea.RolesLimited), path)).toBe(true)
  expect(mayOpen(who(Level.SuperAdmin, AdminArea.Email), path)).toBe(false)
  expect(mayOpen(who(Level.Faculty), '/new/admin/manage-areas')).toBe(true)
})

test('A11 D1-163 D1-246 what belongs to the person and what does not exist asks for no program', () => {
  for (const path of ['help', 'preferences', 'totp-settings', 'change-email', 'inbox', 'no-such-page'])
    expect(programFor(`/new/admin/${path}`), path).toBe('none')
  expect(programFor('/new/admin/sites')).toBe('needed')
  expect(programFor('/new/admin/sites/edit?id=3')).toBe('needed')
  expect(programFor('/new/admin/imports?kind=sites')).toBe('needed')
  expect(programFor('/new/admin/imports?kind=colleges')).toBe('none')
  expect(programFor('/new/admin/verification?type=2')).toBe('needed')
  expect(programFor('/new/admin/verification?type=0')).toBe('none')
  expect(programFor('/new/admin/verification')).toBe('none')
  expect(programFor('/new/clock')).toBe('none')
})

test('A81 D3-123 the choice of a program shows where a page has more to offer with one', () => {
  expect(programFor('/new/admin/logs/data-sync')).toBe('offered')
  expect(programFor('/new/admin/add-user')).toBe('offered')
})

test('A17 an edit page leads back to its list', () => {
  expect(pageAbove('/new/admin/mail-center/edit?id=3')).toBe('/new/admin/mail-center')
  expect(pageAbove('/new/admin/saml/admin/1/link')).toBe('/new/admin/saml/admin')
  expect(pageAbove('/new/admin/admin-news/edit')).toBe('/new/admin/admin-news')
  expect(pageAbove('/new/evaluate/12')).toBe('/new/evaluate')
  expect(pageAbove('/new/admin/home')).toBeUndefined()
})

test('A13 a student has the own checks in the menu', () => {
  const own = placesOf(allPages.find(({ path }) => path === 'verification')!)
  expect(own.map(({ query, under }) => [query, under])).toEqual([
    ['type=1', [Level.Student]],
    ['type=2', [Level.Student]],
  ])
})
