import { sql } from 'kysely'
import type { Out } from '#contract/core/endpoint.ts'
import { Level } from '#contract/core/levels.ts'
import type {
  ChangeKind,
  ChangeState,
  GivenShift,
  listShiftChanges as listCall,
  OwnShiftChange,
  ShiftChange,
} from '#contract/shift-changes/shift-changes.ts'
import { shiftChangeFilters } from '#contract/shift-changes/shift-changes.ts'
import { whereOf } from '#server/core/database/filters.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'
import { hasConsented, siteContact } from '../requirements/disclosure.queries.ts'
import { takenBy } from '../scheduling/rotations.queries.ts'
import { shiftLine } from '../scheduling/shift-line.queries.ts'

/** An assignment as JSON, by the aliases of its tables. */
const given = (a: string) => sql`case when ${sql.ref(`${a}.id`)} is not null then jsonb_build_object(
  'AssignmentId', ${sql.ref(`${a}.id`)}, 'Date', ${sql.ref(`${a}.date`)},
  'StartTime', to_char(${sql.ref(`${a}h.start_time`)}, 'HH24:MI'), 'EndTime', to_char(${sql.ref(`${a}h.end_time`)}, 'HH24:MI'),
  'ShiftCode', ${sql.ref(`${a}h.code`)}, 'ShiftType', ${sql.ref(`${a}h.type`)}, 'Site', ${sql.ref(`${a}s.name`)},
  'Rotation', ${sql.ref(`${a}r.name`)}) end`

const assignmentJoins = (
  a: string,
  on: ReturnType<typeof sql>,
) => sql`left join shift_assignment ${sql.ref(a)} on ${on}
  left join site_shift ${sql.ref(`${a}h`)} on ${sql.ref(`${a}h.program_id`)} = ${sql.ref(`${a}.program_id`)} and ${sql.ref(`${a}h.id`)} = ${sql.ref(`${a}.site_shift_id`)}
  left join site ${sql.ref(`${a}s`)} on ${sql.ref(`${a}s.program_id`)} = ${sql.ref(`${a}.program_id`)} and ${sql.ref(`${a}s.id`)} = ${sql.ref(`${a}.site_id`)}
  left join rotation ${sql.ref(`${a}r`)} on ${sql.ref(`${a}r.program_id`)} = ${sql.ref(`${a}.program_id`)} and ${sql.ref(`${a}r.id`)} = ${sql.ref(`${a}.rotation_id`)}`

const columns = sql`c.id as "Id", c.kind as "Kind", c.state as "State", c.student_id as "StudentId",
  listed_name(u.last_name, u.first_name) as "Student", ${given('x')} as "Given", c.taker_id as "TakerId",
  listed_name(t.last_name, t.first_name) as "Taker", ${given('y')} as "Returned", c.note as "Note", c.reason as "Reason",
  c.approval as "Approval", c.created_at as "CreatedAt", c.expires_at as "ExpiresAt"`

const joined = sql`shift_request c
  join account u on u.program_id = c.program_id and u.id = c.student_id
  left join account t on t.program_id = c.program_id and t.id = c.taker_id
  ${assignmentJoins('x', sql`x.program_id = c.program_id and x.id = c.assignment_id`)}
  ${assignmentJoins('y', sql`y.program_id = c.program_id and y.id = c.returned_id`)}`

type ListQuery = Out<NonNullable<(typeof listCall)['query']>>
type Filters = Omit<ListQuery, 'page' | 'pageSize'>

const states: Readonly<Record<Filters['show'], readonly ChangeState[]>> = {
  waiting: ['pending'],
  open: ['open'],
  over: ['done', 'declined', 'canceled', 'failed', 'expired'],
  all: ['open', 'pending', 'done', 'declined', 'canceled', 'failed', 'expired'],
}

const filtered = (programId: number, filters: Filters) =>
  sql`c.program_id = ${programId} and ${whereOf(shiftChangeFilters, filters, 'c', {
    show: (which) => sql`c.state = any (${[...states[which]]}::text[])`,
    StudentId: (id) => sql`(c.student_id = ${id} or c.taker_id = ${id})`,
  })}`

/** One page of the swaps, covers and drops that the filters name, the newest first. */
export const pageChanges = async (db: Db, programId: number, { page, pageSize, ...filters }: ListQuery) => {
  const { rows } = await sql<ShiftChange>`select ${columns} from ${joined}
    where ${filtered(programId, filters)} order by c.id desc limit ${pageSize} offset ${(page - 1) * pageSize}`.execute(
    db,
  )
  const total = await sql<{ count: number }>`select count(*)::int as count from shift_request c
    where ${filtered(programId, filters)}`.execute(db)
  return { Items: rows, Total: total.rows[0]!.count, Page: page, PageSize: pageSize }
}

export const listChanges = async (db: Db, programId: number, filters: Filters): Promise<ShiftChange[]> => {
  const { rows } = await sql<ShiftChange>`select ${columns} from ${joined}
    where ${filtered(programId, filters)} order by c.id desc`.execute(db)
  return rows
}

export const findChange = async (db: Db, programId: number, id: number): Promise<ShiftChange | undefined> => {
  const { rows } = await sql<ShiftChange>`select ${columns} from ${joined}
    where c.program_id = ${programId} and c.id = ${id}`.execute(db)
  return rows[0]
}

export const listEvents = async (db: Db, programId: number, changeId: number) => {
  const { rows } = await sql<{ At: string; Actor: string; Action: string; Detail: string }>`
    select at as "At", actor as "Actor", action as "Action", detail as "Detail" from shift_request_event
    where program_id = ${programId} and change_id = ${changeId} order by id`.execute(db)
  return rows
}

// Deciding ------------------------------------------------------------------------------------------------------------

/** A change as far as what becomes of it needs. */
export interface ChangeRow {
  id: number
  kind: ChangeKind
  state: ChangeState
  assignmentId: number
  studentId: number
  takerId: number | null
  returnedId: number | null
  approval: 'staff' | 'site' | 'none'
  isToAll: boolean
  line: string
  returnedLine: string
  isOver: boolean
  student: string
  taker: string | null
}

/** A change, held until the transaction ends where `isLocking`: lock its students before. */
export const findChangeRow = async (
  db: Db,
  programId: number,
  id: number,
  { isLocking = false } = {},
): Promise<ChangeRow | undefined> => {
  const { rows } = await sql<ChangeRow>`
    select c.id, c.kind, c.state, c.assignment_id as "assignmentId", c.student_id as "studentId", c.taker_id as "takerId",
      c.returned_id as "returnedId", c.approval, c.is_to_all as "isToAll", c.line, c.returned_line as "returnedLine",
      c.expires_at <= clock_timestamp() as "isOver", u.first_name || ' ' || u.last_name as student,
      t.first_name || ' ' || t.last_name as taker
    from shift_request c join account u on u.program_id = c.program_id and u.id = c.student_id
    left join account t on t.program_id = c.program_id and t.id = c.taker_id
    where c.program_id = ${programId} and c.id = ${id} ${isLocking ? sql`for update of c` : sql``}`.execute(
    db,
  )
  return rows[0]
}

/** An assignment that can change hands. */
export interface OfferedShift {
  id: number
  studentId: number
  rotationId: number
  siteShiftId: number
  siteId: number
  date: string
  startsAt: string
  /** `01/15/2030 07:00–15:30, Harbor General Hospital` */
  line: string
}

const line = sql.raw(
  shiftLine({
    program: 'shift_assignment.program_id',
    site: 'shift_assignment.site_id',
    starts: 'shift_assignment.starts_at',
    ends: 'shift_assignment.ends_at',
  }),
)

/** Of the ids the assignments that are there and have not started. */
export const findOfferedShifts = async (
  db: Db,
  programId: number,
  ids: readonly number[],
): Promise<Map<number, OfferedShift>> => {
  const { rows } = await sql<OfferedShift>`
    select id, student_id as "studentId", rotation_id as "rotationId", site_shift_id as "siteShiftId", site_id as "siteId",
      date, starts_at as "startsAt", ${line} as line
    from shift_assignment where program_id = ${programId} and id = any (${[...ids]}::bigint[]) and removed_at is null
      and starts_at > clock_timestamp()`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

export const listAsked = async (db: Db, programId: number, changeId: number) => {
  const { rows } = await sql<{ studentId: number; answer: string; assignmentId: number | null }>`
    select student_id as "studentId", answer, assignment_id as "assignmentId" from shift_request_person
    where program_id = ${programId} and change_id = ${changeId} order by student_id`.execute(db)
  return rows
}

/** Whether the assignment is given, or given in return, by another change that is not over. */
export const isPromised = async (db: Db, programId: number, assignmentId: number): Promise<boolean> => {
  const { rows } =
    await sql`select from shift_request where program_id = ${programId} and assignment_id = ${assignmentId}
      and state in ('open', 'pending')
    union all select from shift_request where program_id = ${programId} and returned_id = ${assignmentId} and state = 'pending'
    limit 1`.execute(db)
  return rows.length > 0
}

/** Changes whose first shift has started, with the students whom they concern. */
export const listExpired = async (db: Db, programId: number) => {
  const { rows } = await sql<{ id: number; students: number[] }>`
    select id, array_remove(array[student_id, taker_id], null)::int[] as students from shift_request
    where program_id = ${programId} and state in ('open', 'pending') and expires_at <= now() order by id limit 500`.execute(
    db,
  )
  return rows
}

// A student's own ----------------------------------------------------------------------------------------------------

type OwnRow = Omit<OwnShiftChange, 'Blocked'>

const proposals = sql`coalesce((select jsonb_agg(jsonb_build_object('StudentId', p.student_id,
      'Student', pu.first_name || ' ' || pu.last_name, 'Shift', ${given('z')}) order by p.at)
    from shift_request_person p join account pu on pu.program_id = p.program_id and pu.id = p.student_id
    ${assignmentJoins('z', sql`z.program_id = p.program_id and z.id = p.assignment_id`)}
    where p.program_id = c.program_id and p.change_id = c.id and p.answer = 'proposed' and c.state = 'open'), '[]')`

/** A student's own requests and what they take, the newest first. */
export const pageOwnChanges = async (
  db: Db,
  programId: number,
  studentId: number,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<{ rows: OwnRow[]; total: number }> => {
  const { rows } =
    await sql<OwnRow>`select ${columns}, c.student_id = ${studentId} as "IsOwn", null as "Answer",
      case when c.student_id = ${studentId} then ${proposals} else '[]' end as "Proposals",
      case when not c.is_to_all and c.kind <> 'drop' then (select count(*)::int from shift_request_person p
        where p.program_id = c.program_id and p.change_id = c.id) end as "AskedCount"
    from ${joined}
    where c.program_id = ${programId} and (c.student_id = ${studentId} or c.taker_id = ${studentId})
    order by c.state in ('open', 'pending') desc, c.id desc limit ${pageSize} offset ${(page - 1) * pageSize}`.execute(
      db,
    )
  const total = await sql<{ count: number }>`select count(*)::int as count from shift_request c
    where c.program_id = ${programId} and (c.student_id = ${studentId} or c.taker_id = ${studentId})`.execute(
    db,
  )
  return { rows, total: total.rows[0]!.count }
}

/** Offers to a student, or to everyone whom the rotation takes, the next shifts first: as many as one looks through. */
export const listOffersTo = async (
  db: Db,
  programId: number,
  studentId: number,
  most: number,
): Promise<OwnRow[]> => {
  const { rows } =
    await sql<OwnRow>`select ${columns}, false as "IsOwn", p.answer as "Answer", '[]'::jsonb as "Proposals",
      null as "AskedCount"
    from ${joined}
    join account me on me.program_id = c.program_id and me.id = ${studentId}
    left join shift_request_person p on p.program_id = c.program_id and p.change_id = c.id and p.student_id = me.id
    where c.program_id = ${programId} and c.state = 'open' and c.kind <> 'drop' and c.expires_at > now()
      and c.student_id <> me.id and x.removed_at is null
      and (p.answer in ('asked', 'proposed') or p.answer is null and c.is_to_all and ${takenBy('me', 'xr')})
    order by c.expires_at, c.id limit ${most}`.execute(db)
  return rows
}

/** Students who may be asked: whom the rotation takes and who have nothing else at that time, by name. */
export const listPossibleTakers = async (
  db: Db,
  programId: number,
  assignmentId: number,
  { search, most, mayOverlap }: { search: string; most: number; mayOverlap: boolean },
): Promise<{ Id: number; Name: string }[]> => {
  const { rows } = await sql<{ Id: number; Name: string }>`
    select u.id as "Id", listed_name(u.last_name, u.first_name) as "Name"
    from shift_assignment x join rotation r on r.program_id = x.program_id and r.id = x.rotation_id
    join account u on u.program_id = x.program_id and u.access_level = ${Level.Student} and u.deleted_at is null
      and u.deactivated_at is null and u.id <> x.student_id
    where x.program_id = ${programId} and x.id = ${assignmentId} and ${takenBy('u', 'r')}
      and ${isFound(sql`u.first_name || ' ' || u.last_name`, search)}
      and (${mayOverlap}::boolean or not exists (select from shift_assignment o where o.program_id = x.program_id
        and o.student_id = u.id and o.removed_at is null and o.date between x.date - 1 and x.date + 1
        and o.starts_at < x.ends_at and o.ends_at > x.starts_at))
    order by lower(u.last_name), lower(u.first_name), u.id limit ${most}`.execute(db)
  return rows
}

/** A student's shifts to come that are not promised to anybody. */
export const listGivable = async (
  db: Db,
  programId: number,
  studentId: number,
  most: number,
): Promise<GivenShift[]> => {
  const { rows } = await sql<{ shift: GivenShift }>`select ${given('x')} as shift
    from (select program_id, id from shift_assignment where program_id = ${programId} and student_id = ${studentId}
      and removed_at is null and date >= current_date - 1 and starts_at > now()) own
    ${assignmentJoins('x', sql`x.program_id = own.program_id and x.id = own.id`)}
    where not exists (select from shift_request c where c.program_id = own.program_id and c.assignment_id = own.id
        and c.state in ('open', 'pending'))
      and not exists (select from shift_request c where c.program_id = own.program_id and c.returned_id = own.id
        and c.state = 'pending')
    order by x.starts_at limit ${most}`.execute(db)
  return rows.map(({ shift }) => shift)
}

// Sites ---------------------------------------------------------------------------------------------------------------

/** A site with whom to ask there; without a contact or a legal basis nobody is asked. */
export interface AskableSite {
  siteId: number
  site: string
  name: string
  email: string
}

/** Of the sites those that can be asked about these students: a contact with an email, and a basis that covers them. */
export const listAskableSites = async (
  db: Db,
  programId: number,
  siteIds: readonly number[],
  studentIds: readonly number[],
): Promise<AskableSite[]> => {
  const { rows } = await sql<AskableSite>`
    select s.id as "siteId", s.name as site, k.name, k.email
    from site s
    join site_disclosure d on d.program_id = s.program_id and d.site_id = s.id
    cross join ${siteContact} k
    where s.program_id = ${programId} and s.id = any (${[...siteIds]}::bigint[])
      and (d.basis = 'schoolOfficial' or not exists (select from unnest(${[...studentIds]}::bigint[]) as x (id)
        where not ${hasConsented(programId, sql`x.id`, sql`s.id`)}))
    order by s.id`.execute(db)
  return rows
}

export interface ChangeSite {
  id: number
  changeId: number
  siteId: number
  site: string
  recipient: string
  answer: 'approved' | 'declined' | null
  answeredAt: string | null
}

const changeSites = sql`select t.id, t.change_id as "changeId", t.site_id as "siteId", s.name as site, t.recipient, t.answer,
  t.answered_at as "answeredAt" from shift_request_site t join site s on s.program_id = t.program_id and s.id = t.site_id`

export const listChangeSites = async (db: Db, programId: number, changeId: number): Promise<ChangeSite[]> => {
  const { rows } =
    await sql<ChangeSite>`${changeSites} where t.program_id = ${programId} and t.change_id = ${changeId}
    order by t.id`.execute(db)
  return rows
}

export const findChangeSite = async (
  db: Db,
  programId: number,
  id: number,
): Promise<ChangeSite | undefined> => {
  const { rows } =
    await sql<ChangeSite>`${changeSites} where t.program_id = ${programId} and t.id = ${id}`.execute(db)
  return rows[0]
}
