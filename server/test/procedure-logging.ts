import { randomUUID } from 'node:crypto'
import { lineOf } from '#contract/competencies/log-line.ts'
import * as verification from '#contract/competencies/log-verification.ts'
import * as contract from '#contract/competencies/procedure-logs.ts'
import { Level } from '#contract/core/levels.ts'
import { designOf } from './competency-design.ts'
import {
  type MadeProgram,
  makePerson,
  makeProgram,
  makeRotation,
  makeRow,
  makeShift,
  makeSite,
  makeStudent,
  makeSupervisor,
} from './factories.ts'
import type { Caller, Installation } from './installation.ts'

const saveBody = (
  date: string,
  Lines: (Partial<contract.LogLine> & { ProcedureId: number; Key?: string })[],
) => ({
  Date: date,
  Lines: Lines.map(({ Key = randomUUID(), ...line }) => ({ LevelId: null, Count: 1, ...line, Key })),
})

/** A program with a list, a site with two supervisors, and a student who has a shift there today. */
export const startLogging = async ({ owner, as }: Installation) => {
  const program: MadeProgram = await makeProgram(owner, { time_zone: 'UTC' })
  const coordinator = await as(await makePerson(owner, Level.Coord, { program }))
  const design = designOf(coordinator, program.Id)
  const listId = (await design.list('ARRT')).Id
  const chest = await design.section(listId, 'Chest', ['Chest Routine', 'Ribs', 'Pediatric Chest Routine'])
  await design.levels(listId, 'Observed\nPerformed')
  const levels = await design.levelsOf(listId)
  const [observed, performed] = levels.map(({ In }) => In[0]!.Id) as [number, number]
  await owner.query('update participation_level set is_counted = false where id = $1', [observed])
  const [routine, ribs] = (await design.procedures(listId)).map(({ Id }) => Id) as [number, number]
  await owner.query('update skill set unlock_count = 3 where program_id = $1', [program.Id])
  const site = await makeSite(owner, program)
  const other = await makeSite(owner, program)
  const supervisor = await makeSupervisor(owner, program, [site.Id])
  const colleague = await makeSupervisor(owner, program, [site.Id])
  const stranger = await makeSupervisor(owner, program, [other.Id])
  const student = await makeStudent(owner, program)
  const shift = await makeShift(owner, program, { site })
  const rotation = await makeRotation(owner, program, { start_date: '2020-01-01' })
  const { rows } = await owner.query<{ today: string; yesterday: string }>(
    'select current_date::text as today, (current_date - 1)::text as yesterday',
  )
  const { today, yesterday } = rows[0]!
  await makeRow(owner, 'shift_assignment', {
    program_id: program.Id,
    rotation_id: rotation.Id,
    site_shift_id: shift.Id,
    site_id: site.Id,
    student_id: student.Id,
    date: today,
    starts_at: `${today}T00:00:00Z`,
    ends_at: `${today}T23:59:00Z`,
  })
  const inProgram = { params: { programId: program.Id } }
  const ada = await as(student)
  const save = (
    Lines: Parameters<typeof saveBody>[1],
    {
      date = today,
      caller = ada,
      ...more
    }: { date?: string; caller?: Caller; SiteId?: number; SupervisorId?: number | null } = {},
  ) =>
    caller.call(contract.saveProcedures, {
      body: { SupervisorId: supervisor.Id, ...more, ...saveBody(date, Lines) },
    })
  return {
    program,
    design,
    listId,
    chest,
    routine,
    ribs,
    observed,
    performed,
    site,
    other,
    today,
    yesterday,
    student,
    ada,
    coordinator,
    supervisorId: supervisor.Id,
    supervisor: await as(supervisor),
    colleague: await as(colleague),
    stranger: await as(stranger),
    faculty: await as(await makePerson(owner, Level.Faculty, { program })),
    inProgram,
    save,
    /** Logs one line and answers its entry. */
    log: async (line: Partial<contract.LogLine> = {}): Promise<contract.OwnEntry> => {
      const { body, status } = await save([{ ProcedureId: routine, LevelId: performed, ...line }])
      if (status !== 200) throw new Error(JSON.stringify(body))
      const { Days } = await ada.ok(contract.listOwnLog, {})
      // It was saved just before.
      return Days.flatMap(({ Entries }) => Entries).find(({ Id }) => Id === body.Saved[0]!.Id)!
    },
    entries: async () => (await ada.ok(contract.listOwnLog, {})).Days.flatMap(({ Entries }) => Entries),
    waiting: (caller: Caller) => caller.ok(verification.listWaitingDays, inProgram),
    verify: (caller: Caller, Entries: { Id: number; Revision: number }[]) =>
      caller.call(verification.verifyDays, {
        ...inProgram,
        body: { Entries: Entries.map(({ Id, Revision }) => ({ Id, Revision })) },
      }),
    confirm: (
      caller: Caller,
      { Id, Revision, Count }: contract.OwnEntry,
      more: { Count?: number; Radiographer?: string } = {},
    ) =>
      caller.call(verification.verifyEntry, {
        params: { programId: program.Id, logId: Id },
        body: { Revision, Count, ...more },
      }),
    giveBack: (caller: Caller, { Id, Revision }: contract.OwnEntry, Reason = 'It was two') =>
      caller.call(verification.returnEntry, {
        params: { programId: program.Id, logId: Id },
        body: { Revision, Reason },
      }),
    change: (
      { Id, Revision, SupervisorId, ...entry }: contract.OwnEntry,
      part: Partial<contract.LogLine>,
      caller = ada,
    ) =>
      caller.call(contract.changeProcedure, {
        params: { logId: Id },
        body: { Revision, SupervisorId, ...lineOf(entry), ...part },
      }),
    erase: ({ Id, Revision }: contract.OwnEntry, caller = ada) =>
      caller.call(contract.deleteProcedure, { params: { logId: Id }, query: { Revision } }),
    restore: ({ Id }: contract.OwnEntry, caller = ada) =>
      caller.call(contract.restoreProcedure, { params: { logId: Id } }),
  }
}
export type Logging = Awaited<ReturnType<typeof startLogging>>
