import { sql } from 'kysely'
import { isAlwaysDirectName } from '#contract/competencies/competency-rules.ts'
import type { ColumnMapping } from '#contract/imports/imports-rules.ts'
import type { Db } from '#server/core/database/pool.ts'
import { type FieldChoices, namedChoices, notAmong } from '#server/core/imports/choices.ts'
import type { ImportDefinition, ProgramRunScope, ProgramScope } from '#server/core/imports/definition.ts'
import { nameKey } from '#server/core/imports/names.ts'
import {
  type Entity,
  type Existing,
  emptyPlan,
  type Plan,
  planChange,
  type ReadRow,
} from '#server/core/imports/plan.ts'
import { columnTypes, tableStore, usedBy } from '#server/core/imports/table-store.ts'
import { removeImported } from './competencies.commands.ts'
import { insertList } from './competency-lists.commands.ts'
import { listListNames } from './competency-lists.queries.ts'
import { changeDesign } from './list-design.commands.ts'
import { insertMajorStudies } from './procedures.commands.ts'

const { id, text } = columnTypes
const yes = { type: 'boolean', empty: false } as const
const figure = { type: 'integer', empty: 0 } as const

const store = tableStore({
  table: 'skill',
  columns: {
    major_study_id: id,
    name: { field: 'Procedure', ...text },
    position: figure,
    is_mandatory: { field: 'Mandatory', ...yes },
    unlock_count: { field: 'LoggedBeforeExam', ...figure },
    may_be_simulated: { field: 'Simulation', ...yes },
    is_always_direct: yes,
  },
  name: sql`t.name`,
  uses: () =>
    usedBy('skill_id', [
      ['has exam items', 'comp_exam_item u where u.deleted_at is null and'],
      ['has pathologies', 'pathology u where u.deleted_at is null and'],
      ['is in the log', 'procedure_log u where u.deleted_at is null and'],
      ['has exams', 'exam_attempt u where'],
    ]),
  remove: ({ db, programId, importId }, kept) => removeImported(db, { programId, importId }, kept),
})

/** What a row is known by; the list of a row without one is the newest, 0 where the program has none yet. */
const keyOf = (list: unknown, section: unknown, name: unknown): string =>
  [list, nameKey(section), nameKey(name)].join('\u0000')

/** What an import of procedures would do. */
const planCompetencies = (
  rows: readonly ReadRow[],
  existing: readonly Existing[],
  mapping: ColumnMapping,
  newestList: number,
): Plan => {
  const plan = emptyPlan()
  const known = new Map(existing.map((row) => [keyOf(row.list_id, row.section, row.name), row]))
  const met = new Map<string, number>()
  for (const row of rows) {
    const { Section, Procedure, List = newestList } = row.values
    // A cell that is missing or malformed is told already.
    if (Section === undefined || Procedure === undefined || row.unread?.length) continue
    const key = keyOf(List, Section, Procedure)
    const earlier = met.get(key)
    if (earlier !== undefined) {
      plan.errors.push({
        Row: row.line,
        Column: mapping.Procedure ?? 'Procedure',
        Message: `Duplicate procedure of its section (also in row ${earlier}).`,
      })
      continue
    }
    met.set(key, row.line)
    const entity = store.toEntity(row)
    const found = known.get(key)
    if (found) planChange(plan, found, { ...entity, name: String(found.name) }, row.line)
    else
      plan.added.push({
        ...entity,
        is_always_direct: isAlwaysDirectName(`${Section} ${Procedure}`),
        list_id: Number(List),
        section: Section,
      })
  }
  return plan
}

const listKnown = async (db: Db, programId: number): Promise<Existing[]> => {
  const { rows } = await sql<Existing>`
    select s.id, m.list_id, m.name as section, s.name, s.major_study_id, s.position, s.is_mandatory, s.unlock_count,
      s.may_be_simulated, s.is_always_direct
    from skill s join major_study m on m.program_id = s.program_id and m.id = s.major_study_id and m.deleted_at is null
    where s.program_id = ${programId} and s.deleted_at is null`.execute(db)
  return rows
}

/** The sections of the lists by list and name, with the last place of their procedures. */
const listSections = async (
  db: Db,
  programId: number,
): Promise<Map<string, { id: number; last: number }>> => {
  const { rows } = await sql<{ id: number; list_id: number; name: string; last: number }>`
    select m.id, m.list_id, m.name, coalesce(max(s.position), 0) as last
    from major_study m left join skill s on s.program_id = m.program_id and s.major_study_id = m.id and s.deleted_at is null
    where m.program_id = ${programId} and m.deleted_at is null group by m.program_id, m.id`.execute(db)
  return new Map(rows.map((row) => [keyOf(row.list_id, row.name, ''), { id: row.id, last: row.last }]))
}

/** Adds the lists and sections that the rows name and nobody has yet. */
const addSections = async (
  { db, programId, importId, accountId }: ProgramRunScope,
  rows: readonly Entity[],
): Promise<number> => {
  const first = rows.some((row) => row.list_id === 0)
    ? await insertList(db, programId, {
        name: 'Competencies',
        registry: '',
        effective_on: sql<string>`current_date`,
        created_by: accountId,
        import_id: importId,
      })
    : 0
  const known = await listSections(db, programId)
  const missing = new Map<number, Map<string, string>>()
  for (const { list_id, section } of rows) {
    const listId = Number(list_id) || first
    if (known.has(keyOf(listId, section, ''))) continue
    const names = missing.get(listId) ?? new Map<string, string>()
    if (!names.has(nameKey(section))) names.set(nameKey(section), String(section))
    missing.set(listId, names)
  }
  for (const [listId, names] of missing)
    await insertMajorStudies(db, { programId, listId }, [...names.values()], {
      // Registries count patient care apart from imaging.
      isPatientCare: sql<boolean>`n.name ~* '\\mpatient care\\M'`,
      importId,
    })
  return first
}

const yesNo: FieldChoices = {
  offered: ['Y', 'N'],
  read: (told) => {
    if (/^(y|yes|true|1|x|mandatory|required|eligible)$/i.test(told)) return { value: true }
    if (/^(n|no|false|0|elective|optional|not eligible)$/i.test(told)) return { value: false }
    return notAmong(told, 'Y or N', ['Y', 'N'])
  },
}

/** As one change of the lists, after which everybody is counted anew. */
const asOneChange =
  <Rest extends unknown[], Result>(write: (run: ProgramRunScope, ...rest: Rest) => Promise<Result>) =>
  (run: ProgramRunScope, ...rest: Rest): Promise<Result> =>
    changeDesign(run.db, run.programId, () => write(run, ...rest))

export const competencyImport: ImportDefinition = {
  store: {
    ...store,
    isWhole: true,
    change: asOneChange(store.change),
    undo: asOneChange(store.undo),
    add: asOneChange(async (run, rows: readonly Entity[]) => {
      if (rows.length === 0) return
      const first = await addSections(run, rows)
      const sections = await listSections(run.db, run.programId)
      await store.add(
        run,
        rows.map(({ list_id, section, ...entity }) => {
          // Every section that a row names was added before.
          const place = sections.get(keyOf(Number(list_id) || first, section, ''))!
          place.last += 1
          return { ...entity, major_study_id: place.id, position: place.last }
        }),
      )
    }),
  },

  async listChoices({ db, programId }: ProgramScope) {
    const lists = await listListNames(db, programId)
    return {
      List: namedChoices(
        'a competency list',
        new Map(lists.map((list) => [list.name.toLowerCase(), list.id])),
        lists.map(({ name }) => name),
      ),
      Mandatory: yesNo,
      Simulation: yesNo,
    }
  },

  async plan({ db, programId }: ProgramScope, rows, mapping) {
    const [newest] = await listListNames(db, programId)
    return planCompetencies(rows, await listKnown(db, programId), mapping, newest?.id ?? 0)
  },
}
