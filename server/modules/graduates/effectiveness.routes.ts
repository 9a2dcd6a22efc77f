import * as contract from '#contract/graduates/effectiveness.ts'
import { graduateFailures } from '#contract/graduates/failures.ts'
import { profiles } from '#contract/graduates/measure-profiles.ts'
import { isCounted, partOf, publishedOf, resultOf } from '#contract/graduates/measures-rules.ts'
import { type Db, workOn } from '#server/core/database/pool.ts'
import { pdfFile } from '#server/core/files/pdf.ts'
import { type ExportColumn, tableFile } from '#server/core/files/table.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { momentIn, todayIn } from '#server/core/runtime/today.ts'
import { findProgramContext, getProgramContext, type ProgramContext } from '../programs/context.queries.ts'
import { replaceMeasures, savePublication } from './effectiveness.commands.ts'
import { awaitMeasures, getPublication, listFacts, listMeasures } from './effectiveness.queries.ts'

const measured = async (db: Db, { Id, TimeZone }: ProgramContext) => {
  const [measures, facts] = await Promise.all([listMeasures(db, Id), listFacts(db, Id)])
  const today = todayIn(TimeZone)
  return {
    today,
    facts,
    measures: measures.map((measure) => ({
      ...measure,
      Result: resultOf(measure, facts, measure.Entered, today),
    })),
  }
}

const getProgram = async (db: Db, programId: number): Promise<ProgramContext> => {
  const program = await getProgramContext(db, programId)
  return program
}

const getEffectiveness = async (db: Db, programId: number): Promise<contract.Effectiveness> => {
  const program = await getProgram(db, programId)
  const [{ today, facts, measures }, publication] = await Promise.all([
    measured(db, program),
    getPublication(db, programId),
  ])
  const graduates = facts.filter(({ GraduatedOn }) => GraduatedOn !== null)
  return {
    Today: today,
    ...publication,
    Measures: measures,
    WithoutExam: graduates.filter(({ FirstAttemptOn }) => FirstAttemptOn === null).length,
    WithoutPlacement: graduates.filter(({ Placement }) => Placement === null).length,
  }
}

interface FileRow {
  Measure: string
  Years: string
  Numerator: number
  Denominator: number
  Unknown: number | null
  Rate: number | null
  Against: number | null
  Note: string
}

const metText = (isMet: boolean | null): string => (isMet === null ? '' : isMet ? 'Met' : 'Not met')

const rowsOf = ({
  Name,
  Kind,
  Result: { Pooled, Years, Against, IsMet },
}: contract.MeasureWithResult): FileRow[] => [
  ...(Pooled
    ? [
        {
          ...Pooled,
          Measure: Name,
          Unknown: null,
          Years: Pooled.From === Pooled.Through ? `${Pooled.From}` : `${Pooled.From}–${Pooled.Through}`,
          Against,
          Note: metText(IsMet),
        },
      ]
    : []),
  ...Years.filter(({ Year }) => !Pooled || Pooled.From !== Pooled.Through || Year !== Pooled.From).map(
    (year) => ({
      ...year,
      Measure: Name,
      Unknown: Kind === 'placement' && !year.IsEntered ? year.Unknown : null,
      Years: String(year.Year),
      Against: year.Mean,
      Note: year.IsOpen ? 'So far' : year.IsEntered ? 'Entered' : '',
    }),
  ),
]

const columns: readonly ExportColumn<FileRow>[] = [
  { title: 'Measure', width: 40, value: (row) => row.Measure },
  { title: 'Years', kind: 'year', width: 14, value: (row) => row.Years },
  { title: 'Number', kind: 'number', value: (row) => row.Numerator },
  { title: 'Out of', kind: 'number', value: (row) => row.Denominator },
  { title: 'Rate %', kind: 'number', value: (row) => row.Rate },
  { title: 'Benchmark %', kind: 'number', value: (row) => row.Against },
  { title: 'Unknown', kind: 'number', value: (row) => row.Unknown },
  { title: 'Note', width: 14, value: (row) => row.Note },
]

export const effectivenessRoutes = [
  handle(contract.getEffectiveness, ({ db, params }) => getEffectiveness(db, params.programId)),

  handle(contract.listMeasurePeople, async ({ db, params: { programId, measureId } }) => {
    const { facts, measures, today } = await measured(db, await getProgram(db, programId))
    const measure = measures.find(({ Id }) => Id === measureId)
    if (!measure) throw fail(graduateFailures.no_measure)
    const { Pooled, Years } = measure.Result
    const entered = new Set(Years.flatMap(({ Year, IsEntered }) => (IsEntered ? [Year] : [])))
    return facts
      .map(({ Name, Cohort, ...person }) => {
        const part = partOf(measure, person, today)
        const isOfYears =
          Pooled !== null && part.Year !== null && part.Year >= Pooled.From && part.Year <= Pooled.Through
        return {
          Name,
          Cohort,
          ...part,
          IsInRate: isCounted(part) && isOfYears && !entered.has(part.Year ?? 0),
        }
      })
      .toSorted(
        (one, other) => (other.Year ?? 0) - (one.Year ?? 0) || one.Name.localeCompare(other.Name, 'en'),
      )
  }),

  handle(contract.saveEffectiveness, async ({ db, params: { programId }, body, user, audit }) => {
    await awaitMeasures(db, programId)
    audit.detail = {
      Before: {
        ...(await getPublication(db, programId)),
        Measures: (await listMeasures(db, programId)).map(({ Id: _, ...measure }) => measure),
      },
      After: body,
    }
    await savePublication(db, programId, body, user.Id)
    await replaceMeasures(db, programId, body.Measures)
    return getEffectiveness(db, programId)
  }),

  handle(contract.startFromProfile, async ({ db, params: { programId }, body: { Profile }, audit }) => {
    await awaitMeasures(db, programId)
    audit.detail = {
      Profile,
      Before: (await listMeasures(db, programId)).map(({ Id: _, ...measure }) => measure),
    }
    await replaceMeasures(
      db,
      programId,
      profiles[Profile].measures.map((measure) => ({ ...measure, IsPublished: true, Entered: [] })),
    )
    return getEffectiveness(db, programId)
  }),

  handle(contract.exportEffectiveness, async ({ db, params: { programId }, query: { Format }, user }) => {
    const name = 'Program effectiveness'
    const program = await getProgram(db, programId)
    const rows = (await measured(db, program)).measures.flatMap(rowsOf)
    if (Format !== 'pdf') return tableFile(Format, name, columns, rows)
    return pdfFile(name, {
      title: name,
      lines: [`${program.Name} · ${program.CollegeName}`],
      columns: columns.map(({ title, kind }) => ({ title, ...(kind === 'number' && { isFigure: true }) })),
      rows: rows.map((row) => columns.map(({ value }) => String(value(row) ?? ''))),
      by: user.Name,
      at: momentIn(user.TimeZone),
    })
  }),

  handle(contract.getPublishedOutcomes, async ({ db, params }) => {
    const programId = params.program
    await workOn(db, [programId])
    const { IsPublic, Introduction } = await getPublication(db, programId)
    const program = IsPublic ? await findProgramContext(db, programId) : undefined
    if (!program) throw fail(graduateFailures.no_page)
    const { measures } = await measured(db, program)
    return {
      Program: program.Name,
      College: program.CollegeName,
      Introduction,
      Measures: measures
        .filter(({ IsPublished }) => IsPublished)
        .map(({ Name, Kind, Success, Population, WithinMonths, Target, FewestShown, Result }) => ({
          Name,
          Kind,
          Success,
          Population,
          WithinMonths,
          Target,
          Against: Result.Against,
          FewestShown,
          ...publishedOf(Result, FewestShown),
        })),
    }
  }),
]
