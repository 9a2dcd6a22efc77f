import { type RawBuilder, sql } from 'kysely'

/**
 * A clock-in and its clock-out are judged as one: while both wait, each is of the graver insight of the two, and of Careful Review while
 * a time change is asked for either. Here that is said of one record, with its other half as `other`; below of a whole program.
 */
export const insightOfPair = sql<number>`greatest(r.insight, case when 'asked' in (r.change_status, other.change_status) then 3 else other.insight end)`

/** Why a record needs a look: its own reasons, and where its other half is why, that it is. */
export const reasonsOfPair = sql`case
  when other.change_status = 'asked' and not r.reasons @> '[{"Code": "change_asked"}]' then r.reasons || '[{"Code": "change_asked"}]'
  when other.insight > r.insight then r.reasons || '[{"Code": "other_half"}]' else r.reasons end`

/** The other half of a pending record `r`, as `other`, while it speaks for both. */
export const otherHalf = sql`left join time_record other on r.status = 'pending' and other.program_id = r.program_id
  and other.id = r.partner_id and other.deleted_at is null and (other.status = 'pending' or other.change_status = 'asked')`

/**
 * Of a program, the records that are held by more than their own doubts (id, insight, is_asked): by those of their other half, or by a time
 * change that is asked for one of the two. As a set, for lists and counts.
 */
export const heldRecords = (programId: number): RawBuilder<unknown> => sql`
  select d.id, max(d.insight) as insight, bool_or(d.is_asked) as is_asked from (
    select h.partner_id as id, h.insight, false as is_asked from time_record h
    where h.program_id = ${programId} and h.status = 'pending' and h.deleted_at is null and h.insight > 1 and h.partner_id is not null
    union all
    select c.id, 3, true from time_record h cross join unnest(array[h.id, h.partner_id]) c (id)
    where h.program_id = ${programId} and h.change_status = 'asked' and h.deleted_at is null and c.id is not null) d
  group by d.id`

/** Whether a pending record is graver than an insight, by itself or by its other half. */
export const isGraverThan = (programId: number, insight: 1 | 2): RawBuilder<unknown> =>
  sql`(r.insight > ${sql.lit(insight)} or r.id in (
    select held.id from (${heldRecords(programId)}) held where held.insight > ${sql.lit(insight)}))`

/** What of the records is of an insight; what is decided keeps its own. */
export const isOfInsight = (
  programId: number,
  insight: number,
  status: string | undefined,
): RawBuilder<unknown> => {
  const own = sql`r.insight = ${sql.lit(insight)}`
  if (status !== undefined && status !== 'pending') return own
  const ofPending =
    insight === 1
      ? sql`not ${isGraverThan(programId, 1)}`
      : insight === 2
        ? sql`${isGraverThan(programId, 1)} and not ${isGraverThan(programId, 2)}`
        : isGraverThan(programId, 2)
  return status === 'pending'
    ? sql`(${ofPending})`
    : sql`case when r.status = 'pending' then ${ofPending} else ${own} end`
}
