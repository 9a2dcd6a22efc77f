import type { LineRefusal, ReadLines } from '#contract/core/lines.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './LinesPreview.module.css'

export type LinesPreviewProps = {
  read: ReadLines
  /** What the two lists are called: '3 items will be added'. */
  takenLabel: string
  refusedLabel: string
  reasonOf: (reason: LineRefusal) => string
}

/** What becomes of pasted lines: those that are taken, and those that are refused with the reason. */
export function LinesPreview({
  read: { Taken, Refused },
  takenLabel,
  refusedLabel,
  reasonOf,
}: LinesPreviewProps) {
  const words = useWords()
  return (
    <>
      {Taken.length > 0 && (
        <ol className={classes.lines} aria-label={takenLabel}>
          {Taken.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ol>
      )}
      {Refused.length > 0 && (
        <ul className={classes.refused} aria-label={refusedLabel}>
          {Refused.map(({ Line, Text, Reason }) => (
            <li key={Line}>
              <b>{words('ui.lineNumber', { line: Line })}</b> {Text}
              <span>{reasonOf(Reason)}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
