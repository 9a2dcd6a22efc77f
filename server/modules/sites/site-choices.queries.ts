import { sql } from 'kysely'
import { alphabetical } from '#contract/core/alphabet.ts'
import type { Db } from '#server/core/database/pool.ts'
import { type FieldChoices, notAmong } from '#server/core/imports/choices.ts'

/** A program may have more sites than anybody looks through. */
const maxOffered = 500

/** The sites of a program as files name them: by name, code and external id, as long as one site alone has the text. */
export const listNamedSites = async (db: Db, programId: number): Promise<FieldChoices> => {
  const { rows } = await sql<{ id: number; text: string; isName: boolean }>`
    select s.id, t.text, t.is_name as "isName" from site s
    cross join lateral (values (s.name, true), (s.code, false), (s.external_location_id, false)) as t (text, is_name)
    where s.program_id = ${programId} and s.deleted_at is null and t.text <> '' order by s.id`.execute(db)
  // Null where several sites share the text.
  const sites = new Map<string, number | null>()
  for (const { id, text } of rows) {
    const key = text.toLowerCase()
    sites.set(key, sites.has(key) && sites.get(key) !== id ? null : id)
  }
  const names = rows.filter(({ isName }) => isName).map(({ text }) => text)
  return {
    offered: names.length > maxOffered ? [] : names.toSorted(alphabetical),
    read: (text) => {
      const id = sites.get(text.toLowerCase())
      if (id === null) return { problem: 'names several sites of this program; write the code' }
      return id === undefined ? notAmong(text, 'a site of this program', []) : { value: id }
    },
  }
}
