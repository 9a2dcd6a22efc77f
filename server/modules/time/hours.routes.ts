import { formatDate } from '#contract/core/calendar.ts'
import { hoursText } from '#contract/core/hours.ts'
import { readOptions } from '#contract/programs/program-options.ts'
import { termPlaceholders } from '#contract/terminology/terminology.ts'
import type { HoursRow } from '#contract/time/hours-summary.ts'
import * as contract from '#contract/time/hours-summary.ts'
import type { Db } from '#server/core/database/pool.ts'
import { pdfFile } from '#server/core/files/pdf.ts'
import { readStudentNumbers } from '#server/core/files/student-numbers.ts'
import { type ExportColumn, hoursColumns, studentNumberColumn, tableFile } from '#server/core/files/table.ts'
import { handle } from '#server/core/http/handle.ts'
import { momentIn } from '#server/core/runtime/today.ts'
import { findProgramContext } from '../programs/context.queries.ts'
import { getTerms } from '../terminology/terminology.queries.ts'
import {
  currentRotation,
  pageHours,
  readFilterNames,
  readHours,
  readHoursFrame,
  todayExpression,
} from './hours.queries.ts'

const areMadeUp = async (db: Db, programId: number): Promise<boolean> => {
  const { options } = await db
    .selectFrom('program')
    .select('options')
    .where('id', '=', programId)
    .executeTakeFirstOrThrow()
  return readOptions(options).AbsencesAreMadeUp
}

/** Null of whom no hours are asked: they are neither short nor ahead. */
const differenceOf = ({ Target, Difference }: HoursRow): number | null => (Target === 0 ? null : Difference)

const figures = contract.hoursFigures.map((figure) => ({
  name: figure.name,
  title: 'longTitle' in figure ? figure.longTitle : figure.title,
}))

type HoursColumn = ExportColumn<HoursRow>
const hours = hoursColumns<HoursRow>

const exportColumns: readonly HoursColumn[] = [
  { title: 'Student', width: 28, value: (row) => row.Student },
  { title: 'Student level', width: 18, value: (row) => row.StudentLevel },
  { title: 'Cohort', width: 18, value: (row) => row.Cohort },
  ...figures.flatMap(({ name, title }) => hours(title, (row) => row[name])),
  ...hours('Completed so far', (row) => row.Parts.Earned),
  ...hours('Assigned until the end', (row) => row.Parts.Assigned),
  ...hours('Expected absences', (row) => row.Parts.UsualAbsence),
  ...hours('Makeup planned', (row) => row.Parts.MakeupPlanned),
  ...hours('Projection', (row) => row.Projection),
  ...hours('Difference', differenceOf),
]

const programLine = async (db: Db, programId: number): Promise<string> => {
  const program = await findProgramContext(db, programId)
  return program ? `${program.Name} · ${program.CollegeName}` : ''
}

/** The filters by name, so that a page on paper says what it is a part of. */
const filterLines = async (
  db: Db,
  programId: number,
  filter: contract.HoursFilters,
  words: Record<string, string>,
): Promise<string[]> => {
  const levels = filter.StudentLevelIds ?? (filter.StudentLevelId ? [filter.StudentLevelId] : [])
  const names = await readFilterNames(db, programId, { ...filter, levels })
  const { FromDate, ThroughDate } = filter
  const period = [
    FromDate && `from ${formatDate(FromDate)}`,
    ThroughDate && `through ${formatDate(ThroughDate)}`,
  ]
  const personal = [filter.MyStudents && `own ${words.students}`, filter.MySites && `own ${words.sites}`]
  const all = [...names, filter.Cohort && `Cohort ${filter.Cohort}`, ...period, ...personal].filter(Boolean)
  return all.length === 0 ? [] : [all.join(' · ')]
}

/** The hours as a printed table, in the program's words. */
const hoursReport = (rows: readonly HoursRow[], words: Record<string, string>) => {
  const printed: { title: string; minutes: (row: HoursRow) => number | null }[] = [
    ...figures.map(({ name, title }) => ({ title, minutes: (row: HoursRow) => row[name] })),
    { title: 'Projection', minutes: (row) => row.Projection },
    { title: 'Difference', minutes: differenceOf },
  ]
  return {
    title: 'Hours Summary',
    columns: [
      // Every program has its words for both.
      { title: words.Student! },
      { title: words.StudentLevel! },
      ...printed.map(({ title }) => ({ title, isFigure: true })),
    ],
    rows: rows.map((row) => [
      row.Student,
      row.StudentLevel ?? '',
      ...printed.map(({ minutes }) => {
        const value = minutes(row)
        return value === null ? '' : hoursText(value)
      }),
    ]),
    totals: [
      `${rows.length} ${rows.length === 1 ? words.student : words.students}`,
      '',
      ...printed.map(({ minutes }) => hoursText(rows.reduce((all, row) => all + (minutes(row) ?? 0), 0))),
    ],
  }
}

/** The filter with the rotation of today where it asks for that. */
const withRotation = async (
  db: Db,
  programId: number,
  { IsCurrent, ...filter }: contract.HoursFilters,
): Promise<contract.HoursFilters> => {
  if (!IsCurrent || filter.RotationId !== undefined) return filter
  const rotation = await currentRotation(db, programId, todayExpression(programId))
  return rotation ? { ...filter, RotationId: rotation.id } : filter
}

export const hoursRoutes = [
  handle(contract.getHoursSummary, async ({ db, params: { programId }, query, user }) => {
    const { page, pageSize, sort, ...asked } = query
    const filter = await withRotation(db, programId, asked)
    const of = { programId, accountId: user.Id, filter, areMadeUp: await areMadeUp(db, programId) }
    const { items, totals, projections } = await pageHours(db, of, { sort, page, pageSize })
    const { Students, ...Totals } = totals
    return {
      Items: items,
      Total: Students,
      Page: page,
      PageSize: pageSize,
      Totals,
      RotationId: filter.RotationId ?? null,
      Projections: projections,
      ...(await readHoursFrame(db, programId, user.Id, filter)),
    }
  }),

  handle(contract.exportHoursSummary, async ({ db, params: { programId }, query, user }) => {
    const { Format, sort, ...asked } = query
    const filter = await withRotation(db, programId, asked)
    const of = { programId, accountId: user.Id, filter, areMadeUp: await areMadeUp(db, programId) }
    const rows = await readHours(db, of, sort)
    if (Format !== 'pdf') {
      const numberOf = await readStudentNumbers(db, programId)
      const own = studentNumberColumn<HoursRow>(({ StudentId }) => numberOf(StudentId))
      return tableFile(Format, 'Hours summary', [...exportColumns, own], rows)
    }
    const frame = await readHoursFrame(db, programId, user.Id, filter)
    const words = termPlaceholders(await getTerms(db, programId))
    return pdfFile('Hours summary', {
      ...hoursReport(rows, words),
      lines: [
        await programLine(db, programId),
        ...(await filterLines(db, programId, filter, words)),
        ...(frame.EndDate ? [`Projected to ${formatDate(frame.EndDate)}`] : []),
      ],
      by: user.Name,
      at: momentIn(user.TimeZone),
    })
  }),
]
