/** The moments of a shift on a day, for modules that plan ahead of placing. */
export { shiftTimes } from './shift-times.rules.ts'
