import { addDays } from '#contract/core/calendar.ts'
import { listSharedDays, type SharedSite } from '#contract/shared-sites/shared-sites.ts'
import { useRead } from '#web/api/use-call.ts'
import { useProgramId, useTimeZone } from '#web/api/use-state.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { dateOfInstant, formatDay } from '#web/ui/dates.ts'
import { LeaveButton } from '#web/ui/LeaveButton.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './shared-sites.module.css'

/** Places left at a shared site in the next two weeks, as far as they may be told. */
export function SharedDaysDialog({ shared, onClose }: { shared: SharedSite; onClose: () => void }) {
  const words = useWords()
  const programId = useProgramId()
  const FromDate = dateOfInstant(new Date(), useTimeZone())
  const days = useRead(listSharedDays, {
    params: { programId, sharedSiteId: shared.Id },
    query: { FromDate, ThroughDate: addDays(FromDate, 13) },
  })
  const leftText = (from: number, through: number): string => {
    if (through === 0) return words('sharedSites.full')
    return from === through
      ? words('sharedSites.left', { count: from })
      : words('sharedSites.leftRange', { from, through })
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('sharedSites.daysTitle', { site: shared.Site })}
      subtitle={words('sharedSites.daysHint')}
      actions={
        <LeaveButton size="lg" onClick={onClose}>
          {words('sharedSites.close')}
        </LeaveButton>
      }
    >
      {days.error && <PageMessage kind="error" text={days.error.message} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the days scroll by keyboard too */}
      <ul className={classes.days} tabIndex={0} aria-label={words('sharedSites.placesADay')}>
        {days.data?.map(({ Date: date, Own, LeftFrom, LeftThrough }) => (
          <li key={date}>
            <span>{formatDay(date)}</span>
            <span className={classes.quiet}>{words('sharedSites.own', { count: Own })}</span>
            <b>{leftText(LeftFrom, LeftThrough)}</b>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
