import type { CompetencyPart } from '#contract/competencies/competency-lists.ts'
import { type DesignChange, type DesignEffect, previewDesign } from '#contract/competencies/procedures.ts'
import { useSave } from '#web/api/use-call.ts'
import { offerUndo } from '#web/ui/attempt.ts'
import { confirm } from '#web/ui/confirm.ts'
import { useWords } from '#web/words/use-words.ts'
import type { Design } from './use-lists.ts'

/** Deleting parts, as a change of what a list asks; nothing of those that it does not ask. */
export const removalOf = (part: CompetencyPart, ids: readonly number[]): DesignChange | undefined =>
  part === 'major-study' || part === 'procedure' || part === 'participation-level'
    ? { Kind: 'removal', Part: part, Ids: [...ids] }
    : undefined

/** Asks before a change of what a list asks, where it concerns somebody who has the list; true where it is to be saved. */
export const useDesignChange = (params: Design['params']) => {
  const words = useWords()
  const preview = useSave(previewDesign, { refresh: [] })
  return async (Change: DesignChange | undefined): Promise<boolean> => {
    if (!Change) return true
    const effect = await preview.run({ params, body: { Change } })
    const isAskedOtherwise = effect.Asked.Before !== effect.Asked.After
    if (effect.Students === 0 || (effect.Changed === 0 && !isAskedOtherwise)) return true
    return confirm({
      title: words('competencies.effectTitle'),
      text: isAskedOtherwise
        ? words('competencies.effectAsked', {
            count: effect.Students,
            before: effect.Asked.Before,
            after: effect.Asked.After,
          })
        : words('competencies.effectOf', { count: effect.Students }),
      detail: <Effect effect={effect} />,
      verb: words('competencies.effectSave'),
    })
  }
}

/** Says that something of a list was saved, and offers to give it back what it was, by its former name. */
export const useOfferBack = () => {
  const words = useWords()
  return (saved: string, former: string, restore: () => Promise<unknown>): void =>
    offerUndo({
      deleted: words('competencies.saved', { name: saved }),
      restore,
      restored: words('competencies.changeUndone', { name: former }),
    })
}

/** Who stands otherwise, the first of them by name. */
function Effect({ effect: { Changed, People } }: { effect: DesignEffect }) {
  const words = useWords()
  return (
    <>
      <p>{words('competencies.effectChanged', { count: Changed })}</p>
      {People.length > 0 && (
        <ul>
          {People.map(({ StudentId, Student, Before, After }) => (
            <li key={StudentId}>
              {[
                Student,
                Before.Done !== After.Done &&
                  words('competencies.effectDone', { before: Before.Done, after: After.Done }),
                Before.Ready !== After.Ready &&
                  words('competencies.effectReady', { before: Before.Ready, after: After.Ready }),
              ]
                .filter(Boolean)
                .join(' · ')}
            </li>
          ))}
          {Changed > People.length && (
            <li>{words('competencies.effectMore', { count: Changed - People.length })}</li>
          )}
        </ul>
      )}
    </>
  )
}
