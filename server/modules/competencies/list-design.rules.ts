import type { DesignEffect } from '#contract/competencies/procedures.ts'

/** What the lists of a program ask of students. Names and order are not of it, nor is what only an exam asks. */
export interface ListDesign {
  lists: readonly {
    id: number
    isLive: boolean
    isForOthers: boolean
    electives: number
    cohorts: readonly string[]
  }[]
  procedures: readonly {
    id: number
    listId: number
    sectionId: number
    lineage: string
    isLive: boolean
    isMandatory: boolean
    needed: number
    needsLabCheck: boolean
    /** Where it counts other levels than its section does. */
    levelIds: readonly number[]
  }[]
  levels: readonly {
    id: number
    listId: number
    sectionId: number
    /** In small letters, as versions of a list know it. */
    name: string
    isCounted: boolean
    isLive: boolean
  }[]
}

/** What each list asks by itself, as a text that is the same while nothing of it changes. */
const ownDesigns = ({ lists, procedures, levels }: ListDesign): Map<number, string> => {
  const proceduresOf = Map.groupBy(procedures, ({ listId }) => listId)
  const levelsOf = Map.groupBy(levels, ({ listId }) => listId)
  return new Map(
    lists.map((list) => [list.id, JSON.stringify([list, proceduresOf.get(list.id), levelsOf.get(list.id)])]),
  )
}

/** Lineages of which what was done counts otherwise in every list that has them: they were united or parted, or a level got another name. */
const changedLineages = (before: ListDesign, after: ListDesign): Set<string> => {
  const lineages = new Set<string>()
  const former = new Map(before.procedures.map(({ id, lineage }) => [id, lineage]))
  const names = new Map(before.levels.map(({ id, name }) => [id, name]))
  const renamed = new Set(
    after.levels.flatMap(({ id, name, sectionId }) => ((names.get(id) ?? name) === name ? [] : sectionId)),
  )
  for (const { id, lineage, sectionId } of after.procedures) {
    const was = former.get(id) ?? lineage
    if (was !== lineage || renamed.has(sectionId)) lineages.add(was).add(lineage)
  }
  return lineages
}

/** The lists by which somebody may stand otherwise than before. */
export const changedLists = (before: ListDesign, after: ListDesign): number[] => {
  const own = ownDesigns(before)
  const lineages = changedLineages(before, after)
  const changed = [...ownDesigns(after)].flatMap(([id, design]) => (own.get(id) === design ? [] : id))
  const shared = after.procedures.flatMap(({ listId, lineage }) => (lineages.has(lineage) ? listId : []))
  return [...new Set([...changed, ...shared])]
}

/** How the students of a list stand. */
export interface ListStanding {
  asked: number
  students: readonly {
    StudentId: number
    Student: string
    /** A character for each procedure. */
    cells: string
    Done: number
    Ready: number
  }[]
}

const mostNamed = 20

/** What lies between two standings of a list. */
export const effectOf = (before: ListStanding, after: ListStanding): DesignEffect => {
  const now = new Map(after.students.map((each) => [each.StudentId, each]))
  const pairs = before.students.flatMap((was) => {
    const is = now.get(was.StudentId)
    return is ? [{ was, is }] : []
  })
  const moved = pairs.filter(({ was, is }) => was.Done !== is.Done || was.Ready !== is.Ready)
  // With a procedure more or less the cells are of others: then what they come to says whether something is otherwise.
  const others = pairs.filter(
    ({ was, is }) =>
      was.Done === is.Done &&
      was.Ready === is.Ready &&
      was.cells.length === is.cells.length &&
      was.cells !== is.cells,
  )
  const figures = ({ Done, Ready }: { Done: number; Ready: number }) => ({ Done, Ready })
  return {
    Students: before.students.length,
    Asked: { Before: before.asked, After: after.asked },
    Changed: moved.length + others.length,
    People: moved.slice(0, mostNamed).map(({ was, is }) => ({
      StudentId: was.StudentId,
      Student: was.Student,
      Before: figures(was),
      After: figures(is),
    })),
  }
}
