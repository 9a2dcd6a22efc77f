import * as lists from '#contract/competencies/competency-lists.ts'
import * as items from '#contract/competencies/exam-items.ts'
import * as contract from '#contract/competencies/procedures.ts'
import type { Caller } from '#server/test/installation.ts'

/** The rules of a procedure that says nothing particular. */
export const blank = (MajorStudyId: number) => ({
  MajorStudyId,
  IsMandatory: true,
  LogsNeeded: 0,
  MayBeSimulated: false,
  NeedsLabCheck: false,
  IsAlwaysDirect: false,
  CommentBelow: null,
  PassingPercent: null,
})

/** What a coordinator does to make lists, for the tests of them. */
export const designOf = (caller: Caller, programId: number) => {
  const inProgram = { params: { programId } }
  const at = (listId: number) => ({ params: { programId, listId } })
  const named = (Part: lists.CompetencyPart, Ids: number[]) => ({ ...inProgram, body: { Part, Ids } })
  const procedures = (listId: number, deleted = false) =>
    caller.ok(contract.listProcedures, { ...at(listId), query: { deleted } })
  return {
    at,
    procedures,
    list: (Name: string) =>
      caller.ok(lists.createCompetencyList, {
        ...inProgram,
        body: { Name, Registry: '', EffectiveOn: '2027-01-01' },
      }),
    section: async (listId: number, Name: string, names: string[] = []): Promise<number> => {
      const { Ids } = await caller.ok(contract.createMajorStudies, { ...at(listId), body: { Lines: Name } })
      if (names.length > 0)
        await caller.ok(contract.createProcedures, {
          ...at(listId),
          body: { ...blank(Ids[0]!), Lines: names.join('\n') },
        })
      return Ids[0]!
    },
    levels: (listId: number, Lines: string, MajorStudyIds: number[] | null = null) =>
      caller.ok(contract.createParticipationLevels, {
        ...at(listId),
        body: { Lines, IsCounted: true, MajorStudyIds },
      }),
    levelsOf: (listId: number, deleted = false) =>
      caller.ok(contract.listParticipationLevels, { ...at(listId), query: { deleted } }),
    change: (
      listId: number,
      { Id, ItemCount: _items, PathologyCount: _pathologies, ...procedure }: contract.Procedure,
      part: Partial<contract.Procedure>,
      headers: Record<string, string> = {},
    ) =>
      caller.call(
        contract.updateProcedure,
        { params: { programId, listId, procedureId: Id }, body: { ...procedure, ...part } },
        { headers },
      ),
    score: (Name = 'Exam') =>
      caller.ok(items.createCompetencyScore, {
        ...inProgram,
        body: {
          Name,
          IsActive: true,
          Values: [
            { Label: 'Fails', Value: 1, IsPassing: false },
            { Label: 'Passes', Value: 2, IsPassing: true },
          ],
        },
      }),
    items: (procedureId: number, { Id: ScoreId }: items.CompetencyScore, Lines: string) =>
      caller.ok(items.createExamItems, {
        params: { programId, procedureId },
        body: { Lines, ScoreId, DefaultValueId: null, IsCritical: false },
      }),
    itemsOf: (procedureId: number) => caller.ok(items.listExamItems, { params: { programId, procedureId } }),
    remove: (part: lists.CompetencyPart, ids: number[]) =>
      caller.call(lists.removeCompetencyParts, named(part, ids)),
    restore: (part: lists.CompetencyPart, ids: number[]) =>
      caller.call(lists.restoreCompetencyParts, named(part, ids)),
    order: (part: Exclude<lists.CompetencyPart, 'list' | 'score'>, Ids: number[]) =>
      caller.call(lists.orderCompetencyParts, { ...inProgram, body: { Part: part, Ids } }),
  }
}
export type Design = ReturnType<typeof designOf>
