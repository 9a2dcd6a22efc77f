import * as contract from '#contract/competencies/competency-grid.ts'
import { competencyFailures } from '#contract/competencies/failures.ts'
import { countCells, type GridState, gridStateOf, stateOfCell } from '#contract/competencies/grid-states.ts'
import { isBehind } from '#contract/competencies/pace-rules.ts'
import type { Standing } from '#contract/competencies/procedure-logs.ts'
import { formatDate } from '#contract/core/calendar.ts'
import { peopleFailures } from '#contract/people/failures.ts'
import type { Db } from '#server/core/database/pool.ts'
import { type PdfTable, pdfFile } from '#server/core/files/pdf.ts'
import { readStudentNumbers } from '#server/core/files/student-numbers.ts'
import { type ExportColumn, studentNumberColumn, tableFile } from '#server/core/files/table.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { momentIn } from '#server/core/runtime/today.ts'
import { getProgramContext, type ProgramContext } from '../programs/context.queries.ts'
import {
  findGridColumns,
  findGridList,
  type GridColumns,
  type GridProcedure,
  type GridRow,
  pageGrid,
  sumGrid,
} from './competency-grid.queries.ts'
import {
  listAttempts,
  listPassedExams,
  listRecordStudents,
  type PassedExam,
  type RecordStudent,
  readLabCheck,
} from './competency-history.queries.ts'
import { listChangesOf, listEntriesOfProcedure } from './procedure-logs.queries.ts'
import { firstDayOfSites, listPlacesOfStudent, listSitesOfList } from './procedure-sites.queries.ts'
import { isStudentThere, listEarlier, readProgramDay, readStanding } from './standing.queries.ts'
import { replaceTermTargets } from './term-targets.commands.ts'
import { listTermTargets, type Pace, paceOf } from './term-targets.queries.ts'

/** Entries that the history of one procedure shows. */
const mostEntries = 200

const getColumns = async (db: Db, programId: number, listId: number): Promise<GridColumns> => {
  const columns = await findGridColumns(db, programId, listId)
  if (!columns) throw fail(competencyFailures.no_competency_list)
  return columns
}

const readPace = async (db: Db, programId: number, listId: number): Promise<Pace> => {
  const { today } = await readProgramDay(db, programId)
  return paceOf(await listTermTargets(db, programId, listId), today)
}

const mandatoryOf = (procedures: readonly GridProcedure[]): number =>
  procedures.filter(({ IsMandatory }) => IsMandatory).length

const stateNames: Readonly<Record<GridState, string>> = {
  'not-begun': '',
  more: '',
  waiting: 'Waiting',
  lab: 'Lab check',
  ready: 'Ready',
  failed: 'Not approved',
  simulated: 'Passed, simulated',
  passed: 'Passed',
}

/** What a cell says in a file: the state in words, or how many logs are missing. */
const cellText = (cell: string): string => {
  const state = stateOfCell(cell)
  return state === 'more' ? `${cell}${cell === '9' ? ' or more' : ''} to log` : stateNames[state]
}

const round = (value: number | null): number | null => (value === null ? null : Math.round(value * 10) / 10)

const exportColumns = ({ Procedures, ElectivesNeeded }: GridColumns, pace: Pace): ExportColumn<GridRow>[] => {
  const needed = mandatoryOf(Procedures) + ElectivesNeeded
  return [
    { title: 'Last name', width: 20, value: (row) => row.LastName },
    { title: 'First name', width: 18, value: (row) => row.FirstName },
    { title: 'Cohort', kind: 'year', width: 14, value: (row) => row.Cohort },
    { title: 'Passed', kind: 'number', value: (row) => row.Passed },
    { title: 'Passed of what is needed', kind: 'number', value: (row) => row.Done },
    { title: 'Needed', kind: 'number', value: () => needed },
    ...(pace.hasTargets
      ? [
          {
            title: 'Expected by now',
            kind: 'number' as const,
            value: (row: GridRow) => round(pace.expected(row.Cohort)),
          },
          {
            title: 'Behind',
            value: (row: GridRow) => (isBehind(row.Passed, pace.expected(row.Cohort)) ? 'Behind' : ''),
          },
        ]
      : []),
    { title: 'Ready for exam', kind: 'number', value: (row) => row.Ready },
    { title: 'Logged', kind: 'number', value: (row) => row.Logged },
    ...Procedures.map(
      ({ Name, At }): ExportColumn<GridRow> => ({
        title: Name,
        width: 18,
        value: (row) => cellText(row.Cells.charAt(At)),
      }),
    ),
  ]
}

const patients: Readonly<Record<PassedExam['patient'], string>> = {
  adult: 'Patient',
  pediatric: 'Patient, pediatric',
  geriatric: 'Patient, geriatric',
}

/** The record of one student: mandatory procedures with or without their exam, electives once they are passed. */
const recordOf = (
  student: RecordStudent,
  columns: GridColumns,
  exams: ReadonlyMap<number, PassedExam>,
  earlier: readonly Standing['Earlier'][number][],
  { Name, CollegeName, TimeZone }: ProgramContext,
  by: string,
): PdfTable => {
  const { Studies, Procedures, ElectivesNeeded } = columns
  const care = new Set(Studies.filter(({ IsPatientCare }) => IsPatientCare).map(({ Id }) => Id))
  const passed = Procedures.filter(({ Id }) => exams.has(Id))
  const share = (name: string, isIn: (procedure: GridProcedure) => boolean, needed?: number): string[] => {
    const all = needed ?? Procedures.filter(isIn).length
    return all === 0 ? [] : [`${name}: ${Math.min(all, passed.filter(isIn).length)} of ${all}`]
  }
  const summary = [
    ...share('Mandatory', ({ IsMandatory, MajorStudyId }) => IsMandatory && !care.has(MajorStudyId)),
    ...share('Electives', ({ IsMandatory }) => !IsMandatory, ElectivesNeeded),
    ...share('Patient care', ({ IsMandatory, MajorStudyId }) => IsMandatory && care.has(MajorStudyId)),
  ]
  const simulated = [...exams.values()].filter(({ isSimulated }) => isSimulated).length
  return {
    title: `Competency record: ${student.name}`,
    lines: [
      [`${Name} · ${CollegeName}`, student.cohort && `Cohort ${student.cohort}`, student.studentNumber]
        .filter(Boolean)
        .join(' · '),
      [student.list, student.registry].filter(Boolean).join(' · '),
      [...summary, `Simulated: ${simulated}`].join(' · '),
    ],
    columns: [
      { title: 'Procedure' },
      { title: 'Required' },
      { title: 'Date passed' },
      { title: 'Performed on' },
      { title: 'Examiner' },
      { title: 'Site' },
    ],
    rows: [
      ...Studies.flatMap((study) => {
        const own = Procedures.filter(
          ({ Id, MajorStudyId, IsMandatory }) => MajorStudyId === study.Id && (IsMandatory || exams.has(Id)),
        )
        return own.length === 0
          ? []
          : [
              study.Name,
              ...own.map((procedure) => {
                const exam = exams.get(procedure.Id)
                return [
                  procedure.Name,
                  procedure.IsMandatory ? 'Mandatory' : 'Elective',
                  exam ? formatDate(exam.date) : 'Not passed yet',
                  exam ? (exam.isSimulated ? 'Simulated' : patients[exam.patient]) : '',
                  exam?.examiner ?? '',
                  exam?.site ?? '',
                ]
              }),
            ]
      }),
      ...(earlier.length === 0
        ? []
        : [
            'Passed, and not part of this list',
            ...earlier.map(({ Name, List, PassedOn, IsSimulated }) => [
              Name,
              List,
              PassedOn ? formatDate(PassedOn) : '',
              IsSimulated ? 'Simulated' : 'Patient',
              '',
              '',
            ]),
          ]),
    ],
    by,
    at: momentIn(TimeZone),
  }
}

const getProgram = async (db: Db, programId: number): Promise<ProgramContext> => {
  const program = await getProgramContext(db, programId)
  return program
}

/** Where a student can have what is not logged enough yet. */
const readPlaces = async (db: Db, programId: number, studentId: number) => {
  const { Procedures } = await readStanding(db, programId, studentId)
  const { today } = await readProgramDay(db, programId)
  const owed = Procedures.filter((procedure) => ['not-begun', 'more'].includes(gridStateOf(procedure)))
  const place = { programId, studentId }
  const days = { today, from: firstDayOfSites(today) }
  return {
    Procedures: await listPlacesOfStudent(
      db,
      place,
      owed.map(({ Id }) => Id),
      days,
    ),
  }
}

export const competencyGridRoutes = [
  handle(contract.getCompetencyGridHead, async ({ db, params: { programId, listId }, query }) => {
    const { ElectivesNeeded, ...columns } = await getColumns(db, programId, listId)
    const pace = await readPace(db, programId, listId)
    const { students, behind, cells } = await sumGrid(db, { programId, listId, filter: query, pace })
    return {
      ...columns,
      Needed: mandatoryOf(columns.Procedures) + ElectivesNeeded,
      StudentCount: students,
      BehindCount: behind,
      HasTargets: pace.hasTargets,
      Counts: countCells(cells, columns.Procedures.length),
    }
  }),

  handle(contract.getCompetencyGrid, async ({ db, params: { programId, listId }, query }) => {
    const { sort, Offset, Limit, ...filter } = query
    const list = await findGridList(db, programId, listId)
    if (!list) throw fail(competencyFailures.no_competency_list)
    const pace = await readPace(db, programId, listId)
    const rows = await pageGrid(db, {
      programId,
      listId,
      filter,
      pace,
      sort,
      offset: Offset,
      limit: Limit,
    })
    return {
      Columns: list.Columns,
      Students: {
        Id: rows.map(({ Id }) => Id),
        LastName: rows.map(({ LastName }) => LastName),
        FirstName: rows.map(({ FirstName }) => FirstName),
        StudentLevelId: rows.map(({ StudentLevelId }) => StudentLevelId),
        Cohort: rows.map(({ Cohort }) => Cohort),
        Cells: rows.map(({ Cells }) => Cells),
        Passed: rows.map(({ Passed }) => Passed),
        Done: rows.map(({ Done }) => Done),
        Ready: rows.map(({ Ready }) => Ready),
        Logged: rows.map(({ Logged }) => Logged),
        Expected: rows.map(({ Cohort }) => round(pace.expected(Cohort))),
        IsBehind: rows.map(({ Cohort, Passed }) => isBehind(Passed, pace.expected(Cohort))),
      },
    }
  }),

  handle(contract.exportCompetencyGrid, async ({ db, params: { programId, listId }, query }) => {
    const { sort, Format, ...filter } = query
    const columns = await getColumns(db, programId, listId)
    const pace = await readPace(db, programId, listId)
    const rows = await pageGrid(db, { programId, listId, filter, pace, sort, offset: 0, limit: null })
    const numberOf = await readStudentNumbers(db, programId)
    const own = studentNumberColumn<GridRow>(({ Id }) => numberOf(Id))
    return tableFile(Format, 'Competencies', [...exportColumns(columns, pace), own], rows)
  }),

  handle(contract.listProcedureSites, async ({ db, params: { programId, listId }, query: { Cohort } }) => {
    const { Studies, Procedures } = await getColumns(db, programId, listId)
    const { today } = await readProgramDay(db, programId)
    const from = firstDayOfSites(today)
    const logged = new Map(
      (await listSitesOfList(db, programId, listId, from)).map(({ Id, ...row }) => [Id, row]),
    )
    const pace = paceOf([], today)
    const { cells } = await sumGrid(db, { programId, listId, filter: Cohort ? { Cohort } : {}, pace })
    const counts = countCells(cells, Procedures.length)
    const nameOf = new Map(Studies.map(({ Id, Name }) => [Id, Name]))
    return {
      FromDate: from,
      Procedures: Procedures.map(({ Id, Name, MajorStudyId, IsMandatory, At }) => ({
        Id,
        Name,
        // Procedures are of these studies.
        MajorStudy: nameOf.get(MajorStudyId)!,
        IsMandatory,
        // Counted by place.
        Students: counts['not-begun'][At]! + counts.more[At]!,
        ...(logged.get(Id) ?? { Count: 0, SiteCount: 0, Sites: [] }),
      })),
    }
  }),

  handle(contract.listOwnPlaces, ({ db, user }) =>
    // The account of a student always has a program.
    readPlaces(db, user.ProgramId!, user.Id),
  ),

  handle(contract.listStudentPlaces, async ({ db, params: { programId, studentId } }) => {
    if (!(await isStudentThere(db, programId, studentId))) throw fail(peopleFailures.no_student)
    return readPlaces(db, programId, studentId)
  }),

  handle(contract.getCompetencyHistory, async ({ db, params: { programId, studentId, procedureId } }) => {
    const [student] = await listRecordStudents(db, programId, [studentId])
    if (!student) throw fail(peopleFailures.no_student)
    const { Studies, Procedures } = await readStanding(db, programId, studentId)
    const procedure = Procedures.find(({ Id }) => Id === procedureId)
    if (!procedure) throw fail(competencyFailures.no_procedure_of_list)
    const of = { programId, studentId, procedureId }
    const { entries, count } = await listEntriesOfProcedure(db, of, mostEntries)
    return {
      StudentId: studentId,
      Student: student.name,
      Procedure: procedure.Name,
      // Procedures are of these studies.
      MajorStudy: Studies.find(({ Id }) => Id === procedure.MajorStudyId)!.Name,
      IsMandatory: procedure.IsMandatory,
      LogsNeeded: procedure.LogsNeeded,
      Counted: procedure.Counted,
      CountedWaiting: procedure.CountedWaiting,
      Logged: procedure.Logged,
      Entries: entries,
      EntryCount: count,
      Changes: await listChangesOf(
        db,
        programId,
        entries.map(({ Id }) => Id),
      ),
      Attempts: await listAttempts(db, programId, studentId, procedureId),
      ...(await readLabCheck(db, programId, studentId, procedureId)),
    }
  }),

  handle(contract.exportCompetencyRecords, async ({ db, params: { programId }, query, user, audit }) => {
    const ids = [...new Set(query.StudentIds)]
    const program = await getProgram(db, programId)
    const students = await listRecordStudents(db, programId, ids)
    if (students.length < ids.length)
      throw fail(
        ids.length === 1 ? competencyFailures.no_list_of_student : competencyFailures.no_list_of_a_student,
      )
    const lists = new Map<number, GridColumns>()
    for (const listId of new Set(students.map((student) => student.listId)))
      lists.set(listId, await getColumns(db, programId, listId))
    const exams = Map.groupBy(await listPassedExams(db, programId, students), ({ studentId }) => studentId)
    const earlier = Map.groupBy(
      (await listEarlier(db, programId, students)).filter(({ PassedOn }) => PassedOn !== null),
      ({ studentId }) => studentId,
    )
    const records = students.map((student) =>
      recordOf(
        student,
        // Read above for every list of these students.
        lists.get(student.listId)!,
        new Map((exams.get(student.id) ?? []).map((exam) => [exam.procedureId, exam])),
        earlier.get(student.id) ?? [],
        program,
        user.Name,
      ),
    )
    audit.detail = { StudentIds: ids }
    const [first, ...others] = records
    if (students.length === 1) audit.subjectId = students[0]!.id
    return pdfFile(
      students.length === 1 ? `Competency record ${students[0]!.name}` : 'Competency records',
      // One for each of at least one student.
      [first!, ...others],
    )
  }),

  handle(contract.listTermTargets, async ({ db, params: { programId, listId } }) => {
    await getColumns(db, programId, listId)
    return { Targets: await listTermTargets(db, programId, listId) }
  }),

  handle(contract.saveTermTargets, async ({ db, params: { programId, listId }, body, audit }) => {
    await getColumns(db, programId, listId)
    const before = await listTermTargets(db, programId, listId)
    await replaceTermTargets(db, programId, listId, body.Targets)
    audit.detail = { ListId: listId, Before: before, After: body.Targets }
    return { Targets: await listTermTargets(db, programId, listId) }
  }),
]
