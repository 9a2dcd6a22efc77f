import { getAnswers, listOwnEvaluations, saveAnswers } from '#contract/evaluations/evaluations.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useParams } from '#web/api/place.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useUser } from '#web/api/use-state.ts'
import { usePhoneTask } from '#web/shell/phone-task.ts'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { formatDate } from '#web/ui/dates.ts'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useIsPhone } from '#web/ui/use-is-phone.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './evaluations.module.css'
import { FillForm } from './FillForm.tsx'
import { FormBody } from './FormBody.tsx'

/** One evaluation: filled by whoever was asked, read by those it is for. */
export function FillPage() {
  const { evaluationId } = useParams()
  const id = /^\d{1,15}$/.test(evaluationId ?? '') ? Number(evaluationId) : 0
  const words = useWords()
  const navigate = usePageNavigate()
  const user = useUser()
  const isPhone = useIsPhone()
  const form = useRead(
    getAnswers,
    { params: { evaluationId: id } },
    { keepsLast: false, staleMs: Number.POSITIVE_INFINITY },
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
  if (form.error) return <ReadProblem read={form} />
  if (!form.data) return null
  const { data } = form
  const content = data.MayFill ? (
    <FillForm
      form={data}
      save={(body) => (body.Submit ? submitted : save).run({ params: { evaluationId: id }, body })}
      onSubmitted={() => {
        toast.done({ title: words('evaluations.submittedTitle'), detail: words('evaluations.submittedText') })
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
                date: data.SubmittedAt ? formatDate(data.SubmittedAt.slice(0, 10)) : '',
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
