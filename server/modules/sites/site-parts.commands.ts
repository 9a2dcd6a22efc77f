import { sql } from 'kysely'
import { coreFailures } from '#contract/core/failures.ts'
import type { SiteInput } from '#contract/sites/sites.ts'
import type { Db } from '#server/core/database/pool.ts'
import { fail } from '#server/core/runtime/failure.ts'

/** A table of things that belong to one site, and its columns by their fields. */
interface Part {
  table: 'site_contact' | 'site_department' | 'site_network' | 'affiliate_agreement'
  /** By field: the column, its type, and what it holds where a new row says nothing. */
  columns: Record<string, readonly [column: string, type: string, empty: string | boolean | null]>
  /** Rows that go are marked as deleted. */
  isKept?: true
}

const parts = {
  Contacts: {
    table: 'site_contact',
    columns: {
      Name: ['name', 'text', ''],
      Role: ['role', 'text', ''],
      Email: ['email', 'text', ''],
      Phone: ['phone', 'text', ''],
    },
  },
  Departments: { table: 'site_department', columns: { Name: ['name', 'text', ''] } },
  Networks: {
    table: 'site_network',
    columns: { Name: ['name', 'text', ''], Range: ['range', 'cidr', ''] },
  },
  Agreements: {
    table: 'affiliate_agreement',
    columns: {
      InitialDate: ['initial_date', 'date', null],
      LastRenewalDate: ['last_renewal_date', 'date', null],
      Terms: ['terms', 'text', ''],
      IsActive: ['is_active', 'boolean', true],
      IsApproved: ['is_approved', 'boolean', false],
      TerminationDate: ['termination_date', 'date', null],
      Notes: ['notes', 'text', ''],
    },
    isKept: true,
  },
} as const satisfies Record<string, Part>

type Name = keyof typeof parts
type Row = { Id: number } & Record<string, unknown>

interface At {
  programId: number
  siteId: number
  accountId: number
}

const savePart = async (
  db: Db,
  { table: name, columns, isKept }: Part,
  at: At,
  sent: readonly Row[],
): Promise<void> => {
  const table = sql.table(name)
  const fields = Object.entries(columns)
  const here = sql`t.program_id = ${at.programId} and t.site_id = ${at.siteId} ${isKept ? sql`and t.deleted_at is null` : sql``}`
  // Held, because agreements are changed by pages of their own as well.
  const { rows: current } = await sql<Row>`select t.id as "Id", ${sql.raw(
    fields
      .map(([field, [column, type]]) => `t.${column}${type === 'cidr' ? '::text' : ''} as "${field}"`)
      .join(', '),
  )} from ${table} t where ${here} order by t.id for update`.execute(db)
  const now = new Map(current.map((row) => [row.Id, row]))
  const kept = new Set(sent.map(({ Id }) => Id))
  const added = sent.filter(({ Id }) => !now.has(Id))
  const removed = [...now.keys()].filter((id) => !kept.has(id))
  const changed = sent.flatMap((row) => {
    const there = now.get(row.Id)
    const differing = Object.entries(row).filter(
      ([field, value]) => there && (value ?? null) !== (there[field] ?? null),
    )
    return differing.length > 0 ? [{ ...Object.fromEntries(differing), Id: row.Id }] : []
  })
  if (removed.length > 0)
    await (isKept
      ? sql`update ${table} t set deleted_at = now() where ${here} and t.id = any (${removed}::bigint[])`
      : sql`with gone as (delete from ${table} t where ${here} and t.id = any (${removed}::bigint[]) returning *)
          insert into site_part_removed (program_id, site_id, relation, part)
          select g.program_id, g.site_id, ${name}, ${asPart('g', columns)} from gone g order by g.id`
    ).execute(db)
  const typed = (type: string, field: string) => `(r.value ->> '${field}')::${type}`
  if (changed.length > 0) {
    const set = fields.map(
      ([field, [column, type]]) =>
        `${column} = case when r.value ? '${field}' then ${typed(type, field)} else t.${column} end`,
    )
    await sql`update ${table} t set ${sql.raw(set.join(', '))} from jsonb_array_elements(${JSON.stringify(changed)}::jsonb) r
      where ${here} and t.id = (r.value ->> 'Id')::bigint`.execute(db)
  }
  if (added.length === 0) return
  const rows = added.map((row) =>
    Object.fromEntries(fields.map(([field, [, , empty]]) => [field, row[field] ?? empty])),
  )
  await sql`insert into ${table} (program_id, site_id, ${sql.raw(fields.map(([, [column]]) => column).join(', '))}
      ${isKept ? sql`, created_by, updated_by` : sql``})
    select ${at.programId}::bigint, ${at.siteId}::bigint,
      ${sql.raw(fields.map(([field, [, type]]) => typed(type, field)).join(', '))}
      ${isKept ? sql`, ${at.accountId}::bigint, ${at.accountId}::bigint` : sql``}
    from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) with ordinality r order by r.ordinality`.execute(
    db,
  )
  // What has come back, such as by Undo, is not to be brought back once more.
  if (!isKept)
    await sql`delete from site_part_removed r where r.program_id = ${at.programId} and r.site_id = ${at.siteId} and r.relation = ${name}
      and exists (select from ${table} t where ${here} and ${asPart('t', columns)} = r.part)`.execute(db)
}

/** A row as `site_part_removed` keeps it: its columns besides keys. */
const asPart = (alias: string, columns: Part['columns']) =>
  sql`jsonb_build_object(${sql.raw(
    Object.values(columns)
      .map(([column]) => `'${column}', ${alias}.${column}`)
      .join(', '),
  )})`

/**
 * Brings back a contact, department or network that a save of the site has removed.
 *
 * @returns what it is called
 * @throws Failure 404 where it is not there
 */
export const restorePart = async (
  db: Db,
  { programId, siteId, partId }: { programId: number; siteId: number; partId: number },
): Promise<string> => {
  const { rows } = await sql<{ relation: string; part: Record<string, string> }>`
    delete from site_part_removed where program_id = ${programId} and site_id = ${siteId} and id = ${partId} returning relation, part`.execute(
    db,
  )
  const [removed] = rows
  if (!removed) throw fail(coreFailures.nothing_there)
  const of = Object.values(parts).find(({ table }) => table === removed.relation)! // The table's check names them.
  const columns = Object.values(of.columns)
  await sql`insert into ${sql.table(of.table)} (program_id, site_id, ${sql.raw(columns.map(([column]) => column).join(', '))})
    select ${programId}, ${siteId}, ${sql.raw(columns.map(([column, type]) => `(p.value ->> '${column}')::${type}`).join(', '))}
    from (select ${JSON.stringify(removed.part)}::jsonb as value) p`.execute(db)
  return removed.part.name! // Each of them has one.
}

/** Makes the contacts, departments, networks and agreements of a site those of the body. An id of another site counts as not there and is added. */
export const saveParts = async (db: Db, at: At, body: ReturnType<typeof SiteInput.parse>): Promise<void> => {
  for (const name of Object.keys(parts) as Name[]) {
    const sent = body[name]
    if (sent) await savePart(db, parts[name], at, sent)
  }
}
