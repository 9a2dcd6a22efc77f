import { plainWords } from '#web/words/plain-words.ts'
/** A rule looks at a field's value (and the others) and answers with a sentence when something is wrong. */
export type Rule<Value = unknown, Values = unknown> = (value: Value, values: Values) => string | null

const isBlank = (value: unknown) =>
  value === null ||
  value === undefined ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0)

// A dot in the domain and no blanks; whether the mailbox exists only a mail can tell.
const email = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/

/** The first rule that objects speaks: `all(required(), maxLength(50))`. */
export function all<Value, Values>(...rules: Rule<Value, Values>[]): Rule<Value, Values> {
  return (value, values) => {
    for (const rule of rules) {
      const message = rule(value, values)
      if (message) return message
    }
    return null
  }
}

export function required(message = plainWords('ui.required')): Rule {
  return (value) => (isBlank(value) ? message : null)
}

export function validEmail(message = plainWords('ui.invalidEmail')): Rule {
  return (value) => (isBlank(value) || email.test(String(value).trim()) ? null : message)
}

export function maxLength(most: number, message?: string): Rule {
  return (value) => {
    const length = String(value ?? '').length
    return length <= most ? null : (message ?? plainWords('ui.tooLong', { most, length }))
  }
}

export function minLength(least: number, message?: string): Rule {
  return (value) =>
    isBlank(value) || String(value).length >= least ? null : (message ?? plainWords('ui.tooShort', { least }))
}

/** For the repeated password: it must equal another field. */
export function sameAs<Values>(
  field: keyof Values,
  message = plainWords('ui.passwordMismatch'),
): Rule<unknown, Values> {
  return (value, values) => (value === values[field] ? null : message)
}
