import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays } from '#contract/core/calendar.ts'
import {
  getEvaluationResults,
  getOwnResults,
  type ResultFilters,
  type ResultGroup,
  resultGroups,
} from '#contract/evaluations/evaluation-results.ts'
import {
  applyChange,
  change,
  days,
  firstDay,
  type Started,
  startHistory,
} from '#server/test/evaluation-histories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { raceChanges } from '#server/test/racing.ts'
import { recount, wrongSums } from '#server/test/stored-sums.ts'
import { evaluationSums } from './evaluation-sums.commands.ts'
import { checkEvaluationSums } from './sums.jobs.ts'

let installation: Installation

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())

interface Answer {
  template_id: number
  category_id: number
  item_id: number
  subject_id: number
  site_id: number | null
  area_id: number | null
  date: string
  score: number
  share: number | null
  is_low: boolean
  number: number | null
}

/** Every answer that may be shown, read one by one: anonymous ones in whole threes by the day of the last. */
const shownAnswers = async ({ program }: Started): Promise<{ shown: Answer[]; waiting: Answer[] }> => {
  const { rows } = await installation.owner.query<Answer>(
    `select e.template_id, i.category_id, a.item_id, e.subject_id, e.site_id, coalesce(u.area_id, s.area_id) as area_id, e.date,
      a.score, a.scale_share as share, a.is_low, e.anonymous_number as number
    from evaluation e join evaluation_answer a on a.program_id = e.program_id and a.evaluation_id = e.id
    join evaluation_item i on i.program_id = a.program_id and i.id = a.item_id
    join account u on u.id = e.subject_id left join site s on s.id = e.site_id
    where e.program_id = $1 and e.is_completed and e.deleted_at is null and a.score is not null
    order by e.anonymous_number`,
    [program.Id],
  )
  const shown = rows.filter(({ number }) => number === null)
  const waiting: Answer[] = []
  const threes = Map.groupBy(
    rows.filter(({ number }) => number !== null),
    ({ item_id, subject_id, site_id }) => `${item_id} ${subject_id} ${site_id}`,
  )
  for (const answers of threes.values()) {
    const whole = answers.length - (answers.length % 3)
    for (let at = 0; at < whole; at += 3) {
      const three = answers.slice(at, at + 3)
      const date = three.map((answer) => answer.date).toSorted()[2]!
      shown.push(...three.map((answer) => ({ ...answer, date })))
    }
    waiting.push(...answers.slice(whole))
  }
  return { shown: shown.filter(({ share }) => share !== null), waiting }
}

const average = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length
/** Rounded as the database rounds: halves up, whatever a sum of fractions left behind. */
const rounded = (value: number, places: number): number =>
  Math.round(value * 10 ** places + 1e-9) / 10 ** places
const shareOf = (answers: readonly Answer[]): number => average(answers.map(({ share }) => share!))
const percentOf = (answers: readonly Answer[]): number | null =>
  answers.length === 0 ? null : rounded(shareOf(answers) * 100, 1)
const keyOf: Record<ResultGroup, (answer: Answer) => string> = {
  item: ({ item_id }) => `item-${item_id}`,
  category: ({ category_id }) => `category-${category_id}`,
  template: ({ template_id }) => `template-${template_id}`,
  subject: ({ subject_id }) => `subject-${subject_id}`,
  site: ({ site_id }) => (site_id === null ? 'program' : `site-${site_id}`),
  period: ({ date }) => date.slice(0, 7),
}

/** What the page shows, by hand from answers. `own`: whose own results these are. */
const byHand = (
  { shown, waiting }: Awaited<ReturnType<typeof shownAnswers>>,
  filter: ResultFilters,
  by: ResultGroup,
  own?: number,
) => {
  const isOfForms = (answer: Answer) =>
    (!filter.TemplateId || answer.template_id === filter.TemplateId) &&
    (!filter.ItemId || answer.item_id === filter.ItemId) &&
    (!filter.CategoryId || answer.category_id === filter.CategoryId)
  const all = shown.filter(
    (answer) =>
      isOfForms(answer) &&
      (!filter.FromDate || answer.date >= filter.FromDate) &&
      (!filter.ThroughDate || answer.date <= filter.ThroughDate),
  )
  const isChosen = (answer: Answer) =>
    (own === undefined || answer.subject_id === own) &&
    (!filter.SubjectId || answer.subject_id === filter.SubjectId) &&
    (!filter.SiteId || answer.site_id === filter.SiteId) &&
    (!filter.AreaId || answer.area_id === filter.AreaId)
  const chosen = all.filter(isChosen)
  const compared = (answers: readonly Answer[]): number | null => {
    const alike = by === 'period' ? keyOf.period : keyOf.item
    const others = answers.map(
      (answer) => all.filter((each) => keyOf.item(each) === keyOf.item(answer) && !isChosen(each)).length,
    )
    if (answers.length === 0 || (own !== undefined && Math.min(...others) < 3)) return null
    return rounded(
      average(answers.map((answer) => shareOf(all.filter((each) => alike(each) === alike(answer))) * 100)),
      1,
    )
  }
  const low = (answers: readonly Answer[]) => answers.filter(({ is_low }) => is_low).length
  const months = Map.groupBy(all, keyOf.period)
  return {
    Items: [...Map.groupBy(chosen, keyOf[by])]
      .map(([Key, answers]) => ({
        Key,
        Answers: answers.length,
        Mean:
          new Set(answers.map(keyOf.item)).size === 1
            ? rounded(average(answers.map(({ score }) => score)), 2)
            : null,
        Percent: percentOf(answers),
        ProgramPercent: compared(answers),
        Low: low(answers),
      }))
      .toSorted((one, other) => (one.Key < other.Key ? -1 : 1)),
    Totals: {
      Answers: chosen.length,
      Percent: percentOf(chosen),
      ProgramPercent: compared(chosen),
      Low: low(chosen),
    },
    Trend: [...months.keys()].toSorted().map((Month) => ({
      Month,
      Percent: percentOf(chosen.filter((answer) => keyOf.period(answer) === Month)),
      ProgramPercent: own === undefined ? percentOf(months.get(Month)!) : null,
    })),
    Fifths: [0, 1, 2, 3, 4].map(
      (fifth) => chosen.filter(({ share }) => Math.min(Math.floor(share! * 5), 4) === fifth).length,
    ),
    IsHeldBack: waiting.some(
      (answer) => isOfForms(answer) && (own === undefined || answer.subject_id === own),
    ),
  }
}

const told = ({ Items, Totals, Trend, Fifths, IsHeldBack }: ReturnType<typeof byHand>) => ({
  Items: Items.map(({ Key, Answers, Mean, Percent, ProgramPercent, Low }) => ({
    Key,
    Answers,
    Mean,
    Percent,
    ProgramPercent,
    Low,
  })).toSorted((one, other) => (one.Key < other.Key ? -1 : 1)),
  Totals,
  Trend,
  Fifths,
  IsHeldBack,
})

const asked = fc.record({
  by: fc.constantFrom(...resultGroups),
  from: fc.option(fc.nat(days)),
  length: fc.option(fc.nat(days)),
  narrow: fc.constantFrom('', 'TemplateId', 'ItemId', 'SubjectId', 'SiteId', 'AreaId', 'SubjectId SiteId'),
  number: fc.nat(5),
})

const expectSame = async (
  started: Started,
  students: readonly Caller[],
  areas: readonly number[],
  questions: readonly (typeof asked extends fc.Arbitrary<infer Asked> ? Asked : never)[],
): Promise<void> => {
  const { director, program, templates, subjects, sites } = started
  const answers = await shownAnswers(started)
  for (const { by, from, length, narrow, number } of questions) {
    const template = templates[number % 3]!
    const values = {
      TemplateId: template.id,
      ItemId: template.items[number % 2],
      SubjectId: subjects[number % 2],
      SiteId: sites[number % 2]!,
      AreaId: areas[number % 2],
    }
    const filter: ResultFilters = {
      ...Object.fromEntries(Object.entries(values).filter(([name]) => narrow.split(' ').includes(name))),
      ...(from !== null && { FromDate: addDays(firstDay, from) }),
      ...(length !== null && { ThroughDate: addDays(firstDay, (from ?? 0) + length) }),
    }
    const query = { ...filter, By: by, pageSize: 100 }
    const found = await director.ok(getEvaluationResults, { params: { programId: program.Id }, query })
    expect(told(found as never), JSON.stringify(query)).toEqual(byHand(answers, filter, by))
  }
  for (const [index, student] of students.entries()) {
    const found = await student.ok(getOwnResults, { query: {} })
    expect(told(found as never)).toEqual(byHand(answers, {}, 'item', subjects[index]))
  }
}

/** The students with an area each, the sites in the other one: an answer's area is that of whom it is about. */
const begin = async () => {
  const started = await startHistory(installation)
  const { owner } = installation
  const areas: number[] = []
  for (const name of ['North', 'South']) {
    const { rows } = await owner.query(
      'insert into area (program_id, name) values ($1, $2) returning id::integer',
      [started.program.Id, name],
    )
    areas.push(rows[0].id)
  }
  await owner.query('update account set area_id = $2 where id = $1', [started.subjects[0], areas[0]])
  await owner.query('update site set area_id = $2 where program_id = $1', [started.program.Id, areas[1]])
  const students: Caller[] = []
  for (const Id of started.subjects) students.push(await installation.as({ Id }))
  return { started, areas, students }
}

const wrongSumsOf = ({ program }: Started) => wrongSums(installation.owner, evaluationSums, program.Id)

test('D3-074 results and own results of kept sums are what counting every answer by hand finds', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.tuple(
          fc.array(change, { minLength: 12, maxLength: 40 }),
          fc.array(asked, { minLength: 6, maxLength: 10 }),
        ),
        {
          minLength: 2,
          maxLength: 3,
        },
      ),
      async (rounds) => {
        const { started, areas, students } = await begin()
        for (const [changes, questions] of rounds) {
          for (const each of changes) await applyChange(installation, started, each)
          await expectSame(started, students, areas, questions)
          expect(await wrongSumsOf(started)).toEqual([])
        }
      },
    ),
    { numRuns: 8, endOnFailure: true },
  )
}, 240_000)

test('D3-074 several who submit, change and delete at once leave sums that are right', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { minLength: 50, maxLength: 90 }),
      fc.array(asked, { minLength: 4, maxLength: 6 }),
      async (changes, questions) => {
        const { started, areas, students } = await begin()
        await Promise.all([
          raceChanges(installation, changes, (each) => applyChange(installation, started, each), 3),
          recount(installation, evaluationSums, started.program.Id),
        ])
        expect(await wrongSumsOf(started)).toEqual([])
        await expectSame(started, students, areas, questions)
      },
    ),
    { numRuns: 5, endOnFailure: true },
  )
}, 240_000)

test('D3-074 the nightly proof names a sum that is wrong, and a recount repairs it', async () => {
  const { started } = await begin()
  const { owner } = installation
  const { Id } = started.program
  for (let evaluation = 0; evaluation < 36; evaluation++)
    await applyChange(installation, started, { kind: 'submit', evaluation, value: 1 + (evaluation % 5) })
  const check = () => checkEvaluationSums.work({}, installation.services)
  await expect(check()).resolves.toBeUndefined()
  for (const [table, column] of [
    ['evaluation_sum', 'low'],
    ['evaluation_item_day', 'fifth_3'],
    ['evaluation_item_month', 'scores'],
    ['evaluation_three', 'shares'],
  ]) {
    const { rowCount } = await owner.query(
      `update ${table} set ${column} = ${column} + 1 where program_id = $1 and answers > 0`,
      [Id],
    )
    await expect(check()).rejects.toThrow(`program ${Id}: ${rowCount} of ${table}`)
    await recount(installation, evaluationSums, Id)
    await expect(check()).resolves.toBeUndefined()
  }
})
