import type { Page } from '@playwright/test'
import { api } from './support.ts'

/** The wall clock of the program, in parts. */
const local = (at: Date): Record<string, string> =>
  Object.fromEntries(
    new Intl.DateTimeFormat('en-CA', {
      timeZone: 'America/New_York',
      dateStyle: 'short',
      timeStyle: 'short',
      hourCycle: 'h23',
    })
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )

/** Takes the demo's shifts and records around now from a student, so that any hour of the day begins alike. */
export const clearDays = async (staff: Page, programId: number, studentId: number): Promise<void> => {
  const day = (distance: number) => new Date(Date.now() + distance * 86_400_000).toISOString().slice(0, 10)
  const of = `StudentId=${studentId}&FromDate=${day(-2)}&ThroughDate=${day(2)}`
  const within = `/programs/${programId}`
  const idsOf = async (list: string): Promise<number[]> =>
    (await api(staff, 'GET', `${within}/${list}?${of}`)).Items.map(({ Id }: { Id: number }) => Id)
  for (const id of await idsOf('time-records')) await api(staff, 'DELETE', `${within}/time-records/${id}`)
  const Ids = await idsOf('shift-assignments')
  if (Ids.length > 0) await api(staff, 'POST', `${within}/shift-assignments/removals`, { Ids })
}

/**
 * A shift of the demo's student that began ten minutes ago, but today, and is their only one around now: at a site of the demo,
 * or at the one given.
 */
export const placeNow = async (page: Page, siteId?: number): Promise<void> => {
  const { ProgramId } = await api(page, 'GET', '/state')
  const within = `/programs/${ProgramId}`
  const option = async (kind: string, search: string): Promise<number> =>
    (await api(page, 'GET', `${within}/scheduling-options?Kind=${kind}&search=${search}`)).Items[0].Id
  const student = await option('student', 'Amara')
  const site = siteId ?? (await option('site', 'Harbor'))
  await clearDays(page, ProgramId, student)
  const now = local(new Date())
  const before = local(new Date(Date.now() - 10 * 60_000))
  const begin = before.day === now.day ? before : { ...now, hour: '00', minute: '00' }
  const today = `${begin.year}-${begin.month}-${begin.day}`
  // The demo has rotations of other terms too.
  const rotations = await api(page, 'GET', `${within}/rotations?FromDate=${today}&ThroughDate=${today}`)
  const end = local(new Date(Date.now() + 4 * 3_600_000))
  const shift = await api(page, 'POST', `${within}/site-shifts`, {
    SiteId: site,
    Code: `CLOCK${Date.now() % 100_000}`,
    Name: 'Journey',
    Type: 'day',
    Weekdays: [0, 1, 2, 3, 4, 5, 6],
    StartTime: `${begin.hour}:${begin.minute}`,
    EndTime: `${end.hour}:${end.minute}`,
    Capacity: 4,
    StartDate: '2020-01-01',
    EndDate: '2099-12-31',
  })
  await api(page, 'POST', `${within}/shift-assignments`, {
    RotationId: rotations.Items[0].Id,
    SiteShiftId: shift.Id,
    StudentIds: [student],
    Dates: [today],
  })
}
