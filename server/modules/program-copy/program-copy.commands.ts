import { sql } from 'kysely'
import type { CopyCode } from '#contract/programs/program-copy.ts'
import { type Db, workOn } from '#server/core/database/pool.ts'
import { changeDesign } from '../competencies/list-design.commands.ts'

/** What tells that two rows of a table are the same thing: a key, and the thing below which they are. */
interface Kind {
  key: string
  below?: { column: string; of: string }
  /** Deleted rows count as well, or there are none. */
  isWhole?: true
  /** Copies are made in the order of their positions. */
  isOrdered?: true
}

const byName = 'lower(name)'
const below = (of: string, column = `${of}_id`) => ({ column, of })
const ofTemplate = below('evaluation_template', 'template_id')

const kinds = {
  area: { key: byName },
  comp_exam_item: { key: 'lower(text)', below: below('skill') },
  competency_list: { key: byName },
  competency_score: { key: byName },
  competency_score_value: {
    key: 'lower(label)',
    below: below('competency_score', 'score_id'),
    isOrdered: true,
  },
  day_off: { key: 'lower(name) || chr(1) || start_date || chr(1) || end_date', isWhole: true },
  evaluation_category: { key: byName, below: ofTemplate, isOrdered: true },
  evaluation_item: { key: 'id::text', below: ofTemplate, isOrdered: true },
  evaluation_template: { key: 'lower(title)' },
  form_type: { key: byName },
  item_group: { key: byName, below: ofTemplate },
  major_study: { key: byName, below: below('competency_list', 'list_id') },
  participation_level: { key: byName, below: below('major_study') },
  pathology: { key: byName, below: below('skill') },
  requirement: { key: byName },
  rotation: { key: byName },
  // Items keep using a score type that was deleted.
  score_type: { key: 'lower(title)', below: ofTemplate, isWhole: true },
  score_value: { key: 'id::text', below: below('score_type'), isOrdered: true },
  site: { key: 'lower(name) || chr(1) || lower(code)' },
  site_contact: { key: byName, below: below('site'), isWhole: true },
  site_department: { key: byName, below: below('site'), isWhole: true },
  site_network: { key: 'range::text', below: below('site'), isWhole: true },
  site_shift: { key: 'lower(code)' },
  skill: { key: byName, below: below('major_study') },
} as const satisfies Record<string, Kind>
type Table = keyof typeof kinds
const tables = Object.keys(kinds) as Table[]

interface Row {
  Id: number
  Key: string
  /** All columns. */
  Values: Record<string, unknown>
}

/** Rows of the source with their copies in the destination; undefined where there is none yet. */
type Pairs = ReadonlyMap<number, number | undefined>

/** What a row is given when it is made, and not copied. */
const given = ['created_at', 'updated_at', 'import_id']

/** Tables of a program besides, whose rows have no id of their own. */
const plainTables = [
  'student_level',
  'rotation_level',
  'rotation_area',
  'evaluation_template_level',
  'skill_participation_level',
  'program_menu_item',
  'program_menu',
  'pathology_setting',
] as const
type PlainTable = (typeof plainTables)[number]
type Values = Record<string, unknown>

/** A copy while it is made: what the source had at its beginning, and what the destination has whenever it is asked for. */
interface Copying {
  db: Db
  destination: number
  by: number
  source: {
    program: Values
    rows: ReadonlyMap<Table, readonly Row[]>
    plain: ReadonlyMap<PlainTable, readonly Values[]>
    /** The columns that are copied. */
    columns: ReadonlyMap<Table, readonly string[]>
  }
}

const rowsOf = async (db: Db, table: Table, programId: number): Promise<Row[]> => {
  const { key, isWhole }: Kind = kinds[table]
  const { rows } = await sql<Row>`
    select t.id as "Id", ${sql.raw(key)} as "Key", to_jsonb(t) as "Values" from ${sql.table(table)} t
    where t.program_id = ${programId} ${isWhole ? sql`` : sql`and t.deleted_at is null`} order by t.id`.execute(
    db,
  )
  return rows
}

const plainRowsOf = async (db: Db, table: PlainTable, programId: number): Promise<Values[]> => {
  const { rows } = await sql<{ Values: Values }>`
    select to_jsonb(t) as "Values" from ${sql.table(table)} t where t.program_id = ${programId}`.execute(db)
  return rows.map((row) => row.Values)
}

const readSource = async (db: Db, programId: number): Promise<Copying['source']> => {
  const { rows: columns } = await sql<{ Table: Table; Names: string[] }>`
    select a.attrelid::regclass::text as "Table", array_agg(a.attname::text order by a.attnum) as "Names" from pg_attribute a
    where a.attrelid = any (${tables}::regclass[]) and a.attnum > 0 and not a.attisdropped and a.attidentity = ''
      and a.attgenerated = '' and a.attname <> all (${given}::name[]) group by 1`.execute(db)
  const { rows: programs } = await sql<{ Values: Values }>`
    select to_jsonb(p) as "Values" from program p where p.id = ${programId}`.execute(db)
  const rows = new Map<Table, Row[]>()
  for (const table of tables) rows.set(table, await rowsOf(db, table, programId))
  const plain = new Map<PlainTable, Values[]>()
  for (const table of plainTables) plain.set(table, await plainRowsOf(db, table, programId))
  return {
    program: programs[0]?.Values ?? {},
    rows,
    plain,
    columns: new Map(columns.map(({ Table, Names }) => [Table, Names])),
  }
}

/** What has no copy is left out: below it nothing has one. */
const withCopy = (pairs: Pairs): Map<number, number> =>
  new Map([...pairs].flatMap(([from, to]) => (to === undefined ? [] : [[from, to]])))

/** Of several things with one name the first is the copy of the first, the second of the second. */
const pairsIn = (
  kind: Kind,
  source: readonly Row[],
  destination: readonly Row[],
  parents: ReadonlyMap<number, number> | undefined,
): Map<number, number | undefined> => {
  const parentOf = ({ Values }: Row) => Number(kind.below && Values[kind.below.column])
  const keyOf = (parent: number | undefined, { Key }: Row) => JSON.stringify([parent, Key])
  const there = Map.groupBy(destination, (row) => keyOf(parents && parentOf(row), row))
  return new Map(
    source.flatMap((row) => {
      const parent = parents?.get(parentOf(row))
      if (parents && parent === undefined) return []
      return [[row.Id, there.get(keyOf(parent, row))?.shift()?.Id]]
    }),
  )
}

/** Things of the destination that have no parts of a table yet: what is there stays whole. */
const withoutParts = async (
  copying: Copying,
  pairs: ReadonlyMap<number, number>,
  table: Table,
  column: string,
): Promise<Map<number, number>> => {
  const full = new Set(
    (await rowsOf(copying.db, table, copying.destination)).map((row) => row.Values[column]),
  )
  return new Map([...pairs].filter(([, to]) => !full.has(to)))
}

/** Templates whose parts may be filled in: one that asks something already keeps what it has. */
const emptyTemplates = async (copying: Copying): Promise<Map<number, number>> =>
  withoutParts(
    copying,
    withCopy(await pairsOf(copying, 'evaluation_template')),
    'evaluation_item',
    'template_id',
  )

/** A site that the destination knows by the same number of another system is the copy, whatever it is called. */
const sitesByNumber = (source: readonly Row[], destination: readonly Row[], pairs: Pairs): Pairs => {
  const numbered = new Map(destination.map(({ Id, Values }) => [Values.external_location_id, Id]))
  const found = source.flatMap(({ Id, Values: { external_location_id: number } }) =>
    number !== null && numbered.has(number) ? [[Id, numbered.get(number)] as const] : [],
  )
  return new Map([...pairs, ...found])
}

const pairsOf = async (copying: Copying, table: Table): Promise<Pairs> => {
  const kind: Kind = kinds[table]
  const source = copying.source.rows.get(table) ?? []
  const destination = await rowsOf(copying.db, table, copying.destination)
  const parents =
    kind.below &&
    (kind.below.of === 'evaluation_template'
      ? await emptyTemplates(copying)
      : withCopy(await pairsOf(copying, kind.below.of as Table)))
  const pairs = pairsIn(kind, source, destination, parents)
  return table === 'site' ? sitesByNumber(source, destination, pairs) : pairs
}

const insert = async (
  { db }: Copying,
  table: string,
  columns: readonly string[],
  rows: readonly Values[],
): Promise<number> => {
  if (rows.length === 0) return 0
  const names = sql.join(columns.map((name) => sql.ref(name)))
  const { numAffectedRows } = await sql`
    insert into ${sql.table(table)} (${names})
    select ${names} from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb)`.execute(
    db,
  )
  return Number(numAffectedRows)
}

interface MakeOptions {
  /** What of the source is missing; of all its things unless given. */
  pairs?: Pairs
  /** Columns that refer to other things, with their copies. */
  refs?: Readonly<Record<string, Pairs>>
  leftOut?: readonly string[]
}

/** Makes the copies that are missing, with all their columns but what a row is given when it is made. */
const make = async (
  copying: Copying,
  table: Table,
  { pairs, refs = {}, leftOut = [] }: MakeOptions = {},
): Promise<number> => {
  const all = pairs ?? (await pairsOf(copying, table))
  const missing = (copying.source.rows.get(table) ?? []).filter(
    ({ Id }) => all.has(Id) && all.get(Id) === undefined,
  )
  const position = ({ Values }: Row) => Number(Values.position)
  const rows = (
    'isOrdered' in kinds[table] ? missing.toSorted((one, other) => position(one) - position(other)) : missing
  ).map(({ Values }) => ({
    ...Values,
    program_id: copying.destination,
    created_by: copying.by,
    updated_by: copying.by,
    ...Object.fromEntries(
      Object.entries(refs).map(([column, of]) => [column, of.get(Number(Values[column])) ?? null]),
    ),
  }))
  const columns = copying.source.columns.get(table) ?? []
  return insert(
    copying,
    table,
    columns.filter((name) => !leftOut.includes(name)),
    rows,
  )
}

/** Copies what joins two things, for things that have just been made. */
const join = async (
  copying: Copying,
  table: PlainTable,
  refs: Readonly<Record<string, ReadonlyMap<number, number>>>,
): Promise<void> => {
  const rows = (copying.source.plain.get(table) ?? []).map((values) => ({
    program_id: copying.destination,
    ...Object.fromEntries(
      Object.entries(refs).map(([column, of]) => [column, of.get(Number(values[column]))]),
    ),
  }))
  const columns = ['program_id', ...Object.keys(refs)]
  await insert(
    copying,
    table,
    columns,
    rows.filter((row) => Object.values(row).every((value) => value !== undefined)),
  )
}

/** The copies of things that had none before. */
const madeOf = async (copying: Copying, table: Table, before: Pairs): Promise<Map<number, number>> =>
  new Map(
    [...withCopy(await pairsOf(copying, table))].filter(
      ([from]) => before.has(from) && before.get(from) === undefined,
    ),
  )

/** Levels are matched by name. */
const levelsOf = async ({ db, destination, source }: Copying) => {
  const nameOf = (level: Values) => String(level.name).toLowerCase()
  const there = await plainRowsOf(db, 'student_level', destination)
  const named = new Map(there.map((level) => [nameOf(level), Number(level.id)]))
  const levels = source.plain.get('student_level') ?? []
  return { there, pairs: new Map(levels.map((level) => [Number(level.id), named.get(nameOf(level))])) }
}

const mostLevels = 20

/** A new level keeps its number where that is free, and takes another otherwise. */
const makeLevels = async (copying: Copying): Promise<number> => {
  const { there, pairs } = await levelsOf(copying)
  const taken = new Set(there.map(({ id }) => Number(id)))
  const missing = (copying.source.plain.get('student_level') ?? [])
    .filter(({ id }) => pairs.get(Number(id)) === undefined)
    .toSorted((one, other) => Number(one.id) - Number(other.id))
  const keeping = missing.filter(({ id }) => !taken.has(Number(id)))
  for (const { id } of keeping) taken.add(Number(id))
  const free = Array.from({ length: mostLevels }, (_, index) => index + 1).filter((id) => !taken.has(id))
  const moved = missing.filter((level) => !keeping.includes(level)).slice(0, free.length)
  const rows = [...keeping, ...moved.map((level, index) => ({ ...level, id: free[index] }))]
  const program_id = copying.destination
  return insert(
    copying,
    'student_level',
    ['program_id', 'id', 'name'],
    rows.map((level) => ({ ...level, program_id })),
  )
}

/** Takes over columns of the program itself. */
const takeOver = async ({ db, destination, by, source }: Copying, columns: string[]): Promise<number> => {
  const own = sql.join(columns.map((name) => sql.ref(`d.${name}`)))
  const theirs = sql.join(columns.map((name) => sql.ref(`s.${name}`)))
  const { numAffectedRows } = await sql`
    update program d set ${sql.join(columns.map((name) => sql`${sql.ref(name)} = ${sql.ref(`s.${name}`)}`))},
      updated_at = now(), updated_by = ${by}
    from jsonb_populate_record(null::program, ${JSON.stringify(source.program)}::jsonb) s
    where d.id = ${destination} and (${own}) is distinct from (${theirs})`.execute(db)
  return Number(numAffectedRows)
}

/** The menu is one thing: the destination has the source's afterwards. */
const makeMenu = async (copying: Copying): Promise<number> => {
  const { db, destination, by, source } = copying
  const items = JSON.stringify(source.plain.get('program_menu_item') ?? [])
  const [menu] = source.plain.get('program_menu') ?? []
  const changes = [
    sql`delete from program_menu_item d where d.program_id = ${destination} and d.menu_item_id not in (
      select s.menu_item_id from jsonb_populate_recordset(null::program_menu_item, ${items}::jsonb) s)`,
    sql`insert into program_menu_item as d (program_id, menu_item_id, link_order, link_name, title, access_levels, directions, updated_by)
      select ${destination}, menu_item_id, link_order, link_name, title, access_levels, directions, ${by}
      from jsonb_populate_recordset(null::program_menu_item, ${items}::jsonb)
      on conflict (program_id, menu_item_id) do update set link_order = excluded.link_order, link_name = excluded.link_name,
        title = excluded.title, access_levels = excluded.access_levels, directions = excluded.directions,
        updated_at = now(), updated_by = ${by}
      where (d.link_order, d.link_name, d.title, d.access_levels, d.directions)
        is distinct from (excluded.link_order, excluded.link_name, excluded.title, excluded.access_levels, excluded.directions)`,
    sql`insert into program_menu as d (program_id, version, nodes, updated_by)
      select ${destination}, 1, s.nodes, ${by}
      from jsonb_populate_record(null::program_menu, ${JSON.stringify(menu ?? {})}::jsonb) s
      where s.nodes is not null or exists (select from program_menu where program_id = ${destination})
      on conflict (program_id) do update set version = d.version + 1, nodes = excluded.nodes, updated_at = now(), updated_by = ${by}
      where d.nodes is distinct from excluded.nodes`,
  ]
  let changed = 0
  for (const change of changes) changed += Number((await change.execute(db)).numAffectedRows)
  return changed + (await takeOver(copying, ['is_menu_visible']))
}

const makePathologySetting = async ({ db, destination, source }: Copying): Promise<number> => {
  const settings = JSON.stringify(source.plain.get('pathology_setting') ?? [])
  const { numAffectedRows } = await sql`
    insert into pathology_setting as d (program_id, is_asked, allows_other)
    select ${destination}, is_asked, allows_other
    from jsonb_populate_recordset(null::pathology_setting, ${settings}::jsonb)
    on conflict (program_id) do update set is_asked = excluded.is_asked, allows_other = excluded.allows_other
    where (d.is_asked, d.allows_other) is distinct from (excluded.is_asked, excluded.allows_other)`.execute(
    db,
  )
  return Number(numAffectedRows)
}

/** What of the source belongs to those, as if none of it had a copy: parts that are not matched by a name. */
const partsOf = (copying: Copying, table: Table, column: string, of: ReadonlyMap<number, number>): Pairs =>
  new Map(
    (copying.source.rows.get(table) ?? [])
      .filter(({ Values }) => of.has(Number(Values[column])))
      .map(({ Id }) => [Id, undefined]),
  )

/** Rotations with the levels and areas they take. */
const makeRotations = async (copying: Copying): Promise<number> => {
  const before = await pairsOf(copying, 'rotation')
  const count = await make(copying, 'rotation', { pairs: before })
  const rotation_id = await madeOf(copying, 'rotation', before)
  const { pairs: levels } = await levelsOf(copying)
  await join(copying, 'rotation_level', { rotation_id, level_id: withCopy(levels) })
  await join(copying, 'rotation_area', { rotation_id, area_id: withCopy(await pairsOf(copying, 'area')) })
  return count
}

/**
 * Evaluation templates with the levels they are for. A copy keeps its rule, switched off: whether a template makes evaluations by itself,
 * from when on and how far it has come, is said of the people and days of one program.
 */
const makeTemplates = async (copying: Copying): Promise<number> => {
  const before = await pairsOf(copying, 'evaluation_template')
  const count = await make(copying, 'evaluation_template', {
    pairs: before,
    refs: { form_type_id: await pairsOf(copying, 'form_type') },
    leftOut: ['is_automatic', 'automatic_from', 'made_through'],
  })
  const template_id = await madeOf(copying, 'evaluation_template', before)
  const { pairs: levels } = await levelsOf(copying)
  await join(copying, 'evaluation_template_level', { template_id, level_id: withCopy(levels) })
  return count
}

/** Score types of templates with their values. */
const makeScoreTypes = async (copying: Copying): Promise<number> => {
  const types = await make(copying, 'score_type', { refs: { template_id: await emptyTemplates(copying) } })
  const copies = withCopy(await pairsOf(copying, 'score_type'))
  const empty = await withoutParts(copying, copies, 'score_value', 'score_type_id')
  const values = await make(copying, 'score_value', {
    pairs: partsOf(copying, 'score_value', 'score_type_id', empty),
    refs: { score_type_id: empty },
  })
  return types + values
}

/** Categories, groups and items of templates. */
const makeItems = async (copying: Copying): Promise<number> => {
  const template_id = await emptyTemplates(copying)
  const categories = await make(copying, 'evaluation_category', { refs: { template_id } })
  const groups = await make(copying, 'item_group', { refs: { template_id } })
  const category_id = withCopy(await pairsOf(copying, 'evaluation_category'))
  const score_type_id = withCopy(await pairsOf(copying, 'score_type'))
  const group_id = await pairsOf(copying, 'item_group')
  const items = (copying.source.rows.get('evaluation_item') ?? []).filter(
    ({ Values: item }) =>
      template_id.has(Number(item.template_id)) &&
      category_id.has(Number(item.category_id)) &&
      (item.kind === 'fib' || score_type_id.has(Number(item.score_type_id))),
  )
  const made = await make(copying, 'evaluation_item', {
    pairs: new Map(items.map(({ Id }) => [Id, undefined])),
    refs: { template_id, category_id, score_type_id, group_id },
  })
  return categories + groups + made
}

/** Values go to scores that have none: a scale that is there stays whole. */
const makeScoreValues = async (copying: Copying): Promise<number> => {
  const scores = withCopy(await pairsOf(copying, 'competency_score'))
  const score_id = await withoutParts(copying, scores, 'competency_score_value', 'score_id')
  return make(copying, 'competency_score_value', {
    pairs: partsOf(copying, 'competency_score_value', 'score_id', score_id),
    refs: { score_id },
  })
}

/**
 * Competency lists and their major studies. Whose list one is, is said of the students of one program; of a program that has none for all
 * students, the copy of that one is.
 */
const makeLists = async (copying: Copying): Promise<number> => {
  const lists = await make(copying, 'competency_list', { leftOut: ['is_for_others'] })
  const list_id = await pairsOf(copying, 'competency_list')
  const forOthers = copying.source.rows
    .get('competency_list')
    ?.find(({ Id, Values }) => Values.is_for_others && list_id.get(Id) !== undefined)
  if (forOthers)
    await sql`update competency_list d set is_for_others = true
      where d.program_id = ${copying.destination} and d.id = ${list_id.get(forOthers.Id)} and not exists (
        select from competency_list o where o.program_id = d.program_id and o.is_for_others and o.deleted_at is null)`.execute(
      copying.db,
    )
  return lists + (await make(copying, 'major_study', { refs: { list_id } }))
}

/**
 * Skills with the participation levels that count for them. A version of a skill that the destination has is another version of that one,
 * so that what its students passed counts for it.
 */
const makeSkills = async (copying: Copying): Promise<number> => {
  const { db, destination, source } = copying
  const before = await pairsOf(copying, 'skill')
  const count = await make(copying, 'skill', {
    pairs: before,
    refs: { major_study_id: await pairsOf(copying, 'major_study') },
  })
  const made = await madeOf(copying, 'skill', before)
  const known = (source.rows.get('skill') ?? []).filter(({ Id }) => before.get(Id) !== undefined)
  const versions = (source.rows.get('skill') ?? []).flatMap(({ Id, Values }) => {
    const other = known.find((skill) => skill.Values.lineage === Values.lineage)
    return other && made.has(Id) ? [{ id: made.get(Id), of: before.get(other.Id) }] : []
  })
  if (versions.length > 0)
    await sql`update skill d set lineage = e.lineage
      from jsonb_to_recordset(${JSON.stringify(versions)}::jsonb) v (id bigint, "of" bigint)
      join skill e on e.program_id = ${destination} and e.id = v."of"
      where d.program_id = ${destination} and d.id = v.id`.execute(db)
  const level_id = withCopy(await pairsOf(copying, 'participation_level'))
  await join(copying, 'skill_participation_level', { skill_id: made, level_id })
  return count
}

/** Items of comp exams whose score the destination has. */
const makeExamItems = async (copying: Copying): Promise<number> => {
  const score_id = withCopy(await pairsOf(copying, 'competency_score'))
  const pairs = await pairsOf(copying, 'comp_exam_item')
  const graded = partsOf(copying, 'comp_exam_item', 'score_id', score_id)
  return make(copying, 'comp_exam_item', {
    pairs: new Map([...pairs].filter(([id]) => graded.has(id))),
    refs: {
      skill_id: await pairsOf(copying, 'skill'),
      score_id,
      default_value_id: await pairsOf(copying, 'competency_score_value'),
    },
  })
}

/** Contacts, departments and networks of sites. */
const makeSiteParts = async (copying: Copying): Promise<number> => {
  const refs = { site_id: await pairsOf(copying, 'site') }
  let count = 0
  for (const table of ['site_contact', 'site_department', 'site_network'] as const)
    count += await make(copying, table, { refs })
  return count
}

/** Shifts of sites that the destination has. */
const makeShifts = async (copying: Copying): Promise<number> => {
  const site_id = withCopy(await pairsOf(copying, 'site'))
  const ofSites = partsOf(copying, 'site_shift', 'site_id', site_id)
  const pairs = [...(await pairsOf(copying, 'site_shift'))].filter(([id]) => ofSites.has(id))
  return make(copying, 'site_shift', { pairs: new Map(pairs), refs: { site_id } })
}

/** How each code of `copyTree` is copied; each tells how many rows it wrote. */
const makers: Readonly<Record<CopyCode, (copying: Copying) => Promise<number>>> = {
  se1: (copying) => make(copying, 'competency_score'),
  se2: makeScoreValues,
  ma1: makeLists,
  ma2: async (copying) =>
    make(copying, 'participation_level', { refs: { major_study_id: await pairsOf(copying, 'major_study') } }),
  ma20: makeSkills,
  co1: makeExamItems,
  pa1: async (copying) => make(copying, 'pathology', { refs: { skill_id: await pairsOf(copying, 'skill') } }),
  ps1: makePathologySetting,
  sl1: makeLevels,
  ar1: (copying) => make(copying, 'area'),
  si1: async (copying) => make(copying, 'site', { refs: { area_id: await pairsOf(copying, 'area') } }),
  si2: makeSiteParts,
  ss1: makeShifts,
  ro1: makeRotations,
  ft1: (copying) => make(copying, 'form_type'),
  et1: makeTemplates,
  et2: makeScoreTypes,
  et3: makeItems,
  do1: (copying) => make(copying, 'day_off'),
  rq1: (copying) => make(copying, 'requirement'),
  op1: (copying) => takeOver(copying, ['options', 'hours_rules']),
  lp1: (copying) => takeOver(copying, ['language_profile_id']),
  mn1: makeMenu,
}

/**
 * Copies what codes name from one program into another, in their order. What the destination has under the same name stays as it is and is
 * used as the copy, so that a second run adds nothing. Copies into one program wait for each other. Row-level security shows one program at a
 * time: the source is read first. Only for super admins.
 *
 * @returns the rows that were written, by code
 */
export const copyBetween = async (
  db: Db,
  { from, to, by }: { from: number; to: number; by: number },
  codes: readonly CopyCode[],
): Promise<{ Code: CopyCode; Count: number }[]> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`program-copy:${to}`}, 0))`.execute(db)
  await workOn(db, [from])
  const source = await readSource(db, from)
  await workOn(db, [to])
  return changeDesign(db, to, async () => {
    const copied: { Code: CopyCode; Count: number }[] = []
    for (const Code of codes)
      copied.push({ Code, Count: await makers[Code]({ db, destination: to, by, source }) })
    return copied
  })
}
