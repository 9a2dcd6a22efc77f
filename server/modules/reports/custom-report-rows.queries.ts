import { type RawBuilder, sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'
import type { ReportDefinition } from '#contract/reports/custom-reports.ts'
import {
  countColumn,
  type FieldName,
  fieldOf,
  type Operator,
  type ReportSubject,
  shownColumns,
} from '#contract/reports/custom-reports-rules.ts'
import { isFound } from '#server/core/database/search.ts'
import { plannedMinutes } from '../scheduling/planned-hours.queries.ts'

type Part = RawBuilder<unknown>

const studentFields = {
  LastName: sql`u.last_name`,
  FirstName: sql`u.first_name`,
  StudentNumber: sql`u.student_number`,
  Level: sql`v.name`,
  Cohort: sql`u.cohort`,
}
/** `u` is the student of a row, `v` their level. */
const studentOf = (column: Part): Part => sql`
  join account u on u.program_id = t.program_id and u.id = ${column}
  left join student_level v on v.program_id = u.program_id and v.id = u.student_level_id`

const siteAndArea = sql`
  left join site s on s.program_id = t.program_id and s.id = t.site_id
  left join area a on a.program_id = s.program_id and a.id = s.area_id`

/** Minutes of a student in a status, from the sums that the database keeps. */
const hoursOf = (column: Part): Part => sql`(select coalesce(sum(${column}), 0)::bigint from student_hours h
  where h.program_id = u.program_id and h.student_id = u.id)`

/** The day on which a moment lies where the program is. */
const dayOf = (moment: Part, programId: Part): Part =>
  sql`(${moment} at time zone (select time_zone from program where id = ${programId}))::date`

const isLate = sql`(not t.is_completed and t.stopped_at is null and t.end_date < (select (now() at time zone time_zone)::date from program
  where id = t.program_id))`

/** Forms whose answers belong to nobody: neither who, nor when, nor how. */
const isAnonymous = sql`(k.is_anonymous or k.evaluator_role = 'anonymous')`

/** For each subject where its rows come from, always those of one program, and the expression of each of its fields. */
const sources: {
  [S in ReportSubject]: { from: (programId: number) => Part; fields: Record<FieldName<S>, Part>; order: Part }
} = {
  students: {
    from: (programId) => sql`account u
      left join student_level v on v.program_id = u.program_id and v.id = u.student_level_id
      left join area a on a.program_id = u.program_id and a.id = u.area_id
      where u.program_id = ${programId} and u.access_level = ${Level.Student} and u.deleted_at is null`,
    fields: {
      ...studentFields,
      UserName: sql`u.user_name`,
      Email: sql`u.email collate alphabetical`,
      Area: sql`a.name`,
      IsActive: sql`(u.deactivated_at is null)`,
      AddedOn: dayOf(sql`u.created_at`, sql`u.program_id`),
      ApprovedHours: hoursOf(sql`h.approved_minutes`),
      PendingHours: hoursOf(sql`h.pending_minutes`),
    },
    order: sql`lower(u.last_name), lower(u.first_name), u.id`,
  },
  hours: {
    from: (programId) => sql`time_record t ${studentOf(sql`t.student_id`)} ${siteAndArea}
      left join rotation r on r.program_id = t.program_id and r.id = t.rotation_id
      where t.program_id = ${programId} and t.deleted_at is null`,
    fields: {
      ...studentFields,
      Date: sql`t.date`,
      Month: sql`to_char(t.date, 'YYYY-MM')`,
      Site: sql`s.name`,
      Area: sql`a.name`,
      Rotation: sql`r.name`,
      Type: sql`t.kind`,
      Status: sql`t.status`,
      Hours: sql`case when t.is_matched and t.kind <> 'in' then t.minutes else 0 end`,
    },
    order: sql`t.occurred_at desc, t.id desc`,
  },
  assignments: {
    from: (programId) => sql`shift_assignment t ${studentOf(sql`t.student_id`)} ${siteAndArea}
      join site_shift x on x.program_id = t.program_id and x.id = t.site_shift_id
      join rotation r on r.program_id = t.program_id and r.id = t.rotation_id
      where t.program_id = ${programId} and t.removed_at is null`,
    fields: {
      ...studentFields,
      Date: sql`t.date`,
      Month: sql`to_char(t.date, 'YYYY-MM')`,
      Site: sql`s.name`,
      Area: sql`a.name`,
      Shift: sql`x.code`,
      ShiftType: sql`x.type`,
      Rotation: sql`r.name`,
      Hours: plannedMinutes('t'),
    },
    order: sql`t.date desc, t.id desc`,
  },
  evaluations: {
    from: (programId) => sql`evaluation t
      join evaluation_template k on k.program_id = t.program_id and k.id = t.template_id
      left join account w on w.program_id = t.program_id and w.id = t.evaluator_id
      left join account b on b.program_id = t.program_id and b.id = t.subject_id
      left join site s on s.program_id = t.program_id and s.id = t.site_id
      where t.program_id = ${programId} and t.deleted_at is null`,
    fields: {
      Date: sql`t.date`,
      EndDate: sql`t.end_date`,
      Title: sql`k.title`,
      Evaluator: sql`case when not ${isAnonymous} then listed_name(w.last_name, w.first_name) end`,
      Subject: sql`listed_name(b.last_name, b.first_name)`,
      Site: sql`s.name`,
      IsCompleted: sql`t.is_completed`,
      IsLate: isLate,
      SubmittedOn: sql`case when not ${isAnonymous} then ${dayOf(sql`t.submitted_at`, sql`t.program_id`)} end`,
      Score: sql`case when not ${isAnonymous} then t.total_score end`,
    },
    order: sql`t.date desc, t.id desc`,
  },
  sites: {
    from: (programId) => sql`site s left join area a on a.program_id = s.program_id and a.id = s.area_id
      where s.program_id = ${programId} and s.deleted_at is null`,
    fields: {
      Name: sql`s.name`,
      Code: sql`s.code`,
      Area: sql`a.name`,
      City: sql`s.city`,
      State: sql`s.state`,
      IsActive: sql`s.is_active`,
      Supervisors: sql`(select count(*) from supervisor_site y where y.program_id = s.program_id and y.site_id = s.id)`,
      AgreementEnds: sql`(select max(g.termination_date) from affiliate_agreement g where g.program_id = s.program_id
        and g.site_id = s.id and g.is_active and g.deleted_at is null)`,
    },
    order: sql`lower(s.name), s.id`,
  },
  verifications: {
    from: (programId) => sql`verification t ${studentOf(sql`t.student_id`)}
      where t.program_id = ${programId} and t.deleted_at is null`,
    fields: {
      ...studentFields,
      Type: sql`t.type::text`,
      Vendor: sql`t.vendor`,
      Item: sql`t.item`,
      Status: sql`t.status`,
      Result: sql`t.result`,
      OrderedOn: sql`t.ordered_on`,
      CompletedOn: sql`t.completed_on`,
      ExpiresOn: sql`t.expires_on`,
    },
    order: sql`lower(u.last_name), lower(u.first_name), t.id`,
  },
}

const compared: Record<Exclude<Operator, 'contains'>, (field: Part, value: Part) => Part> = {
  is: (field, value) => sql`${field} = ${value}`,
  'at-least': (field, value) => sql`${field} >= ${value}`,
  'at-most': (field, value) => sql`${field} <= ${value}`,
}

const filterPart = (
  subject: ReportSubject,
  fields: Record<string, Part>,
  { Field, Operator, Value }: ReportDefinition['Filters'][number],
): Part => {
  // The definition was checked, so its fields are known.
  const { kind } = fieldOf(subject, Field)!
  const field = fields[Field]!
  if (Operator === 'contains') return isFound(field, Value)
  if (kind === 'date') return compared[Operator](field, sql`${Value}::date`)
  if (kind === 'flag') return compared[Operator](field, sql`${Value}::boolean`)
  if (kind === 'minutes') return compared[Operator](field, sql`${Value}::numeric * 60`)
  if (kind === 'number') return compared[Operator](field, sql`${Value}::numeric`)
  if (kind === 'choice') return compared[Operator](field, sql`${Value}`)
  return sql`lower(${field}) = lower(${Value})`
}

/**
 * The statement of a checked definition: one column each of `shownColumns`, named c0, c1 and so on. All its parts are written
 * here; of the definition only the values of filters go along, as parameters.
 */
export const reportStatement = (programId: number, definition: ReportDefinition): Part => {
  const { Subject, Filters, GroupBy, Sort } = definition
  const { from, order } = sources[Subject]
  const fields: Record<string, Part> = sources[Subject].fields
  const columns = shownColumns(definition)
  const isGrouped = GroupBy.length > 0
  const expressions = columns.map((name) =>
    name === countColumn && isGrouped
      ? sql`count(*)`
      : isGrouped && !GroupBy.includes(name)
        ? sql`sum(${fields[name]!})`
        : fields[name]!,
  )
  const at = columns.indexOf(Sort.replace(/^-/, ''))
  const place = (index: number) => sql.raw(String(index + 1))
  const groups = GroupBy.map((_name, index) => place(index))
  const direction = Sort.startsWith('-') ? sql`desc` : sql`asc`
  const orders = [
    ...(at >= 0 ? [sql`${place(at)} ${direction} nulls last`] : []),
    ...(isGrouped ? groups : [order]),
  ]
  return sql`select ${sql.join(expressions.map((part, index) => sql`${part} as ${sql.raw(`c${index}`)}`))}
    from ${from(programId)}
    ${sql.join(
      Filters.map((filter) => sql`and ${filterPart(Subject, fields, filter)}`),
      sql` `,
    )}
    ${isGrouped ? sql`group by ${sql.join(groups)}` : sql``}
    order by ${sql.join(orders)}`
}
