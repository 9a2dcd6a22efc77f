import { expect, test } from 'vitest'
import { AdminArea, hasAdminArea, Level, levelLabel, levels, readsLanguages } from './levels.ts'
import { may, type Permission, permissions } from './permissions.ts'

const person = (AccessLevel: number, SuperAdminAreas: number | null = null) => ({
  AccessLevel,
  SuperAdminAreas,
})

test('D1-002 the levels have the numbers of the product, each its own, highest first', () => {
  expect(Level).toEqual({
    SuperAdmin: 100,
    Admin: 89,
    Director: 79,
    Coord: 69,
    Faculty: 59,
    CCUnderHood: 50,
    Supervisor: 49,
    SiteEmployee: 47,
    GenericEmployee: 45,
    Student: 39,
    Registrant: 36,
    Inactive: 33,
    Alumnus: 29,
    Unknown: 0,
  })
  const ids = levels.map(({ Id }) => Id)
  expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => b - a))
})

test('D1-200 Unknown reads as Anonymous, every other level as itself, and no level as Anonymous too', () => {
  expect(levelLabel(0)).toBe('Anonymous')
  expect(levelLabel(69)).toBe('Coord')
  expect(levelLabel(7)).toBe('Anonymous')
})

test('D1-249 D3-253 the areas of super admins are bits of one mask', () => {
  expect(AdminArea).toEqual({
    Roles: 1,
    Payments: 2,
    CustomReports: 4,
    RolesLimited: 8,
    Email: 16,
    AdminNews: 32,
  })
  for (const area of Object.values(AdminArea))
    for (let mask = 1; mask < 64; mask++) expect(hasAdminArea(mask, area)).toBe((mask & area) === area)
})

test('D1-003 an area opens its own permissions to a super admin and no others', () => {
  const opened = (mask: number) =>
    (Object.keys(permissions) as Permission[]).filter(
      (permission) => 'areas' in permissions[permission] && may(person(Level.SuperAdmin, mask), permission),
    )
  expect(opened(AdminArea.AdminNews)).toEqual(['news.manage'])
  expect(opened(AdminArea.Email)).toEqual([
    'blacklist.manage',
    'mail-templates.manage',
    'mail.send',
    'mail.read',
  ])
  expect(opened(AdminArea.RolesLimited)).toEqual(['people.write'])
  expect(opened(AdminArea.Payments)).toEqual(['payments.manage', 'payments.read'])
  expect(opened(AdminArea.CustomReports)).toEqual(['weekly-reports.read', 'custom-reports.use'])
  expect(opened(AdminArea.Roles)).toContain('test-access.manage')
  for (const mask of [0, null]) expect(may(person(Level.SuperAdmin, mask), 'news.manage')).toBe(true)
  expect(may(person(Level.Admin), 'news.manage')).toBe(false)
})

test('D1-259 the admin shell is for Faculty and everybody above', () => {
  const open = levels.filter(({ Id }) => may(person(Id), 'admin-shell.use')).map(({ Name }) => Name)
  expect(open).toEqual(['SuperAdmin', 'Admin', 'Director', 'Coord', 'Faculty'])
})

test('D3-252 D3-253 language, program types and categorizing programs are for level 100 alone', () => {
  for (const permission of ['terminology.manage', 'programs.manage'] as const)
    expect(levels.filter(({ Id }) => may(person(Id), permission)).map(({ Id }) => Id)).toEqual([100])
})

test('D1-200 nobody without a level may anything', () => {
  for (const permission of Object.keys(permissions) as Permission[])
    expect(may(person(Level.Unknown), permission), permission).toBe(false)
})

test('pages of students, graduates and supervisors are in every language, those of staff are not', () => {
  const own = [Level.Student, Level.Alumnus, Level.Supervisor, Level.CCUnderHood, Level.SiteEmployee]
  expect(own.every(readsLanguages)).toBe(true)
  const staff = [Level.Faculty, Level.Coord, Level.Director, Level.Admin, Level.SuperAdmin]
  expect(staff.some(readsLanguages)).toBe(false)
})
