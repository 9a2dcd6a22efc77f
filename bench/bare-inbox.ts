import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { type Call, dayIn, programText, type Query } from './bare-hours.ts'

const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/** What a phone brings that has opened an inbox link: the link, its own secret, and the account. */
interface Phone {
  link: string
  secret: string
  account: string
}

/** What the headers of a call bring of an inbox link; undefined for everybody who is signed in. */
export const phoneOf = (headers: IncomingHttpHeaders, path: string): Phone | undefined => {
  const link = /\/inbox-links\/([\w-]+)$/.exec(path)?.[1] ?? headers['x-inbox']
  const secret = /practicum_link_\d+=([\w-]+)/.exec(headers.cookie ?? '')?.[1]
  if (typeof link !== 'string' || secret === undefined) return undefined
  return { link, secret, account: String(headers['x-account'] ?? '') }
}

/** The account that calls by an opened link, in one look; of the link alone, the first of its address. */
export const accountOfPhone = async (query: Query, { link, secret, account }: Phone) => {
  const [row] = await query(
    `select a.id, a.program_id from scoped_link l
      join scoped_link_device d on d.program_id = l.program_id and d.link_id = l.id and d.secret_hash = $2
        and d.opened_at > now() - interval '1 hour'
      join account a on lower(a.email) = lower(l.recipient_email) and a.deleted_at is null and a.deactivated_at is null
      where l.token_hash = $1 and l.kind = 'inbox' and l.withdrawn_at is null and l.expires_at > now()
        and ($3 = '' or a.id::text = $3) limit 1`,
    [hashOf(link), hashOf(secret), account],
  )
  return row as { id: number; program_id: number } | undefined
}

/** Whose inbox a link is, and the accounts of its address. */
export const inboxHead =
  (query: Query): Call =>
  async (_program, _account, url) => {
    const rows = await query(
      `select l.recipient_name, l.expires_at, a.id as "AccountId", p.id as "ProgramId", p.name as "Program", c.name as "College",
        p.time_zone as "TimeZone", a.totp_secret is not null as "NeedsSignIn"
      from scoped_link l join account a on lower(a.email) = lower(l.recipient_email) and a.deleted_at is null
        and a.deactivated_at is null and a.access_level in (49, 50)
      join program p on p.id = a.program_id and p.deleted_at is null join college c on c.id = p.college_id
      join inbox_setting s on s.program_id = a.program_id and s.is_on
      where l.token_hash = $1 order by p.name, p.id, a.id`,
      [hashOf(url.pathname.split('/').at(-1) ?? '')],
    )
    return {
      Name: rows[0].recipient_name,
      ExpiresAt: rows[0].expires_at,
      Programs: rows.map(({ recipient_name: _name, expires_at: _expires, ...program }) => program),
    }
  }

interface Head {
  id: number
  other: number | null
  minutes: number
  insight: number
}

/** Pending hours at a supervisor's sites by shift: the sums, three of them, and the records of the clean ones. */
const pendingHours = async (
  query: Query,
  { recordColumns, recordJoins }: { recordColumns: string; recordJoins: string },
  program: number,
  account: number,
) => {
  const [{ found, Ids, ...Totals }] = await query(
    `with heads as materialized (
      select r.id, r.occurred_at, q.id as other, q.status as other_status, case when r.kind = 'absence' then 0 else r.minutes end as minutes,
        case when not r.is_matched then 4 else greatest(r.insight, case when q.status = 'pending' then q.insight else 1 end) end as insight
      from time_record r
      left join shift_assignment a on a.program_id = r.program_id and a.id = r.assignment_id
      left join time_record q on q.program_id = r.program_id and q.id = r.partner_id and q.deleted_at is null and q.status <> 'rejected'
      where r.program_id = $1 and r.deleted_at is null and r.status = 'pending'
        and exists (select from supervisor_site v where v.program_id = r.program_id and v.account_id = $2 and v.site_id = r.site_id)
        and not (r.kind = 'in' and q.status is not distinct from 'pending')
        and not (r.kind = 'in' and r.partner_id is null and r.occurred_at > now() - interval '24 hours'
          and coalesce(a.ends_at, r.occurred_at + interval '16 hours') > now())),
    clean as (select * from heads where insight = 1 order by occurred_at desc, id desc limit 500),
    doubted as (select * from heads where insight <> 1 order by occurred_at desc, id desc
      limit 3 - (select least(count(*), case when (select count(*) from heads where insight <> 1) > 0 then 2 else 3 end) from clean))
    select (select count(*) from heads) as "Shifts", (select count(*) from heads where insight = 1) as "Clean",
      (select coalesce(sum(minutes), 0) from heads) as "Minutes",
      coalesce((select json_agg(f order by insight = 1, occurred_at desc, id desc) from (select * from doubted
        union all (select * from clean order by occurred_at desc, id desc limit 3 - (select least(count(*), 1) from heads where insight <> 1))) f), '[]') as found,
      coalesce((select json_agg(i order by i) from (select id from clean union all select other from clean where other_status = 'pending') x (i)), '[]') as "Ids"`,
    [program, account],
  )
  const heads: Head[] = found
  const rows = await query(
    `select ${recordColumns}, r.student_id as "StudentId", u.last_name || ', ' || u.first_name as "Student",
      u.student_level_id as "StudentLevelId", l.name as "StudentLevel", r.mailed_at as "MailedAt"
    from time_record r join account u on u.program_id = r.program_id and u.id = r.student_id
    left join student_level l on l.program_id = u.program_id and l.id = u.student_level_id ${recordJoins}
    where r.program_id = $1 and r.id = any ($2::bigint[]) order by r.occurred_at, r.id`,
    [program, heads.flatMap(({ id, other }) => (other === null ? [id] : [id, other]))],
  )
  return {
    Totals,
    Items: heads.map(({ id, other, minutes, insight }) => ({
      Records: rows.filter(({ Id }) => Id === id || Id === other),
      Minutes: minutes,
      Insight: insight === 4 ? 'u' : insight,
    })),
    Clean: { Shifts: Math.min(Totals.Clean, 500), Ids },
  }
}

/** Students' days of logged procedures that name the supervisor, and the entries of those without repeats. */
const waitingDays = async (query: Query, program: number, account: number) => {
  const rows = await query(
    `select l.student_id as "StudentId", u.last_name || ', ' || u.first_name as "Student", l.date as "Date", count(*) as "Entries",
      count(*) filter (where l.repeats > 0) as "Repeats", json_agg(json_build_object('Id', l.id, 'Revision', l.revision) order by l.id) as lines
    from (select * from procedure_log where program_id = $1 and supervisor_id = $2 and state = 'submitted' and deleted_at is null
      order by date, student_id limit 500) l
    join account u on u.program_id = l.program_id and u.id = l.student_id
    group by l.student_id, u.last_name, u.first_name, l.date order by l.date, u.last_name, u.first_name, l.student_id`,
    [program, account],
  )
  return {
    Days: rows.map(({ lines: _lines, ...day }) => day),
    Clean: rows.flatMap(({ Repeats, lines }) => (Repeats === 0 ? lines : [])),
  }
}

/** What waits for the supervisor in a program; the data of the bench has nothing that was mailed by links of its own. */
export const inboxItems =
  (query: Query, records: { recordColumns: string; recordJoins: string }): Call =>
  async (program, account) => {
    const [{ time_zone }] = await query(programText, [program])
    const Evaluations = await query(
      `select e.id as "Id", t.title as "Title", coalesce(u.last_name || ', ' || u.first_name, s.name, '') as "Subject",
        coalesce(s.name, '') as "Site", e.end_date as "EndDate", coalesce(e.end_date < $3::date, false) as "IsLate"
      from evaluation e join evaluation_template t on t.program_id = e.program_id and t.id = e.template_id
      left join account u on u.program_id = e.program_id and u.id = e.subject_id
      left join site s on s.program_id = e.program_id and s.id = e.site_id
      where e.program_id = $1 and e.deleted_at is null and e.evaluator_id = $2 and not e.is_completed and e.stopped_at is null
      order by e.end_date nulls last, e.id limit 100`,
      [program, account, dayIn(time_zone)],
    )
    const [setting] = await query('select is_on from inbox_setting where program_id = $1', [program])
    return {
      IsOn: setting?.is_on ?? false,
      Hours: await pendingHours(query, records, program, account),
      Procedures: await waitingDays(query, program, account),
      Evaluations,
      Requests: [],
    }
  }
