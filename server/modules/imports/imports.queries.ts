import { type RawBuilder, sql } from 'kysely'
import type { ImportRun } from '#contract/imports.ts'
import type { ColumnMapping, ImportKind, ImportMemory, ValueMapping } from '#contract/imports-rules.ts'
import { Level } from '#contract/levels.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { Change, Entity, Existing } from './plan.rules.ts'
import type { NamedStudent } from './student-names.rules.ts'

/** What a kind of import writes: its table, its columns with their types, and what is where a cell is empty. */
interface Target {
  table: 'site' | 'account' | 'college' | 'verification' | 'employee'
  columns: Record<string, { type: string; empty: string | number | boolean | null }>
}
const text = { type: 'text', empty: '' }
const place = { type: 'double precision', empty: null }

const people: Target = {
  table: 'account',
  columns: {
    first_name: text,
    last_name: text,
    middle_name: text,
    suffix: text,
    email: text,
    is_email_confirmed: { type: 'boolean', empty: false },
    user_name: text,
    phone: text,
    zip: text,
    institution: text,
    area_id: { type: 'bigint', empty: null },
    student_number: { type: 'text', empty: null },
    student_level_id: { type: 'smallint', empty: null },
    cohort: { type: 'text', empty: null },
    access_level: { type: 'smallint', empty: null },
  },
}

/** Kinds whose rows are rows of a table; assignments go through the rules of placing instead. */
export type EntityKind = Exclude<ImportKind, 'assignments'>

export const targets: Record<EntityKind, Target> = {
  sites: {
    table: 'site',
    columns: {
      name: text,
      external_location_id: { type: 'text', empty: null },
      code: text,
      contract_name: text,
      area_id: { type: 'bigint', empty: null },
      type: text,
      address: text,
      city: text,
      state: text,
      zip: text,
      phone: text,
      county: text,
      website: text,
      beds: { type: 'integer', empty: null },
      capacity: { type: 'integer', empty: null },
      latitude: place,
      longitude: place,
      precision_m: { type: 'integer', empty: 150 },
      time_zone: text,
      is_dst: { type: 'boolean', empty: true },
      is_active: { type: 'boolean', empty: true },
      notes: text,
    },
  },
  students: people,
  staff: people,
  employees: {
    table: 'employee',
    columns: {
      site_id: { type: 'bigint', empty: null },
      first_name: text,
      last_name: text,
      email: text,
      dob: { type: 'date', empty: null },
      registry_number: text,
      num_sdms: text,
      num_ardms: text,
      num_arrt: text,
      num_cci: text,
      num_card_up: text,
    },
  },
  verifications: {
    table: 'verification',
    columns: {
      student_id: { type: 'bigint', empty: null },
      type: { type: 'smallint', empty: null },
      vendor: text,
      item: text,
      status: { type: 'text', empty: null },
      result: text,
      ordered_on: { type: 'date', empty: null },
      completed_on: { type: 'date', empty: null },
      expires_on: { type: 'date', empty: null },
    },
  },
  colleges: {
    table: 'college',
    columns: {
      name: text,
      ipeds_id: { type: 'text', empty: null },
      address: text,
      city: text,
      state: text,
      zip: text,
      phone: text,
      website: text,
      latitude: place,
      longitude: place,
    },
  },
}

const names = (target: Target): string[] => Object.keys(target.columns)
const list = (columns: readonly string[], prefix = ''): RawBuilder<unknown> =>
  sql.raw(columns.map((name) => `${prefix}${name}`).join(', '))
const recordset = (target: Target, head: string): RawBuilder<unknown> =>
  sql.raw(
    `r (${[head, ...names(target).map((name) => `${name} ${target.columns[name]!.type}`)].filter(Boolean).join(', ')})`,
  )

/** The rows that an import may meet, in the columns it writes. Colleges belong to no program. */
export const listExisting = async (
  db: Db,
  kind: EntityKind,
  programId: number | null,
): Promise<Existing[]> => {
  const target = targets[kind]
  const inProgram = programId === null ? sql`` : sql`and program_id = ${programId}`
  const { rows } = await sql<Existing>`select id, ${list(names(target))} from ${sql.table(target.table)}
    where deleted_at is null ${inProgram}`.execute(db)
  return rows
}

/** Adds rows in one statement and answers their ids, in order. */
export const insertRows = async (
  db: Db,
  kind: EntityKind,
  { programId, importId, accountId }: { programId: number | null; importId: number; accountId: number },
  entities: readonly Entity[],
): Promise<number[]> => {
  const target = targets[kind]
  const rows = entities.map((entity, place_) => ({
    place_,
    ...Object.fromEntries(names(target).map((name) => [name, entity[name] ?? target.columns[name]!.empty])),
  }))
  const program = programId === null ? sql`` : sql`program_id, `
  const programValue = programId === null ? sql`` : sql`${programId}, `
  const { rows: made } = await sql<{ id: number }>`
    insert into ${sql.table(target.table)} (${program}import_id, created_by, updated_by, ${list(names(target))})
    select ${programValue}${importId}::bigint, ${accountId}::bigint, ${accountId}::bigint, ${list(names(target), 'r.')}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as ${recordset(target, 'place_ integer')}
    order by r.place_ returning id`.execute(db)
  return made.map(({ id }) => id)
}

/** Changes rows in one statement and keeps what was there. */
export const changeRows = async (
  db: Db,
  kind: EntityKind,
  { programId, importId }: { programId: number | null; importId: number },
  changes: readonly Change[],
): Promise<void> => {
  const target = targets[kind]
  const inProgram = programId === null ? sql`` : sql`and t.program_id = ${programId}`
  const set = sql.raw(
    names(target)
      .map((name) => `${name} = r.${name}`)
      .join(', '),
  )
  const rows = changes.map(({ id, row }) => ({ id, ...row }))
  await sql`update ${sql.table(target.table)} t set ${set}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as ${recordset(target, 'id bigint')}
    where t.id = r.id ${inProgram}`.execute(db)
  const kept = changes.map(({ id, before, after }) => ({ id, before, after }))
  await sql`insert into import_change (import_id, entity_id, before, after)
    select ${importId}::bigint, r.id, r.before, r.after
    from jsonb_to_recordset(${JSON.stringify(kept)}::jsonb) as r (id bigint, before jsonb, after jsonb)`.execute(
    db,
  )
}

/** What emails to added people need. */
export interface AddedPerson {
  id: number
  email: string
  user_name: string
  first_name: string
}
export const listAdded = (db: Db, programId: number, importId: number): Promise<AddedPerson[]> =>
  db
    .selectFrom('account')
    .select(['id', 'email', 'user_name', 'first_name'])
    .where('program_id', '=', programId)
    .where('import_id', '=', importId)
    .where('email', '!=', '')
    .execute()

/** Which user names are taken anywhere in the installation: of those wanted, and of those made of a stem and digits. */
export const listTakenUserNames = async (
  db: Db,
  { wanted, stems }: { wanted: string[]; stems: string[] },
): Promise<string[]> =>
  (
    await sql<{ name: string }>`select taken_user_names(${wanted}::text[], ${stems}::text[]) as name`.execute(
      db,
    )
  ).rows.map(({ name }) => name)

/**
 * Ids of areas and student levels by name in lower case, levels also by their number; for `employees` the sites too, by name,
 * code and external id, null where two sites share the text.
 */
export const listNames = async (
  db: Db,
  programId: number,
  kind: ImportKind,
): Promise<{
  areas: Map<string, number>
  levels: Map<string, number>
  sites: Map<string, number | null>
  names: Record<'area' | 'level' | 'site', string[]>
}> => {
  const siteNames = ['name', 'code', 'external_location_id'].map(
    (
      column,
    ) => sql`union select ${column === 'name' ? 'site name' : 'site'}, id, ${sql.ref(column)} from site where program_id = ${programId}
      and deleted_at is null and ${sql.ref(column)} <> ''`,
  )
  const { rows } = await sql<{ kind: string; id: number; name: string }>`
    select 'area' as kind, id, name from area where program_id = ${programId} and deleted_at is null
    union all select 'level', id, name from student_level where program_id = ${programId}
    ${kind === 'employees' ? sql.join(siteNames, sql` `) : sql``} order by kind, id`.execute(db)
  const areas = new Map<string, number>()
  const levels = new Map<string, number>()
  const sites = new Map<string, number | null>()
  const names = { area: [] as string[], level: [] as string[], site: [] as string[] }
  for (const { kind, id, name } of rows) {
    const text = name.toLowerCase()
    if (kind === 'area' || kind === 'level') names[kind].push(name)
    else if (kind === 'site name') names.site.push(name)
    if (kind === 'area') areas.set(text, id)
    else if (kind === 'level') levels.set(String(id), id)
    if (kind.startsWith('site')) sites.set(text, sites.has(text) && sites.get(text) !== id ? null : id)
  }
  // A level's name goes before another level's number.
  for (const { kind, id, name } of rows) if (kind === 'level') levels.set(name.toLowerCase(), id)
  names.area.sort((a, b) => a.localeCompare(b, 'en-US'))
  names.site.sort((a, b) => a.localeCompare(b, 'en-US'))
  return { areas, levels, sites, names }
}

/** The active students of a program, as files may name them. */
export const listNamedStudents = (db: Db, programId: number): Promise<NamedStudent[]> =>
  db
    .selectFrom('account')
    .select(['id', 'student_number as number', 'user_name as userName', 'email'])
    .select(['first_name as firstName', 'last_name as lastName'])
    .where('program_id', '=', programId)
    .where('access_level', '=', Level.Student)
    .where('deleted_at', 'is', null)
    .where('deactivated_at', 'is', null)
    .execute()

/** One import of a program at a time: a second one would plan on rows that the first is about to change. */
export const tryLock = async (db: Db, programId: number | null): Promise<boolean> => {
  const { rows } = await sql<{ isMine: boolean }>`select
    pg_try_advisory_xact_lock(hashtextextended(${`import:${programId ?? 'colleges'}`}, 0)) as "isMine"`.execute(
    db,
  )
  return rows[0]!.isMine
}

// Memory ---------------------------------------------------------------------------------------------------------

/** What the last import of the kind was matched by. */
export const findMemory = async (
  db: Db,
  programId: number | null,
  kind: ImportKind,
): Promise<ImportMemory | undefined> => {
  const row = await db
    .selectFrom('import_memory')
    .select(['mapping', 'columns', 'value_choices'])
    .where('program_id', programId === null ? 'is' : '=', programId)
    .where('kind', '=', kind)
    .executeTakeFirst()
  return (
    row && {
      mapping: row.mapping as unknown as ColumnMapping,
      columns: row.columns,
      values: row.value_choices as unknown as ValueMapping,
    }
  )
}

/** Remembers what an import was matched by; values that this file did not have stay remembered. */
export const keepMemory = async (
  db: Db,
  programId: number | null,
  kind: ImportKind,
  { mapping, columns, values }: ImportMemory,
): Promise<void> => {
  const before = await findMemory(db, programId, kind)
  const merged: ValueMapping = { ...before?.values }
  for (const [field, own] of Object.entries(values)) merged[field] = { ...merged[field], ...own }
  await sql`insert into import_memory (program_id, kind, mapping, columns, value_choices)
    values (${programId}, ${kind}, ${JSON.stringify(mapping)}::jsonb, ${[...columns]}::text[],
      ${JSON.stringify(merged)}::jsonb)
    on conflict (program_id, kind) do update set mapping = excluded.mapping, columns = excluded.columns,
      value_choices = excluded.value_choices`.execute(db)
}

// Runs -----------------------------------------------------------------------------------------------------------

export const startRun = async (
  db: Db,
  run: { programId: number | null; kind: ImportKind; fileName: string; rows: number; accountId: number },
): Promise<number> => {
  const { id } = await db
    .insertInto('import_run')
    .values({
      program_id: run.programId,
      kind: run.kind,
      file_name: run.fileName,
      row_count: run.rows,
      added: 0,
      changed: 0,
      unchanged: 0,
      status: 'running',
      created_by: run.accountId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export const updateRun = async (
  db: Db,
  importId: number,
  change: {
    status?: 'done' | 'failed'
    done_rows?: number
    added?: number
    changed?: number
    unchanged?: number
    undone_at?: RawBuilder<string>
  },
): Promise<void> => {
  await db
    .updateTable('import_run')
    .set({ ...change, updated_at: sql`now()` })
    .where('id', '=', importId)
    .execute()
}

const staleMinutes = 5

const runs = (db: Db, programId: number | null) =>
  db
    .selectFrom('import_run as r')
    .leftJoin('account as a', 'a.id', 'r.created_by')
    .select(['r.id as Id', 'r.kind as Kind', 'r.file_name as FileName', 'r.row_count as Rows'])
    .select([
      'r.done_rows as DoneRows',
      'r.added as Added',
      'r.changed as Changed',
      'r.unchanged as Unchanged',
    ])
    .select(['r.created_at as CreateDate', 'r.undone_at as UndoneDate'])
    .select(sql<string>`coalesce(a.user_name, '')`.as('CreateBy'))
    .select(
      sql<ImportRun['Status']>`case when r.undone_at is not null then 'undone'
        when r.status = 'running' and r.updated_at < now() - make_interval(mins => ${staleMinutes}) then 'stopped'
        else r.status end`.as('Status'),
    )
    .where('r.program_id', programId === null ? 'is' : '=', programId)

/** A page of the history, newest first. */
export const pageRuns = async (
  db: Db,
  programId: number | null,
  { kind, page, pageSize }: { kind: ImportKind | undefined; page: number; pageSize: number },
): Promise<{ Items: ImportRun[]; Total: number }> => {
  const items = (await runs(db, programId)
    .$if(kind !== undefined, (query) => query.where('r.kind', '=', kind!))
    .orderBy('r.created_at', 'desc')
    .orderBy('r.id', 'desc')
    .offset((page - 1) * pageSize)
    .limit(pageSize)
    .execute()) as ImportRun[]
  const { total } = await db
    .selectFrom('import_run')
    .select(sql<number>`count(*)`.as('total'))
    .where('program_id', programId === null ? 'is' : '=', programId)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind!))
    .executeTakeFirstOrThrow()
  return { Items: items, Total: total }
}

export const findRun = async (
  db: Db,
  programId: number | null,
  importId: number,
): Promise<ImportRun | undefined> =>
  (await runs(db, programId).where('r.id', '=', importId).executeTakeFirst()) as ImportRun | undefined

// Undo -----------------------------------------------------------------------------------------------------------

/** Something that keeps an import from being undone. */
export interface Hindrance {
  name: string
  reason: string
}

const siteUses: readonly [reason: string, from: string][] = [
  ['has shifts', 'site_shift u where u.deleted_at is null and'],
  ['has students placed', 'shift_assignment u where u.removed_at is null and'],
  ['has time records', 'time_record u where'],
  ['has evaluations', 'evaluation u where'],
  ['has employees', 'employee u where u.deleted_at is null and'],
  ['has supervisors', 'supervisor_site u where'],
  ['has documents', 'site_file u where u.deleted_at is null and'],
  ['has an agreement', 'affiliate_agreement u where u.deleted_at is null and'],
  ['has contacts', 'site_contact u where'],
  ['has networks', 'site_network u where'],
  ['has departments', 'site_department u where'],
]

/** What is in use of the things that an import added, a few of them with their names. */
export const findUses = async (
  db: Db,
  kind: EntityKind,
  programId: number | null,
  importId: number,
): Promise<Hindrance[]> => {
  // Nothing refers to what a vendor said, nor to an employee.
  if (kind === 'verifications' || kind === 'employees') return []
  const branches =
    kind === 'sites'
      ? siteUses.map(
          ([reason, from]) =>
            sql`select s.name, ${reason}::text as reason from site s where s.program_id = ${programId}
              and s.import_id = ${importId} and s.deleted_at is null and exists (select from ${sql.raw(from)}
                u.program_id = s.program_id and u.site_id = s.id)`,
        )
      : kind === 'colleges'
        ? [
            sql`select c.name, 'has programs'::text as reason from college c where c.import_id = ${importId}
              and c.deleted_at is null and exists (select from program p where p.college_id = c.id)`,
          ]
        : [
            sql`select a.first_name || ' ' || a.last_name as name, 'has signed in'::text as reason from account a
              where a.program_id = ${programId} and a.import_id = ${importId}
              and exists (select from session x where x.account_id = a.id)`,
            sql`select a.first_name || ' ' || a.last_name, 'is placed on shifts' from account a
              where a.program_id = ${programId} and a.import_id = ${importId} and exists (select from shift_assignment x
                where x.program_id = a.program_id and x.student_id = a.id)`,
            sql`select a.first_name || ' ' || a.last_name, 'is tied to sites' from account a
              where a.program_id = ${programId} and a.import_id = ${importId} and exists (select from supervisor_site x
                where x.program_id = a.program_id and x.account_id = a.id)`,
          ]
  const { rows } =
    await sql<Hindrance>`select name, reason from (${sql.join(branches, sql` union all `)}) as uses
    order by name limit 4`.execute(db)
  return rows
}

/** Rows that an import changed and that somebody changed again in the same columns. */
export const findChangedSince = async (
  db: Db,
  kind: EntityKind,
  programId: number | null,
  importId: number,
): Promise<Hindrance[]> => {
  const { table } = targets[kind]
  const name = {
    account: sql`t.first_name || ' ' || t.last_name`,
    employee: sql`t.first_name || ' ' || t.last_name`,
    verification: sql`t.item || ' of ' || (select a.first_name || ' ' || a.last_name from account a where a.id = t.student_id)`,
    site: sql`t.name`,
    college: sql`t.name`,
  }[table]
  const inProgram = programId === null ? sql`` : sql`and t.program_id = ${programId}`
  const { rows } = await sql<Hindrance>`select ${name} as name, 'was changed since' as reason
    from import_change c join ${sql.table(table)} t on t.id = c.entity_id ${inProgram}
    where c.import_id = ${importId} and not to_jsonb(t) @> c.after order by 1 limit 4`.execute(db)
  return rows
}

/** Puts back what an import changed. */
export const restoreRows = async (
  db: Db,
  kind: EntityKind,
  programId: number | null,
  importId: number,
): Promise<void> => {
  const target = targets[kind]
  const inProgram = programId === null ? sql`` : sql`and t.program_id = ${programId}`
  const set = names(target)
    .map(
      (name) =>
        `${name} = case when c.before ? '${name}' then (c.before ->> '${name}')::${target.columns[name]!.type} else t.${name} end`,
    )
    .join(', ')
  await sql`update ${sql.table(target.table)} t set ${sql.raw(set)} from import_change c
    where c.import_id = ${importId} and t.id = c.entity_id ${inProgram}`.execute(db)
}

/** Takes away what an import added: sites, colleges, employees and verifications can be restored; people without any trace go for good, so that
 * their user names are free again. */
export const removeAdded = async (
  db: Db,
  kind: EntityKind,
  programId: number | null,
  importId: number,
): Promise<void> => {
  const { table } = targets[kind]
  if (table !== 'account') {
    const inProgram = programId === null ? sql`` : sql`and program_id = ${programId}`
    await sql`update ${sql.table(table)} set deleted_at = now()
      where import_id = ${importId} and deleted_at is null ${inProgram}`.execute(db)
    return
  }
  await sql`delete from one_time_token where account_id in (select id from account
    where program_id = ${programId} and import_id = ${importId})`.execute(db)
  await sql`delete from account where program_id = ${programId} and import_id = ${importId}
    and access_level < ${Level.SuperAdmin}`.execute(db)
}
