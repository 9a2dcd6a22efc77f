import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { type BareColumn, streamSheet } from './bare-export.ts'
import { accountOfPhone, inboxHead, inboxItems, phoneOf } from './bare-inbox.ts'
import { pageCalls } from './bare-pages.ts'

/**
 * The reference: one `node:http` process with `pg`, one session look-up and hand-written SQL that answers the same bytes.
 * No permissions, no validation, no row-level security (it connects as the owner), no transaction, no audit, no schema
 * for the answer.
 */
const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: 20,
  options: '-c TimeZone=UTC',
})
pg.types.setTypeParser(20, Number)
pg.types.setTypeParser(1700, Number)
pg.types.setTypeParser(1082, (text) => text)
pg.types.setTypeParser(1184, (text) => `${text.replace(' ', 'T').replace('+00', '')}Z`)

const names = new Map<string, string>()
const nameOf = (text: string): string => {
  const name = names.get(text) ?? createHash('md5').update(text).digest('hex')
  names.set(text, name)
  return name
}
// biome-ignore lint/suspicious/noExplicitAny: rows go to the wire as they come
const query = async (text: string, values: unknown[]): Promise<any[]> =>
  (await pool.query({ name: nameOf(text), text, values })).rows

const recordColumns = `r.id as "Id", r.kind as "Type", r.site_id as "SiteId", s.name as "Location",
  coalesce(s.time_zone, p.time_zone) as "TimeZone", r.date as "Date",
  to_char(r.occurred_at at time zone coalesce(s.time_zone, p.time_zone), 'HH24:MI') as "Time",
  to_char(r.ends_at at time zone coalesce(s.time_zone, p.time_zone), 'HH24:MI') as "EndTime",
  r.occurred_at as "OccurredAt", r.minutes as "Minutes", r.offset_minutes as "OffsetMinutes", r.shift_type as "ShiftType",
  to_char(a.starts_at at time zone coalesce(s.time_zone, p.time_zone), 'HH24:MI') as "ShiftStart",
  to_char(a.ends_at at time zone coalesce(s.time_zone, p.time_zone), 'HH24:MI') as "ShiftEnd", a.ends_at as "ShiftEndsAt",
  case when r.change_status is not null and r.change_to is not null then jsonb_build_object(
    'Date', to_char(r.change_to at time zone coalesce(s.time_zone, p.time_zone), 'YYYY-MM-DD'),
    'Time', to_char(r.change_to at time zone coalesce(s.time_zone, p.time_zone), 'HH24:MI'),
    'Reason', coalesce(r.change_reason, ''), 'Status', r.change_status) end as "TimeChangeRequest",
  r.network_name as "IPName", r.distance_m as "Distance", r.accuracy_m as "Accuracy", r.is_inside as "IsInside",
  case when r.is_matched or r.status = 'rejected' or (r.kind = 'in' and r.occurred_at > now() - interval '24 hours'
    and coalesce(a.ends_at, r.occurred_at + interval '16 hours') > now())
    then to_jsonb(case when o.id is null then r.insight else 3 end) else '"u"' end as "Insight",
  case when o.id is null then r.reasons else r.reasons || '[{"Code": "change_asked"}]' end as "Reasons", r.status as "Status", r.reason as "Reason", r.source as "Source", r.partner_id as "PartnerId",
  r.decided_at as "DecidedAt", nullif(trim(d.first_name || ' ' || d.last_name), '') as "DecidedBy",
  r.decision_reason as "DecisionReason", jsonb_array_length(r.history) as "Edits"`
const recordJoins = `join program p on p.id = r.program_id
  left join site s on s.program_id = r.program_id and s.id = r.site_id
  left join shift_assignment a on a.program_id = r.program_id and a.id = r.assignment_id
  left join time_record o on o.program_id = r.program_id and o.id = r.partner_id and o.change_status = 'asked'
    and o.deleted_at is null and r.status = 'pending' and r.insight < 3
  left join account d on d.id = r.decided_by`

const listRecords = async (program: number) => {
  const rows = await query(
    `select ${recordColumns}, r.student_id as "StudentId", u.last_name || ', ' || u.first_name as "Student",
      u.student_level_id as "StudentLevelId", l.name as "StudentLevel", r.mailed_at as "MailedAt"
    from (select program_id, id from time_record where program_id = $1 and status = 'pending' and deleted_at is null
      order by occurred_at desc, id desc limit 51) f
    join time_record r on r.program_id = f.program_id and r.id = f.id
    join account u on u.program_id = r.program_id and u.id = r.student_id
    left join student_level l on l.program_id = u.program_id and l.id = u.student_level_id ${recordJoins}
    order by r.occurred_at desc, r.id desc`,
    [program],
  )
  const [{ n }] = await query(
    "select count(*) as n from time_record where program_id = $1 and status = 'pending' and deleted_at is null",
    [program],
  )
  const Items = rows.slice(0, 50)
  const last = Items.at(-1)
  return {
    Items,
    Total: n,
    Page: 1,
    PageSize: 50,
    NextCursor: rows.length > 50 ? Buffer.from(`${last.OccurredAt}|${last.Id}`).toString('base64url') : null,
    IsTotalCapped: false,
  }
}

const countRecords = async (program: number) => {
  const [{ ReadyClean, ReadyNeedReview, ReadyCarefulReview, CleanMinutes, ...counts }] = await query(
    `with still as materialized (select r.insight from time_record r
        left join shift_assignment a on a.program_id = r.program_id and a.id = r.assignment_id
        where r.program_id = $1 and r.status = 'pending' and r.deleted_at is null and r.partner_id is null
          and r.kind = 'in' and r.occurred_at > now() - interval '24 hours'
          and coalesce(a.ends_at, r.occurred_at + interval '16 hours') > now()),
      asked as materialized (select unnest(array[id, partner_id]) as id from time_record
        where program_id = $1 and change_status = 'asked' and deleted_at is null),
      held as (select count(*) filter (where insight = 1) as clean, count(*) filter (where insight = 2) as review,
          count(*) as every, count(*) filter (where insight = 3) as careful,
          coalesce(sum(minutes) filter (where kind <> 'absence' and insight = 1), 0) as minutes
        from time_record where program_id = $1 and status = 'pending' and deleted_at is null and is_matched
          and id in (select id from asked)),
      counted as (select count(*) filter (where insight = 1 and is_matched) as "ReadyClean",
          count(*) filter (where insight = 2 and is_matched) as "ReadyNeedReview",
          count(*) filter (where insight = 3 and is_matched) as "ReadyCarefulReview",
          count(*) filter (where not is_matched) - (select count(*) from still) as "Unmatched", count(*) as "All",
          coalesce(sum(minutes) filter (where kind <> 'absence'), 0) as "Minutes",
          coalesce(sum(minutes) filter (where kind <> 'absence' and insight = 1), 0) as "CleanMinutes"
        from time_record where program_id = $1 and status = 'pending' and deleted_at is null)
      select "Unmatched", "All", "Minutes", "ReadyClean" - clean as "ReadyClean", "ReadyNeedReview" - review as "ReadyNeedReview",
        "ReadyCarefulReview" - careful as "ReadyCarefulReview", "CleanMinutes" - minutes as "CleanMinutes",
        "ReadyClean" - clean + (select count(*) from still where insight = 1) as "Clean",
        "ReadyNeedReview" - review + (select count(*) from still where insight = 2) as "NeedReview",
        "ReadyCarefulReview" - careful + every + (select count(*) from still where insight = 3) as "CarefulReview"
      from counted, held`,
    [program],
  )
  return {
    ...counts,
    Ready: {
      Clean: ReadyClean,
      NeedReview: ReadyNeedReview,
      CarefulReview: ReadyCarefulReview,
      CleanMinutes,
    },
  }
}

const listAssignments = async (program: number) => {
  const rows = await query(
    `select a.id as "Id", a.rotation_id as "RotationId", a.student_id as "StudentId", s.area_id as "AreaId",
      a.site_id as "SiteId", a.site_shift_id as "SiteShiftId", r.name as "Rotation", a.date as "Date",
      u.last_name as "LastName", u.first_name as "FirstName", x.name as "Area", s.name as "Site",
      s.code as "SiteCode", h.code as "ShiftCode", h.type as "ShiftType"
    from shift_assignment a
    join rotation r on r.program_id = a.program_id and r.id = a.rotation_id
    join site_shift h on h.program_id = a.program_id and h.id = a.site_shift_id
    join site s on s.program_id = a.program_id and s.id = a.site_id
    join account u on u.program_id = a.program_id and u.id = a.student_id
    left join area x on x.program_id = s.program_id and x.id = s.area_id
    where a.program_id = $1 and a.removed_at is null order by a.date, a.id limit 101`,
    [program],
  )
  const [{ n }] = await query(
    `select count(*) as n from (select from shift_assignment where program_id = $1 and removed_at is null
      limit 10001) f`,
    [program],
  )
  const Items = rows.slice(0, 100)
  const last = Items.at(-1)
  const position = ['Date', last?.Date, last?.Date, last?.Id]
  return {
    Items,
    Total: n > 10_000 ? null : n,
    Page: 1,
    PageSize: 100,
    NextCursor: rows.length > 100 ? Buffer.from(JSON.stringify(position)).toString('base64url') : null,
  }
}

const assignmentColumns: readonly BareColumn[] = [
  { title: 'Rotation', width: 26 },
  { title: 'Date', width: 12, isDate: true },
  { title: 'Lastname', width: 20 },
  { title: 'Firstname', width: 16 },
  { title: 'Area', width: 20 },
  { title: 'Site', width: 32 },
  { title: 'Site Code', width: 12 },
  { title: 'Shift Code', width: 12 },
  { title: 'Shift Type', width: 12 },
  { title: 'Record ID', width: 12, isNumber: true },
  { title: 'Student ID', width: 14 },
]

const exportAssignments = async (program: number, response: ServerResponse): Promise<void> => {
  const client = await pool.connect()
  try {
    await streamSheet(
      client,
      `select r.name, a.date, u.last_name, u.first_name, x.name, s.name, s.code, h.code, h.type, a.id, u.student_number
      from shift_assignment a
      join rotation r on r.program_id = a.program_id and r.id = a.rotation_id
      join site_shift h on h.program_id = a.program_id and h.id = a.site_shift_id
      join site s on s.program_id = a.program_id and s.id = a.site_id
      join account u on u.program_id = a.program_id and u.id = a.student_id
      left join area x on x.program_id = s.program_id and x.id = s.area_id
      where a.program_id = $1 and a.removed_at is null order by a.date, a.id`,
      [program],
      assignmentColumns,
      response,
    )
  } finally {
    client.release()
  }
}

const listStudents = (program: number) =>
  query(
    `select id as "Id", first_name as "FirstName", last_name as "LastName", user_name as "UserName",
      email as "EmailAddress", access_level as "AccessLevel", student_level_id as "StudentLevelId"
    from account where program_id = $1 and access_level = 39 and deleted_at is null and deactivated_at is null
    order by lower(last_name), lower(first_name), id`,
    [program],
  )

interface Punch {
  Kind: 'in' | 'out'
  SiteId: number
  Latitude: number
  Longitude: number
}

/** A punch as one would write it in an hour: the open one, the site and the shift read, one row written and joined. */
const punch = async (program: number, student: number, key: string, body: Punch) => {
  const [found] = await query(
    `select s.time_zone, s.precision_m, s.latitude, s.longitude, (now() at time zone s.time_zone)::date as date,
      (select r.id from time_record r where r.program_id = $1 and r.student_id = $2 and r.deleted_at is null
        and r.kind = 'in' and r.partner_id is null and r.status <> 'rejected'
        and r.occurred_at > now() - interval '24 hours' order by r.occurred_at desc limit 1) as open,
      (select a.id from shift_assignment a where a.program_id = $1 and a.student_id = $2 and a.removed_at is null
        and a.site_id = $3 and a.date = (now() at time zone s.time_zone)::date limit 1) as assignment
    from site s where s.program_id = $1 and s.id = $3 and s.deleted_at is null`,
    [program, student, body.SiteId],
  )
  const meters = Math.round(
    Math.hypot(found.latitude - body.Latitude, (found.longitude - body.Longitude) * 0.75) * 111_000,
  )
  const [row] = await query(
    `with made as (
      insert into time_record (program_id, student_id, site_id, kind, occurred_at, date, source, assignment_id,
        partner_id, minutes, latitude, longitude, distance_m, is_inside, idempotency_key, created_by)
      values ($1, $2, $3, $4, now(), $5, 'server', $6, $7, coalesce((select round(extract(epoch from now() - o.occurred_at) / 60)
        from time_record o where o.program_id = $1 and o.id = $7), 0), $8, $9, $10, $11, $12, $2)
      returning *),
    paired as (update time_record q set partner_id = made.id from made
      where q.program_id = made.program_id and q.id = made.partner_id)
    select ${recordColumns} from made r ${recordJoins}`,
    [
      program,
      student,
      body.SiteId,
      body.Kind,
      found.date,
      found.assignment,
      body.Kind === 'out' ? found.open : null,
      body.Latitude,
      body.Longitude,
      meters,
      meters <= found.precision_m,
      key,
    ],
  )
  return row
}

const read = async (request: IncomingMessage): Promise<Punch> => {
  let text = ''
  for await (const chunk of request) text += chunk
  return JSON.parse(text) as Punch
}

const pages = pageCalls(query)

const inbox: typeof pages = [
  [/\/inbox-links\/[\w-]+$/, inboxHead(query)],
  [/\/programs\/\d+\/inbox$/, inboxItems(query, { recordColumns, recordJoins })],
]

const calls: [RegExp, (program: number, account: number, request: IncomingMessage) => unknown][] = [
  ...[...pages, ...inbox].map(([path, call]): (typeof calls)[number] => [
    new RegExp(path),
    (program, account, request) => call(program, account, new URL(request.url ?? '', 'http://bare')),
  ]),
  [/\/time-records\/counts$/, countRecords],
  [/\/time-records\?/, listRecords],
  [/\/shift-assignments\?/, listAssignments],
  [/\/users\?/, listStudents],
  [
    /\/clock\/punches$/,
    async (program, account, request) =>
      punch(program, account, String(request.headers['idempotency-key']), await read(request)),
  ],
]

/** Who calls: by a session, or from a phone by an inbox link. */
const callerOf = async (
  request: IncomingMessage,
): Promise<{ id: number; program_id: number } | undefined> => {
  const phone = phoneOf(request.headers, request.url ?? '')
  if (phone) return accountOfPhone(query, phone)
  const token = /practicum_session=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
  const [session] = await query(
    `select a.id, a.program_id from session s join account a on a.id = s.account_id
    where s.token_hash = $1 and s.ended_at is null and s.expires_at > now()`,
    [createHash('sha256').update(token).digest()],
  )
  return session
}

const server = createServer(async (request, response) => {
  try {
    const session = await callerOf(request)
    if (session && /\/shift-assignments\/export\?/.test(request.url ?? ''))
      return await exportAssignments(session.program_id, response)
    const call = calls.find(([path]) => path.test(request.url ?? ''))?.[1]
    if (!session || !call) {
      response.writeHead(session ? 404 : 401).end()
      return
    }
    const answer = JSON.stringify(await call(session.program_id, session.id, request))
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) })
      .end(answer)
  } catch (error) {
    console.error(error)
    response.writeHead(500).end()
  }
})
// Connections of the load rest while the other side is measured.
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
