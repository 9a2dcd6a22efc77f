import type { AnswerOf } from '#contract/core/endpoint.ts'
import type { getClock } from '#contract/time/clock.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './clock.module.css'

export interface SiteDialogProps {
  sites: AnswerOf<typeof getClock>['Sites']
  /** The person or the browser does not let this page know where the phone is. */
  isBlocked: boolean
  hasPosition: boolean
  onChoose: (siteId: number) => void
  onClose: () => void
}

/** Asks where the student is, when neither the schedule nor the position says so. */
export function SiteDialog({ sites, isBlocked, hasPosition, onChoose, onClose }: SiteDialogProps) {
  const words = useWords()
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('time.chooseSite')}
      subtitle={words(
        isBlocked
          ? 'time.chooseSiteBlocked'
          : hasPosition
            ? 'time.chooseSiteElsewhere'
            : 'time.chooseSiteNoShift',
      )}
    >
      <div className={classes.sites}>
        {sites.map(({ SiteId, Name }) => (
          <Button key={SiteId} variant="default" size="xl" onClick={() => onChoose(SiteId)}>
            {Name}
          </Button>
        ))}
      </div>
    </Dialog>
  )
}
