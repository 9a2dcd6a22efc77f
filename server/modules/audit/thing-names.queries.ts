import { sql } from 'kysely'
import { type Thing, thingOf } from '#contract/audit/field-words.ts'
import { isObject } from '#contract/core/is-object.ts'
import { personName } from '#server/core/database/names.ts'
import type { Db } from '#server/core/database/pool.ts'

/** Collects the ids in an audit note by kind of thing, at any depth. */
const collect = (value: unknown, found: Map<Thing, Set<number>>, name = ''): void => {
  if (Array.isArray(value)) for (const each of value) collect(each, found, name)
  else if (isObject(value)) for (const [field, each] of Object.entries(value)) collect(each, found, field)
  else if (Number.isSafeInteger(value)) {
    const thing = thingOf(name)
    if (thing) found.set(thing, (found.get(thing) ?? new Set()).add(value as number))
  }
}

/** What the numbers of notes are called, by thing and number, such as 'site 4'; of the program's own things only. */
export const nameThings = async (
  db: Db,
  programId: number,
  details: readonly unknown[],
): Promise<Record<string, string>> => {
  const found = new Map<Thing, Set<number>>()
  for (const detail of details) collect(detail, found)
  if (found.size === 0) return {}
  const of = (thing: Thing) => sql`(${[...(found.get(thing) ?? [])]}::bigint[])`
  const { rows } = await sql<{ key: string; name: string }>`
    select 'person ' || id as key, ${personName('account')} as name from account
      where program_id = ${programId} and id = any ${of('person')}
    union all select 'site ' || id, name from site where program_id = ${programId} and id = any ${of('site')}
    union all select 'rotation ' || id, name from rotation where program_id = ${programId} and id = any ${of('rotation')}
    union all select 'shift ' || h.id, h.code || ', ' || s.name from site_shift h
      join site s on s.program_id = h.program_id and s.id = h.site_id
      where h.program_id = ${programId} and h.id = any ${of('shift')}
    union all select 'area ' || id, name from area where program_id = ${programId} and id = any ${of('area')}
    union all select 'level ' || id, name from student_level where program_id = ${programId} and id = any ${of('level')}
    union all select 'requirement ' || id, name from requirement where program_id = ${programId} and id = any ${of('requirement')}
    union all select 'document ' || id, name from document where program_id = ${programId} and id = any ${of('document')}
    union all select 'template ' || id, title from evaluation_template where program_id = ${programId} and id = any ${of('template')}
    union all select 'evaluation ' || e.id, t.title || ', ' || to_char(e.date, 'MM/DD/YYYY') from evaluation e
      join evaluation_template t on t.program_id = e.program_id and t.id = e.template_id
      where e.program_id = ${programId} and e.id = any ${of('evaluation')}
    union all select 'assignment ' || a.id, h.code || ', ' || s.name || ', ' || to_char(a.date, 'MM/DD/YYYY') from shift_assignment a
      join site_shift h on h.program_id = a.program_id and h.id = a.site_shift_id
      join site s on s.program_id = a.program_id and s.id = a.site_id
      where a.program_id = ${programId} and a.id = any ${of('assignment')}`.execute(db)
  return Object.fromEntries(rows.map(({ key, name }) => [key, name]))
}

/** Those of the names that one note needs. */
export const namesOf = (detail: unknown, named: Readonly<Record<string, string>>): Record<string, string> => {
  const found = new Map<Thing, Set<number>>()
  collect(detail, found)
  return Object.fromEntries(
    [...found].flatMap(([thing, ids]) =>
      [...ids].flatMap((id) => {
        const name = named[`${thing} ${id}`]
        return name ? [[`${thing} ${id}`, name]] : []
      }),
    ),
  )
}
