import { type EmailSelection, UserType } from '#contract/communication/emails.ts'
import { dateOfInstant, timeOfInstant } from '#web/ui/dates.ts'
import type { Picked } from './PeopleField.tsx'

/** Whom the screen has chosen, as its fields hold it. */
export interface Choice {
  groups: number[]
  levels: string[]
  cohorts: string[]
  sites: string[]
  picked: Picked[]
  programs: number[]
  hasPayments: boolean
}

/** The choice as the call takes it; people of a program write within theirs. */
export const selectionOf = (
  choice: Choice,
  { individualId, programId }: { individualId: number | null; programId: number | null },
): EmailSelection => ({
  individualRecipientUserId: individualId,
  programIds: programId === null ? choice.programs : [programId],
  userTypes: choice.groups as UserType[],
  studentIds: choice.picked.map(({ id }) => id),
  studentLevelIds: choice.groups.includes(UserType.Students) ? choice.levels.map(Number) : [],
  siteIds: choice.sites.map(Number),
  cohorts: choice.groups.includes(UserType.Alumni) ? choice.cohorts : [],
  isPaymentContactsSelected: choice.hasPayments,
})

/** Whether somebody is chosen at all; super admins need a program for their groups. */
export const hasAnybody = (
  choice: Choice,
  { individualId, programId }: { individualId: number | null; programId: number | null },
): boolean =>
  individualId !== null ||
  choice.picked.length > 0 ||
  ((programId !== null || choice.programs.length > 0) &&
    (choice.groups.length > 0 || choice.sites.length > 0 || choice.hasPayments))

/** The groups after a tick of the students: all their levels are ticked with them, and unticked too. */
export const withStudents = (choice: Choice, isOn: boolean, levelIds: readonly number[]): Choice => ({
  ...choice,
  groups: isOn
    ? [...new Set([...choice.groups, UserType.Students])]
    : choice.groups.filter((group) => group !== UserType.Students),
  levels: isOn ? levelIds.map(String) : [],
})

/** The moment at which clocks in a zone show a date and a time. */
export const instantAt = (date: string, time: string, zone: string): string => {
  const wanted = Date.parse(`${date}T${time}:00Z`)
  let moment = wanted
  // Twice, because the first step may cross a change of the clocks.
  for (let step = 0; step < 2; step++)
    moment += wanted - Date.parse(`${dateOfInstant(moment, zone)}T${timeOfInstant(moment, zone)}:00Z`)
  return new Date(moment).toISOString()
}
