import { type RawBuilder, sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'
import type { CohortInput, CohortRow, PlannedEvaluation } from '#contract/evaluations/evaluation-making.ts'
import type { TemplateDetail, TemplateRule } from '#contract/evaluations/evaluations.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'

const columns = sql`(id bigint, evaluator_role text, subject_role text, make_on text, make_days integer, make_date date,
  make_each text, due_rule text, due_days integer, due_date date, levels smallint[], people bigint[], from_day date,
  until_day date)`

/** One rule as somebody is writing it. */
const writtenRule = (
  templateId: number | null,
  settings: TemplateRule,
  days: number,
): RawBuilder<unknown> => {
  const rule = {
    // A template that is not saved yet has made nothing.
    id: templateId ?? 0,
    evaluator_role: settings.EvaluatorRole,
    subject_role: settings.SubjectRole,
    make_on: settings.MakeOn,
    make_days: settings.MakeDays,
    make_date: settings.MakeDate,
    make_each: settings.MakeEach,
    due_rule: settings.DueRule,
    due_days: settings.DueDays,
    due_date: settings.DueDate,
    levels: settings.StudentLevelIds,
    people: settings.MakePersonIds,
    from_day: settings.AutomaticFrom,
  }
  return sql`select r.id, r.evaluator_role, r.subject_role, r.make_on, r.make_days, r.make_date, r.make_each, r.due_rule,
      r.due_days, r.due_date, r.levels, r.people, r.from_day, clock.today + ${days}::integer as until_day
    from jsonb_to_record(${JSON.stringify(rule)}::jsonb) as r ${columns} cross join clock`
}

/** No later shift of the student in the rotation, or at the site in it: this one counts for all of them. */
const isLast = (each: 'rotation' | 'site') => sql`not exists (
  select from shift_assignment n where n.program_id = a.program_id and n.student_id = a.student_id
    and n.rotation_id = a.rotation_id ${each === 'site' ? sql`and n.site_id = a.site_id` : sql``} and n.removed_at is null
    and n.date >= a.date and (n.date, n.id) > (a.date, a.id))`

const inWindow = sql`a.date between r.from_day - r.make_days and r.until_day - r.make_days`
const occasionOf = {
  shift: sql`'shift:' || a.id`,
  rotation: sql`'rotation:' || a.rotation_id`,
  site: sql`'rotation:' || a.rotation_id || ':site:' || a.site_id`,
}

/** Occasions after shifts: each of them, or the last in its rotation or at its site. */
const afterShifts = (programId: number, each: 'shift' | 'rotation' | 'site', isDue: boolean) => sql`
  select r.id as rule_id, a.student_id, a.rotation_id, a.site_id, ${each === 'shift' ? sql`a.id` : sql`null::bigint`} as assignment_id,
    a.date + r.make_days as day, a.date, o.end_date as rotation_end, ${occasionOf[each]} as occasion
  from rule r
  join shift_assignment a on a.program_id = ${programId} and a.removed_at is null and ${inWindow}
  join rotation o on o.program_id = ${programId} and o.id = a.rotation_id and o.deleted_at is null
  where r.make_on = 'shift' and r.make_each = ${each} ${isDue ? sql`and a.ends_at <= now()` : sql``}
    ${each === 'shift' ? sql`` : sql`and ${isLast(each)}`}`

/** Occasions of whole rotations: at their end, or on a day in them. */
const ofRotations = (programId: number, each: 'rotation' | 'site') => sql`
  select r.id, a.student_id, a.rotation_id, a.site_id, null::bigint, d.day, d.day, o.end_date,
    case r.make_on when 'fixed' then 'date:' || d.day || ':site:' || a.site_id else ${occasionOf[each]} end
  from rule r
  join rotation o on o.program_id = ${programId} and o.deleted_at is null
  cross join lateral (select case r.make_on when 'fixed' then r.make_date else o.end_date + r.make_days end as day) d
  join shift_assignment a on a.program_id = ${programId} and a.rotation_id = o.id and a.removed_at is null
  where r.make_each = ${each} and d.day between r.from_day and r.until_day
    and (r.make_on = 'rotation_end' or (r.make_on = 'fixed' and d.day between o.start_date and o.end_date)) and ${isLast(each)}`

/**
 * What the rules ask for by the schedule: each student and shift, rotation, site or day that an evaluation is for. With `isDue`
 * a shift counts once it has ended; a preview looks ahead.
 */
export const scheduled = (programId: number, { isDue }: { isDue: boolean }): RawBuilder<unknown> => sql`
  ${afterShifts(programId, 'shift', isDue)}
  union all ${afterShifts(programId, 'rotation', isDue)}
  union all ${afterShifts(programId, 'site', isDue)}
  union all ${ofRotations(programId, 'rotation')}
  union all ${ofRotations(programId, 'site')}
  union all
  select r.id, s.id, null, null, null, r.make_date, r.make_date, null, 'date:' || r.make_date
  from rule r
  join account s on s.program_id = ${programId} and s.access_level = ${Level.Student} and ${isActive('s')}
  where r.make_on = 'fixed' and r.make_each = 'student' and r.make_date between r.from_day and r.until_day`

const isActive = (alias: string) =>
  sql`${sql.ref(`${alias}.deleted_at`)} is null and ${sql.ref(`${alias}.deactivated_at`)} is null`

/** Joins occasions `x` with the people of a role other than student: those named by the rule, or the supervisors of the site. */
const withPeople = (
  columns: RawBuilder<unknown>,
  source: RawBuilder<unknown>,
  role: RawBuilder<unknown>,
) => sql`
  select ${columns}, n.id from ${source} x join named n on n.rule_id = x.rule_id and n.role = ${role}
  union all
  select ${columns}, v.id from ${source} x join site_supervisor v on v.site_id = x.site_id
  where ${role} = 'supervisor' and not x.is_named`

/**
 * Who evaluates whom on each occasion, once each: the evaluations that there should be. Common table expressions that begin
 * with `clock`; `rule` and `occasion` are given, `pair` is the answer.
 */
export const pairs = (
  programId: number,
  rules: RawBuilder<unknown>,
  occasions: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  with clock as (select (now() at time zone time_zone)::date as today from program where id = ${programId}),
  rule as materialized (${rules}),
  named as materialized (
    select r.id as rule_id, p.id, case
        when p.access_level = ${Level.Faculty} then 'faculty'
        when p.access_level in (${Level.Supervisor}, ${Level.CCUnderHood}) then 'supervisor'
        when p.access_level in (${Level.Coord}, ${Level.Director}, ${Level.Admin}) then 'coordinator' end as role
    from rule r cross join lateral unnest(r.people) person (id)
    join account p on p.program_id = ${programId} and p.id = person.id and ${isActive('p')}),
  site_supervisor as materialized (
    select y.site_id, v.id from supervisor_site y
    join account v on v.program_id = ${programId} and v.id = y.account_id
      and v.access_level in (${Level.Supervisor}, ${Level.CCUnderHood}) and ${isActive('v')}
    where y.program_id = ${programId}),
  occasion as materialized (${occasions}),
  placed as materialized (
    select o.*, r.evaluator_role, r.subject_role, cardinality(r.people) > 0 as is_named
    from occasion o join rule r on r.id = o.rule_id
    join account s on s.program_id = ${programId} and s.id = o.student_id and s.access_level = ${Level.Student}
      and ${isActive('s')} and (cardinality(r.levels) = 0 or s.student_level_id = any (r.levels))),
  evaluated as materialized (
    select x.*, x.student_id as evaluator_id from placed x where x.evaluator_role in ('student', 'self')
    union all ${withPeople(sql`x.*`, sql`placed`, sql`x.evaluator_role`)}),
  about as (
    select x.*, x.student_id as subject_id from evaluated x where x.subject_role = 'student'
    union all select x.*, x.evaluator_id from evaluated x where x.subject_role = 'self'
    union all select x.*, null from evaluated x
      where x.subject_role = 'program' or (x.subject_role = 'site' and x.site_id is not null)
    union all ${withPeople(sql`x.*`, sql`evaluated`, sql`x.subject_role`)}),
  pair as (
    select distinct on (x.rule_id, x.occasion, x.evaluator_id, x.subject_id) x.rule_id, x.occasion, x.evaluator_id, x.subject_id,
      case when x.subject_role <> 'program' then x.site_id end as site_id, x.assignment_id, x.rotation_id,
      x.student_id as for_student_id,
      case when x.evaluator_role in ('student', 'self') or x.subject_role = 'student' then x.student_id end as student_id,
      greatest(x.day, clock.today) as day, x.date,
      greatest(x.day, clock.today, case r.due_rule when 'none' then null when 'fixed' then r.due_date
        when 'rotation_end' then coalesce(x.rotation_end, x.date) + r.due_days else x.date + r.due_days end) as due,
      r.due_rule <> 'none' as is_dated
    from about x join rule r on r.id = x.rule_id cross join clock
    where x.subject_role = 'self' or x.subject_id is distinct from x.evaluator_id
    order by x.rule_id, x.occasion, x.evaluator_id, x.subject_id, x.date desc, x.student_id)`

const nameOf = (alias: string) =>
  sql`listed_name(${sql.ref(`${alias}.last_name`)}, ${sql.ref(`${alias}.first_name`)})`

/** A page of what a rule would make within the days, with the numbers of all of it: the query of the job, looking ahead. */
export const previewRule = async (
  db: Db,
  programId: number,
  templateId: number | null,
  settings: TemplateRule,
  { days, page, pageSize }: { days: number; page: number; pageSize: number },
) => {
  const { rows } = await sql<{ total: number; evaluators: number; items: PlannedEvaluation[] }>`
    ${pairs(programId, writtenRule(templateId, settings, days), scheduled(programId, { isDue: false }))},
    fresh as materialized (
      select p.* from pair p where not exists (
        select from evaluation x where x.program_id = ${programId} and x.template_id = p.rule_id and x.occasion = p.occasion
          and x.evaluator_id = p.evaluator_id and x.subject_id is not distinct from p.subject_id and x.withdrawn_at is null)),
    shown as (select * from fresh order by day, date, evaluator_id, for_student_id, subject_id
      limit ${pageSize} offset ${(page - 1) * pageSize})
    select (select count(*) from fresh) as total, (select count(distinct evaluator_id) from fresh) as evaluators,
      coalesce((select json_agg(json_build_object('Day', f.day, 'EndDate', case when f.is_dated then f.due end,
          'Evaluator', ${nameOf('e')}, 'Subject', coalesce(${nameOf('b')}, t.name, ''), 'Site', coalesce(t.name, ''))
          order by f.day, f.date, f.evaluator_id, f.for_student_id, f.subject_id)
        from shown f join account e on e.program_id = ${programId} and e.id = f.evaluator_id
        left join account b on b.program_id = ${programId} and b.id = f.subject_id
        left join site t on t.program_id = ${programId} and t.id = f.site_id), '[]') as items`.execute(db)
  const { total, evaluators, items } = rows[0]!
  return { Items: items, Total: total, Evaluators: evaluators, Page: page, PageSize: pageSize }
}

/** The students of a cohort, each with the site of the last shift up to the day, or else of the next one. */
export const cohortOccasions = (programId: number, input: CohortInput): RawBuilder<unknown> => sql`
  select r.id as rule_id, s.id as student_id, l.rotation_id, coalesce(${input.SiteId}::bigint, l.site_id) as site_id,
    null::bigint as assignment_id, ${input.Date}::date as day, ${input.Date}::date as date, l.end_date as rotation_end,
    'assigned:' || ${input.Date}::text as occasion
  from rule r
  join account s on s.program_id = ${programId} and s.access_level = ${Level.Student} and ${isActive('s')}
    ${input.StudentLevelIds.length > 0 ? sql`and s.student_level_id = any (${input.StudentLevelIds}::smallint[])` : sql``}
    ${input.Cohort ? sql`and s.cohort = ${input.Cohort}` : sql``}
    ${
      input.Search
        ? sql`and ${isFound(sql`s.first_name || ' ' || s.last_name || ' ' || s.user_name || ' ' || s.email || ' ' || coalesce(s.student_number, '')`, input.Search)}`
        : sql``
    }
    and (cardinality(r.levels) = 0 or s.student_level_id = any (r.levels))
  left join lateral (
    select a.rotation_id, a.site_id, o.end_date from shift_assignment a
    join rotation o on o.program_id = a.program_id and o.id = a.rotation_id
    where a.program_id = ${programId} and a.student_id = s.id and a.removed_at is null
    order by a.date > ${input.Date}::date, abs(a.date - ${input.Date}::date), a.starts_at desc limit 1) l on true`

/** The rule of a cohort: the template's people and due date, with what the dialog says instead. */
export const cohortRule = (template: TemplateDetail, input: CohortInput): RawBuilder<unknown> =>
  writtenRule(
    template.Id,
    {
      ...template,
      MakePersonIds: input.PersonIds,
      ...(input.EndDate !== null && { DueRule: 'fixed' as const, DueDate: input.EndDate }),
    },
    0,
  )

/** An open evaluation like this one, or the same assigned before; one that was taken back does not count. */
export const isThere = (programId: number) => sql`exists (
  select from evaluation x where x.program_id = ${programId} and x.template_id = p.rule_id and x.evaluator_id = p.evaluator_id
    and x.subject_id is not distinct from p.subject_id and (p.subject_id is not null or x.site_id is not distinct from p.site_id)
    and x.deleted_at is null and x.stopped_at is null and (not x.is_completed or x.occasion = p.occasion))`

/** A page of what assigning to a cohort would make, student by student, with the numbers of all of it. */
export const previewCohort = async (
  db: Db,
  programId: number,
  template: TemplateDetail,
  input: CohortInput,
  { page, pageSize }: { page: number; pageSize: number },
) => {
  const { rows } = await sql<{
    total: number
    students: number
    fresh: number
    existing: number
    missing: number
    items: CohortRow[]
  }>`
    ${pairs(programId, cohortRule(template, input), cohortOccasions(programId, input))},
    listed as materialized (
      select o.student_id, p.evaluator_id, p.subject_id, coalesce(p.site_id, o.site_id) as site_id,
        case when p.evaluator_id is null then 'missing' when ${isThere(programId)} then 'exists' else 'new' end as state
      from occasion o left join pair p on p.for_student_id = o.student_id),
    shown as (select l.*, ${nameOf('s')} as student, lower(s.last_name) as last, lower(s.first_name) as first
      from listed l join account s on s.program_id = ${programId} and s.id = l.student_id
      order by last, first, l.student_id, l.evaluator_id, l.subject_id limit ${pageSize} offset ${(page - 1) * pageSize})
    select (select count(*) from listed) as total, (select count(distinct student_id) from listed) as students,
      (select count(*) from listed where state = 'new') as fresh, (select count(*) from listed where state = 'exists') as existing,
      (select count(*) from listed where state = 'missing') as missing,
      coalesce((select json_agg(json_build_object('Student', l.student, 'Evaluator', coalesce(${nameOf('e')}, ''),
          'Subject', coalesce(${nameOf('b')}, case when l.state <> 'missing' then t.name end, ''), 'Site', coalesce(t.name, ''),
          'State', l.state) order by l.last, l.first, l.student_id, l.evaluator_id, l.subject_id)
        from shown l left join account e on e.program_id = ${programId} and e.id = l.evaluator_id
        left join account b on b.program_id = ${programId} and b.id = l.subject_id
        left join site t on t.program_id = ${programId} and t.id = l.site_id), '[]') as items`.execute(db)
  const { total, students, fresh, existing, missing, items } = rows[0]!
  return {
    Items: items,
    Total: total,
    Page: page,
    PageSize: pageSize,
    Students: students,
    New: fresh,
    Existing: existing,
    Missing: missing,
  }
}
