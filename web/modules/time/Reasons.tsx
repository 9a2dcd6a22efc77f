import type { Doubt } from '#contract/time/insight.ts'
import type { TimeKind } from '#contract/time/time-records.ts'
import { Hint } from '#web/ui/Hint.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { useWords } from '#web/words/use-words.ts'
import { doubtIcon, doubtStatus, doubtText, sortDoubts } from './doubt-words.tsx'
import classes from './time.module.css'

/** Why a record needs a look: the most serious reason in words, the others as icons with a tooltip (all of them when `all`). */
export function Reasons(props: { reasons: readonly Doubt[]; type?: TimeKind; all?: boolean }) {
  const { reasons, type, all = false } = props
  const words = useWords()
  const sorted = sortDoubts(reasons)
  if (sorted.length === 0) return <span className="p-muted">{words('time.noDoubt')}</span>
  return (
    <span className={classes.reasons}>
      {sorted.map((doubt, index) => {
        const text = doubtText(words, doubt, type)
        const isWord = all || index === 0
        return (
          <Hint key={doubt.Code} text={text} isOn={!isWord}>
            <span className={isWord ? classes.reason : classes.more}>
              <StatusTag status={doubtStatus(doubt)} icon={doubtIcon(doubt)} title={text}>
                {isWord ? text : <span className="p-sr-only">{text}</span>}
              </StatusTag>
            </span>
          </Hint>
        )
      })}
    </span>
  )
}
