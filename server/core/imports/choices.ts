import type { Value } from './plan.ts'

/**
 * What a cell turns out to be: a value, or what is wrong. A problem reads behind the field's name and before the text; a
 * sentence is whole by itself. A value may have a note: a sentence that says what was read otherwise, or looks wrong.
 */
export type Read = { value: Value; note?: string } | { problem: string } | { sentence: string }

/** The fixed set of a field. */
export interface FieldChoices {
  /** As people write them; empty where there are more than anybody looks through. */
  offered: readonly string[]
  read(text: string): Read
}

/** A text of a cell as messages show it. */
export const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}…` : text)

const maxOffered = 8

/** A choice in a row of others: one that has a comma itself is in quotation marks. */
const told = (choice: string): string => (choice.includes(',') ? `“${choice}”` : choice)

/** '"1st year" is not a student level. Use Level 1, Level 2 or Graduating.' */
export const notAmong = (text: string, what: string, choices: readonly string[]): { sentence: string } => {
  const offered = choices.slice(0, maxOffered).map(told)
  const use =
    offered.length === 0
      ? ''
      : choices.length > maxOffered
        ? ` Use ${offered.join(', ')} or another one of the program.`
        : ` Use ${offered.length > 1 ? `${offered.slice(0, -1).join(', ')} or ` : ''}${offered.at(-1)}.`
  return { sentence: `“${shorten(text)}” is not ${what}.${use}` }
}

/** Choices by their names in lower case. `what` is one of them: 'an area'. */
export const namedChoices = (
  what: string,
  values: ReadonlyMap<string, Value>,
  offered: readonly string[],
): FieldChoices => ({
  offered,
  read: (text) => {
    const value = values.get(text.toLowerCase())
    return value === undefined ? notAmong(text, what, offered) : { value }
  },
})
