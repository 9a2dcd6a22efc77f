import { isSame } from '#web/ui/form/merge.ts'

/** Of the fields of a form those that differ from what it began with: what others change meanwhile stays as they leave it. */
export const changed = <T extends object>(before: T, after: Partial<T>): Partial<T> =>
  Object.fromEntries(
    Object.entries(after).filter(([name, value]) => !isSame(value, before[name as keyof T])),
  ) as Partial<T>
