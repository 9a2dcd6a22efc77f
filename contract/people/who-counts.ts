/** A student as far as counting needs: through which day they count. Undefined while they study, null for whoever never was one. */
export type CountsThrough = string | null | undefined

/**
 * Who counts when: a student counts on every day up to the last one, and on none after it. What was before stays in every sum; shifts,
 * places, reminders and open evaluations after it are free.
 */
export const countsOn = (through: CountsThrough, day: string): boolean =>
  through === undefined || (through !== null && day <= through)
