/** How a number of a cell is shown: as itself, as a day with or without time, or filled up with zeros. */
export type NumberForm = 'number' | 'date' | 'time' | { figures: number }

/** Excel's own formats (ECMA-376, 18.8.30) that show days, and those that show hours only. */
const dayFormats = new Set([14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58])
const hourFormats = new Set([18, 19, 20, 21, 32, 33, 34, 35, 45, 46, 47, 55, 56])

/** What a format makes of a number; `code` is the format's text where the workbook has one of its own. */
export const numberForm = (id: number, code: string | undefined): NumberForm => {
  if (code === undefined) return dayFormats.has(id) ? 'date' : hourFormats.has(id) ? 'time' : 'number'
  if (/^0+$/.test(code)) return { figures: code.length }
  // Quoted and escaped signs, colors and conditions are no parts of a day.
  const bare = code.replace(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
  if (/[yd]/i.test(bare)) return 'date'
  if (/[hs]/i.test(bare)) return 'time'
  return /^m+$/i.test(bare) ? 'date' : 'number'
}

const two = (figure: number): string => String(figure).padStart(2, '0')
const dayMs = 86_400_000
/** Days from 1899-12-30, with which Excel counts, to 1970-01-01; workbooks of old Macs begin 1,462 days later. */
const firstDay = 25_569
const macDays = 1_462
/** 9999-12-31, the last day that Excel has. */
const lastDay = 2_958_465

/** A number of a sheet as text: without `.0`, days as mm/dd/yyyy, days with a time as yyyy-mm-dd hh:mm. */
export const numberText = (raw: string, form: NumberForm, isFrom1904: boolean): string => {
  const value = Number(raw)
  if (raw.trim() === '' || !Number.isFinite(value)) return raw
  if (typeof form === 'object')
    return Number.isInteger(value) && value >= 0 ? String(value).padStart(form.figures, '0') : String(value)
  if (form === 'number' || value < 0) return String(value)
  const minutes = Math.round((value % 1) * 1440)
  const clock = `${two(Math.floor((minutes % 1440) / 60))}:${two(minutes % 60)}`
  if (form === 'time' && value < 1) return clock
  const serial = Math.floor(value) + (minutes === 1440 ? 1 : 0) + (isFrom1904 ? macDays : 0)
  if (serial > lastDay) return String(value)
  // Excel counts a February 29, 1900, so that days before it lie one later.
  const at = new Date((serial - firstDay + (serial < 60 ? 1 : 0)) * dayMs)
  const [month, day] = [two(at.getUTCMonth() + 1), two(at.getUTCDate())]
  return minutes % 1440 === 0
    ? `${month}/${day}/${at.getUTCFullYear()}`
    : `${at.getUTCFullYear()}-${month}-${day} ${clock}`
}

/** The number of a column by its letters, from 0: A is 0, AA is 26; undefined for what is no reference of a cell. */
export const columnAt = (reference: string): number | undefined => {
  const letters = /^([A-Z]{1,3})\d+$/.exec(reference)?.[1]
  if (!letters) return undefined
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

/** The letters of a column, from 0. */
export const columnName = (index: number): string =>
  index < 26
    ? String.fromCharCode(65 + index)
    : columnName(Math.floor(index / 26) - 1) + String.fromCharCode(65 + (index % 26))

/** Excel writes signs that XML cannot hold as _x000D_. */
export const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text
