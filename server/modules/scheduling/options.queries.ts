import { type RawBuilder, sql } from 'kysely'
import type { OptionKind } from '#contract/scheduling/scheduling-options.ts'
import { countsNow } from '#server/core/database/counts.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'
import { inScope, type SiteScope } from '../sites/scope.queries.ts'

export interface SchedulingOption {
  Id: number
  Name: string
  Detail: string
}

/** Where the choices of each kind come from, and in what order: `sort` is the last column. */
const source = (kind: OptionKind, programId: number, scope: SiteScope): RawBuilder<unknown> => {
  switch (kind) {
    case 'rotation':
      return sql`select id as "Id", name as "Name",
          to_char(start_date, 'MM/DD/YYYY') || ' – ' || to_char(end_date, 'MM/DD/YYYY') as "Detail",
          to_char(date '9999-12-31' - (start_date - date '1900-01-01'), 'YYYY-MM-DD') as sort
        from rotation where program_id = ${programId} and deleted_at is null`
    case 'student':
      return sql`select u.id as "Id", listed_name(u.last_name, u.first_name) as "Name", coalesce(l.name, '') as "Detail",
          lower(u.last_name || E'\\t' || u.first_name) as sort
        from account u left join student_level l on l.program_id = u.program_id and l.id = u.student_level_id
        where u.program_id = ${programId} and ${countsNow('u')}
          and ${
            scope.supervisorId === null
              ? sql`true`
              : sql`exists (select from shift_assignment a where a.program_id = u.program_id and a.student_id = u.id
                  and a.removed_at is null and ${inScope(scope, 'a.program_id', 'a.site_id')})`
          }`
    case 'level':
      return sql`select id::bigint as "Id", name as "Name", '' as "Detail", lpad(id::text, 2, '0') as sort
        from student_level where program_id = ${programId}`
    case 'area':
      return sql`select id as "Id", name as "Name", '' as "Detail", lower(name) as sort
        from area where program_id = ${programId} and deleted_at is null and is_active`
    case 'site':
      return sql`select s.id as "Id", s.name as "Name", s.code as "Detail", lower(s.name) as sort
        from site s where s.program_id = ${programId} and s.deleted_at is null
          and ${inScope(scope, 's.program_id', 's.id')}`
    case 'shift':
      return sql`select h.id as "Id", h.code as "Name",
          to_char(h.start_time, 'HH24:MI') || '–' || to_char(h.end_time, 'HH24:MI') || ' · ' || s.name as "Detail",
          lower(h.code) as sort
        from site_shift h join site s on s.program_id = h.program_id and s.id = h.site_id
        where h.program_id = ${programId} and h.deleted_at is null and ${inScope(scope, 'h.program_id', 'h.site_id')}`
    case 'editor':
      return sql`select u.* from (
          select distinct (e ->> 'By')::bigint as id from time_record r cross join jsonb_array_elements(r.history) e
          where r.program_id = ${programId} and r.history <> '[]' and r.deleted_at is null
            and ${inScope(scope, 'r.program_id', 'r.site_id')}) editor
        cross join lateral (select a.id as "Id", listed_name(a.last_name, a.first_name) as "Name", '' as "Detail",
          lower(a.last_name || E'\\t' || a.first_name) as sort from account a where a.id = editor.id limit 1) u`
  }
}

/** Choices of a kind whose name or detail holds the text, or those with the ids. */
export const listOptions = async (
  db: Db,
  programId: number,
  scope: SiteScope,
  {
    Kind,
    search = '',
    Ids,
    page,
    pageSize,
  }: {
    Kind: OptionKind
    search?: string | undefined
    Ids?: number[] | undefined
    page: number
    pageSize: number
  },
): Promise<{ Items: SchedulingOption[]; HasMore: boolean }> => {
  const { rows } = await sql<SchedulingOption>`select "Id", "Name", "Detail"
    from (${source(Kind, programId, scope)}) as choice
    where ${Ids ? sql`"Id" = any (${Ids}::bigint[])` : isFound(sql`"Name" || ' ' || "Detail"`, search)}
    order by sort, "Id" limit ${pageSize + 1} offset ${(page - 1) * pageSize}`.execute(db)
  return { Items: rows.slice(0, pageSize), HasMore: rows.length > pageSize }
}
