import type { Locator, Page } from '@playwright/test'
import { addDays, weekdayOf } from '#contract/core/calendar.ts'
import { Level } from '#contract/core/levels.ts'
import { api } from './support.ts'

/** A student of the demo whom the rules of their program let come. */
export interface ShiftPerson {
  Id: number
  /** 'Amara Okafor' */
  Name: string
  /** 'Okafor, Amara' */
  Listed: string
  UserName: string
}

/** Days of a rotation that has not begun, and students who can be placed on its shift at Harbor General on each of them. */
export interface ShiftPeople {
  programId: number
  RotationId: number
  SiteShiftId: number
  ShiftCode: string
  dates: [string, string]
  people: [ShiftPerson, ShiftPerson, ShiftPerson]
}

/** A day as schedules show it: 'Thu 12/03'. */
export const dayText = (date: string): string =>
  `${new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone: 'UTC' }).format(new Date(date))} ${date.slice(5, 7)}/${date.slice(8)}`

/** A shift in a student's schedule. */
export const shiftOn = (page: Page, date: string): Locator =>
  page.getByRole('listitem').filter({ hasText: dayText(date) })

/** Looks for what a journey about shifts needs, as the coordinator who is signed in. */
export const findShiftPeople = async (page: Page): Promise<ShiftPeople> => {
  const { ProgramId: programId } = await api(page, 'GET', '/state')
  const program = `/programs/${programId}`
  const rotations = await api(page, 'GET', `${program}/rotations?pageSize=100`)
  const rotation = rotations.Items.find(
    (each: { Name: string; AssignmentCount: number }) =>
      /^Clinical III/.test(each.Name) && each.AssignmentCount === 0,
  )
  const shifts = await api(page, 'GET', `${program}/site-shifts?pageSize=100`)
  const shift = shifts.Items.find(({ Code }: { Code: string }) => Code === 'HGH-D1')
  const days = Array.from({ length: 28 }, (_, day) => addDays(rotation.StartDate, day + 7)).filter((date) =>
    shift.Weekdays.includes(weekdayOf(date)),
  )
  const users = await api(
    page,
    'GET',
    `${program}/users/list?pageSize=100&AccessLevels=${Level.Student}&sort=UserName`,
  )
  const where = { RotationId: rotation.Id, SiteShiftId: shift.Id }
  for (const [at, first] of days.entries()) {
    const second = days[at + 1]
    if (!second) break
    const { Refused } = await api(page, 'POST', `${program}/shift-assignments/checks`, {
      ...where,
      StudentIds: users.Items.map(({ Id }: { Id: number }) => Id),
      Dates: [first, second],
    })
    const refused = new Set(Refused.map(({ StudentId }: { StudentId: number }) => StudentId))
    const [a, b, c] = users.Items.filter(({ Id }: { Id: number }) => !refused.has(Id)).map(
      (each: ShiftPerson & { FirstName: string; LastName: string }): ShiftPerson => ({
        Id: each.Id,
        UserName: each.UserName,
        Name: `${each.FirstName} ${each.LastName}`,
        Listed: `${each.LastName}, ${each.FirstName}`,
      }),
    )
    if (a && b && c)
      return { programId, ...where, ShiftCode: shift.Code, dates: [first, second], people: [a, b, c] }
  }
  throw new Error('There are not three students who can come on two days.')
}

/** Places a student on a day; answers the id of their assignment. */
export const placeOn = async (
  page: Page,
  { programId, RotationId, SiteShiftId }: ShiftPeople,
  { Id }: ShiftPerson,
  date: string,
): Promise<number> => {
  const { Ids } = await api(page, 'POST', `/programs/${programId}/shift-assignments`, {
    RotationId,
    SiteShiftId,
    StudentIds: [Id],
    Dates: [date],
    AllOrNothing: true,
  })
  return Ids[0]
}

/** Takes the shifts of students on some days away again, so that others find the days as they were. */
export const clearDays = async (page: Page, { programId, people, dates }: ShiftPeople): Promise<void> => {
  const [from, through] = dates
  for (const { Id } of people) {
    const { Items } = await api(
      page,
      'GET',
      `/programs/${programId}/shift-assignments?FromDate=${from}&ThroughDate=${through}&StudentId=${Id}`,
    )
    if (Items.length > 0)
      await api(page, 'POST', `/programs/${programId}/shift-assignments/removals`, {
        Ids: Items.map((each: { Id: number }) => each.Id),
      })
  }
}
