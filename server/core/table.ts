import { type Cell, csvFile, type TableColumn } from './csv.ts'
import type { FileAnswer } from './handle.ts'
import { xlsxFile } from './xlsx.ts'

/** A table as a streamed download in the format asked for; `name` is the file's name without its ending. */
export const tableFile = (
  format: 'csv' | 'xlsx',
  name: string,
  columns: readonly TableColumn[],
  rows: AsyncIterable<readonly Cell[]>,
): FileAnswer =>
  format === 'csv'
    ? { name: `${name}.csv`, type: 'text/csv; charset=utf-8', chunks: csvFile(columns, rows) }
    : {
        name: `${name}.xlsx`,
        type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        chunks: xlsxFile(name, columns, rows),
      }
