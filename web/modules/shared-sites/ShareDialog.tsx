import { useState } from 'react'
import { listSharedSites, shareSite } from '#contract/shared-sites/shared-sites.ts'
import { useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DialogActions } from '#web/ui/DialogActions.tsx'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { Problem } from '#web/ui/Problem.tsx'
import { useAttempt } from '#web/ui/use-attempt.ts'
import { useWords } from '#web/words/use-words.ts'
import { SiteField } from './SiteField.tsx'
import classes from './shared-sites.module.css'

/** Shares a site; the code for the other program is shown next. */
export function ShareDialog(props: { onClose: () => void; onShared: (code: string) => void }) {
  const { onClose, onShared } = props
  const words = useWords()
  const programId = useProgramId()
  const [site, setSite] = useState<string | null>(null)
  const [capacity, setCapacity] = useState<number | null>(null)
  const save = useSave(shareSite, { refresh: [listSharedSites] })
  const { problem, attempt } = useAttempt()
  const run = () =>
    attempt(async () => {
      const { Code } = await save.run({
        params: { programId },
        body: { SiteId: Number(site), Capacity: capacity ?? 0 },
      })
      onShared(Code)
    })
  return (
    <Dialog
      opened
      stayOnOutsideClick
      onClose={onClose}
      title={words('sharedSites.share')}
      subtitle={words('sharedSites.shareHint')}
      actions={
        <DialogActions
          verb={words('sharedSites.shareVerb')}
          onCancel={onClose}
          onRun={() => void run()}
          isRunning={save.isRunning}
          isDisabled={site === null || capacity === null}
        />
      }
    >
      <div className={classes.fields}>
        <SiteField label={words('sharedSites.site')} value={site} onChange={setSite} />
        <NumberField
          label={words('sharedSites.capacity')}
          hint={words('sharedSites.capacityHint')}
          name="Capacity"
          required
          min={1}
          max={10_000}
          value={capacity}
          onChange={setCapacity}
        />
        <Problem text={problem} />
      </div>
    </Dialog>
  )
}
