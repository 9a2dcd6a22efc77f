import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Part, parts } from './options.ts'
import type { Figure } from './table.ts'

/** What a part of the bench found, and on which day (`2026-11-26`). */
export interface Measured {
  part: Part
  date: string
  figures: readonly Figure[]
}

const file = join(import.meta.dirname, 'measured.json')

/**
 * Keeps what was measured now in `bench/measured.json`, in place of what those parts had before.
 *
 * @returns all parts with the last that each has found, in the order of the table
 */
export const keepMeasured = (now: readonly Measured[]): Measured[] => {
  const before: Measured[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8'), numbers) : []
  const of = (part: Part) => (one: Measured) => one.part === part
  const all = parts.flatMap((part) => now.find(of(part)) ?? before.find(of(part)) ?? [])
  writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`)
  return all
}

/** JSON has no number for what could not be measured. */
const numbers = (key: string, value: unknown): unknown =>
  key === 'value' && value === null ? Number.NaN : value
