import type { Language } from '#contract/language/language.ts'
import type { Why } from '#contract/placement/drafts.ts'
import { noticeIn } from '#server/core/language/spanish.ts'
import type { IndexedPlan } from '../plan/indexed-plan.rules.ts'
import { milesOf, owedAt, rankAt, rankingOf } from '../plan/plan.rules.ts'
import { Counts, costsOfBlock } from '../solve/block-costs.solver.ts'
import { solveBlock } from '../solve/flow.solver.ts'
import { costOf, countIn, mostOf, type Solution } from '../solve/instance.solver.ts'
import type { Drafted } from './draft.rules.ts'

/** The options of a site in a block. */
const optionsAt = ({ options }: IndexedPlan, s: number, b: number): number[] =>
  [...options.keys()].filter((o) => options[o]?.site === s && options[o]?.blocks?.[b] !== false)

/** The limit that bars a student from an option in a block while their other blocks stay. */
const reachedLimit = ({ instance, solution }: Drafted, i: number, b: number, o: number) =>
  instance.categories.find(
    (limits) =>
      limits.has[o] === 1 && countIn(instance, limits, solution, i, b) >= mostOf(instance, limits, i),
  )

/** Who has one of these options in a block. */
const holdersOf = ({ indexed, solution }: Drafted, options: readonly number[], b: number): number[] =>
  indexed.plan.Students.flatMap((_, i) =>
    options.includes(solution[i * indexed.blocks + b] ?? -1) ? [i] : [],
  )

type Kind = 'fault' | 'limit' | 'full' | 'elsewhere' | 'free' | 'wheel' | 'equal' | 'better' | 'own'

interface Reason {
  kind: Kind
  text: string
  isPossible?: boolean
}

/** Why the places went to the students who hold them, with how many students each reason is true of. */
const fullText = (drafted: Drafted, i: number, s: number, b: number, holders: readonly number[]): string => {
  const { plan, fixed } = drafted.indexed
  const site = plan.Sites[s]
  const own = rankAt(plan, i, b, site?.Id ?? 0) || Number.POSITIVE_INFINITY
  const points = plan.Students[i]?.Points ?? 0
  const owedBy = (j: number) => {
    const student = plan.Students[j]
    return (student && owedAt(student, site?.Id ?? 0)) ?? 0
  }
  let higher = 0
  let morePoints = 0
  let oweMore = 0
  let needed = 0
  let kept = 0
  for (const j of holders) {
    const at = j * drafted.indexed.blocks + b
    const o = drafted.solution[at] ?? -1
    const rank = rankAt(plan, j, b, site?.Id ?? 0) || Number.POSITIVE_INFINITY
    const isNeeded = drafted.instance.categories.some(
      (limits) =>
        limits.level === undefined &&
        limits.has[o] === 1 &&
        countIn(drafted.instance, limits, drafted.solution, j) <= (limits.least[j] ?? 0),
    )
    if (drafted.instance.fixed[at] === o || fixed[at] === o) kept++
    else if (rank < own) higher++
    else if ((plan.Students[j]?.Points ?? 0) > points) morePoints++
    else if (isNeeded) needed++
    else if (owedBy(j) > owedBy(i)) oweMore++
  }
  const others = holders.length - kept - higher - morePoints - needed - oweMore
  const parts = [
    kept > 0 && `${kept} locked or accepted`,
    higher > 0 && `${higher} ranked it higher`,
    morePoints > 0 && `${morePoints} owed more points`,
    needed > 0 && `${needed} for an experience that the plan asks for`,
    oweMore > 0 && `${oweMore} with more still to log that is done there`,
    others > 0 && `${others} by the goals of the whole draft`,
  ].filter((part) => part !== false)
  const isOne = holders.length === 1
  // How many places others have is not disclosed: it could be fewer than five people.
  if (drafted.indexed.isElsewhere[s * drafted.indexed.blocks + b] === 1)
    return `Another program has places there. ${
      isOne ? 'The only place that it leaves is' : `All ${holders.length} places that it leaves are`
    } taken: ${parts.join(', ')}.`
  const all = isOne ? 'The only place is' : `All ${holders.length} places are`
  return `${all} taken: ${parts.join(', ')}.`
}

/** Whether a student can be given an option if anybody who is not locked or accepted gives way. */
const canGiveWay = ({ instance, solution }: Drafted, b: number, o: number): boolean => {
  const { blocks, siteOf, fixed, students } = instance
  const s = siteOf[o] ?? 0
  let kept = 0
  let keptOfSite = 0
  for (let j = 0; j < students; j++) {
    const at = j * blocks + b
    const held = solution[at] ?? -1
    if (held < 0 || fixed[at] !== held || siteOf[held] !== s) continue
    keptOfSite++
    if (held === o) kept++
  }
  return (
    kept < (instance.optionPlaces[o * blocks + b] ?? 0) &&
    keptOfSite < (instance.sitePlaces[s * blocks + b] ?? 0)
  )
}

/** Whether a student can be given one of the options of a site. If sites take a minimum or none, only trying can tell. */
const canBeForced = (drafted: Drafted, i: number, b: number, s: number, open: readonly number[]): boolean => {
  const { instance } = drafted
  const areAsked = drafted.indexed.plan.Sites.some(
    (_, at) => (instance.siteLeast[at * instance.blocks + b] ?? 0) > 1,
  )
  return (
    open.some((o) => canGiveWay(drafted, b, o)) && (!areAsked || forceInBlock(drafted, i, b, s) !== undefined)
  )
}

/** What it costs if only one student moves. */
const costOfMove = ({ instance, solution }: Drafted, at: number, o: number): number => {
  const next = solution.slice()
  next[at] = o
  return costOf(instance, next) - costOf(instance, solution)
}

/** The site of a student that would have too few students without them. */
const leftShort = ({ indexed, instance, solution }: Drafted, i: number, b: number) => {
  const own = indexed.options[solution[i * indexed.blocks + b] ?? -1]
  if (!own) return undefined
  const least = instance.siteLeast[own.site * indexed.blocks + b] ?? 0
  const count = holdersOf({ indexed, instance, solution }, optionsAt(indexed, own.site, b), b).length
  return least > 1 && count <= least ? indexed.plan.Sites[own.site] : undefined
}

/** How often the wheel brings students to a site; undefined without a wheel, or if it never does. */
const turnAt = ({ indexed, instance }: Drafted, s: number) =>
  indexed.plan.Template === 'wheel'
    ? instance.categories.find(
        (limits) =>
          limits.level === 0 && limits.has.every((is, o) => is === (indexed.options[o]?.site === s ? 1 : 0)),
      )
    : undefined

/** Whether the wheel bars a student from a site: they would be there once too often, or miss their turn where they are now. */
const isWheelAgainst = (drafted: Drafted, i: number, b: number, s: number): boolean => {
  const { indexed, instance, solution } = drafted
  const there = turnAt(drafted, s)
  if (!there) return false
  const own = indexed.options[solution[i * indexed.blocks + b] ?? -1]?.site
  const here = own === undefined ? undefined : turnAt(drafted, own)
  return (
    countIn(instance, there, solution, i, b) + 1 > (there.most[i] ?? indexed.blocks) ||
    (here !== undefined && countIn(instance, here, solution, i, b) < (here.least[i] ?? 0))
  )
}

/** What the wheel says about a place: which of the student's blocks at the site it is. */
const wheelText = (drafted: Drafted, i: number, b: number, s: number): string => {
  const { indexed, instance, solution } = drafted
  const turn = turnAt(drafted, s)
  if (!turn) return ''
  const isThere = (block: number) =>
    turn.has[solution[i * indexed.blocks + block] ?? indexed.options.length] === 1
  const blocks = Array.from({ length: indexed.blocks }, (_, block) => block).filter(isThere)
  const every = (turn.least[i] ?? 0) > 0 ? 'everyone goes through every site' : 'another site in every block'
  return `The wheel: ${every}; ${
    countIn(instance, turn, solution, i) === 1
      ? 'the only block here'
      : `block ${blocks.indexOf(b) + 1} of ${blocks.length} here`
  }. `
}

const freeReasons = {
  better: 'A place is free, and the draft would be better with it.',
  equal: 'A place is free, and it is as good for the draft.',
  free: 'A place is free, and the goals of the draft weigh against it here.',
  wheel:
    'A place is free, and the wheel has its turn there in other blocks: everyone goes through every site.',
}

const reasonAt = (drafted: Drafted, i: number, b: number, s: number): Reason => {
  const { indexed, instance } = drafted
  const at = i * indexed.blocks + b
  const here = optionsAt(indexed, s, b)
  if (here.length === 0) return { kind: 'fault', text: 'No shift there fits the plan.' }
  const allowed = here.filter((o) => indexed.allowed[at * indexed.options.length + o] === 1)
  if (allowed.length === 0) {
    const fault = indexed.faultOf(i, b, here[0] ?? 0) ?? 'has another place that was accepted'
    return { kind: 'fault', text: `Not possible: ${fault}.` }
  }
  const open = allowed.filter((o) => !reachedLimit(drafted, i, b, o))
  if (open.length === 0)
    return {
      kind: 'limit',
      text: `Has as many blocks of ${reachedLimit(drafted, i, b, allowed[0] ?? 0)?.name} as the plan allows.`,
    }
  const isLocked = (instance.fixed[at] ?? -1) >= 0
  const isPossible = !isLocked && canBeForced(drafted, i, b, s, open)
  const ofSite = holdersOf(drafted, here, b)
  const isSiteFull = ofSite.length >= (instance.sitePlaces[s * indexed.blocks + b] ?? 0)
  const free = open.filter(
    (o) => holdersOf(drafted, [o], b).length < (instance.optionPlaces[o * indexed.blocks + b] ?? 0),
  )
  if (isSiteFull || free.length === 0) {
    const holders = isSiteFull ? ofSite : holdersOf(drafted, open, b)
    if (holders.length > 0) return { kind: 'full', text: fullText(drafted, i, s, b, holders), isPossible }
    return indexed.isElsewhere[s * indexed.blocks + b] === 1
      ? { kind: 'elsewhere', text: 'All places are taken by another program.' }
      : { kind: 'full', text: 'No places in this block.' }
  }
  if (isLocked) return { kind: 'free', text: 'A place is free, and this one is locked.' }
  const least = instance.siteLeast[s * indexed.blocks + b] ?? 0
  if (ofSite.length + 1 < least)
    return {
      kind: 'fault',
      text: `Takes at least ${least} students at a time, or none: nobody is there in this block.`,
      isPossible,
    }
  const left = leftShort(drafted, i, b)
  if (left)
    return {
      kind: 'free',
      text: `Has a free place, but ${left.Name} takes at least ${left.AtLeast} students at a time, or none.`,
      isPossible,
    }
  const cost = Math.min(...free.map((o) => costOfMove(drafted, at, o)))
  const kind =
    cost > 0 ? (isWheelAgainst(drafted, i, b, s) ? 'wheel' : 'free') : cost === 0 ? 'equal' : 'better'
  return { kind, text: freeReasons[kind], isPossible }
}

const ownText = ({ indexed, instance, solution }: Drafted, i: number, b: number): string => {
  const o = solution[i * indexed.blocks + b] ?? -1
  const option = indexed.options[o]
  const site = option && indexed.plan.Sites[option.site]
  const student = indexed.plan.Students[i]
  const miles = site && student ? milesOf(student, site) : null
  const owed = site && student ? (owedAt(student, site.Id) ?? 0) * (student.Owed?.Total ?? 0) : 0
  const gives = instance.categories.filter(
    (limits) => limits.level === undefined && limits.has[o] === 1 && (limits.least[i] ?? 0) > 0,
  )
  const tooMany = instance.categories.filter(
    (limits) =>
      limits.softCost !== undefined &&
      limits.level === undefined &&
      limits.has[o] === 1 &&
      countIn(instance, limits, solution, i) > (limits.most[i] ?? indexed.blocks),
  )
  const parts = [
    instance.fixed[i * indexed.blocks + b] === o && 'Locked',
    indexed.plan.Rotations.length > 1 && o >= 0 && indexed.plan.Rotations[indexed.rotationAt(i, b, o)]?.Name,
    miles !== null && miles !== undefined && `${Math.round(miles)} mi`,
    gives.length > 0 && `counts for ${gives.map(({ name }) => name).join(', ')}`,
    tooMany.length > 0 && `more of ${tooMany.map(({ name }) => name).join(', ')} than is wished`,
    owed > 0 && `${Math.round(owed)} still to log ${Math.round(owed) === 1 ? 'is' : 'are'} done there`,
  ].filter((part) => part !== false)
  const text = parts.join(', ')
  const turn = option ? wheelText({ indexed, instance, solution }, i, b, option.site) : ''
  if (text === '') return turn.trimEnd() || 'The best place that was left.'
  return `${turn}${text[0]?.toUpperCase()}${text.slice(1)}.`
}

/** Sites that a student ranked above their place, by rank. */
const rankedAbove = ({ indexed, solution }: Drafted, i: number, b: number): number[] => {
  const { plan } = indexed
  const own = indexed.options[solution[i * indexed.blocks + b] ?? -1]
  const ranked = rankingOf(plan, i, b)
  const rank = own ? ranked.indexOf(own.SiteId) : -1
  return (rank < 0 ? ranked : ranked.slice(0, rank)).flatMap((id) => {
    const s = plan.Sites.findIndex(({ Id }) => Id === id)
    return s < 0 ? [] : [s]
  })
}

interface ReasonAt {
  /** The index of the site. */
  s: number
  reason: Reason
}

/** For each site that a student ranked above their place, why they do not have it. */
const reasonsAbove = (drafted: Drafted, i: number, b: number): ReasonAt[] =>
  rankedAbove(drafted, i, b).map((s) => ({ s, reason: reasonAt(drafted, i, b, s) }))

const whyOf = (drafted: Drafted, i: number, b: number, above: readonly ReasonAt[]): Why[] => {
  const { plan, options, blocks } = drafted.indexed
  const own = options[drafted.solution[i * blocks + b] ?? -1]
  const why = ({ s, reason: { kind, text, isPossible = false } }: ReasonAt): Why => ({
    SiteId: plan.Sites[s]?.Id ?? 0,
    Site: plan.Sites[s]?.Name ?? '',
    Rank: rankAt(plan, i, b, plan.Sites[s]?.Id ?? 0) || null,
    IsOwn: kind === 'own',
    Text: text,
    IsPossible: isPossible,
  })
  return [
    ...above.map(why),
    ...(own ? [why({ s: own.site, reason: { kind: 'own', text: ownText(drafted, i, b) } })] : []),
  ]
}

/** Why a student is where they are in a block: each site that they ranked higher, then their own. */
export const explain = (drafted: Drafted, i: number, b: number): Why[] =>
  whyOf(drafted, i, b, reasonsAbove(drafted, i, b))

const forStudents: Record<Kind, string> = {
  fault: 'you could not be placed there then',
  limit: 'you have as many blocks of its kind as the plan allows',
  full: 'others had priority by the rules and goals of the plan',
  elsewhere: 'its places were taken by another program',
  free: 'the rules and goals of the plan weighed against it',
  wheel: 'everyone goes through every site, and your turn there is in other blocks',
  equal: 'the place that you have is as good by the goals of the plan',
  better: 'it was still open',
  own: '',
}

const textForStudent = (drafted: Drafted, i: number, b: number, above: readonly ReasonAt[]): string => {
  const { plan, options, blocks } = drafted.indexed
  const own = options[drafted.solution[i * blocks + b] ?? -1]
  if (!own) return 'There was no place for you in this block.'
  if (rankAt(plan, i, b, own.SiteId) === 1) return 'Your first choice.'
  if (above.length === 0)
    return turnAt(drafted, own.site)
      ? 'Everyone goes through every site in turn.'
      : 'Placed by the rules of the plan.'
  return above.map(({ s, reason }) => `${plan.Sites[s]?.Name}: ${forStudents[reason.kind]}.`).join(' ')
}

/**
 * The same for the student, in one text: no name and no number of others is in it, so that it tells nothing about any of them.
 */
export const explainToStudent = (drafted: Drafted, i: number, b: number): string =>
  textForStudent(drafted, i, b, reasonsAbove(drafted, i, b))

/** Both explanations, to store when a place is accepted: the plan changes afterwards, and what led to the place could no longer be explained. */
export const explainForRecord = (
  drafted: Drafted,
  i: number,
  b: number,
): { Why: Pick<Why, 'SiteId' | 'Site' | 'Rank' | 'IsOwn' | 'Text'>[]; Reason: string } => {
  const above = reasonsAbove(drafted, i, b)
  return {
    Why: whyOf(drafted, i, b, above).map(({ IsPossible: _, ...kept }) => kept),
    Reason: textForStudent(drafted, i, b, above),
  }
}

/** What `explainToStudent` said, in the reader's language. */
export const reasonIn = (text: string, language: Language): string =>
  Object.values(forStudents)
    .filter((reason) => reason !== '')
    .reduce(
      (told, reason) => told.replaceAll(`: ${reason}.`, `: ${noticeIn(reason, language)}.`),
      noticeIn(text, language),
    )

/** Scales costs so that moving a student without a gain costs just above 0; larger than the number of students in any plan. */
const fine = 8_192

/**
 * The best block in which a student is at a site while all other blocks and all locked places stay; undefined when there is none.
 * What it costs above the draft is exact: nothing cheaper puts the student there.
 */
export const forceInBlock = (
  { instance, solution }: Pick<Drafted, 'instance' | 'solution'>,
  i: number,
  b: number,
  s: number,
): { solution: Solution; cost: number } | undefined => {
  const { students, options, blocks, siteOf, fixed } = instance
  const isKept = (j: number) =>
    (fixed[j * blocks + b] ?? -1) >= 0 && fixed[j * blocks + b] === solution[j * blocks + b]
  if (isKept(i)) return undefined
  const counts = new Counts(instance, solution)
  const costs = costsOfBlock(instance, solution, b, counts).map((cost) => cost * fine)
  // More than leaving somebody without a place and all experiences; locked places cost even more.
  const urge = (4 + instance.categories.length) * instance.unplacedCost * fine
  for (let j = 0; j < students; j++) {
    const o = solution[j * blocks + b] ?? -1
    if (o >= 0) costs[j * options + o] = (costs[j * options + o] ?? 0) - 1 - (isKept(j) ? 3 * urge : 0)
    else for (let r = 0; r < options; r++) costs[j * options + r] = (costs[j * options + r] ?? 0) + 1
  }
  for (let o = 0; o < options; o++)
    costs[i * options + o] = siteOf[o] === s ? (costs[i * options + o] ?? 0) - urge : Number.POSITIVE_INFINITY
  const placed = solveBlock(instance, b, costs, { scale: fine })
  if (siteOf[placed[i] ?? -1] !== s) return undefined
  for (let j = 0; j < students; j++) if (isKept(j) && placed[j] !== solution[j * blocks + b]) return undefined
  const next = solution.slice()
  for (let j = 0; j < students; j++) next[j * blocks + b] = placed[j] ?? -1
  return { solution: next, cost: costOf(instance, next) - costOf(instance, solution) }
}
