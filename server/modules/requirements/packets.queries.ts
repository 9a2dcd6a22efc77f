import { sql } from 'kysely'
import { daysBetween } from '#contract/core/calendar.ts'
import { Level } from '#contract/core/levels.ts'
import type { OwnDisclosures, Packet, PacketLine } from '#contract/requirements/packets.ts'
import { isMet, type Rule, type Standing, stateOn } from '#contract/requirements/requirement-rules.ts'
import type { Db } from '#server/core/database/pool.ts'
import { hasConsented } from './disclosure.queries.ts'
import { standingColumns } from './standings.queries.ts'

/** A student with shifts at a site, and what a packet says of them. */
export interface PacketDraft {
  Id: number
  Student: string
  FirstDate: string
  HasConsent: boolean
  Lines: PacketLine[]
}

type StandingRow = Standing & {
  StudentId: number
  Name: string
  Rule: Rule
  MaxAgeDays: number | null
  IsExemptionRefused: boolean
}

/** Of students with shifts ahead at the site, or of those of them who are named, what is asked there and whether it is met on the day. */
export const draftPacket = async (
  db: Db,
  { programId, siteId, today }: { programId: number; siteId: number; today: string },
  studentIds?: readonly number[],
): Promise<PacketDraft[]> => {
  const { rows: students } = await sql<Omit<PacketDraft, 'Lines'>>`
    select u.id as "Id", listed_name(u.last_name, u.first_name) as "Student", min(a.date) as "FirstDate",
      ${hasConsented(programId, sql`u.id`, sql`${siteId}`)} as "HasConsent"
    from shift_assignment a
    join account u on u.program_id = a.program_id and u.id = a.student_id and u.access_level = ${Level.Student}
      and u.deleted_at is null and u.deactivated_at is null
    where a.program_id = ${programId} and a.site_id = ${siteId} and a.removed_at is null
      and ${studentIds ? sql`a.student_id = any (${[...studentIds]}::bigint[])` : sql`true`}
    group by u.program_id, u.id having max(a.date) >= ${today}::date
    order by lower(u.last_name), lower(u.first_name), u.id`.execute(db)
  const { rows } = await sql<StandingRow>`
    select u.id as "StudentId", q.name as "Name", q.rule as "Rule", r.max_age_days as "MaxAgeDays",
      coalesce(s.status = 'waived' and not s.exemption = any (r.accepts), false) as "IsExemptionRefused", ${standingColumns('s')}
    from requirement q
    join account u on u.program_id = q.program_id and u.id = any (${students.map(({ Id }) => Id)}::bigint[])
    left join site_requirement r on r.program_id = q.program_id and r.requirement_id = q.id and r.site_id = ${siteId}
    left join student_requirement s on s.program_id = q.program_id and s.student_id = u.id and s.requirement_id = q.id
      and s.site_id = case q.scope when 'perSite' then ${siteId} else 0 end
    where q.program_id = ${programId} and q.deleted_at is null and coalesce(r.is_in_packet, true)
      and case q.scope when 'program' then coalesce(r.is_asked, true) else r.is_asked end
      and applies_to(q.level_ids, q.cohorts, u.student_level_id::smallint, u.cohort)
    order by q.position, lower(q.name), q.id`.execute(db)
  const byStudent = Map.groupBy(rows, ({ StudentId }) => StudentId)
  return students.map((student) => ({
    ...student,
    Lines: (byStudent.get(student.Id) ?? []).map((row) => lineOf(row, today, student.FirstDate)),
  }))
}

const lineOf = (row: StandingRow, today: string, firstDate: string): PacketLine => {
  const isExempt = row.Status === 'waived'
  const isTooOld =
    row.MaxAgeDays !== null &&
    row.CompletedOn !== null &&
    daysBetween(row.CompletedOn, firstDate) > row.MaxAgeDays
  return {
    Name: row.Name,
    IsMet: isMet(stateOn(row.Rule, row, today)) && !isTooOld && !row.IsExemptionRefused,
    IsExempt: isExempt,
    CompletedOn: isExempt ? null : row.CompletedOn,
    ValidTo: row.ExpiresOn,
  }
}

export const listSiteContacts = async (db: Db, programId: number, siteId: number) => {
  const { rows } = await sql<{
    Name: string
    EmailAddress: string
  }>`select name as "Name", email as "EmailAddress" from site_contact
    where program_id = ${programId} and site_id = ${siteId} and email <> '' order by lower(name), id`.execute(
    db,
  )
  return rows
}

type PacketRow = Omit<Packet, 'ExpiresAt' | 'WithdrawnAt' | 'IsOpenable' | 'Openings' | 'LastOpenedAt'>

/** Packets without what their links know, the newest first. */
export const pagePackets = async (
  db: Db,
  programId: number,
  {
    siteId,
    id,
    page = 1,
    pageSize = 1,
  }: { siteId?: number | undefined; id?: number; page?: number; pageSize?: number },
): Promise<{ rows: PacketRow[]; total: number }> => {
  const { rows } = await sql<PacketRow & { total: number }>`
    select p.id as "Id", p.site_id as "SiteId", s.name as "Site", p.basis as "Basis", p.on_day as "OnDay",
      p.recipient_name as "RecipientName", p.recipient_email as "RecipientEmail", p.created_at as "CreatedAt",
      coalesce(nullif(trim(a.first_name || ' ' || a.last_name), ''), '') as "CreatedBy",
      (select count(*) from site_packet_student t where t.program_id = p.program_id and t.packet_id = p.id) as "Students",
      count(*) over () as total
    from site_packet p join site s on s.program_id = p.program_id and s.id = p.site_id left join account a on a.id = p.created_by
    where p.program_id = ${programId} and ${siteId === undefined ? sql`true` : sql`p.site_id = ${siteId}`}
      and ${id === undefined ? sql`true` : sql`p.id = ${id}`}
    order by p.id desc limit ${pageSize} offset ${(page - 1) * pageSize}`.execute(db)
  return { rows: rows.map(({ total: _, ...row }) => row), total: rows[0]?.total ?? 0 }
}

/** What a packet says, as it was said. */
export const listPacketStudents = async (
  db: Db,
  programId: number,
  packetId: number,
): Promise<{ Name: string; Lines: PacketLine[] }[]> => {
  const { rows } = await sql<{
    Name: string
    Lines: PacketLine[]
  }>`select name as "Name", lines as "Lines" from site_packet_student
    where program_id = ${programId} and packet_id = ${packetId} order by lower(name), student_id`.execute(db)
  return rows
}

export const listDisclosuresOf = async (
  db: Db,
  programId: number,
  studentId: number,
): Promise<OwnDisclosures['Disclosures']> => {
  const { rows } = await sql<OwnDisclosures['Disclosures'][number]>`
    select s.name as "Site", p.recipient_name || ' <' || p.recipient_email || '>' as "Recipient", p.basis as "Basis",
      p.created_at as "At", coalesce(nullif(trim(a.first_name || ' ' || a.last_name), ''), '') as "By", t.lines as "Lines",
      (select max(x.at) from scoped_link l join scoped_link_use x on x.program_id = l.program_id and x.link_id = l.id
        where l.program_id = p.program_id and l.kind = 'packet' and l.subject_id = p.id and x.action = 'opened') as "LastOpenedAt",
      not exists (select from scoped_link l where l.program_id = p.program_id and l.kind = 'packet' and l.subject_id = p.id
        and l.withdrawn_at is null) as "IsWithdrawn"
    from site_packet_student t
    join site_packet p on p.program_id = t.program_id and p.id = t.packet_id
    join site s on s.program_id = p.program_id and s.id = p.site_id
    left join account a on a.id = p.created_by
    where t.program_id = ${programId} and t.student_id = ${studentId} order by p.id desc limit 100`.execute(
    db,
  )
  return rows
}

/** Sites of the student's shifts ahead that are told with their consent alone, and those that they have consented to. */
export const listConsents = async (db: Db, programId: number, studentId: number, today: string) => {
  const { rows } = await sql<{
    SiteId: number
    Site: string
    Purpose: string
    Program: string
    Records: string[]
    SignedText: string | null
    SignedAt: string | null
  }>`
    select s.id as "SiteId", s.name as "Site", d.purpose as "Purpose", g.name as "Program", c.text as "SignedText",
      c.signed_at as "SignedAt",
      array(select q.name from requirement q left join site_requirement r on r.program_id = q.program_id and r.requirement_id = q.id
          and r.site_id = s.id
        where q.program_id = s.program_id and q.deleted_at is null and coalesce(r.is_in_packet, true)
          and case q.scope when 'program' then coalesce(r.is_asked, true) else r.is_asked end
        order by q.position, lower(q.name)) as "Records"
    from site_disclosure d join site s on s.program_id = d.program_id and s.id = d.site_id and s.deleted_at is null
    join program g on g.id = d.program_id
    left join disclosure_consent c on c.program_id = d.program_id and c.site_id = d.site_id and c.student_id = ${studentId}
      and c.revoked_at is null
    where d.program_id = ${programId} and d.basis = 'consent' and (c.id is not null or exists (
      select from shift_assignment a where a.program_id = d.program_id and a.student_id = ${studentId} and a.site_id = d.site_id
        and a.removed_at is null and a.date >= ${today}::date))
    order by lower(s.name), s.id`.execute(db)
  return rows.map(({ SiteId, Site, Purpose, Program, Records, SignedText, SignedAt }) => ({
    SiteId,
    Site,
    SignedAt,
    Text:
      SignedText ??
      `I consent that ${Program} tells ${Site} which of these requirements I meet, with their dates: ${Records.join(', ')}. Purpose: ${Purpose}. Recipient: staff of ${Site} who place and supervise students. I may revoke this consent at any time; what was told before stays told.`,
  }))
}
