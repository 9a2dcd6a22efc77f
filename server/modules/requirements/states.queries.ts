import { type RawBuilder, sql } from 'kysely'
import { exemptionKinds, expiringDays } from '#contract/requirements/requirement-rules.ts'
import { isAskedOn } from './season.queries.ts'

/**
 * `stateOn` and `isMet` of the contract as conditions of statements, over `student_requirement s`, which may be absent, and
 * `requirement q`. A test compares all that use them with the contract. Scheduling, which knows no requirements' module, asks for more than
 * these: whether something is in order on the day of each shift.
 */

/** What is kept is in order on the day. */
export const isHeldOn = (day: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`s.status in ('accepted', 'inProgress', 'waived') and (s.expires_on is null or s.expires_on >= ${day})`

/** The requirement is met on the day: `isMet(stateOn(…))`. */
export const isMetOn = (day: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`(coalesce(${isHeldOn(day)}, false)
    or not ${isAskedOn(day)} and not coalesce(s.is_waiting, false))`

/** What is kept ends within so many days, and is asked for afterwards; the end of a season is no end that anybody has to do something about. */
export const isExpiringOn = (day: RawBuilder<unknown>, within = expiringDays): RawBuilder<boolean> =>
  sql`s.status = 'accepted' and s.expires_on between ${day} and ${day} + ${within}::int
    and ${isAskedOn(sql`(s.expires_on + 1)`)}`

/**
 * What sites ask of what is in order, as rows `(site_id, max_age_days, accepts, is_own)` of requirement `q` for a lateral join: a site's own
 * requirements, and those of everybody of which it does not take every proof or exemption.
 *
 * @param isAhead whether the student goes to the site `r.site_id`
 */
export const askedBySites = (isAhead: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select null::bigint as site_id, null::smallint as max_age_days, null::text[] as accepts, true as is_own where q.scope = 'program'
  union all
  select r.site_id, r.max_age_days, r.accepts, q.scope <> 'program' from site_requirement r
  where r.program_id = q.program_id and r.requirement_id = q.id and r.is_asked
    and (q.scope <> 'program' or r.max_age_days is not null or cardinality(r.accepts) < ${exemptionKinds.length}) and ${isAhead}`

/** What is kept is in order on the day, and the site `n` of `askedBySites` takes it neither at its age on the first day there nor as an exemption. */
export const isRefusedBySite = (
  day: RawBuilder<unknown>,
  firstDay: RawBuilder<unknown>,
): RawBuilder<boolean> =>
  sql`coalesce(n.site_id is not null and ${isHeldOn(day)} and ${isAskedOn(day)}
    and (${firstDay} - s.completed_on > n.max_age_days or s.status = 'waived' and not s.exemption = any (n.accepts)), false)`
