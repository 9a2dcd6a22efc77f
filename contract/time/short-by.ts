/**
 * What the hours that a student will have leave open of those needed; above 0 the student is short. Every page says so by this rule: of a
 * rotation, of a span or of the whole program.
 */
export const shortBy = ({ Projection, Needed }: { Projection: number; Needed: number }): number =>
  Math.max(0, Needed - Projection)
