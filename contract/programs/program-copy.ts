import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Id } from '#contract/core/fields.ts'

interface Entry {
  /** Below which it is in the tree; it is copied together with that. */
  parent?: CopyCode
  /** What it refers to elsewhere in the tree: ticked and held while this is ticked. */
  needs?: readonly CopyCode[]
}

const codes = [
  'se1',
  'se2',
  'ma1',
  'ma2',
  'ma20',
  'co1',
  'pa1',
  'ps1',
  'sl1',
  'ar1',
  'si1',
  'si2',
  'ss1',
  'ro1',
  'ft1',
  'et1',
  'et2',
  'et3',
  'do1',
  'rq1',
  'op1',
  'lp1',
  'mn1',
] as const
export const CopyCode = z.enum(codes)
export type CopyCode = z.infer<typeof CopyCode>

/**
 * What can be copied from one program into another, in the order of the screen. The first eight are the specification's;
 * the others are the product's own. How each is copied says `program-copy.commands.ts`.
 */
export const copyTree: Readonly<Record<CopyCode, Entry>> = {
  /** Scores, and their values, by which competency exams are graded. */
  se1: {},
  se2: { parent: 'se1' },
  /** Major study, participation levels, skills with their comp exam items and pathology. */
  ma1: {},
  ma2: { parent: 'ma1' },
  ma20: { parent: 'ma1' },
  co1: { parent: 'ma20', needs: ['se2'] },
  pa1: { parent: 'ma20' },
  ps1: {},
  sl1: {},
  ar1: {},
  /** Sites; their contacts, departments and networks; their shifts. */
  si1: { needs: ['ar1'] },
  si2: { parent: 'si1' },
  ss1: { parent: 'si1' },
  ro1: { needs: ['ar1', 'sl1'] },
  ft1: {},
  /** Evaluation templates, their score types with values, their categories, groups and items. */
  et1: { needs: ['ft1', 'sl1'] },
  et2: { parent: 'et1' },
  et3: { parent: 'et1', needs: ['et2'] },
  do1: {},
  rq1: {},
  op1: {},
  lp1: {},
  mn1: {},
}
export const copyCodes: readonly CopyCode[] = codes

export const childrenOf = (code: CopyCode | undefined): CopyCode[] =>
  codes.filter((each) => copyTree[each].parent === code)

/** An entry with everything below it. */
const branchOf = (code: CopyCode): CopyCode[] => [code, ...childrenOf(code).flatMap(branchOf)]

/** An entry behind everything that it is below or refers to, in the order of copying. */
const basisOf = (code: CopyCode): CopyCode[] => {
  const { parent, needs = [] } = copyTree[code]
  return [...(parent ? basisOf(parent) : []), ...needs.flatMap(basisOf), code]
}

/** The entries ticked with all that they need, each once, what is needed before what needs it. */
export const withNeeded = (ticked: Iterable<CopyCode>): CopyCode[] => [
  ...new Set([...ticked].flatMap(basisOf)),
]

/**
 * The entries that another ticked one refers to, with the first that does: they are ticked and cannot be unticked. What an
 * entry is merely below is not held, for unticking it takes everything below away as well.
 */
export const forcedBy = (ticked: Iterable<CopyCode>): Map<CopyCode, CopyCode> => {
  const forced = new Map<CopyCode, CopyCode>()
  for (const code of withNeeded(ticked))
    for (const needed of (copyTree[code].needs ?? []).flatMap(basisOf))
      if (!forced.has(needed) && !branchOf(needed).includes(code)) forced.set(needed, code)
  return forced
}

/**
 * What a person has chosen, after a press on an entry. Ticked is `withNeeded` of it: choosing selects what is below,
 * and what that needs is ticked as long as it is needed. Unticking takes what is below away as well, and leaves what is forced.
 */
export const toggled = (chosen: ReadonlySet<CopyCode>, code: CopyCode): ReadonlySet<CopyCode> => {
  const ticked = new Set(withNeeded(chosen))
  if (!ticked.has(code)) return new Set([...chosen, ...branchOf(code)])
  if (forcedBy(ticked).has(code)) return chosen
  const gone = new Set(branchOf(code))
  return new Set([...chosen].filter((each) => !gone.has(each)))
}

export const sameProgramMessage = 'Programs must not match'

export const copyProgram = endpoint({
  method: 'POST',
  path: '/programs/copies',
  proof: 'file',
  may: 'programs.manage',
  summary:
    'Copy data of a program into another, with all that it needs. What the other has under the same name stays, so a second run adds nothing; settings and menu are replaced',
  query: z.strictObject({
    sourceProgramId: Id,
    destinationProgramId: Id,
    dataTypes: z.array(CopyCode).min(1, 'name at least one').max(100),
  }),
  answer: z.object({
    /** Rows written, by code, in the order of copying. */
    Copied: z.array(z.object({ Code: CopyCode, Count: z.number().int() })),
  }),
  errors: { 404: 'one of the programs does not exist', 422: 'both programs are the same' },
})
