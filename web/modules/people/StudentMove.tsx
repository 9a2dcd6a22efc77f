import type { StudentMovePreview } from '#contract/competencies/list-moves.ts'
import { useWords } from '#web/words/use-words.ts'

/** Whether a move changes what is asked of the student, or what of it counts. */
export const changesAnything = ({ FromList, ToList, Asked, NoLongerAsked }: StudentMovePreview): boolean =>
  FromList !== ToList || Asked.length + NoLongerAsked.length > 0

/** What another cohort or level asks of a student, and what of that which they have shown counts. */
export function StudentMove({ found }: { found: StudentMovePreview }) {
  const words = useWords()
  const { FromList, ToList, Passed, Counting, NotCounting, Asked, NoLongerAsked } = found
  return (
    <ul>
      {FromList !== ToList && (
        <li>
          {ToList === null ? words('people.moveNoList') : words('people.moveList', { list: ToList })}{' '}
          {Passed > 0 && words('people.moveCounts', { passed: Passed, count: Counting })}
          {NotCounting.length > 0 && (
            <details>
              <summary>{words('people.moveNotCounting', { count: NotCounting.length })}</summary>
              <ul>
                {NotCounting.map(({ List, MajorStudy, Name }) => (
                  <li key={`${List} ${MajorStudy} ${Name}`}>{`${Name} (${MajorStudy}, ${List})`}</li>
                ))}
              </ul>
            </details>
          )}
        </li>
      )}
      {Asked.length > 0 && (
        <li>
          {words('people.moveAsked', {
            names: Asked.map(({ Name, IsMet }) =>
              IsMet ? words('people.moveMet', { name: Name }) : Name,
            ).join(', '),
          })}
        </li>
      )}
      {NoLongerAsked.length > 0 && (
        <li>{words('people.moveNotAsked', { names: NoLongerAsked.join(', ') })}</li>
      )}
    </ul>
  )
}
