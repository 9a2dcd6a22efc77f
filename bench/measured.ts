import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Part, parts, usual } from './options.ts'
import type { Figure } from './table.ts'

/** What a part of the bench found, and on which day (`2026-11-26`). */
export interface Measured {
  part: Part
  date: string
  figures: readonly Figure[]
}

/** What was measured with data of one size. */
export interface Sized {
  scale: number
  /** How much data that is, in words. */
  data: string
  /** All parts with the last that each has found, in the order of the table. */
  parts: readonly Measured[]
}

const fileOf = (scale: number): string =>
  join(import.meta.dirname, scale === usual ? 'measured.json' : `measured-${scale}.json`)

/** JSON has no number for what could not be measured. */
const numbers = (key: string, value: unknown): unknown =>
  key === 'value' && value === null ? Number.NaN : value

/** What was measured last with data of this many times the demo's size. */
export const measuredAt = (scale: number): Sized | undefined =>
  existsSync(fileOf(scale)) ? JSON.parse(readFileSync(fileOf(scale), 'utf8'), numbers) : undefined

/** Keeps what was measured now in `bench/`, in place of what those parts had before. */
export const keepMeasured = ({ scale, data, parts: now }: Sized): void => {
  const before = measuredAt(scale)?.parts ?? []
  const of = (part: Part) => (one: Measured) => one.part === part
  const all = parts.flatMap((part) => now.find(of(part)) ?? before.find(of(part)) ?? [])
  writeFileSync(fileOf(scale), `${JSON.stringify({ scale, data, parts: all }, null, 2)}\n`)
}
