import { Button } from '@mantine/core'
import type { AnswerOf } from '#contract/endpoint.ts'
import type { getClock } from '#contract/time.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './clock.module.css'

export interface SiteDialogProps {
  sites: AnswerOf<typeof getClock>['Sites']
  onChoose: (siteId: number) => void
  onClose: () => void
}

/** Asks where the student is, when neither the schedule nor the position tells it. */
export function SiteDialog({ sites, onChoose, onClose }: SiteDialogProps) {
  const words = useWords()
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('time.chooseSite')}
      subtitle={words('time.chooseSiteDetail')}
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
