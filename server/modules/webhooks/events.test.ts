import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { makeEvaluationLink } from '#contract/evaluations/evaluation-making.ts'
import { saveAnonymousAnswers, saveAnswers } from '#contract/evaluations/evaluations.ts'
import { deactivateUser, inviteUser, reactivateUser } from '#contract/people/people.ts'
import { acceptDraft } from '#contract/placement/acceptances.ts'
import { decideProof } from '#contract/requirements/proof-review.ts'
import {
  addShiftAssignments,
  moveShiftAssignment,
  removeShiftAssignments,
} from '#contract/scheduling/assignments.ts'
import { createAgreement } from '#contract/sites/agreements.ts'
import { approveTimeRecords, rejectTimeRecords } from '#contract/time/approvals.ts'
import {
  addTimeRecord,
  deleteTimeRecord,
  editTimeRecord,
  restoreTimeRecord,
} from '#contract/time/time-records.ts'
import { createWebhook, type WebhookEvent, webhookEvents } from '#contract/webhooks/webhooks.ts'
import { makePerson, makeRow, makeShift, makeStudent } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { makeDraftOf, makePlan } from '#server/test/placement-plan.ts'
import { type Examining, startExams } from '#server/test/procedure-exams.ts'
import { dayFromNow, makeRequirement, send } from '#server/test/requirement-proofs.ts'
import { createDraftRunner } from '../placement/draft/drafts.jobs.ts'
import { remindOfAgreements } from '../sites/agreements.jobs.ts'

let installation: Installation
let at: Examining
let admin: Caller
beforeAll(async () => {
  installation = await startInstallation({ WEBHOOK_ALLOW: '127.0.0.0/8' })
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  at = await startExams(installation)
  admin = await installation.as(await makePerson(installation.owner, Level.Admin, { program: at.program }))
  await admin.ok(createWebhook, {
    ...at.inProgram,
    body: { Url: 'http://127.0.0.1:9/hook', Events: [...webhookEvents] },
  })
})

const query = async (text: string, values: unknown[] = []) =>
  (await installation.owner.query(text, values)).rows
const event = async (type: WebhookEvent) => {
  await installation.hear()
  const [found] = await query(
    `select e.data, e.subject, d.state from webhook_event e
     join webhook_delivery d on d.program_id = e.program_id and d.event_id = e.id
     where e.program_id = $1 and e.type = $2 order by e.id desc limit 1`,
    [at.program.Id, type],
  )
  return found
}
const expectTold = async (type: WebhookEvent, data: object) =>
  expect(await event(type), type).toMatchObject({ data, state: 'waiting' })

/** An assignment of another student in three weeks. */
const place = async () => {
  const { owner } = installation
  const student = await makeStudent(owner, at.program)
  const shift = await makeShift(owner, at.program, { site: at.site, start_date: '2020-01-01' })
  const [rotation] = await query('select id from rotation where program_id = $1', [at.program.Id])
  await at.coordinator.ok(addShiftAssignments, {
    ...at.inProgram,
    body: {
      RotationId: rotation.id,
      SiteShiftId: shift.Id,
      StudentIds: [student.Id],
      Dates: [dayFromNow(21)],
    },
  })
  const [row] = await query('select id from shift_assignment where program_id = $1 and student_id = $2', [
    at.program.Id,
    student.Id,
  ])
  return { id: row.id as number, studentId: student.Id }
}
describe('each change is told', () => {
  test('assignment.created', async () => {
    const { id, studentId } = await place()
    await expectTold('assignment.created', {
      AssignmentId: id,
      StudentId: studentId,
      SiteId: at.site.Id,
    })
  })

  test('assignment.changed', async () => {
    const { id, studentId } = await place()
    await at.coordinator.ok(moveShiftAssignment, {
      params: { programId: at.program.Id, assignmentId: id },
      body: { StudentId: studentId, Date: dayFromNow(22) },
    })
    await expectTold('assignment.changed', {
      Date: dayFromNow(22),
      Before: { Date: dayFromNow(21), IsRemoved: false },
    })
  })

  test('assignment.removed', async () => {
    const { id } = await place()
    await at.coordinator.ok(removeShiftAssignments, { ...at.inProgram, body: { Ids: [id] } })
    await expectTold('assignment.removed', { AssignmentId: id })
  })

  test('time.punched', async () => {
    const { Id } = await admin.ok(addTimeRecord, {
      ...at.inProgram,
      body: { StudentId: at.student.Id, Kind: 'in', SiteId: at.site.Id, Date: '2026-10-05', Time: '07:00' },
    })
    await expectTold('time.punched', { RecordId: Id, Kind: 'in' })
  })

  test('time.approved and time.rejected', async () => {
    const { owner } = installation
    const record = () =>
      makeRow(owner, 'time_record', {
        program_id: at.program.Id,
        student_id: at.student.Id,
        site_id: at.site.Id,
        kind: 'exception',
        occurred_at: '2026-10-05T12:00:00Z',
        date: '2026-10-05',
        minutes: 60,
      })
    const [approved, rejected] = [await record(), await record()]
    expect(
      (await at.supervisor.ok(approveTimeRecords, { ...at.inProgram, body: { Ids: [approved.id] } }))
        .Approved,
    ).toBe(1)
    await expectTold('time.approved', { RecordId: approved.id, Minutes: 60 })
    await at.supervisor.ok(rejectTimeRecords, {
      ...at.inProgram,
      body: { Ids: [rejected.id], Reason: 'Not here' },
    })
    await expectTold('time.rejected', { RecordId: rejected.id })
  })

  test('hours that were told and then change: each change is an event, with what was before', async () => {
    const { owner } = installation
    const { id } = await makeRow(owner, 'time_record', {
      program_id: at.program.Id,
      student_id: at.student.Id,
      site_id: at.site.Id,
      kind: 'exception',
      occurred_at: '2026-10-06T12:00:00Z',
      ends_at: '2026-10-06T15:00:00Z',
      date: '2026-10-06',
      minutes: 180,
      clock_minutes: 210,
      meal_minutes: 30,
    })
    const oneRecord = { params: { programId: at.program.Id, recordId: Number(id) } }
    await at.supervisor.ok(approveTimeRecords, { ...at.inProgram, body: { Ids: [Number(id)] } })
    await admin.ok(editTimeRecord, {
      ...oneRecord,
      body: { Date: '2026-10-06', Time: '08:00', EndTime: '09:00', Reason: 'Left early' },
    })
    await admin.ok(deleteTimeRecord, oneRecord)
    await admin.ok(restoreTimeRecord, oneRecord)
    await installation.hear()
    const told = await query(
      `select type, data from webhook_event where program_id = $1 and (data->>'RecordId')::bigint = $2 order by number`,
      [at.program.Id, id],
    )
    expect(
      told.map(({ type, data }) => [
        type,
        data.Before.Minutes,
        data.Minutes,
        [data.Before.ClockMinutes, data.ClockMinutes, data.Before.MealMinutes, data.MealMinutes],
        data.Before.Status,
        data.Status,
      ]),
    ).toEqual([
      ['time.approved', 180, 180, [210, 210, 30, 30], 'pending', 'approved'],
      ['time.changed', 180, 60, [210, 60, 30, 0], 'approved', 'approved'],
      ['time.deleted', 60, 60, [60, 60, 0, 0], 'approved', 'approved'],
      ['time.restored', 60, 60, [60, 60, 0, 0], 'approved', 'approved'],
    ])
  })

  /** An evaluation of a student, of a template of its own. */
  const ask = async (is_anonymous: boolean) => {
    const { owner } = installation
    const template = await makeRow(owner, 'evaluation_template', {
      program_id: at.program.Id,
      title: 'Student performance',
      evaluator_role: is_anonymous ? 'anonymous' : 'supervisor',
      subject_role: 'student',
      is_anonymous,
    })
    const { id } = await makeRow(owner, 'evaluation', {
      program_id: at.program.Id,
      template_id: template.id,
      evaluator_id: is_anonymous ? null : at.supervisorId,
      subject_id: at.student.Id,
      date: '2026-01-01',
    })
    return Number(id)
  }

  test('no evaluation.completed for an anonymous form: the moment would tell whose it is', async () => {
    const evaluationId = await ask(true)
    const { Link } = await at.coordinator.ok(makeEvaluationLink, {
      params: { ...at.inProgram.params, evaluationId },
    })
    await installation.anonymous.ok(saveAnonymousAnswers, {
      params: { token: Link!.split('/').at(-1)! },
      body: { Submit: true },
    })
    expect(await event('evaluation.completed')).toBeUndefined()
  })

  test('evaluation.completed, without who evaluated whom', async () => {
    const id = await ask(false)
    await at.supervisor.ok(saveAnswers, {
      params: { evaluationId: id },
      body: { Answers: [], Submit: true, SignedName: 'Andre Adebayo' },
    })
    await expectTold('evaluation.completed', { EvaluationId: id })
    expect(JSON.stringify((await event('evaluation.completed')).data)).not.toMatch(/Student|Evaluator/)
  })

  test('procedure.verified', async () => {
    const entry = await at.log()
    expect((await at.verify(at.supervisor, [entry])).status).toBe(200)
    await expectTold('procedure.verified', {
      LogId: entry.Id,
      StudentId: at.student.Id,
    })
  })

  test('competency.passed', async () => {
    await at.ready()
    const { Id } = await at.asked()
    expect((await at.grade(at.supervisor, Id, at.decision())).status).toBe(200)
    await expectTold('competency.passed', { AttemptId: Id, ProcedureId: at.routine })
  })

  test('requirement.accepted', async () => {
    const requirement = await makeRequirement(installation.owner, at.program)
    const proofId = await send(at.ada, requirement)
    const [{ revision }] = await query('select revision from requirement_proof where id = $1', [proofId])
    await at.coordinator.ok(decideProof, {
      params: { programId: at.program.Id, studentId: at.student.Id, proofId },
      body: { Revision: revision, Decision: 'accept' },
    })
    await expectTold('requirement.accepted', {
      RequirementId: requirement.Id,
    })
  })

  test('person.created, person.changed and person.deactivated', async () => {
    const { Id } = await at.coordinator.ok(inviteUser, {
      body: {
        firstName: 'Grace',
        lastName: 'Sample',
        emailAddress: `grace${at.program.Id}@example.org`,
        accessLevel: Level.Faculty,
      },
    })
    await expectTold('person.created', { PersonId: Id, AccessLevel: Level.Faculty })
    await query("update account set last_name = 'Pell' where id = $1", [Id])
    await expectTold('person.changed', { PersonId: Id })
    await at.coordinator.ok(deactivateUser, { params: { programId: at.program.Id, userId: Id } })
    await expectTold('person.deactivated', {
      PersonId: Id,
      IsActive: false,
      Before: { IsActive: true },
    })
    await at.coordinator.ok(reactivateUser, { params: { programId: at.program.Id, userId: Id } })
    await expectTold('person.changed', {
      IsActive: true,
      Changed: ['IsActive'],
      Before: { IsActive: false },
    })
  })

  test('agreement.expiring', async () => {
    const agreement = await at.coordinator.ok(
      createAgreement,
      {
        ...at.inProgram,
        body: {
          agreement: { SiteId: at.site.Id, IsApproved: true, TerminationDate: dayFromNow(85) },
        },
      },
      { files: [] },
    )
    await remindOfAgreements.work({}, installation.services)
    const found = await event('agreement.expiring')
    expect(found).toMatchObject({ data: { AgreementId: agreement.Id, EndDate: dayFromNow(85) } })
  })

  test('placement.accepted', async () => {
    const runner = createDraftRunner()
    const made = await makePlan(installation, runner)
    try {
      const owner = await installation.as(
        await makePerson(installation.owner, Level.Admin, { program: made.program }),
      )
      await owner.ok(createWebhook, {
        params: { programId: made.program.Id },
        body: { Url: 'http://127.0.0.1:9/hook', Events: ['placement.accepted', 'assignment.created'] },
      })
      const { Draft } = await makeDraftOf(made)
      const acceptance = await made.coordinator.ok(acceptDraft, {
        params: { programId: made.program.Id, planId: made.plan.Id, draftId: Draft.Id },
        body: {},
      })
      await installation.hear()
      const rows = await query('select type, data from webhook_event where program_id = $1 order by id', [
        made.program.Id,
      ])
      expect(rows.filter(({ type }) => type === 'placement.accepted')).toMatchObject([
        { data: { PlanId: made.plan.Id, DraftId: Draft.Id } },
      ])
      // The shifts that it makes are told with it, or not at all.
      expect(rows.filter(({ type }) => type === 'assignment.created')).toHaveLength(acceptance.Shifts)
    } finally {
      await runner.stop()
    }
  })
})
