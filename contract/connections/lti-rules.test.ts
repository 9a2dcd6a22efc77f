import { expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { courseRoles, levelOfRoles, ltiPages, pageOfLtiLink, usualRoleLevels } from './lti-rules.ts'

const course = (name: string) => `http://purl.imsglobal.org/vocab/lis/v2/membership#${name}`
const assistant = 'http://purl.imsglobal.org/vocab/lis/v2/membership/Instructor#TeachingAssistant'

test('roles of a course are read in full, bare and as sub-roles; those of the institution count for nothing', () => {
  expect(courseRoles([course('Learner')])).toEqual(['Learner'])
  expect(courseRoles(['Instructor', course('Instructor')])).toEqual(['Instructor'])
  expect(courseRoles([assistant, course('Instructor')])).toEqual(['TeachingAssistant'])
  expect(courseRoles(['http://purl.imsglobal.org/vocab/lis/v2/membership/Learner#GuestLearner'])).toEqual([
    'Learner',
  ])
  expect(
    courseRoles([
      'http://purl.imsglobal.org/vocab/lis/v2/institution/person#Administrator',
      'http://purl.imsglobal.org/vocab/lis/v2/system/person#SysAdmin',
      'https://elsewhere.example/membership#Instructor',
      'toString',
      '',
    ]),
  ).toEqual([])
})

test('the highest level of somebody’s roles counts, never above the ceiling; roles without a level give none', () => {
  const levels = { ...usualRoleLevels, Administrator: Level.Director }
  expect(levelOfRoles([course('Learner'), course('Instructor')], levels, Level.Admin)).toBe(Level.Faculty)
  expect(levelOfRoles([course('Administrator')], levels, Level.Coord)).toBe(Level.Coord)
  expect(levelOfRoles([course('Administrator')], levels, Level.Student)).toBe(Level.Student)
  expect(levelOfRoles([assistant], levels, Level.Admin)).toBeUndefined()
  expect(levelOfRoles([], levels, Level.Admin)).toBeUndefined()
})

test('a link leads students to their own pages and staff to those where they look after them', () => {
  expect(ltiPages.map((page) => pageOfLtiLink(page, Level.Student))).toEqual([
    '/new/schedule',
    '/new/clock',
    '/new/evaluate',
  ])
  expect(pageOfLtiLink('schedule', Level.Faculty)).toBe('/new/admin/shift-assignments')
  expect(pageOfLtiLink('clock', Level.Supervisor)).toBe('/new/approve')
  for (const page of ltiPages) expect(pageOfLtiLink(page, Level.Alumnus)).toBeUndefined()
})
