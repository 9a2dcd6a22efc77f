import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import * as contract from '#contract/push/push.ts'
import { sendDuePushes } from '#server/modules/push/sending.service.ts'
import { type MadePerson, type MadeProgram, makePerson, makeProgram, makeStudent } from './factories.ts'
import { type Caller, type Installation, startInstallation } from './installation.ts'
import { startPushService } from './push-browser.ts'

/** What a test of pushes has: an installation that sends them, a push service, a program with a student, and what they do. */
export interface PushSetting {
  installation: Installation
  superAdmin: Caller
  service: Awaited<ReturnType<typeof startPushService>>
  program: MadeProgram
  student: MadePerson
  own: Caller
  publicKey: string
}

/** Sets the stage for the tests of a file: program, student and push service are new for each of them. */
export const setPushStage = () => {
  const stage = {} as PushSetting
  beforeAll(async () => {
    stage.installation = await startInstallation({
      WEBHOOK_ALLOW: '127.0.0.0/8',
      PUSH_CONTACT: 'mailto:help@college.example',
    })
    stage.superAdmin = await stage.installation.as(
      await makePerson(stage.installation.owner, Level.SuperAdmin),
    )
  })
  afterAll(() => stage.installation?.stop())
  beforeEach(async () => {
    const { owner } = stage.installation
    stage.service = await startPushService()
    await owner.query(`update push_service set last_error = '', last_error_at = null`)
    const state = await stage.superAdmin.ok(contract.switchPush, { body: { IsOn: true } })
    stage.publicKey = state.PublicKey
    stage.program = await makeProgram(owner, { time_zone: 'UTC' })
    stage.student = await makeStudent(owner, stage.program)
    stage.own = await stage.installation.as(stage.student)
  })
  afterEach(() => stage.service?.stop())

  /** Has a browser of the caller told. */
  const add = async (
    caller: Caller,
    more: Partial<{ Id: string; Name: string; Address: contract.PushAddress; IsRenewal: boolean }> = {},
  ) => {
    const Address = stage.service.address(stage.publicKey)
    const body = { Id: randomUUID(), Name: 'Chrome, Android', Address, ...more }
    return { body, settings: await caller.ok(contract.addPushDevice, { body }) }
  }
  const choose = (caller: Caller, Kinds: contract.PushKind[], Quiet: contract.PushSettings['Quiet'] = null) =>
    caller.ok(contract.savePush, { body: { Kinds, Quiet } })
  const send = async (of = stage.program) => {
    await stage.installation.hear()
    await sendDuePushes(stage.installation.services, of.Id)
  }
  /** Tells somebody something inside the product, as by whatever causes it. */
  const notify = (kind: string, link: string, accountId = stage.student.Id, of = stage.program) =>
    stage.installation.owner.query(
      `insert into notification (program_id, account_id, kind, text, link)
        values ($1, $2, $3, 'Something about somebody', $4)`,
      [of.Id, accountId, kind, link],
    )
  /** What was queued for the devices of a program. */
  const messages = async (of = stage.program) => {
    await stage.installation.hear()
    const { rows } = await stage.installation.owner.query<{
      kind: string
      state: string
      note: string
      attempts: number
    }>('select kind, state, note, attempts from push_message where program_id = $1 order by id', [of.Id])
    return rows
  }
  /** As if the time had come. */
  const hurry = () =>
    stage.installation.owner.query(
      `update push_message set next_at = now() where program_id = $1 and state = 'waiting'`,
      [stage.program.Id],
    )
  const answerRequest = () => notify('schedule', '/new/swaps?show=own')
  return { stage, add, choose, send, notify, messages, hurry, answerRequest }
}
