import * as grading from '#contract/competencies/exam-grading.ts'
import { statement } from '#contract/competencies/exam-rules.ts'
import * as contract from '#contract/competencies/exams.ts'
import type { InputOf } from '#contract/core/endpoint.ts'
import type { Caller, Installation } from './installation.ts'
import { startLogging } from './procedure-logging.ts'

type DeclareBody = InputOf<typeof contract.declareExam>['body']

/** A program with logs, in which one procedure has exam items and three verified logs: enough for its exam. */
export const startExams = async (installation: Installation) => {
  const at = await startLogging(installation)
  const { owner } = installation
  await owner.query('delete from throttle')
  const score = await at.design.score()
  const [fails, passes] = score.Values.map(({ Id }) => Id) as [number, number]
  await at.design.items(at.routine, score, 'Confirms identity\nPositions\nCollimates')
  await owner.query(
    `update comp_exam_item set is_critical = true where program_id = $1 and skill_id = $2 and position = 1`,
    [at.program.Id, at.routine],
  )
  await owner.query(
    'update competency_list set passing_percent = 75, comment_below = 2 where program_id = $1',
    [at.program.Id],
  )
  const ready = async (): Promise<void> => {
    const entry = await at.log({ Count: 3 })
    const { status, body } = await at.verify(at.supervisor, [entry])
    if (status !== 200) throw new Error(JSON.stringify(body))
  }
  const rosterOf = async (more: Record<string, unknown> = {}): Promise<number> => {
    const row = {
      program_id: at.program.Id,
      site_id: at.site.Id,
      first_name: 'Andre',
      last_name: 'Adebayo',
      email: `andre${at.program.Id}@harbor.example`,
      credential: 'R.T.(R)',
      ...more,
    }
    const names = Object.keys(row)
    const { rows } = await owner.query<{ id: number }>(
      `insert into exam_examiner (${names.join(', ')}) values (${names.map((_name, index) => `$${index + 1}`).join(', ')})
        returning id`,
      Object.values(row),
    )
    return Number(rows[0]!.id)
  }
  const ask = (more: Partial<DeclareBody> = {}, caller: Caller = at.ada) =>
    caller.call(contract.declareExam, {
      body: {
        ProcedureId: at.routine,
        SiteId: at.site.Id,
        ExaminerId: at.supervisorId,
        RosterId: null,
        Way: 'account',
        ...more,
      },
    })
  /** What the examiner decides: everything passed unless said otherwise. */
  const decision = (more: Partial<grading.AnyDecision> = {}): grading.AnyDecision => ({
    Result: 'passed',
    Items: [1, 2, 3].map((Position) => ({ Position, ValueId: passes, Comment: '' })),
    Comment: '',
    Remediation: '',
    IsSimulated: false,
    StatementVersion: statement.Version,
    ...more,
  })
  const failing = (more: Partial<grading.AnyDecision> = {}) =>
    decision({
      Result: 'failed',
      Items: [1, 2, 3].map((Position) => ({ Position, ValueId: fails, Comment: 'Marker missing' })),
      Comment: 'Wrong side',
      ...more,
    })
  const ofAttempt = (attemptId: number) => ({ params: { programId: at.program.Id, attemptId } })
  const mails = async (label: string): Promise<{ recipient: string; subject: string; html: string }[]> => {
    const { rows } = await owner.query(
      'select recipient, subject, html from mail where program_id = $1 and label = $2 order by id desc',
      [at.program.Id, label],
    )
    return rows
  }
  const codeOf = async (attemptId: number): Promise<string> =>
    (await at.ada.ok(contract.getOwnExam, { params: { attemptId } })).ShortCode
  const { anonymous } = installation
  return {
    ...at,
    score,
    fails,
    passes,
    ready,
    rosterOf,
    ask,
    decision,
    failing,
    ofAttempt,
    mails,
    codeOf,
    /** Declares an attempt and answers it. */
    asked: async (more: Partial<DeclareBody> = {}): Promise<contract.Attempt> => {
      const { status, body } = await ask(more)
      if (status !== 200) throw new Error(JSON.stringify(body))
      return body
    },
    grade: (caller: Caller, attemptId: number, body: grading.AnyDecision) =>
      caller.call(grading.decideExam, { ...ofAttempt(attemptId), body }),
    exams: async (caller: Caller = at.ada) => caller.ok(contract.getOwnExams, {}),
    exam: async () => {
      const { Exams } = await at.ada.ok(contract.getOwnExams, {})
      // It is of the student's list.
      return Exams.find(({ ProcedureId }) => ProcedureId === at.routine)!
    },
    /** Has a code mailed and reads it in the examiner's mailbox. */
    mailedCode: async (ShortCode: string): Promise<string> => {
      await anonymous.ok(grading.mailExamCode, { body: { ShortCode } })
      const [mail] = await mails('EXAM_code')
      return /<strong>(\d{6})<\/strong>/.exec(mail!.html)![1]!
    },
    prove: (ShortCode: string, Code: string, caller: Caller = anonymous) =>
      caller.call(grading.proveExaminer, { body: { ShortCode, Code } }),
    gradeByToken: (Token: string, body: grading.AnyDecision, caller: Caller = anonymous) =>
      caller.call(grading.decideExamByCode, { body: { Token, ...body } }),
  }
}
export type Examining = Awaited<ReturnType<typeof startExams>>
