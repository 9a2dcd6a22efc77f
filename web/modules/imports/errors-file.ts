import type { ImportError } from '#contract/imports.ts'

/** Spreadsheets run text that begins so as a formula; an apostrophe before it keeps it text. */
const formula = /^[=+\-@\t\r]/

const cell = (value: string | number): string => {
  const text = typeof value === 'string' && formula.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** The errors of an import as CSV, with a mark so that spreadsheets read it as UTF-8. */
export const errorsAsCsv = (
  errors: readonly ImportError[],
  header: readonly [string, string, string],
): string =>
  `\uFEFF${[header, ...errors.map(({ Row, Column, Message }) => [Row, Column, Message] as const)]
    .map((row) => row.map(cell).join(','))
    .join('\r\n')}\r\n`
