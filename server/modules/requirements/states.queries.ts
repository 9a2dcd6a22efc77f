import { type RawBuilder, sql } from 'kysely'
import { expiringDays } from '#contract/requirements/requirement-rules.ts'
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
