import { afterAll, beforeAll, expect, test } from 'vitest'
import { allEndpoints } from '#contract/index.ts'
import { punch } from '#contract/time/clock.ts'
import { actionOf } from '#server/core/http/call-audit.ts'
import { makeProgram, makeSite, makeStudent } from './factories.ts'
import { type Installation, startInstallation } from './installation.ts'

/**
 * Inputs as releases sent them from the queues of devices, by call and version of its shape. A device may send what it kept
 * days ago, before the server was updated: the version before stays here, and is taken, until the one after next.
 */
const shapes: Record<string, Record<number, unknown[]>> = {
  'POST /clock/punches': {
    1: [
      { Kind: 'in', OccurredAt: '2026-11-23T12:00:00.000Z', SentAt: '2026-11-23T12:30:00.000Z' },
      {
        Kind: 'out',
        SiteId: 4,
        Latitude: 41.63,
        Longitude: -70.93,
        Accuracy: 14,
        OccurredAt: '2026-11-23T20:00:00.000Z',
        SentAt: '2026-11-23T20:30:00.000Z',
      },
    ],
    2: [
      {
        Kind: 'in',
        OccurredAt: '2026-11-23T12:00:00.000Z',
        SentAt: '2026-11-23T12:30:00.000Z',
        ServerAt: '2026-11-23T11:58:30.000Z',
        SinceServerAt: 90_000,
        BeforeSending: 1_800_000,
      },
    ],
    3: [{ Kind: 'mistake', Reason: 'At home.', OccurredAt: '2026-11-23T12:40:00.000Z' }],
  },
  'POST /clock/records/:recordId/clock-outs': {
    1: [
      { Date: '2026-11-22', Time: '20:00' },
      { Date: '2026-11-01', Time: '01:30', TimeIsSecond: true },
    ],
  },
  'POST /requirements/mine/proofs': {
    1: [
      {
        proof: {
          RequirementId: 3,
          SiteId: null,
          Events: [{ Kind: 'done', On: '2026-11-18', Until: '2028-11-30', Result: '', Of: '' }],
          Note: '',
          Key: '0f9b1a52-8a0c-4e0e-9f5e-3f6f0f2f8f12',
        },
      },
    ],
  },
  'POST /evaluations/:evaluationId/answers': {
    1: [
      { Answers: [{ ItemId: 3, ScoreValueId: 4, Text: null, Comment: 'Careful' }] },
      { Answers: [], Submit: true, SignedName: 'Amara Okafor' },
    ],
  },
  'POST /incidents/mine': {
    1: [
      {
        Key: '0f9b1a52-8a0c-4e0e-9f5e-3f6f0f2f8f13',
        Kind: 'sharps',
        Date: '2026-11-23',
        SiteId: null,
        Description: 'Needle stick while recapping.',
        Action: 'Washed, reported to the charge nurse.',
        Told: 'Charge nurse',
      },
    ],
  },
  'POST /procedure-log': {
    1: [
      {
        Date: '2026-11-23',
        SiteId: 4,
        SupervisorId: null,
        Lines: [
          {
            Key: '0f9b1a52-8a0c-4e0e-9f5e-3f6f0f2f8f11',
            ProcedureId: 3,
            LevelId: 2,
            Count: 2,
            Patient: 'adult',
            Repeats: 0,
            RepeatReason: '',
            Radiographer: '',
            PathologyId: null,
            OtherPathology: '',
            Note: '',
          },
        ],
      },
    ],
  },
}

/**
 * Each of their lines, each proof or each report has a key that the table keeps for good; saving the same answers twice, or
 * submitting them, is as saving them once.
 */
const keysOfTheirOwn = [
  'POST /evaluations/:evaluationId/answers',
  'POST /incidents/mine',
  'POST /procedure-log',
  'POST /requirements/mine/proofs',
]

const kept = allEndpoints.filter(({ keptOffline }) => keptOffline)

test('what a device keeps is taken in its present shape and in that of the release before', () => {
  expect(kept.map(actionOf).sort()).toEqual(Object.keys(shapes).sort())
  for (const endpoint of kept) {
    const version = endpoint.keptOffline!.version
    const known = shapes[actionOf(endpoint)]!
    for (const each of version > 1 ? [version - 1, version] : [version]) {
      expect(known[each]?.length, `${actionOf(endpoint)}, version ${each}`).toBeGreaterThan(0)
      for (const body of known[each]!) expect(() => endpoint.body.parse(body)).not.toThrow()
    }
  }
})

test('a call that a device keeps holds its key for good: those of other calls are forgotten after a month', () => {
  expect(
    kept
      .filter(({ needsKey }) => !needsKey)
      .map(actionOf)
      .sort(),
  ).toEqual(keysOfTheirOwn)
})

let installation: Installation
beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())

test('what was kept for one account is refused when another one sends it', async () => {
  const { owner } = installation
  const program = await makeProgram(owner)
  const site = await makeSite(owner, program)
  const [first, second] = [await makeStudent(owner, program), await makeStudent(owner, program)]
  const phone = await installation.as(second)
  const body = { Kind: 'in', SiteId: site.Id } as const
  const send = (account: number) =>
    phone.call(
      punch,
      { body },
      { headers: { 'idempotency-key': 'kept-on-the-phone', 'x-account': String(account) } },
    )
  const refused = await send(first.Id)
  expect([refused.status, refused.body]).toMatchObject([403, { Code: 'other_account' }])
  expect((await owner.query('select 1 from time_record where program_id = $1', [program.Id])).rowCount).toBe(
    0,
  )
  expect((await send(second.Id)).status).toBe(200)
  expect(
    (await owner.query('select student_id from time_record where program_id = $1', [program.Id])).rows,
  ).toEqual([{ student_id: second.Id }])
})
