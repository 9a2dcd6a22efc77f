import { sql } from 'kysely'
import type { ColumnMapping } from '#contract/imports/imports-rules.ts'
import { blocksOf } from '#contract/placement/plan-rules.ts'
import type { BlockRanking, RanksPer } from '#contract/placement/plans.ts'
import { choiceFields } from '#contract/placement/rankings-import.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { ImportDefinition, ProgramScope } from '#server/core/imports/definition.ts'
import { listNamedStudents, studentsBy } from '#server/core/imports/named-students.ts'
import { nameKey } from '#server/core/imports/names.ts'
import { emptyPlan, indexBy, type Plan, planChange, type ReadRow } from '#server/core/imports/plan.ts'
import { storedRankings } from './rankings.queries.ts'
import { rankingStore } from './rankings-import.commands.ts'

/** A ranking as it is kept, as JSON: once, or by block. */
interface StoredRanking {
  site_ids: string
  block_rankings: string
}

interface PlanNames {
  id: number
  name: string
  mostRanks: number
  /** Its placements are out. */
  isPublished: boolean
  /** How many blocks are ranked; 0 where the plan is ranked once. */
  blocks: number
  /** Students in it, with what they have ranked; null without a ranking. */
  students: Map<number, StoredRanking | null>
}

interface PlanNamesRow {
  id: number
  name: string
  mostRanks: number
  isPublished: boolean
  ranksPer: RanksPer
  from: string
  through: string
  weeks: number
  students: [number, number[] | null, BlockRanking[] | null][]
}

const listPlans = async (db: Db, programId: number): Promise<PlanNames[]> => {
  const { rows } = await sql<PlanNamesRow>`
    select p.id, p.name, p.most_ranks as "mostRanks", coalesce(p.published_at <= now(), false) as "isPublished", p.ranks_per as "ranksPer", p.start_date as "from", p.end_date as "through",
      p.weeks_per_block as weeks,
      coalesce((select json_agg(json_build_array(s.student_id, f.site_ids, f.block_rankings)) from placement_student s
        left join placement_preference f on f.program_id = s.program_id and f.plan_id = s.plan_id and f.student_id = s.student_id
        where s.program_id = p.program_id and s.plan_id = p.id), '[]') as students
    from placement_plan p where p.program_id = ${programId} and p.deleted_at is null`.execute(db)
  return rows.map(({ ranksPer, from, through, weeks, ...row }) => ({
    ...row,
    blocks: ranksPer === 'block' ? blocksOf(from, through, weeks).length : 0,
    students: new Map(
      row.students.map(([id, sites, rankings]) => [
        id,
        sites && { site_ids: JSON.stringify(sites), block_rankings: keptText(rankings ?? []) },
      ]),
    ),
  }))
}

/** Rankings of blocks as JSON that is the same for the same rankings. */
const keptText = (rankings: readonly BlockRanking[]): string =>
  JSON.stringify(storedRankings(rankings).map(({ Block, SiteIds }) => ({ Block, SiteIds })))

/** What the rows of a file rank for a student in a plan: for all blocks, and for those that have a row of their own. */
interface Gathered {
  /** The first of the rows. */
  line: number
  of: PlanNames
  studentId: number
  everywhere: number[] | undefined
  byBlock: Map<number, number[]>
}

/** A ranking as the rows give it; blocks without a row stay as they are. */
const givenRanking = ({ of, studentId, everywhere, byBlock }: Gathered): StoredRanking => {
  if (of.blocks === 0) return { site_ids: JSON.stringify(everywhere ?? []), block_rankings: '[]' }
  const before: BlockRanking[] = JSON.parse(of.students.get(studentId)?.block_rankings ?? '[]')
  const SiteIdsOf = (block: number) =>
    byBlock.get(block) ?? everywhere ?? before.find(({ Block }) => Block === block)?.SiteIds ?? []
  return {
    site_ids: '[]',
    block_rankings: keptText(
      Array.from({ length: of.blocks }, (_, Block) => ({ Block, SiteIds: SiteIdsOf(Block) })),
    ),
  }
}

const listSites = (db: Db, programId: number) =>
  db
    .selectFrom('site')
    .select(['id', 'name', 'code'])
    .where('program_id', '=', programId)
    .where('deleted_at', 'is', null)
    .where('is_active', '=', true)
    .execute()

/** What an import of rankings would do, row by row. */
const planRankings = async (
  { db, programId }: ProgramScope,
  rows: readonly ReadRow[],
  mapping: ColumnMapping,
): Promise<Plan> => {
  const findStudent = studentsBy(await listNamedStudents(db, programId))
  const plans = indexBy(await listPlans(db, programId), ({ name }) => nameKey(name))
  const sites = await listSites(db, programId)
  const byCode = indexBy(sites, ({ code }) => (code ? nameKey(code) : undefined))
  const byName = indexBy(sites, ({ name }) => nameKey(name))
  const plan = emptyPlan()
  const met = new Map<string, number>()
  const gathered = new Map<string, Gathered>()
  for (const { line, values } of rows) {
    const tell = (field: string, Message: string) =>
      plan.errors.push({ Row: line, Column: mapping[field] ?? field, Message })
    // A cell that is missing is told already.
    if (values.Student === undefined || values.Plan === undefined) continue
    const student = findStudent(String(values.Student))
    const found = plans.get(nameKey(String(values.Plan))) ?? []
    const [of] = found
    if ('problem' in student) tell('Student', student.problem)
    if (!of) tell('Plan', `No placement plan is named “${values.Plan}”.`)
    else if (found.length > 1)
      tell('Plan', `${found.length} placement plans are named “${values.Plan}”. Rename one.`)
    else if (of.isPublished) tell('Plan', `The placements of ${of.name} are out, so what was ranked stays.`)
    if ('problem' in student || !of || of.isPublished || found.length > 1) continue
    if (!of.students.has(student.id)) {
      tell('Student', `${values.Student} is not in ${of.name}.`)
      continue
    }
    const block = values.Block === undefined ? undefined : Number(values.Block) - 1
    if (block !== undefined && block >= of.blocks) {
      tell(
        'Block',
        of.blocks === 0
          ? `${of.name} is ranked once for all blocks. Leave the block empty.`
          : `${of.name} has ${of.blocks} blocks.`,
      )
      continue
    }
    const key = `${of.id} ${student.id}`
    const earlier = met.get(`${key} ${block}`)
    if (earlier !== undefined) {
      tell(
        'Student',
        `This is the same student and plan${of.blocks > 0 ? ', and the same block,' : ''} as in row ${earlier}.`,
      )
      continue
    }
    met.set(`${key} ${block}`, line)
    const ids: number[] = []
    let isRight = true
    for (const field of choiceFields) {
      const named = values[field]
      if (named === undefined) continue
      const known = byCode.get(nameKey(String(named))) ?? byName.get(nameKey(String(named))) ?? []
      const [site] = known
      const problem = !site
        ? `No active site has the code or name “${named}”.`
        : known.length > 1
          ? `${known.length} sites are called “${named}”. Use the code.`
          : ids.includes(site.id)
            ? `${site.name} is ranked twice.`
            : undefined
      if (problem) tell(field, problem)
      isRight &&= problem === undefined
      if (site) ids.push(site.id)
    }
    if (!isRight) continue
    if (ids.length === 0 || ids.length > of.mostRanks) {
      tell('Choice1', ids.length === 0 ? 'Rank at least one site.' : `Rank at most ${of.mostRanks} sites.`)
      continue
    }
    const own = gathered.get(key) ?? {
      line,
      of,
      studentId: student.id,
      everywhere: undefined,
      byBlock: new Map(),
    }
    if (block === undefined) own.everywhere = ids
    else own.byBlock.set(block, ids)
    gathered.set(key, own)
  }
  for (const each of gathered.values()) {
    const given = { plan_id: each.of.id, ...givenRanking(each) }
    const before = each.of.students.get(each.studentId)
    if (before) {
      planChange(plan, { id: each.studentId, plan_id: each.of.id, ...before }, given, each.line, [
        'plan_id',
        'site_ids',
        'block_rankings',
      ])
    } else plan.added.push({ ...given, student_id: each.studentId })
  }
  return plan
}

export const rankingImport: ImportDefinition = { store: rankingStore, plan: planRankings }
