import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import * as own from '#contract/requirements/own-requirements.ts'
import * as review from '#contract/requirements/proof-review.ts'
import { updateRequirement } from '#contract/requirements/requirement-design.ts'
import type { RuleField } from '#contract/requirements/requirement-fields.ts'
import { transaction } from '#server/core/database/pool.ts'
import { makePerson, makeProgram, makeStudent } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { dayFromNow, makeRequirement, proofOf } from '#server/test/requirement-proofs.ts'
import { checkStandings } from './requirements.jobs.ts'
import { countWrongStandings, keepStandings } from './standings.queries.ts'

let installation: Installation
beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())

const rules: RuleField[] = [
  { Kind: 'until' },
  { Kind: 'months', Months: 6 },
  { Kind: 'once' },
  { Kind: 'months', Months: 24 },
]
const start = async () => {
  const { owner } = installation
  const program = await makeProgram(owner, { time_zone: 'UTC' })
  const students: { Id: number; caller: Caller }[] = []
  for (let index = 0; index < 3; index++) {
    const made = await makeStudent(owner, program)
    students.push({ Id: made.Id, caller: await installation.as(made) })
  }
  const requirement = await makeRequirement(owner, program, { needs_file: false })
  return {
    program,
    students,
    requirement,
    staff: await installation.as(await makePerson(owner, Level.Coord, { program })),
  }
}
type Started = Awaited<ReturnType<typeof start>>

const change = fc.record({
  kind: fc.constantFrom('send', 'send', 'accept', 'return', 'reopen', 'withdraw', 'exempt', 'end', 'rule'),
  student: fc.nat(2),
  number: fc.nat(1_000),
})
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never

/** One change of somebody; what is refused because another was faster changes nothing. */
const apply = async (
  { program, students, requirement, staff }: Started,
  { kind, student, number }: Change,
) => {
  const who = students[student]!
  const params = { programId: program.Id, studentId: who.Id }
  const { rows: proofs } = await installation.owner.query(
    'select id, revision from requirement_proof where program_id = $1 and student_id = $2 and deleted_at is null order by id',
    [program.Id, who.Id],
  )
  const one = proofs[number % Math.max(1, proofs.length)]
  const at = one && { params: { ...params, proofId: Number(one.id) } }
  if (kind === 'send')
    await who.caller.call(
      own.sendProof,
      proofOf(requirement, [{ On: dayFromNow(-(number % 300)), Until: dayFromNow((number % 400) - 50) }], {
        Key: randomUUID(),
      }),
      { files: [] },
    )
  else if (kind === 'rule')
    await staff.call(updateRequirement, {
      params: { programId: program.Id, requirementId: requirement.Id },
      body: {
        Name: requirement.Name,
        Kind: 'document',
        Rule: rules[number % rules.length]!,
        NeedsFile: false,
      },
    })
  else if (kind === 'exempt')
    await staff.call(review.grantExemptions, {
      params: { programId: program.Id },
      body: {
        StudentIds: students.map(({ Id }) => Id),
        RequirementId: requirement.Id,
        Kind: 'waiver',
        Reason: 'A test',
        Until: number % 2 ? dayFromNow(number % 90) : null,
      },
    })
  else if (kind === 'end') {
    const { rows } = await installation.owner.query(
      'select id from requirement_exemption where program_id = $1 and ended_at is null limit 2',
      [program.Id],
    )
    if (rows.length > 0)
      await staff.call(review.endExemptions, {
        params: { programId: program.Id },
        body: { Ids: rows.map(({ id }) => Number(id)) },
      })
  } else if (at && kind === 'withdraw')
    await who.caller.call(own.withdrawProof, { params: { proofId: Number(one.id) } })
  else if (at && kind === 'reopen')
    await staff.call(review.reopenProof, { ...at, body: { Revision: one.revision } })
  else if (at)
    await staff.call(review.decideProof, {
      ...at,
      body: { Revision: one.revision, Decision: kind === 'accept' ? 'accept' : 'return', Reason: 'A test' },
    })
}
const inProgram = <T>(programId: number, work: Parameters<typeof transaction<T>>[2]) =>
  transaction(installation.services.pool, { accountId: null, programIds: [programId] }, work)
const wrong = ({ program }: Started) => inProgram(program.Id, (db) => countWrongStandings(db, program.Id))

test('what is kept of students is what was shown, whatever happens', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 8, maxLength: 25 }), async (changes) => {
      const started = await start()
      for (const each of changes) await apply(started, each)
      expect(await wrong(started)).toBe(0)
    }),
    { numRuns: 6, endOnFailure: true },
  )
}, 120_000)

test('what several people do at once is kept right', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 24, maxLength: 45 }), async (changes) => {
      const started = await start()
      const third = Math.ceil(changes.length / 3)
      const some = [0, 1, 2].map((part) => changes.slice(part * third, (part + 1) * third))
      await Promise.all(
        some.map(async (list) => {
          for (const each of list) await apply(started, each)
        }),
      )
      expect(await wrong(started)).toBe(0)
    }),
    { numRuns: 4, endOnFailure: true },
  )
}, 120_000)

test('a job names what is wrong, and a recount corrects it', async () => {
  const started = await start()
  const { owner, services } = installation
  await apply(started, { kind: 'send', student: 0, number: 60 })
  await expect(checkStandings.work({}, services)).resolves.toBeUndefined()
  await owner.query(
    "update student_requirement set expires_on = current_date + 9, status = 'accepted' where program_id = $1",
    [started.program.Id],
  )
  await expect(checkStandings.work({}, services)).rejects.toThrow(
    `program ${started.program.Id}: 1 of student_requirement`,
  )
  await inProgram(started.program.Id, (db) => keepStandings(db, started.program.Id, {}))
  await expect(checkStandings.work({}, services)).resolves.toBeUndefined()
})
