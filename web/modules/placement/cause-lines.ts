import type { Problem } from '#contract/placement/plans.ts'
import type { Words } from '#web/words/plain-words.ts'

/** A cause as it is shown, and those that are said behind it. */
interface Line {
  cause: Problem
  parts: readonly Problem[]
}

/** Requirements are one cause with one email, however many of them students lack: a new cohort lacks all. */
export const linesOf = (causes: readonly Problem[], words: Words): Line[] =>
  [
    ...Map.groupBy(causes, (cause) =>
      cause.Fix === 'requirements' && cause.Lacks !== undefined ? cause.Kind : cause,
    ).values(),
  ].map((parts): Line => {
    const first = parts[0]!
    if (parts.length === 1) return { cause: first, parts: [] }
    const StudentIds = [...new Set(parts.flatMap((part) => part.StudentIds))]
    const lacks = [...new Set(parts.map(({ Lacks }) => Lacks))]
    const isOfAll = parts.every((part) => part.StudentIds.length === StudentIds.length)
    const { Lacks: _own, ...shared } = first
    return {
      parts,
      cause: {
        ...shared,
        Text: words(first.Kind === 'stops' ? 'placement.lackToBePlaced' : 'placement.lackLater', {
          count: StudentIds.length,
        }),
        StudentId: StudentIds.length === 1 ? StudentIds[0]! : null,
        StudentIds,
        SiteIds: [],
        ...(isOfAll && { Lacks: lacks.join('; ') }),
      },
    }
  })
