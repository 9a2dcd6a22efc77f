import { sql } from 'kysely'
import type { Basis } from '#contract/requirements/packets.ts'
import type { Db } from '#server/core/database/pool.ts'

/** Keeps what differs from what holds without a row. */
export const saveSiteRequirements = async (
  db: Db,
  programId: number,
  siteId: number,
  rows: readonly {
    RequirementId: number
    IsAsked: boolean
    MaxAgeDays: number | null
    Accepts: readonly string[]
    Condition: string
    IsInPacket: boolean
  }[],
  by: number,
): Promise<void> => {
  // Requirements that are not named keep what the site asks.
  await sql`delete from site_requirement where program_id = ${programId} and site_id = ${siteId}
    and requirement_id = any (${rows.map(({ RequirementId }) => RequirementId)}::bigint[])`.execute(db)
  await sql`
    insert into site_requirement (program_id, site_id, requirement_id, is_asked, max_age_days, accepts, condition, is_in_packet, updated_by)
    select ${programId}, ${siteId}, q.id, n.is_asked, n.max_age_days, array(select jsonb_array_elements_text(n.accepts)), n.condition,
      n.is_in_packet, ${by}
    from jsonb_to_recordset(${JSON.stringify(
      rows.map((row) => ({
        requirement_id: row.RequirementId,
        is_asked: row.IsAsked,
        max_age_days: row.MaxAgeDays,
        accepts: row.Accepts,
        condition: row.Condition,
        is_in_packet: row.IsInPacket,
      })),
    )}::jsonb) as n (requirement_id bigint, is_asked boolean, max_age_days smallint, accepts jsonb, condition text, is_in_packet boolean)
    join requirement q on q.program_id = ${programId} and q.id = n.requirement_id and q.deleted_at is null
    where n.is_asked <> (q.scope = 'program') or n.max_age_days is not null or jsonb_array_length(n.accepts) < 4 or n.condition <> ''
      or not n.is_in_packet`.execute(db)
}

export const saveDisclosure = async (
  db: Db,
  programId: number,
  siteId: number,
  disclosure: {
    Basis: Basis | null
    NoticeOn: string | null
    AgreementOn: string | null
    Purpose: string
  },
  by: number,
): Promise<void> => {
  if (disclosure.Basis === null) {
    await sql`delete from site_disclosure where program_id = ${programId} and site_id = ${siteId}`.execute(db)
    return
  }
  const isConsent = disclosure.Basis === 'consent'
  await sql`
    insert into site_disclosure (program_id, site_id, basis, notice_on, agreement_on, purpose, updated_by)
    values (${programId}, ${siteId}, ${disclosure.Basis}, ${isConsent ? null : disclosure.NoticeOn},
      ${isConsent ? null : disclosure.AgreementOn}, ${isConsent ? disclosure.Purpose : ''}, ${by})
    on conflict (program_id, site_id) do update set basis = excluded.basis, notice_on = excluded.notice_on,
      agreement_on = excluded.agreement_on, purpose = excluded.purpose, updated_by = excluded.updated_by`.execute(
    db,
  )
}
