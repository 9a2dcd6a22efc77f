import { sql } from 'kysely'
import type { ResultComment } from '#contract/evaluations/evaluation-results.ts'
import type { Db } from '#server/core/database/pool.ts'
import { fewest, type ResultScope } from './results.queries.ts'

type Part = ReturnType<typeof sql>

/** Which answers are asked for, of which people and sites. A three is of one item about one subject at one site: all of it is. */
const asked = ({ filter, own }: ResultScope): Part[] => [
  ...(own ? [sql`e.subject_id = ${own.accountId} and t.is_shown_to_subject`] : []),
  ...(filter.TemplateId ? [sql`e.template_id = ${filter.TemplateId}`] : []),
  ...(filter.ItemId ? [sql`a.item_id = ${filter.ItemId}`] : []),
  ...(filter.CategoryId ? [sql`i.category_id = ${filter.CategoryId}`] : []),
  ...(filter.SubjectId ? [sql`e.subject_id = ${filter.SubjectId}`] : []),
  ...(filter.SiteId ? [sql`e.site_id = ${filter.SiteId}`] : []),
  ...(filter.AreaId ? [sql`coalesce(u.area_id, s.area_id) = ${filter.AreaId}`] : []),
]

const inPeriod = (date: Part, { filter }: ResultScope): Part =>
  sql`${filter.FromDate ? sql`${date} >= ${filter.FromDate}::date` : sql`true`}
    and ${filter.ThroughDate ? sql`${date} <= ${filter.ThroughDate}::date` : sql`true`}`

/** In which three of its group an anonymous answer is, counted from 0 in the order in which forms were submitted. */
const placeInThrees = (group: Part, order: Part): Part =>
  sql`(row_number() over (partition by ${group} order by ${order}) - 1) / ${sql.lit(fewest)}`

/**
 * Comments and written answers. Those of anonymous forms are put into threes of their own kind before any period is looked
 * at: of one item about one subject at one site, in the order in which they were submitted, dated by the last of the three;
 * what is over waits, and so does a three with a form whose scores still wait. They bear neither score nor date, and come in
 * an order that tells nothing.
 */
export const readComments = async (
  db: Db,
  programId: number,
  scope: ResultScope & { isLowOnly?: boolean },
  { page, pageSize }: { page: number; pageSize: number },
): Promise<{ Items: ResultComment[]; Total: number }> => {
  const isSaid = sql`coalesce(nullif(trim(a.comment), ''), case when i.kind = 'fib' and i.input_type in ('short', 'long')
    then nullif(trim(a.text), '') end) is not null`
  const { rows } = await sql<{ Items: ResultComment[]; Total: number }>`
    with answers as materialized (
      select a.item_id, e.template_id, e.id as evaluation_id, e.subject_id, e.site_id, e.date, e.anonymous_number,
        t.is_anonymous, a.is_low, a.score_value_id, a.text, a.comment
      from evaluation e
      join evaluation_template t on t.program_id = e.program_id and t.id = e.template_id
      join evaluation_answer a on a.program_id = e.program_id and a.evaluation_id = e.id
      join evaluation_item i on i.program_id = a.program_id and i.id = a.item_id
      left join account u on u.program_id = e.program_id and u.id = e.subject_id
      left join site s on s.program_id = e.program_id and s.id = e.site_id
      where ${sql.join([sql`e.program_id = ${programId} and e.is_completed and e.deleted_at is null`, isSaid, ...asked(scope)], sql` and `)}
        and (t.is_anonymous or (${inPeriod(sql`e.date`, scope)}))),
    forms as (
      select *, count(*) over (partition by template_id, subject_id, site_id, three) = ${sql.lit(fewest)} as is_shown
      from (select e.id, e.template_id, e.subject_id, e.site_id, e.anonymous_number,
          ${placeInThrees(sql`e.template_id, e.subject_id, e.site_id`, sql`e.anonymous_number`)} as three
        from evaluation e
        join evaluation_template t on t.program_id = e.program_id and t.id = e.template_id and t.is_anonymous
        where e.program_id = ${programId} and e.is_completed and e.deleted_at is null
          and e.template_id in (select template_id from answers where is_anonymous)) f),
    scores as (
      select *, count(*) over (partition by item_id, subject_id, site_id, three) = ${sql.lit(fewest)} as is_shown
      from (select a.evaluation_id, a.item_id, f.subject_id, f.site_id,
          ${placeInThrees(sql`a.item_id, f.subject_id, f.site_id`, sql`f.anonymous_number`)} as three
        from forms f
        join evaluation_answer a on a.program_id = ${programId} and a.evaluation_id = f.id and a.score is not null
        where a.item_id in (select item_id from answers where is_anonymous and score_value_id is not null)) a),
    threes as (
      select p.*, max(p.date) over three_of as last_date, count(*) over three_of as size,
        bool_and(f.is_shown and coalesce(s.is_shown, true)) over three_of as has_shown_scores
      from (select *, ${placeInThrees(sql`item_id, subject_id, site_id`, sql`anonymous_number`)} as three
        from answers where is_anonymous) p
      join forms f on f.id = p.evaluation_id
      left join scores s on s.evaluation_id = p.evaluation_id and s.item_id = p.item_id
      window three_of as (partition by p.item_id, p.subject_id, p.site_id, p.three)),
    said as (
      select item_id, template_id, subject_id, site_id, text, comment, is_low, date, evaluation_id, score_value_id
      from answers where not is_anonymous ${scope.isLowOnly ? sql`and is_low` : sql``}
      ${
        // Whether an answer of an anonymous form was low would tell its score.
        scope.isLowOnly
          ? sql``
          : sql`union all
            select item_id, template_id, subject_id, site_id, text, comment, false, null, null, null
            from threes where size = ${sql.lit(fewest)} and has_shown_scores and ${inPeriod(sql`last_date`, scope)}`
      }),
    page as (
      select i.text as "Item", t.title as "Template", coalesce(listed_name(u.last_name, u.first_name), s.name, '') as "Subject",
        concat_ws(E'\n', nullif(trim(r.text), ''), nullif(trim(r.comment), '')) as "Text",
        v.label as "Score", r.is_low as "IsLow", r.date as "Date", r.evaluation_id as "EvaluationId"
      from (select * from said order by date desc nulls last, md5(concat(text, comment)), item_id
        limit ${pageSize} offset ${(page - 1) * pageSize}) r
      join evaluation_template t on t.program_id = ${programId} and t.id = r.template_id
      join evaluation_item i on i.program_id = ${programId} and i.id = r.item_id
      left join score_value v on v.program_id = ${programId} and v.id = r.score_value_id
      left join account u on u.program_id = ${programId} and u.id = r.subject_id
      left join site s on s.program_id = ${programId} and s.id = r.site_id
      order by r.date desc nulls last, md5(concat(r.text, r.comment)), r.item_id)
    select coalesce((select json_agg(page) from page), '[]') as "Items", (select count(*) from said) as "Total"`.execute(
    db,
  )
  return rows[0]!
}
