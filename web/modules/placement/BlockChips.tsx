import { IconCircleCheckFilled } from '@tabler/icons-react'
import { formatDate } from '#web/ui/dates.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './ranking-blocks.module.css'

export type BlockChipsProps = {
  blocks: readonly { StartDate: string; EndDate: string }[]
  /** What is ranked for each. */
  lists: readonly (readonly number[])[]
  value: number
  onChange: (block: number) => void
}

/** The blocks of a plan in a row to choose from; those that are ranked are marked. */
export function BlockChips({ blocks, lists, value, onChange }: BlockChipsProps) {
  const words = useWords()
  return (
    <div className={classes.chips} role="radiogroup" aria-label={words('placement.blocks')}>
      {blocks.map(({ StartDate, EndDate }, block) => {
        const count = lists[block]?.length ?? 0
        return (
          <label key={StartDate} className={classes.chip} data-on={block === value || undefined}>
            <input
              type="radio"
              className="p-sr-only"
              name="ranked-block"
              checked={block === value}
              onChange={() => onChange(block)}
            />
            <b>
              {words('placement.block', { number: block + 1 })}
              {count > 0 && (
                <IconCircleCheckFilled
                  size={16}
                  role="img"
                  aria-label={words('placement.rankedCount', { count })}
                />
              )}
            </b>
            <small>
              {formatDate(StartDate).slice(0, 5)}–{formatDate(EndDate).slice(0, 5)}
            </small>
          </label>
        )
      })}
    </div>
  )
}
