import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listNotifications } from '#contract/communication/notifications.ts'
import { toBase64 } from '#contract/core/fields.ts'
import { Level } from '#contract/core/levels.ts'
import { savePreferences } from '#contract/identity/preferences.ts'
import { createAnnouncement } from '#contract/news/announcements.ts'
import {
  addShiftAssignments,
  changeShiftAssignments,
  removeShiftAssignments,
  restoreShiftAssignments,
} from '#contract/scheduling/assignments.ts'
import { approveTimeRecords, decideTimeChange, undoDecisions } from '#contract/time/approvals.ts'
import { askTimeChange } from '#contract/time/clock.ts'
import { remindOfEvaluations } from '#server/modules/evaluations/reminders.jobs.ts'
import { mailWeeklyReport } from '#server/modules/reports/weekly.jobs.ts'
import { remindOfPunches } from '#server/modules/time/reminders.jobs.ts'
import {
  type MadePerson,
  type MadeProgram,
  makePerson,
  makeProgram,
  makeRotation,
  makeRow,
  makeShift,
  makeSite,
  makeStudent,
} from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { remindOfRequirements } from '../requirements/requirements.jobs.ts'
import { sendDigests } from './digests.jobs.ts'

let installation: Installation
let program: MadeProgram
let student: MadePerson
let coordinator: Caller
let rotation: { Id: number }
let shift: { Id: number; SiteId: number }

/** A day from today, 'YYYY-MM-DD'. */
const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)
const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  const { owner } = installation
  await owner.query('delete from mail')
  await installation.hear()
  await owner.query('delete from email_notice')
  program = await makeProgram(owner, { time_zone: 'UTC' })
  student = await makeStudent(owner, program, { first_name: 'Ada' })
  coordinator = await installation.as(
    await makePerson(owner, Level.Coord, { program, first_name: 'Grace', last_name: 'Sample' }),
  )
  rotation = await makeRotation(owner, program, { start_date: day(-60), end_date: day(200) })
  shift = await makeShift(owner, program, { start_date: day(-60), end_date: day(200) })
})

/** Runs the digests as if the minutes had passed, and answers the emails that there are. */
const digest = async () => {
  await installation.hear()
  await installation.owner.query("update email_notice set due_at = now() - interval '1 minute'")
  await sendDigests.work({}, installation.services)
  return emails()
}
const emails = async () => {
  const { rows } = await installation.owner.query<{
    label: string
    subject: string
    html: string
    account_id: number
  }>('select label, subject, html, account_id from mail where program_id = $1 order by id', [program.Id])
  return rows
}
const add = (Dates: string[], more: object = {}) =>
  coordinator.ok(addShiftAssignments, {
    params: { programId: program.Id },
    body: { RotationId: rotation.Id, SiteShiftId: shift.Id, StudentIds: [student.Id], Dates, ...more },
  } as never) as Promise<{ Ids: number[] }>
const remove = (Ids: number[]) =>
  coordinator.ok(removeShiftAssignments, { params: { programId: program.Id }, body: { Ids } } as never)

test('A77 many shifts make one email after some minutes, and a notification beside it', async () => {
  await add([day(3), day(4)])
  await add([day(5)])
  await sendDigests.work({}, installation.services)
  expect(await emails()).toEqual([])
  const [email, ...others] = await digest()
  expect(others).toEqual([])
  expect(email).toMatchObject({
    label: 'PLACEMENT_made',
    subject: '3 shifts were added to your schedule',
    account_id: student.Id,
  })
  expect(email!.html.match(/<li>/g)).toHaveLength(3)
  const told = await (await installation.as(student)).ok(listNotifications)
  expect(told.map(({ Text, Link }) => [Text, Link])).toEqual([
    ['3 shifts were added to your schedule.', '/new/schedule'],
  ])
  await sendDigests.work({}, installation.services)
  expect(await emails()).toHaveLength(1)
})

test('whoever reads Spanish gets the email and the notification in it, with the words of the program', async () => {
  const { owner } = installation
  const { id } = await makeRow(owner, 'language_profile', { name: `Words ${program.Id}` })
  await makeRow(owner, 'language_entry', {
    profile_id: id,
    language: 'es',
    key_id: 11,
    value: 'tiempo',
    plural: 's',
  })
  await owner.query('update program set language_profile_id = $1 where id = $2', [id, program.Id])
  await owner.query("update account set language = 'es' where id = $1", [student.Id])
  await add([day(3), day(4)])
  const [email] = await digest()
  expect(email).toMatchObject({ subject: 'Se agregaron 2 turnos a su horario' })
  expect(email!.html).toContain('<p>Hola, Ada:</p><p>se agregaron estos turnos a su horario:</p>')
  const told = await (await installation.as(student)).ok(listNotifications)
  expect(told.map(({ Text }) => Text)).toEqual(['Se agregaron 2 turnos a su horario.'])
  // What the browser preferred when they signed in counts where they have chosen nothing.
  await owner.query("update account set language = null, browser_language = 'es' where id = $1", [student.Id])
  await add([day(5)])
  expect((await digest())[1]).toMatchObject({ subject: 'Se agregó 1 turno a su horario' })
})

test('an English text that somebody has changed goes to readers of Spanish too, until the Spanish one is saved anew', async () => {
  const { owner } = installation
  await owner.query("update account set language = 'es' where id = $1", [student.Id])
  await owner.query(
    "update mail_template set subject = '{{change.summary}} (news)' where label = 'PLACEMENT_made'",
  )
  try {
    await add([day(3), day(4)])
    const [email] = await digest()
    expect(email).toMatchObject({ subject: '2 shifts were added to your schedule (news)' })
    expect(email!.html).toContain('Hello Ada')
  } finally {
    await owner.query("update mail_template set subject = null where label = 'PLACEMENT_made'")
  }
})

test('A77 removing a shift tells the student; adding and removing it within the minutes tells nobody', async () => {
  const kept = await add([day(3)])
  await digest()
  await remove(kept.Ids)
  const brief = await add([day(4)])
  await remove(brief.Ids)
  const all = await digest()
  expect(all.map(({ label }) => label)).toEqual(['PLACEMENT_made', 'PLACEMENT_removed'])
  expect(all[1]!.html.match(/<li>/g)).toHaveLength(1)
})

test('A77 another shift is a change, and what was undone is no news', async () => {
  const other = await makeShift(installation.owner, program, {
    start_date: day(-60),
    end_date: day(200),
    start_time: '15:30',
    end_time: '23:30',
  })
  const { Ids } = await add([day(3)])
  await digest()
  const move = (SiteShiftId: number) =>
    coordinator.ok(changeShiftAssignments, {
      params: { programId: program.Id },
      body: { Ids, SiteShiftId },
    } as never)
  await move(other.Id)
  await move(shift.Id)
  await remove(Ids)
  await coordinator.ok(restoreShiftAssignments, { params: { programId: program.Id }, body: { Ids } } as never)
  expect(await digest()).toHaveLength(1)
  await move(other.Id)
  const last = (await digest()).at(-1)!
  expect(last.label).toBe('PLACEMENT_changed')
  expect(last.html).toMatch(/Changed: .*15:30–23:30.*\(before: .*07:00–15:30/)
})

test('A77 a shift that is over is no news, and a refused action leaves none', async () => {
  await add([day(-3)])
  await coordinator.call(addShiftAssignments, {
    params: { programId: program.Id },
    body: {
      RotationId: rotation.Id,
      SiteShiftId: shift.Id,
      StudentIds: [student.Id],
      Dates: [day(3), day(-3)],
      AllOrNothing: true,
    },
  } as never)
  expect(await digest()).toEqual([])
})

test('A77 who switched a kind off gets no such email', async () => {
  const own = await installation.as(student)
  await own.ok(savePreferences, {
    body: { StartPage: '', IsMenuShown: false, MutedEmails: ['PLACEMENT_made'] },
  } as never)
  await add([day(3)])
  await digest()
  const { rows } = await installation.owner.query(
    'select status, status_message from mail where account_id = $1',
    [student.Id],
  )
  expect(rows).toEqual([{ status: 4, status_message: 'Switched off by the recipient' }])
})

const pair = async () => {
  const site = await makeSite(installation.owner, program, { time_zone: 'UTC' })
  const common = { program_id: program.Id, student_id: student.Id, site_id: site.Id, date: day(-1) }
  const begin = await makeRow(installation.owner, 'time_record', {
    ...common,
    kind: 'in',
    occurred_at: `${day(-1)}T07:10:00Z`,
  })
  const end = await makeRow(installation.owner, 'time_record', {
    ...common,
    kind: 'out',
    occurred_at: `${day(-1)}T15:10:00Z`,
    partner_id: begin.id,
    minutes: 480,
  })
  await installation.owner.query('update time_record set partner_id = $1 where id = $2', [end.id, begin.id])
  return { begin: begin.id as number, end: end.id as number }
}

test('A77 approved time is told in one email; an approval that is undone at once is not', async () => {
  const { begin, end } = await pair()
  const approve = () =>
    coordinator.ok(approveTimeRecords, {
      params: { programId: program.Id },
      body: { Ids: [begin, end] },
    } as never) as Promise<{ DecidedAt: string }>
  const { DecidedAt } = await approve()
  await coordinator.ok(undoDecisions, { params: { programId: program.Id }, body: { DecidedAt } } as never)
  expect(await digest()).toEqual([])
  await approve()
  const [email] = await digest()
  expect(email).toMatchObject({ label: 'TIME_approved', subject: '1 time record was approved' })
  expect(email!.html).toContain('8 h 00 min')
})

test('A77 a time change is told to coordinators when it is asked and to the student when it is decided', async () => {
  const { begin } = await pair()
  const own = await installation.as(student)
  await own.ok(askTimeChange, {
    params: { recordId: begin },
    body: { Time: '07:00', Reason: 'Late bus' },
  } as never)
  const asked = await digest()
  expect(asked.map(({ label }) => label)).toEqual(['TIME_change_asked'])
  expect(asked[0]!.html).toContain('Late bus')
  expect((await coordinator.ok(listNotifications))[0]!.Text).toMatch(/^Time change requested by Ada/)
  await coordinator.ok(decideTimeChange, {
    params: { programId: program.Id, recordId: begin },
    body: { Accept: true, Reason: '' },
  } as never)
  const all = await digest()
  expect(all.map(({ label }) => label)).toEqual(['TIME_change_asked', 'TIME_change_decided'])
  expect(all[1]!.html).toContain('was accepted')
})

test('A77 an announcement goes to whom it is for, once', async () => {
  const text = '<p>Clinic is closed on Friday.</p>'
  await coordinator.ok(createAnnouncement, {
    params: { programId: program.Id },
    body: { Category: 'Students', Text: toBase64(text) },
  } as never)
  const all = await emails()
  expect(all).toHaveLength(1)
  expect(all[0]).toMatchObject({
    label: 'ANNOUNCEMENT_published',
    subject: 'Announcement: Clinic is closed on Friday.',
    account_id: student.Id,
  })
  expect(all[0]!.html).toContain(text)
  expect(await (await installation.as(student)).ok(listNotifications)).toHaveLength(1)
})

test('A9 a site that reminds tells students once of missing punches; another site does not', async () => {
  const { owner } = installation
  const place = async (reminders: boolean) => {
    const site = await makeSite(owner, program, { reminders, time_zone: 'UTC' })
    const at = await makeShift(owner, program, { site })
    await makeRow(owner, 'shift_assignment', {
      program_id: program.Id,
      rotation_id: rotation.Id,
      site_shift_id: at.Id,
      site_id: site.Id,
      student_id: reminders ? student.Id : (await makeStudent(owner, program)).Id,
      date: ago(20).slice(0, 10),
      starts_at: ago(20),
      ends_at: ago(12),
    })
    return site
  }
  await place(false)
  const site = await place(true)
  const lone = await makeStudent(owner, program, { first_name: 'Lone' })
  await makeRow(owner, 'time_record', {
    program_id: program.Id,
    student_id: lone.Id,
    site_id: site.Id,
    kind: 'in',
    date: ago(15).slice(0, 10),
    occurred_at: ago(15),
  })
  await remindOfPunches.work({}, installation.services)
  await remindOfPunches.work({}, installation.services)
  const all = await emails()
  expect(all.map(({ label, account_id }) => [label, account_id])).toEqual([
    ['TIME_missed', student.Id],
    ['TIME_unmatched', lone.Id],
  ])
  expect(all[0]!.html).toContain(site.Name)
  const { rows } = await owner.query('select kind from notification where program_id = $1 order by id', [
    program.Id,
  ])
  expect(rows.map(({ kind }) => kind)).toEqual(['time_missed', 'time_unmatched'])
})

test('A9 evaluators are reminded before the due date, on it and after, in one email a day', async () => {
  const { owner } = installation
  const template = await makeRow(owner, 'evaluation_template', {
    program_id: program.Id,
    title: 'Clinical evaluation',
    evaluator_role: 'faculty',
    subject_role: 'student',
  })
  const evaluator = await makePerson(owner, Level.Faculty, { program, first_name: 'Fay' })
  const due = (end: number) =>
    makeRow(owner, 'evaluation', {
      program_id: program.Id,
      template_id: template.id,
      evaluator_id: evaluator.Id,
      subject_id: student.Id,
      date: day(-10),
      end_date: day(end),
    })
  await due(0)
  await due(2)
  await due(3)
  await due(9)
  await due(-1)
  await remindOfEvaluations.work({}, installation.services)
  await remindOfEvaluations.work({}, installation.services)
  const all = await emails()
  expect(all.map(({ label }) => label)).toEqual(['EVALUATION_late'])
  expect(all[0]!.subject).toMatch(/: 1$/)
  expect(all[0]!.html.match(/<li>/g)).toHaveLength(4)
  expect((await coordinator.ok(listNotifications)).map(({ Text }) => Text)).toEqual([
    'Overdue since the last reminder: 1 evaluation',
  ])
})

test('A77 requirements are reminded of at 60, 30 and 7 days and when they have expired, a late one once', async () => {
  const { owner } = installation
  for (const [name, ahead] of [
    ['CPR card', 20],
    ['Tetanus', -2],
    ['Flu shot', 90],
    ['Hepatitis B', 61],
    ['Chest X-ray', -31],
  ] as const) {
    const requirement = await makeRow(owner, 'requirement', { program_id: program.Id, name })
    await makeRow(owner, 'student_requirement', {
      program_id: program.Id,
      student_id: student.Id,
      requirement_id: requirement.id,
      status: 'accepted',
      expires_on: day(ahead),
    })
  }
  await remindOfRequirements.work({}, installation.services)
  await remindOfRequirements.work({}, installation.services)
  const all = await digest()
  expect(all.map(({ label, subject }) => [label, subject]).toSorted()).toEqual([
    ['REQUIREMENT_expired', '1 requirement has expired'],
    ['REQUIREMENT_expiring', '1 requirement expires soon'],
  ])
})

test('A77 the weekly report goes once a week to super admins who may read it', async () => {
  const reader = await makePerson(installation.owner, Level.SuperAdmin)
  await mailWeeklyReport.work({}, installation.services)
  await mailWeeklyReport.work({}, installation.services)
  const { rows } = await installation.owner.query('select label, html from mail where account_id = $1', [
    reader.Id,
  ])
  expect(rows).toHaveLength(1)
  expect(rows[0].label).toBe('REPORT_weekly')
  expect(rows[0].html).toContain('Hours recorded')
})
