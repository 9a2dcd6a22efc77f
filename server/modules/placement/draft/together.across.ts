import { sql } from 'kysely'
import type { AnswerOf } from '#contract/core/endpoint.ts'
import type { listOtherPlans } from '#contract/placement/drafts.ts'
import { fewest } from '#contract/shared-sites/shared-places.ts'
import { acrossPrograms } from '#server/core/database/across.ts'
import type { Db } from '#server/core/database/pool.ts'

/** A plan of another program that could be solved together with one of the running program. */
export type OtherPlan = AnswerOf<typeof listOtherPlans>['Plans'][number] & { Count: number; IsOpen: boolean }

/**
 * Plans of other programs of the same college that could be solved with a plan, by program and plan: their weeks overlap, and both plans
 * place at a site that the programs share. Names, dates and how many students; the sites by the names of the plan's own program.
 */
export const listPlansToSolveWith = (db: Db, programId: number, planId: number): Promise<OtherPlan[]> =>
  acrossPrograms(
    db,
    sql<OtherPlan>`
      select o.id as "ProgramId", o.name as "Program", p.id as "PlanId", p.name as "Plan", p.start_date as "StartDate",
        p.end_date as "EndDate", n.students as "Count", case when n.students >= ${fewest} then n.students end as "Students",
        p.is_open_to_others as "IsOpen", x.sites as "Sites"
      from placement_plan own
      join program g on g.id = own.program_id
      join program o on o.college_id = g.college_id and o.id <> g.id and o.deleted_at is null
      join placement_plan p on p.program_id = o.id and p.deleted_at is null and p.start_date <= own.end_date
        and p.end_date >= own.start_date and p.end_date >= current_date
      cross join lateral (
        select count(*)::int as students from placement_student s join account u on u.program_id = s.program_id and u.id = s.student_id
          and u.deleted_at is null and u.deactivated_at is null where s.program_id = p.program_id and s.plan_id = p.id) n
      cross join lateral (
        select array_agg(s.name order by lower(s.name), s.id) as sites
        from shared_site_program a
        join shared_site_program b on b.shared_site_id = a.shared_site_id and b.program_id = p.program_id and b.left_at is null
        join site s on s.program_id = a.program_id and s.id = a.site_id and s.deleted_at is null and s.is_active
        where a.program_id = own.program_id and a.left_at is null
          and (own.rules->'SiteIds' = '[]' or own.rules->'SiteIds' @> to_jsonb(a.site_id))
          and (p.rules->'SiteIds' = '[]' or p.rules->'SiteIds' @> to_jsonb(b.site_id))) x
      where own.program_id = ${programId} and own.id = ${planId} and own.deleted_at is null and own.end_date >= current_date
        and x.sites is not null
      order by lower(o.name) collate alphabetical, lower(p.name) collate alphabetical, p.id`,
  )
