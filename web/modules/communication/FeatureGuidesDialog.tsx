import { useState } from 'react'
import {
  type Feature,
  type FeatureGuide,
  listFeatureGuides,
  listUnusedFeatures,
  mailFeatureGuides,
  type ProgramFeatures,
} from '#contract/communication/unused-features.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useTimeZone } from '#web/api/use-state.ts'
import { attempt } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DisabledReason } from '#web/ui/DisabledReason.tsx'
import { formatInstant } from '#web/ui/dates.ts'
import { LeaveButton } from '#web/ui/LeaveButton.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './features.module.css'

/** The guides of all features for one program: those it never used are ticked until they have been mailed once. */
export function FeatureGuidesDialog({ program, onClose }: { program: ProgramFeatures; onClose: () => void }) {
  const words = useWords()
  const zone = useTimeZone()
  const at = { params: { programId: program.ProgramId } }
  const guides = useRead(listFeatureGuides, at, { keepsLast: false })
  const mail = useSave(mailFeatureGuides, { refresh: [listFeatureGuides, listUnusedFeatures] })
  const [changed, setChanged] = useState<ReadonlyMap<Feature, boolean>>(new Map())
  const isTicked = ({ Feature, IsUsed, Email }: FeatureGuide) =>
    !IsUsed && (changed.get(Feature) ?? Email === null)
  // What can be mailed comes before what is in use already.
  const shown = guides.data?.Features.toSorted((a, b) => Number(a.IsUsed) - Number(b.IsUsed)) ?? []
  const chosen = guides.data?.Features.filter(isTicked) ?? []
  const people = guides.data?.Recipients ?? []

  const send = () =>
    attempt(async () => {
      // A guide that was mailed before is ticked only by hand: that is asking again.
      const { Recipients, Mailed, Skipped } = await mail.run({
        ...at,
        body: {
          Features: chosen.map(({ Feature }) => Feature),
          Again: chosen.some(({ Email }) => Email !== null),
        },
      })
      setChanged(new Map())
      toast.done({
        title: words('unused.mailed', {
          count: Recipients,
          guides: chosen
            .filter(({ Feature }) => Mailed.includes(Feature))
            .map(({ Name }) => Name)
            .join(', '),
        }),
        ...(Skipped.length > 0 && { detail: words('unused.skipped', { count: Skipped.length }) }),
      })
    })
  const mailed = ({ Email }: FeatureGuide) =>
    Email &&
    words(Email.Times === 1 ? 'unused.mailedOnce' : 'unused.mailedTimes', {
      times: Email.Times,
      date: formatInstant(Email.Date, zone),
      name: Email.By,
      count: Email.Recipients,
    })
  const reason =
    guides.data &&
    (people.length === 0 ? words('unused.nobody') : chosen.length === 0 && words('unused.chooseOne'))
  return (
    <Dialog
      opened
      onClose={onClose}
      unsaved={changed.size}
      width={680}
      title={program.ProgramName}
      subtitle={program.CollegeName}
      summary={
        guides.data && (people.length > 0 ? words('unused.reaches', { count: people.length }) : reason)
      }
      actions={
        <>
          <LeaveButton onClick={onClose}>{words('unused.close')}</LeaveButton>
          <DisabledReason reason={reason}>
            <Button loading={mail.isRunning} disabled={!guides.data} onClick={() => void send()}>
              {words('unused.mail', { count: chosen.length })}
            </Button>
          </DisabledReason>
        </>
      }
    >
      {guides.error && (
        <PageMessage kind="error" text={guides.error.message} onRetry={() => void guides.refetch()} />
      )}
      {people.length > 0 && <p className={classes.to}>{words('unused.to', { names: people.join(', ') })}</p>}
      <ul className={classes.guides}>
        {shown.map((guide) => (
          <li key={guide.Feature}>
            <label data-used={guide.IsUsed || undefined}>
              <input
                type="checkbox"
                className="p-tick"
                checked={isTicked(guide)}
                disabled={guide.IsUsed}
                aria-describedby={`guide-${guide.Feature}`}
                onChange={(event) =>
                  setChanged(new Map(changed).set(guide.Feature, event.currentTarget.checked))
                }
              />
              <b>{guide.Name}</b>
              {guide.IsUsed && <StatusTag status="approved">{words('unused.used')}</StatusTag>}
            </label>
            <p id={`guide-${guide.Feature}`}>{guide.Guide}</p>
            {!guide.IsUsed && guide.Email && <p className={classes.sent}>{mailed(guide)}</p>}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
