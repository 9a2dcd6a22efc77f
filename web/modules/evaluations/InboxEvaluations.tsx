import { IconArrowLeft } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { getInboxForm, getInboxItems, saveInboxForm } from '#contract/inbox/inbox.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { InboxCard, type InboxPartProps, InboxRow } from '#web/shared/InboxCard.tsx'
import { rem } from '#web/ui/base.ts'
import { Button } from '#web/ui/buttons.ts'
import { formatDay } from '#web/ui/dates.ts'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './evaluations.module.css'
import { LinkForm } from './LinkForm.tsx'

/** Evaluations that a supervisor was asked for. One is filled on the whole page. */
export function InboxEvaluations({ place, onLoad, onTask }: InboxPartProps) {
  const words = useWords()
  const programId = useProgramId()
  const items = useRead(getInboxItems, { params: { programId } }, { refetchEveryMs: 60_000 })
  const evaluations = items.data?.Evaluations ?? []
  const count = evaluations.length
  useEffect(() => {
    if (items.data) onLoad({ things: count, seconds: count * 60 })
  }, [items.data, count, onLoad])
  if (count === 0) return null
  return (
    <InboxCard title={words('inbox.evaluations')} detail={place}>
      {evaluations.map(({ Id, Title, Subject, EndDate, IsLate }) => (
        <InboxRow
          key={Id}
          title={Subject}
          detail={[Title, EndDate && words(IsLate ? 'inbox.late' : 'inbox.due', { date: formatDay(EndDate) })]
            .filter(Boolean)
            .join(' · ')}
          end={
            <Button
              variant="default"
              size="md"
              aria-label={words('inbox.startOne', { name: Subject, title: Title })}
              onClick={() => onTask(<InboxForm evaluationId={Id} onLeave={() => onTask(undefined)} />)}
            >
              {words('inbox.start')}
            </Button>
          }
        />
      ))}
    </InboxCard>
  )
}

function InboxForm({ evaluationId, onLeave }: { evaluationId: number; onLeave: () => void }) {
  const words = useWords()
  const params = { programId: useProgramId(), evaluationId }
  const form = useRead(
    getInboxForm,
    { params },
    { keepsLast: false, staleMs: Number.POSITIVE_INFINITY, isForgotten: true },
  )
  const save = useSave(saveInboxForm)
  const submit = useSave(saveInboxForm, { refresh: [getInboxItems] })
  // What was read is the start of the form, whatever is saved meanwhile.
  const [start, setStart] = useState(form.data)
  useEffect(() => setStart((before) => before ?? form.data), [form.data])
  return (
    <div className={classes.form}>
      <div>
        <Button
          variant="subtle"
          size="md"
          leftSection={<IconArrowLeft size={18} stroke={1.75} aria-hidden />}
          onClick={onLeave}
        >
          {words('inbox.back')}
        </Button>
      </div>
      {form.error && !start && <PageMessage kind="error" text={form.error.message} />}
      {start && (
        <>
          <h1 style={{ margin: 0, fontSize: rem(22), lineHeight: rem(28) }}>{start.Title}</h1>
          <p className="p-muted" style={{ margin: 0 }}>
            {[start.Subject, start.Site].filter(Boolean).join(' · ')}
          </p>
          <LinkForm
            form={start}
            save={(body) => (body.Submit ? submit : save).run({ params, body })}
            onSubmitted={() => {
              toast.done(words('evaluations.submittedTitle'))
              onLeave()
            }}
            {...(!start.IsAnonymous && { signature: start.Evaluator.split(', ').toReversed().join(' ') })}
          />
        </>
      )}
    </div>
  )
}
