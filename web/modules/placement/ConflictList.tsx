import { IconArrowUpRight } from '@tabler/icons-react'
import type { PageAddress } from '#contract/core/pages.ts'
import type { Permission } from '#contract/core/permissions.ts'
import type { Conflict } from '#contract/placement/conflicts.ts'
import { useMay } from '#web/api/use-state.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './conflict.module.css'

type Rule = Conflict['Rules'][number]

/** Where a rule is changed; nothing for a lock, which is in the draft itself. */
const addressOf = ({ Kind, SiteId, StudentId }: Rule, planId: number): PageAddress | undefined => {
  switch (Kind) {
    case 'siteShift':
      return `/new/admin/shifts?site=${SiteId}`
    case 'siteAnswer':
      return `/new/admin/placement/${planId}?tab=check`
    case 'site':
      return `/new/admin/sites/edit?id=${SiteId}`
    case 'agreement':
      return '/new/admin/affiliate-agreements'
    case 'plan':
      return `/new/admin/placement/edit?id=${planId}`
    case 'planStudent':
      return `/new/admin/placement/${planId}?tab=students`
    case 'rotation':
      return '/new/admin/rotations'
    case 'program':
      return '/new/admin/program-settings'
    case 'requirements':
      return `/new/admin/requirements/students/${StudentId}`
    case 'schedule':
      return `/new/admin/students/${StudentId}`
    case 'lock':
      return undefined
  }
}

const mayChange: Record<Rule['Kind'], Permission> = {
  siteShift: 'scheduling.plan',
  siteAnswer: 'placement.plan',
  site: 'sites.read',
  agreement: 'agreements.manage',
  plan: 'placement.plan',
  planStudent: 'placement.plan',
  rotation: 'scheduling.plan',
  program: 'program.settings',
  requirements: 'requirements.review',
  schedule: 'students.read',
  lock: 'placement.plan',
}

/** The rules that have to give way, each with the page where it is changed. */
export function ConflictList({ conflict, planId }: { conflict: Conflict; planId: number }) {
  const words = useWords()
  const may = useMay()
  const { Rules, IsSmallest } = conflict
  if (Rules.length === 0) return <p className={classes.text}>{words('placement.canAllBeKept')}</p>
  return (
    <div className={classes.conflict}>
      <h3>
        {IsSmallest
          ? words('placement.conflictTitle', { count: Rules.length })
          : words('placement.conflictBegin')}
      </h3>
      <ul>
        {Rules.map((rule) => {
          const address = may(mayChange[rule.Kind]) ? addressOf(rule, planId) : undefined
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
