import {
  type CompetencyList,
  type CompetencyPart,
  listCompetencyLists,
  orderCompetencyParts,
  removeCompetencyParts,
  restoreCompetencyParts,
} from '#contract/competencies/competency-lists.ts'
import { listCompetencyScores, listExamItems } from '#contract/competencies/exam-items.ts'
import {
  listMajorStudies,
  listParticipationLevels,
  listPathologies,
  listProcedures,
} from '#contract/competencies/procedures.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'

/** What a change of any part of a list makes old. */
export const designed = {
  refresh: [
    listCompetencyLists,
    listMajorStudies,
    listProcedures,
    listParticipationLevels,
    listPathologies,
    listExamItems,
    listCompetencyScores,
  ],
}

/** The list of a cohort, or else the one that most students have; undefined where there is none. */
export const usualList = (lists: readonly CompetencyList[], cohort: string): CompetencyList | undefined =>
  lists.find(({ Cohorts }) => Cohorts.includes(cohort)) ??
  lists.toSorted((one, other) => other.StudentCount - one.StudentCount)[0]

/** The list that a screen is about: named in the address, otherwise the newest one. */
export const useList = () => {
  const programId = useProgramId()
  const [at, setAddress] = useAddress({ list: null as number | null })
  const lists = useRead(listCompetencyLists, { params: { programId }, query: {} })
  const list = lists.data?.find(({ Id }) => Id === at.list) ?? lists.data?.[0]
  const listId = list?.Id ?? 0
  return {
    lists,
    list,
    params: { programId, listId },
    mayDesign: useMay()('competencies.design'),
    /** What is about a part of the former list goes with it. */
    choose: (id: number) => setAddress({ list: id, section: null, procedure: null } as { list: number }),
  }
}
export type Design = ReturnType<typeof useList>

/** Reads of one list wait until it is known. */
export const whenKnown = ({ list }: Design) => ({ isEnabled: list !== undefined, keepsLast: false })

/** Deletes parts, brings them back, and puts them in order. */
export const useParts = (part: CompetencyPart) => {
  const programId = useProgramId()
  const remove = useSave(removeCompetencyParts, designed)
  const restore = useSave(restoreCompetencyParts, designed)
  const order = useSave(orderCompetencyParts, designed)
  const named = (Ids: readonly number[]) => ({ params: { programId }, body: { Part: part, Ids: [...Ids] } })
  return {
    remove: (ids: readonly number[]) => remove.run(named(ids)),
    restore: (ids: readonly number[]) => restore.run(named(ids)),
    order: (ids: readonly number[]) => {
      if (part === 'list' || part === 'score') throw new Error(`There is no order of a ${part}.`)
      return order.run({ params: { programId }, body: { Part: part, Ids: [...ids] } })
    },
  }
}
