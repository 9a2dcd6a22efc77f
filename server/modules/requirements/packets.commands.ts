import { sql } from 'kysely'
import type { Basis } from '#contract/requirements/packets.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { PacketDraft } from './packets.queries.ts'

export const insertPacket = async (
  db: Db,
  packet: {
    programId: number
    siteId: number
    basis: Basis
    onDay: string
    recipientName: string
    recipientEmail: string
    by: number
  },
  students: readonly PacketDraft[],
): Promise<number> => {
  const { rows } = await sql<{ id: number }>`
    insert into site_packet (program_id, site_id, basis, on_day, recipient_name, recipient_email, created_by)
    values (${packet.programId}, ${packet.siteId}, ${packet.basis}, ${packet.onDay}, ${packet.recipientName},
      ${packet.recipientEmail}, ${packet.by})
    returning id`.execute(db)
  const { id } = rows[0]!
  await sql`insert into site_packet_student (program_id, packet_id, student_id, name, lines)
    select ${packet.programId}, ${id}, n.student_id, n.name, n.lines
    from jsonb_to_recordset(${JSON.stringify(
      students.map(({ Id, Student, Lines }) => ({ student_id: Id, name: Student, lines: Lines })),
    )}::jsonb) as n (student_id bigint, name text, lines jsonb)`.execute(db)
  return id
}

export const insertConsent = async (
  db: Db,
  consent: {
    programId: number
    studentId: number
    siteId: number
    text: string
    name: string
    from: string
  },
): Promise<number | undefined> => {
  const { rows } = await sql<{ id: number }>`
    insert into disclosure_consent (program_id, student_id, site_id, text, signed_name, signed_from)
    values (${consent.programId}, ${consent.studentId}, ${consent.siteId}, ${consent.text}, ${consent.name}, ${consent.from})
    on conflict (program_id, student_id, site_id) where revoked_at is null do nothing returning id`.execute(
    db,
  )
  return rows[0]?.id
}

/** Revokes a consent; answers the packets that rest on it, or undefined where there was none. */
export const revokeConsent = async (
  db: Db,
  { programId, studentId, siteId }: { programId: number; studentId: number; siteId: number },
): Promise<number[] | undefined> => {
  const { rows } = await sql`update disclosure_consent set revoked_at = now()
    where program_id = ${programId} and student_id = ${studentId} and site_id = ${siteId} and revoked_at is null returning id`.execute(
    db,
  )
  if (rows.length === 0) return undefined
  const { rows: packets } = await sql<{ id: number }>`
    select p.id from site_packet p
    join site_packet_student t on t.program_id = p.program_id and t.packet_id = p.id and t.student_id = ${studentId}
    where p.program_id = ${programId} and p.site_id = ${siteId} and p.basis = 'consent' order by p.id`.execute(
    db,
  )
  return packets.map(({ id }) => id)
}
