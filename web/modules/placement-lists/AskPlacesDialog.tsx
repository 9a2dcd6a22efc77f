import { useState } from 'react'
import {
  listAskableSites,
  listPlaceRequests,
  mostPlaces,
  sendPlaceRequests,
} from '#contract/placement-lists/place-requests.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { useSchedulingOptions } from '#web/shared/use-scheduling-options.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DialogActions } from '#web/ui/DialogActions.tsx'
import { DateField } from '#web/ui/form/DateField.tsx'
import { MultiSelectField } from '#web/ui/form/MultiSelectField.tsx'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { Problem } from '#web/ui/Problem.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useAttempt } from '#web/ui/use-attempt.ts'
import { useWords } from '#web/words/use-words.ts'
import { PlanBlocksField } from './PlanBlocksField.tsx'
import classes from './placement-lists.module.css'
import { StretchFields } from './StretchFields.tsx'

/** Asks one or many sites for the same places; a shift can be named where one site is asked. */
export function AskPlacesDialog({ onClose }: { onClose: () => void }) {
  const words = useWords()
  const programId = useProgramId()
  const [siteIds, setSiteIds] = useState<string[]>([])
  const [shift, setShift] = useState<string | null>(null)
  const [level, setLevel] = useState<string | null>(null)
  const [places, setPlaces] = useState<number | null>(null)
  const [from, setFrom] = useState<string | null>(null)
  const [through, setThrough] = useState<string | null>(null)
  const [answerBy, setAnswerBy] = useState<string | null>(null)
  const [note, setNote] = useState('')
  const { problem, attempt } = useAttempt()
  const levels = useSchedulingOptions('level', [level === null ? null : Number(level)])
  const sites = useRead(listAskableSites, { params: { programId } })
  const send = useSave(sendPlaceRequests, { refresh: [listPlaceRequests] })
  const only =
    siteIds.length === 1 ? sites.data?.find(({ SiteId }) => String(SiteId) === siteIds[0]) : undefined
  const isComplete =
    siteIds.length > 0 && places !== null && from !== null && through !== null && answerBy !== null
  const run = () =>
    attempt(async () => {
      const { Sent, Skipped } = await send.run({
        params: { programId },
        body: {
          SiteIds: siteIds.map(Number),
          SiteShiftId: only && shift ? Number(shift) : null,
          StudentLevelId: level === null ? null : Number(level),
          StartDate: from ?? '',
          EndDate: through ?? '',
          Places: places ?? 0,
          AnswerBy: answerBy ?? '',
          Note: note.trim(),
        },
      })
      toast.done({
        title: words('placeRequests.didSend', { count: Sent }),
        ...(Skipped.length > 0 && { detail: words('placeRequests.skipped', { sites: Skipped.join(', ') }) }),
      })
      onClose()
    })
  return (
    <Dialog
      opened
      stayOnOutsideClick
      onClose={onClose}
      title={words('placeRequests.askTitle')}
      subtitle={words('placeRequests.askHint')}
      actions={
        <DialogActions
          verb={words('placeRequests.sendCount', { count: siteIds.length })}
          onCancel={onClose}
          onRun={() => void run()}
          isRunning={send.isRunning}
          isDisabled={!isComplete}
        />
      }
    >
      <div className={classes.fields}>
        {sites.error && <PageMessage kind="error" text={sites.error.message} />}
        <MultiSelectField
          label={words('placeRequests.site')}
          name="SiteIds"
          required
          placeholder={words('placeRequests.chooseSites')}
          options={(sites.data ?? []).map(({ SiteId, Site, RecipientName, RecipientEmail }) => ({
            value: String(SiteId),
            label: Site,
            detail:
              RecipientEmail === '' ? words('placeRequests.noContact') : RecipientName || RecipientEmail,
          }))}
          value={siteIds}
          onChange={(next) => {
            setSiteIds(next)
            setShift(null)
          }}
        />
        <div className={classes.pair}>
          <NumberField
            label={words('placeRequests.placesField')}
            hint={words('placeRequests.placesHint')}
            name="Places"
            required
            min={1}
            max={mostPlaces}
            value={places}
            onChange={setPlaces}
          />
          <SelectField
            label={words('placeRequests.level')}
            name="StudentLevelId"
            placeholder={words('placeRequests.anyLevel')}
            search={levels.search}
            chosenLabel={level === null ? undefined : levels.chosenLabels[level]}
            value={level}
            onChange={setLevel}
          />
        </div>
        <PlanBlocksField
          onChoose={(start, end) => {
            setFrom(start)
            setThrough(end)
          }}
        />
        <StretchFields from={from} through={through} onFrom={setFrom} onThrough={setThrough} />
        {only && only.Shifts.length > 0 && (
          <SelectField
            label={words('placeRequests.shift')}
            name="SiteShiftId"
            placeholder={words('placeRequests.wholeSite')}
            options={only.Shifts.map(({ SiteShiftId, Code, Name }) => ({
              value: String(SiteShiftId),
              label: Code,
              detail: Name,
            }))}
            value={shift}
            onChange={setShift}
          />
        )}
        <DateField
          label={words('placeRequests.answerBy')}
          name="AnswerBy"
          required
          value={answerBy}
          onChange={setAnswerBy}
        />
        <TextField
          label={words('placeRequests.note')}
          hint={words('placeRequests.noteHint')}
          name="Note"
          maxLength={500}
          value={note}
          onChange={setNote}
        />
        <Problem text={problem} />
      </div>
    </Dialog>
  )
}
