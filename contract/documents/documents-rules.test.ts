import { describe, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import {
  asksForSites,
  asksForStudentLevels,
  documentRoles,
  readAccess,
  tidyReaders,
  withRole,
  writeAccess,
} from './documents-rules.ts'

describe('the access of a document', () => {
  test('D2-106 D2-151 is level ids by commas, null for all, or NONE', () => {
    expect(readAccess('39,49')).toEqual([39, 49])
    expect(readAccess(null)).toEqual([...documentRoles])
    expect(readAccess('NONE')).toEqual([])
    for (const wrong of ['', 'none', '39,', '39;49', '100', '33', '0', '39,x'])
      expect(readAccess(wrong), wrong).toBeUndefined()
  })

  test('D2-117 D2-151 every role from student through admin, with alumnus and registrant, is written as null', () => {
    expect(documentRoles).toEqual([89, 79, 69, 59, 50, 49, 47, 45, 39, 36, 29])
    expect(writeAccess(documentRoles)).toBeNull()
    expect(writeAccess([])).toBe('NONE')
    expect(writeAccess([49, 39, 39])).toBe('39,49')
    for (const levels of [[39], [29, 89], []]) expect(readAccess(writeAccess(levels))).toEqual(levels)
  })
})

describe('the readers of a document', () => {
  test('D2-081 sites are asked for with any of generic employee, site employee or supervisor', () => {
    for (const role of [Level.GenericEmployee, Level.SiteEmployee, Level.Supervisor])
      expect(asksForSites([Level.Faculty, role])).toBe(true)
    expect(asksForSites(documentRoles.filter((role) => ![45, 47, 49].includes(role)))).toBe(false)
  })

  test('D2-082 student levels are asked for with student', () => {
    expect(asksForStudentLevels([Level.Student])).toBe(true)
    expect(asksForStudentLevels(documentRoles.filter((role) => role !== Level.Student))).toBe(false)
  })

  test('D2-116 unchecking a role clears what it was asked for, and nothing of another role', () => {
    const all = { Roles: [39, 47, 49], SiteIds: [1, 2], StudentLevelIds: [3] }
    expect(withRole(all, Level.Student, false)).toEqual({
      Roles: [49, 47],
      SiteIds: [1, 2],
      StudentLevelIds: [],
    })
    const fewer = withRole(all, Level.Supervisor, false)
    expect(fewer).toEqual({ Roles: [47, 39], SiteIds: [1, 2], StudentLevelIds: [3] })
    expect(withRole(fewer, Level.SiteEmployee, false)).toEqual({
      Roles: [39],
      SiteIds: [],
      StudentLevelIds: [3],
    })
    expect(withRole({ Roles: [], SiteIds: [], StudentLevelIds: [] }, Level.Faculty, true).Roles).toEqual([59])
    expect(tidyReaders({ Roles: [59], SiteIds: [1], StudentLevelIds: [1] })).toEqual({
      Roles: [59],
      SiteIds: [],
      StudentLevelIds: [],
    })
  })
})
