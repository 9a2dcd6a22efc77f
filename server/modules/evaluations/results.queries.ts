import { sql } from 'kysely'
import { alphabetical } from '#contract/core/alphabet.ts'
import type {
  ResultFilters,
  ResultGroup,
  ResultRow,
  ResultSort,
  ResultSummary,
} from '#contract/evaluations/evaluation-results.ts'
import type { Db } from '#server/core/database/pool.ts'
import { type Period, splitMonths, wholeMonths } from '#server/core/runtime/months.ts'

/** Answers of an anonymous form show in wholes of this many, and whoever compares themselves does so with as many others. */
export const fewest = 3

type Part = ReturnType<typeof sql>

export interface ResultScope {
  filter: ResultFilters
  /** Only what is about this person and shown to them; comparisons then are with three others at least, item by item. */
  own?: { accountId: number }
  /** Rows of these people, and of these sites where a form is about no person, of all that the filter has; sums stay those of all. */
  only?: { subjectIds: number[]; siteIds: number[] }
}

/** What is kept of answers and adds up. */
const figureNames = [
  ...['answers', 'scores', 'shares', 'low'],
  ...['fifth_1', 'fifth_2', 'fifth_3', 'fifth_4', 'fifth_5'],
]
const figures = sql.join(figureNames.map((name) => sql.ref(name)))
const sumsOf = (names: readonly string[]): Part =>
  sql.join(names.map((name) => sql`sum(${sql.ref(`s.${name}`)})::bigint as ${sql.ref(name)}`))

const inPeriod = (column: string, { from, through }: Period): Part =>
  sql`${from === null ? sql`true` : sql`${sql.ref(column)} >= ${from}::date`}
    and ${through === null ? sql`true` : sql`${sql.ref(column)} <= ${through}::date`}`

const periodOf = ({ filter }: ResultScope): Period => ({
  from: filter.FromDate ?? null,
  through: filter.ThroughDate ?? null,
})

const subjectOf = ({ filter, own }: ResultScope): number[] => [
  ...(own ? [own.accountId] : []),
  ...(filter.SubjectId ? [filter.SubjectId] : []),
]

/** Whether only answers about some of the people and sites are asked for. */
const isNarrowed = (scope: ResultScope): boolean =>
  subjectOf(scope).length > 0 || scope.filter.SiteId !== undefined || scope.filter.AreaId !== undefined

/** Whether only answers to some of the items are asked for. */
const hasItems = ({ filter, own }: ResultScope): boolean =>
  own !== undefined || Boolean(filter.TemplateId ?? filter.ItemId ?? filter.CategoryId)

/** The items whose answers are asked for at all, with what they are part of. Who the answers are about comes later. */
const items = (programId: number, { filter }: ResultScope): Part => sql`
  items as materialized (
    select i.id, i.text, i.category_id, c.name as category, i.template_id, t.title as template, t.is_shown_to_subject
    from evaluation_item i
    join evaluation_category c on c.program_id = i.program_id and c.id = i.category_id
    join evaluation_template t on t.program_id = i.program_id and t.id = i.template_id
    where i.program_id = ${programId}
      ${filter.TemplateId ? sql`and i.template_id = ${filter.TemplateId}` : sql``}
      ${filter.ItemId ? sql`and i.id = ${filter.ItemId}` : sql``}
      ${filter.CategoryId ? sql`and i.category_id = ${filter.CategoryId}` : sql``})`

/** What the whole program reached in the period, by item and month. */
const totals = (programId: number, scope: ResultScope): Part => {
  const period = inPeriod('date', periodOf(scope))
  return sql`
  totals as materialized (
    select 0 as subject_id, 0 as site_id, s.item_id, date_trunc('month', s.date)::date as month, ${sumsOf(figureNames)}
    from (
      select item_id, date, ${figures} from evaluation_item_day where program_id = ${programId} and ${period}
      union all
      select item_id, date, ${figures} from evaluation_three where program_id = ${programId} and waiting = 0 and ${period}) s
    where s.item_id in (select id from items) group by 3, 4 having sum(s.answers) > 0)`
}

/** Which person and site rows are of; 0 is none. A form about no person is about its site. */
const aboutOf: Partial<Record<ResultGroup, Part>> = {
  subject: sql`s.subject_id, case when s.subject_id = 0 then s.site_id else 0 end as site_id`,
  site: sql`0 as subject_id, s.site_id`,
}
const aboutNobody = sql`0 as subject_id, 0 as site_id`

/**
 * What was reached by those who are asked for, by item and what tells rows apart. The months and fifths of everybody are in
 * the totals.
 */
const parts = (
  programId: number,
  scope: ResultScope,
  by: ResultGroup,
  { isByItem = true }: { isByItem?: boolean } = {},
): Part => {
  const { filter, own, only } = scope
  const narrowed = isNarrowed(scope)
  const { from, through } = periodOf(scope)
  const months = splitMonths(from ?? undefined, through ?? undefined)
  const whole = wholeMonths(months)
  const about = sql.join(
    [
      sql`program_id = ${programId}`,
      ...subjectOf(scope).map((id) => sql`subject_id = ${id}`),
      ...(filter.SiteId ? [sql`site_id = ${filter.SiteId}`] : []),
      ...(only
        ? [
            sql`(subject_id = any (${only.subjectIds}::bigint[]) or subject_id = 0 and site_id = any (${only.siteIds}::bigint[]))`,
          ]
        : []),
    ],
    sql` and `,
  )
  const sources = [
    ...(whole
      ? [
          sql`select subject_id, site_id, item_id, month, ${figures} from evaluation_item_month
            where ${about} and ${inPeriod('month', whole)}`,
        ]
      : []),
    ...months.days.map(
      (days) =>
        sql`select subject_id, site_id, item_id, month, ${figures} from counted_answer
          where ${about} and ${inPeriod('date', days)}`,
    ),
    sql`select subject_id, site_id, item_id, date_trunc('month', date)::date as month, ${figures} from evaluation_three
      where ${about} and waiting = 0 and ${inPeriod('date', periodOf(scope))}`,
  ]
  return sql`
  parts as materialized (
    select ${aboutOf[by] ?? aboutNobody}, ${isByItem ? sql`s.item_id` : sql`null::bigint as item_id`},
      ${narrowed ? sql`s.month, ${sumsOf(figureNames)}` : sql`null::date as month, ${sumsOf(figureNames.slice(0, 4))}`}
    from (${sql.join(sources, sql` union all `)}) s
    ${isByItem || hasItems(scope) ? sql`join items i on i.id = s.item_id ${own ? sql`and i.is_shown_to_subject` : sql``}` : sql``}
    ${
      filter.AreaId
        ? sql`left join account u on u.program_id = ${programId} and u.id = s.subject_id
            left join site x on x.program_id = ${programId} and x.id = s.site_id
            where coalesce(u.area_id, x.area_id) = ${filter.AreaId}`
        : sql``
    }
    group by 1, 2, 3, 4 having sum(s.answers) > 0)`
}

/** What rows are of: told apart by `by`, named after an item, person or site of theirs. */
const groups: Record<ResultGroup, { by: Part; key: Part; name: Part; detail: Part }> = {
  item: {
    by: sql`g.item_id`,
    key: sql`'item-' || g.item_id`,
    name: sql`i.text`,
    detail: sql`i.category || ' · ' || i.template`,
  },
  category: {
    by: sql`i.category_id`,
    key: sql`'category-' || g.category_id`,
    name: sql`i.category`,
    detail: sql`i.template`,
  },
  template: {
    by: sql`i.template_id`,
    key: sql`'template-' || g.template_id`,
    name: sql`i.template`,
    detail: sql`''`,
  },
  subject: {
    by: sql`g.subject_id, g.site_id`,
    key: sql`case when g.subject_id <> 0 then 'subject-' || g.subject_id
      when g.site_id <> 0 then 'site-' || g.site_id else 'program' end`,
    name: sql`coalesce(listed_name(u.last_name, u.first_name), s.name, '')`,
    detail: sql`''`,
  },
  site: {
    by: sql`g.site_id`,
    key: sql`case when g.site_id <> 0 then 'site-' || g.site_id else 'program' end`,
    name: sql`coalesce(s.name, '')`,
    detail: sql`''`,
  },
  period: {
    by: sql`g.month`,
    key: sql`to_char(g.month, 'YYYY-MM')`,
    name: sql`to_char(g.month, 'YYYY-MM')`,
    detail: sql`''`,
  },
}

/** The id where every answer of the group has the same one. */
const common = (column: string): Part =>
  sql`case when min(${sql.ref(column)}) = max(${sql.ref(column)}) then min(${sql.ref(column)}) end`

/** Shares are kept in ten-thousandths. Rounded first where a mean of thirds falls short of a half by its last digit. */
const percentOf = (shares: Part, answers: Part): Part =>
  sql`round(round(${shares}::numeric / nullif(100 * ${answers}, 0), 8), 1)`
const percent = percentOf(sql`sum(g.shares)`, sql`sum(g.answers)`)

/**
 * The results of the answers in scope: a row for each group, and the summary over all of them. Kept sums are added up:
 * those of the whole program, and those of the people and sites where some are asked for or told apart.
 */
export const readResults = async (
  db: Db,
  programId: number,
  scope: ResultScope,
  by: ResultGroup,
): Promise<{ rows: ResultRow[]; summary: ResultSummary }> => {
  const { own } = scope
  const group = groups[by]
  const narrowed = isNarrowed(scope)
  const tellsApart = by === 'subject' || by === 'site'
  const chosen = narrowed ? sql`parts` : sql`totals`
  // Of months the comparison is with the month, of everything else with the items.
  const average =
    by === 'period'
      ? sql`(select month, sum(shares) / sum(answers) as share from totals group by 1) a on a.month = g.month`
      : sql`(select t.item_id, t.shares::numeric / t.answers as share, t.answers - coalesce(p.answers, 0) as others
          from (select item_id, sum(shares) as shares, sum(answers) as answers from totals group by 1) t
          left join (${own ? sql`select item_id, sum(answers) as answers from parts group by 1` : sql`select 0::bigint as item_id, 0 as answers where false`}) p
            on p.item_id = t.item_id) a on a.item_id = g.item_id`
  const reached = percentOf(sql`sum(g.answers * a.share)`, sql`sum(g.answers)`)
  // Whoever compares themselves with one or two others would read their scores.
  const compared = own ? sql`case when min(a.others) >= ${sql.lit(fewest)} then ${reached} end` : reached
  const fifths = figureNames.slice(-5).map((name) => sql`coalesce(sum(${sql.ref(`g.${name}`)}), 0)`)
  const { rows } = await sql<{ rows: ResultRow[]; summary: ResultSummary }>`
    with ${items(programId, scope)}, ${totals(programId, scope)}
    ${narrowed || tellsApart ? sql`, ${parts(programId, scope, by)}` : sql``},
    grouped as (
      select min(g.subject_id) as subject_id, min(g.site_id) as site_id, ${by === 'period' ? sql`g.month,` : sql``}
        min(g.item_id) as item_id, min(i.category_id) as category_id, min(i.template_id) as template_id,
        ${common('g.item_id')} as common_item, ${common('i.category_id')} as common_category,
        ${common('i.template_id')} as common_template, sum(g.answers) as answers,
        case when min(g.item_id) = max(g.item_id) then round(sum(g.scores) / (100 * sum(g.answers)), 2) end as mean,
        ${percent} as percent, ${compared} as program_percent, sum(g.low) as low
      from ${narrowed || tellsApart ? sql`parts` : sql`totals`} g join items i on i.id = g.item_id join ${average}
      group by ${group.by}),
    rows as (
      select ${group.key} as "Key", ${group.name} as "Name", ${group.detail} as "Detail", g.common_template as "TemplateId",
        g.common_item as "ItemId", g.common_category as "CategoryId", 
        coalesce(nullif(g.subject_id, 0), ${subjectOf(scope)[0] ?? null}::bigint) as "SubjectId",
        coalesce(nullif(g.site_id, 0), ${scope.filter.SiteId ?? null}::bigint) as "SiteId", g.answers as "Answers", g.mean as "Mean", g.percent as "Percent",
        g.program_percent as "ProgramPercent", g.low as "Low"
      from grouped g join items i on i.id = g.item_id
      left join account u on u.program_id = ${programId} and u.id = g.subject_id
      left join site s on s.program_id = ${programId} and s.id = g.site_id),
    trend as (
      select to_char(t.month, 'YYYY-MM') as "Month", c.percent as "Percent",
        ${own ? sql`null::numeric` : sql`t.percent`} as "ProgramPercent"
      from (select g.month, ${percent} as percent from totals g group by 1) t
      left join (select g.month, ${percent} as percent from ${chosen} g group by 1) c on c.month = t.month)
    select coalesce((select json_agg(rows) from rows), '[]') as rows,
      json_build_object(
        'Totals', (select json_build_object('Answers', coalesce(sum(g.answers), 0), 'Percent', ${percent},
            'ProgramPercent', ${compared}, 'Low', coalesce(sum(g.low), 0)) from ${chosen} g join ${average}),
        'Trend', coalesce((select json_agg(trend order by "Month") from trend), '[]'),
        'Fifths', (select json_build_array(${sql.join(fifths)}) from ${chosen} g),
        'IsHeldBack', exists (select from evaluation_three t join items i on i.id = t.item_id where t.program_id = ${programId}
          and t.waiting > 0 and ${own ? sql`t.subject_id = ${own.accountId} and i.is_shown_to_subject` : sql`true`})) as summary`.execute(
    db,
  )
  return rows[0]!
}

type Sortable = Pick<ResultRow, 'Key' | 'Name' | 'Answers' | 'Percent' | 'Low'>

/** Rows in the order asked for; the same value by name. */
export const sortResults = <Row extends Sortable>(rows: readonly Row[], sort: ResultSort): Row[] => {
  const isDown = sort.startsWith('-')
  const field = sort.replace('-', '') as 'Name' | 'Answers' | 'Percent' | 'Low'
  return rows.toSorted((one, other) => {
    const order = field === 'Name' ? alphabetical(one.Name, other.Name) : one[field] - other[field]
    return (isDown ? -order : order) || alphabetical(one.Name, other.Name) || alphabetical(one.Key, other.Key)
  })
}

/** What everybody's answers come to, without the items that comparisons need: enough to put a page in its order. */
const readSubjects = async (db: Db, programId: number, scope: ResultScope) => {
  const { key, name } = groups.subject
  const { rows } = await sql<Sortable & { subjectId: number; siteId: number }>`
    with ${items(programId, scope)}, ${parts(programId, scope, 'subject', { isByItem: false })}
    select g.subject_id as "subjectId", g.site_id as "siteId", ${key} as "Key", ${name} as "Name", g.answers as "Answers",
      ${percentOf(sql`g.shares`, sql`g.answers`)} as "Percent", g.low as "Low"
    from parts g
    left join account u on u.program_id = ${programId} and u.id = g.subject_id
    left join site s on s.program_id = ${programId} and s.id = g.site_id`.execute(db)
  return rows
}

/**
 * A page of the rows of `readResults`, and the summary over all of them. By subject a large program has thousands of rows: they
 * are put in order by what they come to as a whole, and only those of the page are compared, item by item.
 */
export const pageResults = async (
  db: Db,
  programId: number,
  scope: ResultScope,
  { by, sort, page, pageSize }: { by: ResultGroup; sort: ResultSort; page: number; pageSize: number },
): Promise<{ Items: ResultRow[]; Total: number; summary: ResultSummary }> => {
  const part = <Row>(rows: readonly Row[]) => rows.slice((page - 1) * pageSize, page * pageSize)
  if (by !== 'subject' || isNarrowed(scope)) {
    const { rows, summary } = await readResults(db, programId, scope, by)
    return { Items: part(sortResults(rows, sort)), Total: rows.length, summary }
  }
  const subjects = await readSubjects(db, programId, scope)
  const shown = part(sortResults(subjects, sort))
  const only = {
    subjectIds: shown.flatMap(({ subjectId }) => (subjectId === 0 ? [] : [subjectId])),
    siteIds: shown.flatMap(({ subjectId, siteId }) => (subjectId === 0 ? [siteId] : [])),
  }
  const { rows, summary } = await readResults(db, programId, { ...scope, only }, by)
  return { Items: sortResults(rows, sort), Total: subjects.length, summary }
}
