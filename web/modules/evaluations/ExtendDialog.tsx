import { useState } from 'react'
import type { InputOf } from '#contract/core/endpoint.ts'
import { extendEvaluations, type stopEvaluations } from '#contract/evaluations/evaluation-making.ts'
import { searchEvaluations } from '#contract/evaluations/evaluations.ts'
import { useSave } from '#web/api/use-call.ts'
import { attempt } from '#web/ui/attempt.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DialogActions } from '#web/ui/DialogActions.tsx'
import { DateField } from '#web/ui/form/DateField.tsx'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { SegmentedCounts } from '#web/ui/SegmentedCounts.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './evaluations.module.css'

/** Evaluations that are ticked, or all that match the filter. */
export interface Chosen {
  body: NonNullable<InputOf<typeof stopEvaluations>['body']>
  count: number
}

/** Moves the due date of evaluations by days, or to a date. */
export function ExtendDialog({
  programId,
  chosen,
  onClose,
  onDone,
}: {
  programId: number
  chosen: Chosen
  onClose: () => void
  onDone: () => void
}) {
  const words = useWords()
  const extend = useSave(extendEvaluations, { refresh: [searchEvaluations] })
  const [how, setHow] = useState<'days' | 'date'>('days')
  const [days, setDays] = useState<number | null>(7)
  const [date, setDate] = useState<string | null>(null)
  const params = { programId }
  const isReady = how === 'days' ? days !== null && days !== 0 && Math.abs(days) <= 365 : date !== null
  const run = () =>
    attempt(async () => {
      const { Changed, Before } = await extend.run({
        params,
        body: { ...chosen.body, ...(how === 'days' ? { Days: days ?? 0 } : { EndDate: date }) },
      })
      const undo = async () => {
        for (const { EndDate, Ids } of Before) await extend.run({ params, body: { Ids, EndDate } })
      }
      toast.done({
        title: words('evaluations.extended', { count: Changed }),
        ...(Before.length > 0 && { undo: () => void attempt(undo) }),
      })
      onDone()
    })
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('evaluations.extend')}
      summary={words('evaluations.willExtend', { count: chosen.count })}
      actions={
        <DialogActions
          verb={words('evaluations.extendHow')}
          onCancel={onClose}
          onRun={() => void run()}
          isRunning={extend.isRunning}
          reason={!isReady && words('evaluations.extendFirst')}
        />
      }
    >
      <div className={classes.stack}>
        <SegmentedCounts
          label={words('evaluations.extendHow')}
          value={how}
          onChange={setHow}
          segments={[
            { value: 'days', label: words('evaluations.extendBy') },
            { value: 'date', label: words('evaluations.extendTo') },
          ]}
        />
        {how === 'days' ? (
          <NumberField
            name="Days"
            label={words('evaluations.extendDays')}
            min={-365}
            max={365}
            description={words('evaluations.extendDaysHint')}
            value={days}
            onChange={setDays}
          />
        ) : (
          <DateField name="EndDate" label={words('evaluations.extendDate')} value={date} onChange={setDate} />
        )}
      </div>
    </Dialog>
  )
}
