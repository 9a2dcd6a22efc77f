import { sql } from 'kysely'
import type {
  ResultComment,
  ResultFilters,
  ResultGroup,
  ResultRow,
  ResultSort,
  ResultSummary,
} from '#contract/evaluations/evaluation-results.ts'
import type { Db } from '#server/core/database/pool.ts'

/** Answers of an anonymous form show in wholes of this many. */
const fewest = 3

type Part = ReturnType<typeof sql>

export interface ResultScope {
  filter: ResultFilters
  /** Only what is about this person and shown to her; comparisons then are with three others at least, item by item. */
  own?: { accountId: number }
}

/** Which answers are asked for at all: template, category and item. Who they are about comes later, for the comparison. */
const ofForms = ({ filter }: ResultScope): Part[] => [
  ...(filter.TemplateId ? [sql`e.template_id = ${filter.TemplateId}`] : []),
  ...(filter.ItemId ? [sql`a.item_id = ${filter.ItemId}`] : []),
  ...(filter.CategoryId ? [sql`i.category_id = ${filter.CategoryId}`] : []),
]

const aboutThem = ({ filter, own }: ResultScope): Part => {
  const parts = [
    ...(own ? [sql`r.subject_id = ${own.accountId} and r.is_shown_to_subject`] : []),
    ...(filter.SubjectId ? [sql`r.subject_id = ${filter.SubjectId}`] : []),
    ...(filter.SiteId ? [sql`r.site_id = ${filter.SiteId}`] : []),
    ...(filter.AreaId ? [sql`coalesce(u.area_id, s.area_id) = ${filter.AreaId}`] : []),
  ]
  return parts.length === 0 ? sql`true` : sql.join(parts, sql` and `)
}

const inPeriod = ({ filter }: ResultScope): Part =>
  sql`${filter.FromDate ? sql`r.date >= ${filter.FromDate}::date` : sql`true`}
    and ${filter.ThroughDate ? sql`r.date <= ${filter.ThroughDate}::date` : sql`true`}`

/** Answers of named forms are in the period by their own day: the others need not be read. Anonymous ones make threes first. */
const early = (scope: ResultScope): Part[] =>
  scope.filter.FromDate || scope.filter.ThroughDate
    ? [
        sql`(t.is_anonymous or (${scope.filter.FromDate ? sql`e.date >= ${scope.filter.FromDate}::date` : sql`true`}
          and ${scope.filter.ThroughDate ? sql`e.date <= ${scope.filter.ThroughDate}::date` : sql`true`}))`,
      ]
    : []

/**
 * The answers that may be shown, as `released`. Those of anonymous forms are put into threes before any filter: of one
 * item about one subject at one site, in the order in which they were submitted, dated by the last of the three; what is
 * over waits. Every filter takes a three whole or not at all, so no two results differ by fewer than three answers.
 */
const released = (programId: number, scope: ResultScope, wanted: Part) => sql`
  answers as materialized (
    select a.item_id, i.category_id, e.template_id, e.id as evaluation_id, e.subject_id, e.site_id, e.date, e.anonymous_number,
      t.is_anonymous, t.is_shown_to_subject, a.score, a.scale_share, a.is_low, a.score_value_id, a.text, a.comment
    from evaluation e
    join evaluation_template t on t.program_id = e.program_id and t.id = e.template_id
    join evaluation_answer a on a.program_id = e.program_id and a.evaluation_id = e.id
    join evaluation_item i on i.program_id = a.program_id and i.id = a.item_id
    where ${sql.join([sql`e.program_id = ${programId} and e.is_completed and e.deleted_at is null`, wanted, ...ofForms(scope), ...early(scope)], sql` and `)}),
  placed as (
    select *, (row_number() over (partition by item_id, subject_id, site_id order by anonymous_number) - 1) / ${sql.lit(fewest)} as three
    from answers where is_anonymous),
  threes as (
    select *, max(date) over three_of as last_date, count(*) over three_of as size
    from placed window three_of as (partition by item_id, subject_id, site_id, three)),
  released as materialized (
    select r.*, ${aboutThem(scope)} as is_chosen from (
      select item_id, category_id, template_id, evaluation_id, subject_id, site_id, is_shown_to_subject, is_anonymous, date,
        score, scale_share, is_low, score_value_id, text, comment
      from answers where not is_anonymous
      union all
      select item_id, category_id, template_id, evaluation_id, subject_id, site_id, is_shown_to_subject, is_anonymous, last_date,
        score, scale_share, is_low, score_value_id, text, comment
      from threes where size = ${sql.lit(fewest)}) r
    left join account u on u.program_id = ${programId} and u.id = r.subject_id
    left join site s on s.program_id = ${programId} and s.id = r.site_id
    where ${inPeriod(scope)})`

const groups: Record<ResultGroup, { key: Part; name: Part; detail: Part }> = {
  item: {
    key: sql`'item-' || g.item_id`,
    name: sql`min(i.text)`,
    detail: sql`min(c.name) || ' · ' || min(t.title)`,
  },
  category: { key: sql`'category-' || g.category_id`, name: sql`min(c.name)`, detail: sql`min(t.title)` },
  template: { key: sql`'template-' || g.template_id`, name: sql`min(t.title)`, detail: sql`''` },
  subject: {
    key: sql`case when g.subject_id is not null then 'subject-' || g.subject_id
      when g.site_id is not null then 'site-' || g.site_id else 'program' end`,
    name: sql`coalesce(min(u.last_name || ', ' || u.first_name), min(s.name), '')`,
    detail: sql`''`,
  },
  site: {
    key: sql`coalesce('site-' || g.site_id, 'program')`,
    name: sql`coalesce(min(s.name), '')`,
    detail: sql`''`,
  },
  period: { key: sql`g.month`, name: sql`g.month`, detail: sql`''` },
}

/** The id where every answer of the group has the same one. */
const common = (column: string): Part =>
  sql`case when min(${sql.ref(column)}) = max(${sql.ref(column)}) and count(${sql.ref(column)}) = count(*) then min(${sql.ref(column)}) end`

const percent = (share: Part): Part => sql`round(100 * ${share}, 1)`

/** The results of the answers in scope: a row for each group, and the summary over all of them. */
export const readResults = async (
  db: Db,
  programId: number,
  scope: ResultScope,
  by: ResultGroup,
): Promise<{ rows: ResultRow[]; summary: ResultSummary }> => {
  const group = groups[by]
  const comparison = by === 'period' ? sql`avg(g.month_share)` : sql`avg(g.item_share)`
  // Whoever compares herself with one or two others would read their scores.
  const compared = scope.own
    ? sql`case when min(g.item_others) filter (where g.is_chosen) >= ${sql.lit(fewest)} then ${percent(sql`avg(g.item_share) filter (where g.is_chosen)`)} end`
    : percent(sql`${comparison} filter (where g.is_chosen)`)
  const { rows } = await sql<{ rows: ResultRow[]; summary: ResultSummary }>`
    with ${released(programId, scope, sql`a.score is not null`)},
    graded as materialized (
      select r.*, to_char(r.date, 'YYYY-MM') as month, avg(r.scale_share) over (partition by r.item_id) as item_share,
        avg(r.scale_share) over (partition by to_char(r.date, 'YYYY-MM')) as month_share,
        count(*) filter (where not r.is_chosen) over (partition by r.item_id) as item_others
      from released r where r.scale_share is not null),
    rows as (
      select ${group.key} as "Key", ${group.name} as "Name", ${group.detail} as "Detail", ${common('g.template_id')} as "TemplateId",
        ${common('g.item_id')} as "ItemId", ${common('g.category_id')} as "CategoryId", ${common('g.subject_id')} as "SubjectId",
        ${common('g.site_id')} as "SiteId", count(*) as "Answers",
        case when min(g.item_id) = max(g.item_id) then round(avg(g.score), 2) end as "Mean",
        ${percent(sql`avg(g.scale_share)`)} as "Percent", ${compared} as "ProgramPercent",
        count(*) filter (where g.is_low) as "Low"
      from graded g
      join evaluation_template t on t.program_id = ${programId} and t.id = g.template_id
      join evaluation_item i on i.program_id = ${programId} and i.id = g.item_id
      join evaluation_category c on c.program_id = ${programId} and c.id = g.category_id
      left join account u on u.program_id = ${programId} and u.id = g.subject_id
      left join site s on s.program_id = ${programId} and s.id = g.site_id
      where g.is_chosen group by 1),
    trend as (
      select g.month as "Month", ${percent(sql`avg(g.scale_share) filter (where g.is_chosen)`)} as "Percent",
        ${scope.own ? sql`null::numeric` : percent(sql`avg(g.scale_share)`)} as "ProgramPercent"
      from graded g group by g.month)
    select coalesce((select json_agg(rows) from rows), '[]') as rows,
      json_build_object(
        'Totals', (select json_build_object('Answers', count(*) filter (where g.is_chosen),
            'Percent', ${percent(sql`avg(g.scale_share) filter (where g.is_chosen)`)},
            'ProgramPercent', ${compared},
            'Low', count(*) filter (where g.is_chosen and g.is_low)) from graded g),
        'Trend', coalesce((select json_agg(trend order by "Month") from trend), '[]'),
        'Fifths', (select json_build_array(${sql.join(
          [1, 2, 3, 4, 5].map(
            (fifth) =>
              sql`count(*) filter (where least(floor(g.scale_share * 5), 4) + 1 = ${sql.lit(fifth)})`,
          ),
        )}) from graded g where g.is_chosen),
        'IsHeldBack', exists (select from threes r where r.size < ${sql.lit(fewest)}
          and ${scope.own ? sql`r.subject_id = ${scope.own.accountId} and r.is_shown_to_subject` : sql`true`})) as summary`.execute(
    db,
  )
  return rows[0]!
}

/** Rows in the order asked for; the same value by name. */
export const sortResults = (rows: readonly ResultRow[], sort: ResultSort): ResultRow[] => {
  const isDown = sort.startsWith('-')
  const field = sort.replace('-', '') as 'Name' | 'Answers' | 'Percent' | 'Low'
  const key = (row: ResultRow): string | number => (field === 'Name' ? row.Name.toLowerCase() : row[field])
  return rows.toSorted((one, other) => {
    const [a, b] = [key(one), key(other)]
    const order = a < b ? -1 : a > b ? 1 : 0
    return (isDown ? -order : order) || one.Name.localeCompare(other.Name) || one.Key.localeCompare(other.Key)
  })
}

/**
 * Comments and written answers. Those of anonymous forms are put into threes of their own kind, carry neither score nor
 * date, and come in an order that tells nothing.
 */
export const readComments = async (
  db: Db,
  programId: number,
  scope: ResultScope & { isLowOnly?: boolean },
  { page, pageSize }: { page: number; pageSize: number },
): Promise<{ Items: ResultComment[]; Total: number }> => {
  const said = sql`coalesce(nullif(trim(a.comment), ''), case when i.kind = 'fib' and i.input_type in ('short', 'long')
    then nullif(trim(a.text), '') end) is not null`
  const { rows } = await sql<{ Items: ResultComment[]; Total: number }>`
    with ${released(programId, scope, said)},
    said as (select * from released where is_chosen ${scope.isLowOnly ? sql`and is_low and not is_anonymous` : sql``}),
    page as (
      select i.text as "Item", t.title as "Template", coalesce(u.last_name || ', ' || u.first_name, s.name, '') as "Subject",
        concat_ws(E'\n', nullif(trim(r.text), ''), nullif(trim(r.comment), '')) as "Text",
        case when not r.is_anonymous then v.label end as "Score", r.is_low and not r.is_anonymous as "IsLow",
        case when not r.is_anonymous then r.date end as "Date",
        case when not r.is_anonymous then r.evaluation_id end as "EvaluationId"
      from said r
      join evaluation_template t on t.program_id = ${programId} and t.id = r.template_id
      join evaluation_item i on i.program_id = ${programId} and i.id = r.item_id
      left join score_value v on v.program_id = ${programId} and v.id = r.score_value_id
      left join account u on u.program_id = ${programId} and u.id = r.subject_id
      left join site s on s.program_id = ${programId} and s.id = r.site_id
      order by case when not r.is_anonymous then r.date end desc nulls last,
        md5(concat(r.text, r.comment)), r.item_id
      limit ${pageSize} offset ${(page - 1) * pageSize})
    select coalesce((select json_agg(page) from page), '[]') as "Items", (select count(*) from said) as "Total"`.execute(
    db,
  )
  return rows[0]!
}
