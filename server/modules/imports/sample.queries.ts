import { type ImportKind, importables } from '#contract/imports/import-kinds.ts'
import { describeField, hasChoices, sampleNotes } from '#contract/imports/imports-rules.ts'
import type { Db } from '#server/core/database/pool.ts'
import { csvFile } from '#server/core/files/csv.ts'
import type { FileAnswer } from '#server/core/files/file-answer.ts'
import { xlsxFile } from '#server/core/files/xlsx.ts'
import { definitionOf } from './definitions.rules.ts'
import { notesMark } from './parse.rules.ts'

async function* each<T>(rows: readonly T[]) {
  yield* rows
}

/**
 * A file that shows how an import of a kind looks, made of the declaration of its columns: two rows with values that the
 * program has, and what each column takes, in CSV as a row that imports leave out, in XLSX as a sheet.
 */
export const sampleFile = async (
  db: Db,
  {
    kind,
    programId,
    format,
    ownLevel,
  }: { kind: ImportKind; programId: number | null; format: 'csv' | 'xlsx'; ownLevel: number },
): Promise<FileAnswer> => {
  const { fields } = importables[kind]
  const known = (await definitionOf(kind).listChoices?.({ db, programId, ownLevel })) ?? {}
  const choices = fields.map(({ name }) => known[name]?.offered ?? [])
  const rows = [0, 1].map((row) =>
    fields.map((field, index) => {
      const own = choices[index]!
      // Samples that name one of the choices fit the rest of their rows, also where they are empty.
      const isGiven = !hasChoices(field) || field.sample.some((text) => own.includes(text))
      return isGiven ? field.sample[row]! : (own[row] ?? own[0] ?? '')
    }),
  )
  const columns = fields.map(({ label }) => ({
    title: label,
    kind: 'text' as const,
    width: Math.max(16, label.length + 3),
  }))
  const notes = fields.map((field, index) => describeField(field, choices[index]))
  const name = `Sample ${kind}`
  if (format === 'csv') {
    const marked = notes.map((note, index) => (index === 0 ? `${notesMark}${note}` : note))
    return {
      name: `${name}.csv`,
      type: 'text/csv; charset=utf-8',
      chunks: csvFile(columns, each([marked, ...rows])),
    }
  }
  return {
    name: `${name}.xlsx`,
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    chunks: xlsxFile(name, columns, each(rows), {
      name: 'Notes',
      columns: [
        { title: sampleNotes[0], width: 22 },
        { title: sampleNotes[1], width: 90 },
      ],
      rows: fields.map(({ label }, index) => [label, notes[index]]),
    }),
  }
}
