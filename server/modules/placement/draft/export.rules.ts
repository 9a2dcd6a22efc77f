import { formatDate } from '#contract/core/calendar.ts'
import type { Draft } from '#contract/placement/drafts.ts'
import { isEvening } from '#contract/placement/plan-rules.ts'
import type { PdfTable } from '#server/core/files/pdf.ts'
import type { ExportColumn } from '#server/core/files/table.ts'
import { blockRange } from '../plan/block-text.rules.ts'
import { rankAt, rankingOf, stepsBelowFirst } from '../plan/plan.rules.ts'
import { countIn } from '../solve/instance.solver.ts'
import type { NamedLimits } from '../solve/limits.rules.ts'
import type { Drafted } from './draft.rules.ts'
import { meanOf, pointsOf } from './figures.rules.ts'
import { wheelText } from './wheel-proof.rules.ts'

/** What a student gets in a draft: the equity figures that accreditors ask for. */
export interface DraftedStudent {
  name: string
  level: string
  pointsBefore: number
  /** Owed from this draft. */
  points: number
  placed: number
  meanRank: number | null
  /** With sites that were not ranked. */
  meanOfAll: number | null
  notRanked: number
  firstChoices: number
  evenings: number
  /** Blocks of each experience, as 'had of asked'; asked is 0 if there is only an upper limit, and null if there is none. */
  experiences: (readonly [had: number, asked: number] | null)[]
  /** Blocks at each site of the plan. */
  bySite: number[]
  /** Blocks in each of its rotations. */
  byRotation: number[]
  /**
   * 'HGH-D1 (2)' by block, with the site before a shift whose code does not name it, and after it the rotation where there are several;
   * '' without a place.
   */
  blocks: string[]
}

/** The experiences of a plan by name: groups may ask for the same one, each in its own way. */
const experiencesOf = ({ instance }: Drafted): { name: string; each: NamedLimits[] }[] =>
  [
    ...Map.groupBy(
      instance.categories.filter(({ parts }) => parts.some(({ rule }) => rule === 'experience')),
      ({ name }) => name,
    ),
  ].map(([name, each]) => ({ name, each }))

/** Sites at which the plan has a shift, by their positions. */
const sitesOf = ({ indexed }: Drafted): number[] =>
  [...new Set(indexed.options.map(({ site }) => site))].toSorted((one, other) => one - other)

export const draftedStudents = (drafted: Drafted): DraftedStudent[] => {
  const { indexed, instance, solution } = drafted
  const { plan, blocks, options } = indexed
  const owed = pointsOf(indexed, solution)
  const experiences = experiencesOf(drafted)
  const sites = sitesOf(drafted)
  return plan.Students.map((student, i) => {
    const held = plan.Blocks.map((_, b) => options[solution[i * blocks + b] ?? -1])
    const ranks = held.map((option, b) => (option ? rankAt(plan, i, b, option.SiteId) : 0))
    const rotations = held.map((option, b) =>
      option ? indexed.rotationAt(i, b, solution[i * blocks + b] ?? -1) : -1,
    )
    const ranked = ranks.filter((rank) => rank > 0)
    return {
      name: student.Name,
      level: student.LevelName ?? '',
      pointsBefore: student.Points,
      points: owed[i] ?? 0,
      placed: held.filter(Boolean).length,
      meanRank: meanOf(ranked),
      meanOfAll: meanOf(
        held.flatMap((option, b) =>
          option && rankingOf(plan, i, b).length > 0 ? [1 + stepsBelowFirst(plan, i, b, option.SiteId)] : [],
        ),
      ),
      notRanked: held.filter(Boolean).length - ranked.length,
      firstChoices: ranks.filter((rank) => rank === 1).length,
      evenings: held.filter((option) => option && isEvening(option.type)).length,
      experiences: experiences.map(({ each }) => {
        const limits = each.find(({ least, most }) => (least[i] ?? 0) > 0 || (most[i] ?? blocks) < blocks)
        return limits ? ([countIn(instance, limits, solution, i), limits.least[i] ?? 0] as const) : null
      }),
      byRotation: plan.Rotations.map((_, r) => rotations.filter((own) => own === r).length),
      bySite: sites.map((s) => held.filter((option) => option?.site === s).length),
      blocks: held.map((option, b) => {
        const site = option && plan.Sites[option.site]
        if (!option || !site) return ''
        const rank = ranks[b] ?? 0
        const code = site.Code || site.Name
        const place = option.code.startsWith(code) ? option.code : `${code}, ${option.code}`
        const rotation = plan.Rotations.length > 1 ? plan.Rotations[rotations[b] ?? -1]?.Name : undefined
        return `${place}${rank > 0 ? ` (${rank})` : ''}${rotation ? `, ${rotation}` : ''}`
      }),
    }
  })
}

const rounded = (value: number | null): number | null =>
  value === null ? null : Math.round(value * 100) / 100
const ofAsked = (pair: readonly [number, number] | null | undefined): string =>
  pair ? (pair[1] > 0 ? `${pair[0]} of ${pair[1]}` : String(pair[0])) : ''

/** A draft as a table: one row per student, with their blocks and how often they have each experience and site. */
export const draftColumns = (drafted: Drafted): ExportColumn<DraftedStudent>[] => {
  const { plan } = drafted.indexed
  return [
    { title: 'Student', width: 28, value: ({ name }) => name },
    { title: 'Level', value: ({ level }) => level },
    { title: 'Points before', value: ({ pointsBefore }) => pointsBefore },
    { title: 'Points of this draft', value: ({ points }) => points },
    { title: 'Blocks placed', value: ({ placed }) => placed },
    { title: 'Mean rank', value: ({ meanRank }) => rounded(meanRank) },
    { title: 'Mean rank with not ranked', width: 24, value: ({ meanOfAll }) => rounded(meanOfAll) },
    { title: 'Blocks not ranked', value: ({ notRanked }) => notRanked },
    { title: 'First choices', value: ({ firstChoices }) => firstChoices },
    { title: 'Evenings, nights and weekends', value: ({ evenings }) => evenings },
    ...experiencesOf(drafted).map(
      ({ name }, at): ExportColumn<DraftedStudent> => ({
        title: name,
        value: ({ experiences }) => ofAsked(experiences[at]),
      }),
    ),
    ...plan.Blocks.map(
      ({ StartDate, EndDate }, b): ExportColumn<DraftedStudent> => ({
        title: `Block ${b + 1}, ${formatDate(StartDate)} – ${formatDate(EndDate)}`,
        value: ({ blocks }) => blocks[b] ?? '',
      }),
    ),
    ...(plan.Rotations.length > 1 ? plan.Rotations : []).map(
      ({ Name }, r): ExportColumn<DraftedStudent> => ({
        title: `Blocks in ${Name}`,
        width: 24,
        value: ({ byRotation }) => byRotation[r] ?? 0,
      }),
    ),
    ...sitesOf(drafted).map(
      (s, at): ExportColumn<DraftedStudent> => ({
        title: `Blocks at ${plan.Sites[s]?.Name ?? ''}`,
        width: 24,
        value: ({ bySite }) => bySite[at] ?? 0,
      }),
    ),
  ]
}

/** How many sites and blocks fit side by side on a page. */
const sitesOfTable = 12
const blocksOfTable = 8

const inParts = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, part) =>
    items.slice(part * size, (part + 1) * size),
  )

const rankNames = ['First choice', 'Second choice', 'Third choice', 'Fourth choice or lower', 'Not ranked']

/** A draft to print: ranks reached, who got what, how often at each site, and the places block by block. */
export const draftTables = (
  drafted: Drafted,
  draft: Draft,
  { program, by, at }: { program: string; by: string; at: string },
): [PdfTable, ...PdfTable[]] => {
  const { plan } = drafted.indexed
  const students = draftedStudents(drafted)
  const counts = draft.Figures?.Ranks ?? []
  const placed = Math.max(1, draft.Figures?.Placed ?? 0)
  const base = { lines: [program, `${plan.Name}, ${draft.Name}`], by, at }
  const experiences = experiencesOf(drafted)
  const several = plan.Rotations.length > 1 ? plan.Rotations : []
  const figure = (title: string) => ({ title, isFigure: true })
  return [
    {
      ...base,
      title: 'Ranks reached',
      columns: [{ title: 'Rank' }, figure('Blocks'), figure('Share')],
      rows: rankNames.map((name, index) => [
        name,
        String(counts[index] ?? 0),
        `${Math.round((100 * (counts[index] ?? 0)) / placed)} %`,
      ]),
    },
    {
      ...base,
      title: 'Who got what',
      columns: [
        { title: 'Student' },
        figure('Blocks'),
        figure('Sites'),
        figure('Mean rank'),
        figure('With not ranked'),
        figure('Evenings'),
        ...several.map(({ Name }) => figure(Name)),
        ...experiences.map(({ name }) => figure(name)),
        figure('Points before'),
        figure('Points'),
      ],
      rows: students.map((each) => [
        each.name,
        String(each.placed),
        String(each.bySite.filter((count) => count > 0).length),
        each.meanRank === null ? '' : each.meanRank.toFixed(2),
        each.meanOfAll === null ? '' : each.meanOfAll.toFixed(2),
        String(each.evenings),
        ...several.map((_, r) => String(each.byRotation[r] ?? 0)),
        ...each.experiences.map(ofAsked),
        String(each.pointsBefore),
        String(each.points),
      ]),
    },
    ...inParts(sitesOf(drafted), sitesOfTable).map((sites, part) => ({
      ...base,
      lines: [...base.lines, ...(draft.Figures?.Wheel ? wheelText(draft.Figures.Wheel) : [])],
      title: 'Blocks at each site',
      columns: [
        { title: 'Student' },
        ...sites.map((s) => figure(plan.Sites[s]?.Code || (plan.Sites[s]?.Name ?? ''))),
      ],
      rows: students.map(({ name, bySite }) => [
        name,
        ...sites.map((_, at) => String(bySite[part * sitesOfTable + at] ?? 0)),
      ]),
    })),
    ...inParts([...plan.Blocks.keys()], blocksOfTable).map((blocks) => ({
      ...base,
      title: plan.Blocks.length > blocksOfTable ? `Places in ${blockRange(blocks)}` : 'Places',
      columns: [
        { title: 'Student' },
        ...blocks.map((b) => ({
          title: `${b + 1}, from ${formatDate(plan.Blocks[b]?.StartDate).slice(0, 5)}`,
        })),
      ],
      rows: students.map(({ name, blocks: held }) => [name, ...blocks.map((b) => held[b] || 'no place')]),
    })),
  ]
}
