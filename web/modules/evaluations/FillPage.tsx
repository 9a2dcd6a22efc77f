import { useState } from 'react'
import { getAnswers, listOwnEvaluations, saveAnswers } from '#contract/evaluations/evaluations.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useParams } from '#web/api/place.ts'
import { alone } from '#web/api/queue/locks.ts'
import { change, lockOf } from '#web/api/queue/queue.ts'
import type { Kept } from '#web/api/queue/stores.ts'
import { useKept } from '#web/api/queue/use-kept.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useAppState, useTimeZone, useUser } from '#web/api/use-state.ts'
import { usePhoneTask } from '#web/shell/phone-task.ts'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { Button } from '#web/ui/buttons.ts'
import { dateOfInstant, formatDate } from '#web/ui/dates.ts'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useIsPhone } from '#web/ui/use-is-phone.ts'
import { useWords } from '#web/words/use-words.ts'
import { answersOf, isWaitingSubmitted, itemsOf, storeInQueue } from './answer-store.ts'
import { answersKind } from './answers-kind.ts'
import classes from './evaluations.module.css'
import { FillForm, type FillFormProps } from './FillForm.tsx'
import { FormBody } from './FormBody.tsx'

const ignore = () => {}

/** What waits as submitted is a form again that nobody has submitted. */
const takeBack = async (items: readonly Kept[]): Promise<void> => {
  for (const item of items) {
    const body = { Answers: [...answersOf(item).answers] }
    await alone(lockOf(item), () => change({ ...item, input: { ...item.input, body } }))
  }
}

/** The form with what of it waits on this device. */
function KeptForm({
  waiting,
  ...form
}: Omit<FillFormProps & { isPreview?: false }, 'store'> & { waiting: readonly Kept[] }) {
  const { Id: account } = useUser()
  const program = useAppState().data?.ProgramId ?? null
  const [store] = useState(() => storeInQueue({ account, program }, form.form.Id, waiting))
  return <FillForm {...form} store={store} />
}

/** One evaluation: filled by whoever was asked, read by those it is for. */
export function FillPage() {
  const { evaluationId } = useParams()
  const id = /^\d{1,15}$/.test(evaluationId ?? '') ? Number(evaluationId) : 0
  const words = useWords()
  const zone = useTimeZone()
  const navigate = usePageNavigate()
  const user = useUser()
  const isPhone = useIsPhone()
  const form = useRead(
    getAnswers,
    { params: { evaluationId: id } },
    { keepsLast: false, staleMs: Number.POSITIVE_INFINITY, isForgotten: true },
  )
  const save = useSave(saveAnswers)
  const submitted = useSave(saveAnswers, { refresh: [listOwnEvaluations, getAnswers] })
  const leave = () => navigate('/evaluate')
  const about = form.data ? [form.data.Subject, form.data.Site].filter(Boolean).join(' · ') : ''
  const due =
    form.data?.EndDate && form.data.Status === 0
      ? words('evaluations.due', { date: formatDate(form.data.EndDate) })
      : ''
  const detail = [about, due].filter(Boolean).join(' · ')
  usePhoneTask({ title: form.data?.Title ?? '', detail, onBack: leave }, `${form.data?.Title} ${detail}`)
  const kept = useKept(answersKind, user.Id, ignore)
  if (form.error && !form.data) return <ReadProblem read={form} />
  if (!form.data || !kept) return null
  const { data } = form
  const waiting = itemsOf(kept, id)
  const content =
    data.MayFill && isWaitingSubmitted(waiting) ? (
      <PageMessage
        kind="empty"
        text={words('evaluations.waitsSubmitted')}
        detail={words('evaluations.waitsSubmittedText')}
        next={
          <Button variant="default" size="lg" onClick={() => void takeBack(waiting)}>
            {words('evaluations.takeBack')}
          </Button>
        }
      />
    ) : data.MayFill ? (
      <KeptForm
        key={id}
        form={data}
        waiting={waiting}
        save={(body) => (body.Submit ? submitted : save).run({ params: { evaluationId: id }, body })}
        onKept={() => {
          toast.done({
            title: words('evaluations.waitsSubmitted'),
            detail: words('evaluations.waitsSubmittedText'),
          })
          leave()
        }}
        onSubmitted={() => {
          toast.done({
            title: words('evaluations.submittedTitle'),
            detail: words('evaluations.submittedText'),
          })
          leave()
        }}
        {...(!data.IsAnonymous && { signature: user.Name })}
      />
    ) : (
      <div className={classes.form}>
        <p className={classes.readOnly}>
          {data.IsStopped
            ? words('evaluations.stoppedRead')
            : data.IsAnonymous
              ? words('evaluations.readAnonymous')
              : words('evaluations.readOnly', {
                  date: data.SubmittedAt ? formatDate(dateOfInstant(data.SubmittedAt, zone)) : '',
                  name: data.SignedName || data.Evaluator,
                })}
          {data.Score !== null && (
            <b>
              {words('evaluations.score')} {data.Score.toFixed(2)}
            </b>
          )}
        </p>
        <FormBody form={data} answers={new Map(data.Answers.map((answer) => [answer.ItemId, answer]))} />
      </div>
    )
  return (
    <Page title={data.Title} count={detail} bare={isPhone} inset>
      {content}
    </Page>
  )
}
