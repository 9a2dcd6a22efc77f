import { IconArrowUpRight } from '@tabler/icons-react'
import type { Conflict } from '#contract/placement/conflicts.ts'
import { useMay } from '#web/api/use-state.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './conflict.module.css'
import { fixAddress, fixPermission } from './fix-address.ts'

/** The rules that have to give way, each with the page where it is changed. */
export function ConflictList({ conflict, planId }: { conflict: Conflict; planId: number }) {
  const words = useWords()
  const may = useMay()
  const { Rules, IsSmallest } = conflict
  if (Rules.length === 0) return <p className={classes.text}>{words('placement.canAllBeKept')}</p>
  return (
    <div className={classes.conflict}>
      <p className={classes.title}>
        {IsSmallest
          ? words('placement.conflictTitle', { count: Rules.length })
          : words('placement.conflictBegin')}
      </p>
      <ul>
        {Rules.map((rule) => {
          const address = may(fixPermission[rule.Kind]) ? fixAddress(rule, planId) : undefined
          return (
            <li key={rule.Text}>
              {address ? (
                <PageLink href={address}>
                  {rule.Text}
                  <IconArrowUpRight size={16} aria-hidden />
                </PageLink>
              ) : (
                rule.Text
              )}
            </li>
          )
        })}
      </ul>
      <p className={classes.text}>{words(IsSmallest ? 'placement.isSmallest' : 'placement.isSmall')}</p>
    </div>
  )
}
