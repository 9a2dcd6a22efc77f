import { useState } from 'react'
import {
  listPlacementLists,
  listSendableSites,
  sendPlacementLists,
} from '#contract/placement-lists/placement-lists.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useProgramId, useTimeZone } from '#web/api/use-state.ts'
import { useSchedulingOptions } from '#web/shared/use-scheduling-options.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DialogActions } from '#web/ui/DialogActions.tsx'
import { formatInstant } from '#web/ui/dates.ts'
import { CheckField } from '#web/ui/form/CheckField.tsx'
import { DateField } from '#web/ui/form/DateField.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { Problem } from '#web/ui/Problem.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useAttempt } from '#web/ui/use-attempt.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './placement-lists.module.css'

/** Sends the lists of a rotation to its sites; those that have none yet are chosen at first. */
export function SendListsDialog({ onClose }: { onClose: () => void }) {
  const words = useWords()
  const programId = useProgramId()
  const zone = useTimeZone()
  const [rotation, setRotation] = useState<string | null>(null)
  const [answerBy, setAnswerBy] = useState<string | null>(null)
  const [note, setNote] = useState('')
  const [changed, setChanged] = useState<ReadonlyMap<number, boolean>>(new Map())
  const { problem, attempt } = useAttempt()
  const rotations = useSchedulingOptions('rotation', [rotation === null ? null : Number(rotation)])
  const sites = useRead(
    listSendableSites,
    { params: { programId }, query: { RotationId: Number(rotation) || 1 } },
    { isEnabled: rotation !== null, keepsLast: false },
  )
  const send = useSave(sendPlacementLists, { refresh: [listPlacementLists, listSendableSites] })
  const sendable = sites.data?.filter(({ Problem }) => Problem === null) ?? []
  const isChosen = (site: { SiteId: number; SentAt: string | null }) =>
    changed.get(site.SiteId) ?? site.SentAt === null
  const chosen = sendable.filter(isChosen)
  const choose = (ids: readonly number[], isOn: boolean) =>
    setChanged(new Map([...changed, ...ids.map((id) => [id, isOn] as const)]))
  const run = () =>
    attempt(async () => {
      const { Sent, Skipped } = await send.run({
        params: { programId },
        body: {
          RotationId: Number(rotation),
          SiteIds: chosen.map(({ SiteId }) => SiteId),
          AnswerBy: answerBy ?? '',
          Note: note.trim(),
        },
      })
      toast.done({
        title: words('placementLists.didSend', { count: Sent }),
        ...(Skipped.length > 0 && {
          detail: words('placementLists.skipped', { sites: Skipped.map(({ Site }) => Site).join(', ') }),
        }),
      })
      onClose()
    })
  return (
    <Dialog
      opened
      stayOnOutsideClick
      onClose={onClose}
      title={words('placementLists.sendTitle')}
      subtitle={words('placementLists.sendHint')}
      actions={
        <DialogActions
          verb={words('placementLists.sendCount', { count: chosen.length })}
          onCancel={onClose}
          onRun={() => void run()}
          isRunning={send.isRunning}
          isDisabled={chosen.length === 0 || answerBy === null}
        />
      }
    >
      <div className={classes.fields}>
        <SelectField
          label={words('placementLists.rotation')}
          name="RotationId"
          required
          search={rotations.search}
          chosenLabel={rotation === null ? undefined : rotations.chosenLabels[rotation]}
          value={rotation}
          onChange={setRotation}
        />
        <DateField
          label={words('placementLists.answerBy')}
          name="AnswerBy"
          required
          value={answerBy}
          onChange={setAnswerBy}
        />
        <TextField
          label={words('placementLists.note')}
          hint={words('placementLists.noteHint')}
          name="Note"
          maxLength={500}
          value={note}
          onChange={setNote}
        />
        {rotation === null && <p className={classes.quiet}>{words('placementLists.chooseRotation')}</p>}
        {sites.error && <PageMessage kind="error" text={sites.error.message} />}
        {rotation !== null && sites.data?.length === 0 && (
          <p className={classes.quiet}>{words('placementLists.noSites')}</p>
        )}
        {sendable.length > 1 && (
          <CheckField
            label={words('placementLists.allSites')}
            name="AllSites"
            value={chosen.length === sendable.length}
            onChange={(isOn) =>
              choose(
                sendable.map(({ SiteId }) => SiteId),
                isOn,
              )
            }
          />
        )}
        {rotation !== null && sites.data && sites.data.length > 0 && (
          <ul className={classes.list}>
            {sites.data.map((site) => (
              <li key={site.SiteId}>
                {site.Problem === null ? (
                  <CheckField
                    label={site.Site}
                    description={[
                      words('placementLists.siteLine', {
                        students: words('placementLists.studentCount', {
                          count: site.Students - site.Untold,
                        }),
                        recipient: site.RecipientName || site.RecipientEmail,
                      }),
                      site.Untold > 0 && words('placementLists.untold', { count: site.Untold }),
                      site.SentAt &&
                        words('placementLists.sentBefore', { date: formatInstant(site.SentAt, zone) }),
                    ]
                      .filter(Boolean)
                      .join('. ')}
                    name={`Site${site.SiteId}`}
                    value={isChosen(site)}
                    onChange={(isOn) => choose([site.SiteId], isOn)}
                  />
                ) : (
                  <div className={classes.who}>
                    <b>{site.Site}</b>
                    <span className={classes.careful}>
                      {words(
                        site.Problem === 'contact' ? 'placementLists.noContact' : 'placementLists.noBasis',
                      )}
                    </span>
                  </div>
                )}
              </li>
            ))}
          </ul>
        )}
        <Problem text={problem} />
      </div>
    </Dialog>
  )
}
