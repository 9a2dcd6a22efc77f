import { useState } from 'react'
import type { AnswerOf } from '#contract/core/endpoint.ts'
import { joinSharedSite, listSharedSites, readSharedOffer } from '#contract/shared-sites/shared-sites.ts'
import { useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DialogActions } from '#web/ui/DialogActions.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { Problem } from '#web/ui/Problem.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useAttempt } from '#web/ui/use-attempt.ts'
import { useWords } from '#web/words/use-words.ts'
import { SiteField } from './SiteField.tsx'
import classes from './shared-sites.module.css'

/** Reads what a code offers, then joins with the program's own site. */
export function JoinDialog({ onClose }: { onClose: () => void }) {
  const words = useWords()
  const programId = useProgramId()
  const [code, setCode] = useState('')
  const [site, setSite] = useState<string | null>(null)
  const [offer, setOffer] = useState<AnswerOf<typeof readSharedOffer>>()
  const reading = useSave(readSharedOffer, { refresh: [] })
  const joining = useSave(joinSharedSite, { refresh: [listSharedSites] })
  const { problem, attempt } = useAttempt()
  const params = { programId }
  const run = () =>
    attempt(async () => {
      if (!offer) {
        setOffer(await reading.run({ params, body: { Code: code.trim() } }))
        return
      }
      const { Site } = await joining.run({ params, body: { Code: code.trim(), SiteId: Number(site) } })
      toast.done(words('sharedSites.didJoin', { site: Site }))
      onClose()
    })
  return (
    <Dialog
      opened
      stayOnOutsideClick
      onClose={onClose}
      title={words('sharedSites.join')}
      subtitle={words('sharedSites.joinHint')}
      actions={
        <DialogActions
          verb={words(offer ? 'sharedSites.joinVerb' : 'sharedSites.look')}
          onCancel={onClose}
          onRun={() => void run()}
          isRunning={reading.isRunning || joining.isRunning}
          isDisabled={offer ? site === null : code.trim() === ''}
        />
      }
    >
      <div className={classes.fields}>
        <TextField
          label={words('sharedSites.typeCode')}
          name="Code"
          required
          maxLength={40}
          value={code}
          onChange={(next) => {
            setCode(next)
            setOffer(undefined)
          }}
        />
        {offer && (
          <>
            <p>
              {words('sharedSites.offered', {
                site: offer.Site,
                count: offer.Capacity,
                program: offer.Program,
                college: offer.College,
              })}
            </p>
            <SiteField label={words('sharedSites.ownSite')} value={site} onChange={setSite} />
            <p className={classes.quiet}>{words('sharedSites.joinEffect')}</p>
          </>
        )}
        <Problem text={problem} />
      </div>
    </Dialog>
  )
}
