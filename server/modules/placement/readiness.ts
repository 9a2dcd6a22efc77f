import type { Problem } from '#contract/placement/plans.ts'
import { stretch } from './block-text.ts'
import type { Model } from './model.ts'

const most = 100

const stops = (Text: string, more: Partial<Problem> = {}): Problem => ({
  Kind: 'stops',
  Text,
  StudentId: null,
  SiteId: null,
  ...more,
})
const warns = (Text: string, more: Partial<Problem> = {}): Problem => ({
  ...stops(Text, more),
  Kind: 'warns',
})

const findPlaceProblems = ({ facts, blocks, sitePlaces }: Model): Problem[] => {
  const short = new Map<number, number[]>()
  for (let b = 0; b < blocks; b++) {
    const places = facts.Sites.reduce((sum, _, s) => sum + (sitePlaces[s * blocks + b] ?? 0), 0)
    const missing = facts.Students.length - places
    if (missing > 0) short.set(missing, [...(short.get(missing) ?? []), b])
  }
  return [...short].map(([missing, at]) =>
    stops(
      `More students than places in ${stretch(at)}: ${missing} short. Add shifts or places, or plan fewer students.`,
    ),
  )
}

/** Sites that take so many at a time or none, and have fewer places. */
const findLeastProblems = ({ facts, blocks, sitePlaces, options }: Model): Problem[] => {
  const used = new Set(options.map(({ site }) => site))
  return facts.Sites.flatMap(({ Id, Name, AtLeast }, s) => {
    if (AtLeast === null || !used.has(s)) return []
    const short = [...facts.Blocks.keys()].filter((b) => (sitePlaces[s * blocks + b] ?? 0) < AtLeast)
    return short.length === 0
      ? []
      : [
          warns(
            `${Name} takes at least ${AtLeast} students at a time, or none, and has fewer places in ${stretch(short)}, so nobody is placed there then.`,
            { SiteId: Id },
          ),
        ]
  })
}

/** Rotations of several that no shift of the plan is for. */
const findRotationProblems = ({ facts, groupOf, options, rotationAt, blocks }: Model): Problem[] => {
  if (facts.Rotations.length === 1) return []
  const used = new Set<number>()
  const anyOf = new Map(
    [...groupOf.entries()].map(([i, g]) => [
      `${g} ${facts.Students[i]?.LevelName} ${facts.Students[i]?.Cohort}`,
      i,
    ]),
  )
  for (const i of anyOf.values())
    for (let b = 0; b < blocks; b++) for (let o = 0; o < options.length; o++) used.add(rotationAt(i, b, o))
  return facts.Rotations.flatMap(({ Name }, r) =>
    used.has(r)
      ? []
      : [
          warns(
            `No student of the plan serves ${Name}: another rotation comes first, or its dates, areas, levels or cohorts leave it out.`,
          ),
        ],
  )
}

const findSiteProblems = ({ facts, blocks, options, optionPlaces, faultOf, groupOf }: Model): Problem[] => {
  const texts = new Map<string, { blocks: number[]; SiteId: number }>()
  for (const [o, option] of options.entries()) {
    for (let b = 0; b < blocks; b++) {
      if ((optionPlaces[o * blocks + b] ?? 0) > 0) {
        // Any student of a group that comes there shows what is wrong with the place itself.
        const i = groupOf.findIndex((group) => group >= 0 && option.weekdays[group] != null)
        const fault = i < 0 ? undefined : faultOf(i, b, o)
        if (fault === 'has no agreement in force') {
          const key = `${facts.Sites[option.site]?.Name} ${fault}`
          const known = texts.get(key) ?? { blocks: [], SiteId: option.SiteId }
          if (known.blocks.at(-1) !== b) known.blocks.push(b)
          texts.set(key, known)
        }
      }
    }
  }
  return [...texts].map(([text, { blocks: at, SiteId }]) =>
    warns(
      `${text} in ${stretch([...new Set(at)].toSorted((a, b) => a - b))}, so nobody is placed there. Renew it first.`,
      {
        SiteId,
      },
    ),
  )
}

/** The reason that keeps the student from most options. */
const usualFault = ({ options, faultOf }: Model, i: number, b: number): string => {
  const counts = new Map<string, number>()
  for (let o = 0; o < options.length; o++) {
    const fault = faultOf(i, b, o)
    if (fault) counts.set(fault, (counts.get(fault) ?? 0) + 1)
  }
  return [...counts].toSorted((one, other) => other[1] - one[1])[0]?.[0] ?? 'there is no shift'
}

const findStudentProblems = (model: Model): Problem[] => {
  const { facts, blocks, options, allowed, needs } = model
  const problems: Problem[] = []
  const width = options.length
  for (const [i, student] of facts.Students.entries()) {
    if (problems.length >= most) break
    if ((model.groupOf[i] ?? -1) < 0) {
      problems.push(
        stops(
          `${student.Name} is in no group of the plan. Add a group for ${student.LevelName ?? 'students without a level'}.`,
          {
            StudentId: student.Id,
          },
        ),
      )
      continue
    }
    const nowhere: number[] = []
    const reachable = needs.map(() => 0)
    for (let b = 0; b < blocks; b++) {
      const row = allowed.subarray((i * blocks + b) * width, (i * blocks + b + 1) * width)
      if (!row.includes(1)) nowhere.push(b)
      for (const [k, { has }] of needs.entries())
        if (row.some((is, o) => is === 1 && has[o] === 1)) reachable[k] = (reachable[k] ?? 0) + 1
    }
    const [first] = nowhere
    if (first !== undefined)
      problems.push(
        stops(`${student.Name} has nowhere to go in ${stretch(nowhere)}: ${usualFault(model, i, first)}.`, {
          StudentId: student.Id,
        }),
      )
    for (const [k, { name, least, weight }] of needs.entries()) {
      const needed = least[i] ?? 0
      if (needed > (reachable[k] ?? 0))
        problems.push(
          (weight === null ? stops : warns)(
            (reachable[k] ?? 0) === 0
              ? `${student.Name} can be placed at no site with ${name}.`
              : `${student.Name} needs ${needed} blocks of ${name} and can have ${reachable[k]}.`,
            { StudentId: student.Id },
          ),
        )
    }
  }
  return problems
}

const findExperienceProblems = ({
  facts,
  blocks,
  options,
  optionPlaces,
  sitePlaces,
  needs,
}: Model): Problem[] => {
  const problems: Problem[] = []
  for (const { name, has, least, weight } of needs) {
    const needed = least.reduce((sum, each) => sum + each, 0)
    let places = 0
    for (let b = 0; b < blocks; b++)
      for (let s = 0; s < facts.Sites.length; s++) {
        const ofSite = options.reduce(
          (sum, option, o) =>
            sum + (option.site === s && has[o] === 1 ? (optionPlaces[o * blocks + b] ?? 0) : 0),
          0,
        )
        places += Math.min(ofSite, sitePlaces[s * blocks + b] ?? 0)
      }
    if (needed > places)
      problems.push(
        weight === null
          ? stops(
              `${name} has ${places} places in all blocks, and ${needed} are needed: ${needed - places} short.`,
            )
          : warns(
              `${name} has ${places} places in all blocks, and ${needed} are wished: ${needed - places} short.`,
            ),
      )
  }
  for (const group of facts.Rules.Groups) {
    const required = group.Experiences.filter(({ Weight }) => Weight === null)
    const sum = required.reduce((all, { Blocks }) => all + Blocks, 0)
    const isEach = required.every(({ Blocks }) => Blocks <= blocks)
    if (!isEach)
      problems.push(stops(`${group.Name}: an experience asks for more blocks than the plan has (${blocks}).`))
    else if (sum > blocks)
      problems.push(
        warns(
          `${group.Name}: experiences add up to ${sum} blocks of ${blocks}. It works only where one site gives several.`,
        ),
      )
  }
  return problems
}

/** What of a plan can never work and why, then what may cost somebody something. */
export const findProblems = (model: Model): Problem[] => {
  const { facts, options, blocks } = model
  if (facts.Students.length === 0) return [stops('The plan has no active students.')]
  if (options.length === 0)
    return [
      stops(
        'No shift runs on the weekdays and of the types that the groups allow. Add site shifts, or change the groups.',
      ),
    ]
  const found = [
    ...findPlaceProblems(model),
    ...findExperienceProblems(model),
    ...findStudentProblems(model),
    ...findSiteProblems(model),
    ...findLeastProblems(model),
    ...findRotationProblems(model),
  ]
  const sites = new Set(options.map(({ site }) => site)).size
  if (facts.Template === 'wheel' && blocks < sites)
    found.push(
      warns(`There are ${sites} sites and ${blocks} blocks: not everybody gets to every site in this plan.`),
    )
  return found
    .toSorted((one, other) => Number(one.Kind === 'warns') - Number(other.Kind === 'warns'))
    .slice(0, most)
}
