import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { sendProof } from '#contract/requirements/own-requirements.ts'
import type { Rule } from '#contract/requirements/requirement-rules.ts'
import { transaction } from '#server/core/database/pool.ts'
import {
  type MadePerson,
  type MadeProgram,
  makePerson,
  makeProgram,
  makeRow,
  makeStudent,
} from '#server/test/factories.ts'
import { type Installation, startInstallation } from '#server/test/installation.ts'
import { dayFromNow, makeRequirement, proofOf } from '#server/test/requirement-proofs.ts'
import { digestRequirementsOf } from './requirements.commands.ts'
import { remindOfRequirementsOf } from './requirements.jobs.ts'

let installation: Installation
let program: MadeProgram
let student: MadePerson
beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  program = await makeProgram(installation.owner, { time_zone: 'UTC' })
  student = await makeStudent(installation.owner, program)
})

const work = (run: typeof remindOfRequirementsOf) =>
  transaction(installation.services.pool, { accountId: null, programIds: [program.Id] }, (db) =>
    run(db, program.Id),
  )
const holds = async (days: number, { rule, ...row }: { rule?: Rule } & Record<string, unknown> = {}) => {
  const requirement = await makeRequirement(installation.owner, program, {
    name: 'CPR',
    ...(rule && { rule }),
  })
  await makeRow(installation.owner, 'student_requirement', {
    program_id: program.Id,
    student_id: student.Id,
    requirement_id: requirement.Id,
    status: 'accepted',
    expires_on: dayFromNow(days),
    ...row,
  })
  return requirement
}
/** What the student was told, oldest first. */
const told = async (): Promise<string[]> =>
  (
    await installation.owner.query('select kind from notification where account_id = $1 order by id', [
      student.Id,
    ])
  ).rows.map(({ kind }) => kind)
/** The card ends so many days from now on. */
const move = (days: number) =>
  installation.owner.query('update student_requirement set expires_on = $2 where program_id = $1', [
    program.Id,
    dayFromNow(days),
  ])

test.each([
  [61, []],
  [60, ['requirement_expiring']],
  [30, ['requirement_expiring']],
  [7, ['requirement_expiring']],
  [0, ['requirement_expiring']],
  [-1, ['requirement_expired']],
  [-31, []],
])('a card that ends in %i days is reminded of as it should be, and once', async (days, kinds) => {
  await holds(days)
  await work(remindOfRequirementsOf)
  await work(remindOfRequirementsOf)
  expect(await told()).toEqual(kinds)
})

test('each step is told once as the end comes nearer: 60, 30, 7 days, and when it has expired', async () => {
  await holds(60)
  const { owner } = installation
  for (const days of [60, 45, 30, 20, 7, 3, -1, -2]) {
    await move(days)
    // The same end seen from a later day: what was told of it stays told.
    await owner.query('update requirement_reminder set expires_on = $2 where program_id = $1', [
      program.Id,
      dayFromNow(days),
    ])
    await work(remindOfRequirementsOf)
  }
  expect(await told()).toEqual([
    'requirement_expiring',
    'requirement_expiring',
    'requirement_expiring',
    'requirement_expired',
  ])
})

test('a renewal is reminded of again by its own end', async () => {
  await holds(7)
  await work(remindOfRequirementsOf)
  await move(60)
  await work(remindOfRequirementsOf)
  expect(await told()).toHaveLength(2)
})

test('the end of a season is none, and what does not apply is not reminded of', async () => {
  const today = dayFromNow(0)
  const end = dayFromNow(20)
  const rule: Rule = {
    Kind: 'season',
    DoseFrom: dayFromNow(-100).slice(5),
    AskedFrom: today.slice(5),
    AskedThrough: end.slice(5),
  }
  await holds(20, { rule })
  await work(remindOfRequirementsOf)
  expect(await told()).toEqual([])
})

test('the next dose of a series is reminded of like an end', async () => {
  await holds(7, { status: 'inProgress' })
  await work(remindOfRequirementsOf)
  expect(await told()).toEqual(['requirement_expiring'])
})

test('coordinators get what waits, has expired and expires soon once a week; nothing where there is nothing', async () => {
  const coordinator = await makePerson(installation.owner, Level.Coord, { program })
  const lines = async () =>
    (
      await installation.owner.query(
        "select after from email_notice where account_id = $1 and label = 'REQUIREMENT_weekly' order by subject_key",
        [coordinator.Id],
      )
    ).rows.map(({ after }) => after)
  await work(digestRequirementsOf)
  expect(await lines()).toEqual([])
  await installation.owner.query('delete from requirement_digest where program_id = $1', [program.Id])
  await holds(-3)
  const policy = await makeRequirement(installation.owner, program, { needs_file: false })
  const who = await installation.as(student)
  await who.ok(sendProof, proofOf(policy, [{ Until: dayFromNow(300) }]), { files: [] })
  await work(digestRequirementsOf)
  await work(digestRequirementsOf)
  expect(await lines()).toEqual([
    '1 proof waits to be reviewed',
    '1 expired requirement keeps a student from shifts',
  ])
})
