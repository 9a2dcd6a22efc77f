import { IconArrowUp, IconCloudCheck, IconCloudOff, IconCloudUp, IconEyeOff } from '@tabler/icons-react'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import type { FilledForm } from '#contract/evaluations/evaluations.ts'
import { answeredCount, type ItemFacts, missingOf } from '#contract/evaluations/evaluations-rules.ts'
import type { CallError } from '#web/api/call.ts'
import { isUndecided } from '#web/api/queue/undecided.ts'
import { Button } from '#web/ui/buttons.ts'
import { TextInput } from '#web/ui/inputs.ts'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import type { AnswerState, AnswerStore } from './answer-store.ts'
import classes from './evaluations.module.css'
import { FormBody, questionId } from './FormBody.tsx'
import { useKeptAnswers } from './use-kept-answers.ts'

export type FillFormProps = { form: FilledForm } & (Filling | Preview)

interface Filling {
  isPreview?: false
  /** Keeps answers, or hands the form in. */
  save: (body: { Answers: AnswerState[]; Submit?: boolean; SignedName?: string }) => Promise<FilledForm>
  /** Where answers wait meanwhile; the same one as long as the form is open. */
  store: AnswerStore
  onSubmitted: () => void
  /** The form waits on this device as submitted. */
  onKept?: () => void
  /** The name that is offered as a signature; absent for anonymous forms. */
  signature?: string
  head?: (state: ReactNode) => ReactNode
}

/** To be tried out: answers stay in the component, and submitting only tells what would be missing. */
interface Preview {
  isPreview: true
}

const itemFacts = (form: FilledForm): ItemFacts[] =>
  form.Items.map((item) => ({
    ...item,
    ScoreValues: form.ScoreTypes.find(({ Id }) => Id === item.ScoreTypeId)?.Values ?? [],
  }))

/** An evaluation being filled: one question under the other, kept as it goes, submitted once. */
export function FillForm(props: FillFormProps) {
  const { form } = props
  const words = useWords()
  const latest = useRef(props)
  latest.current = props
  const keep = useMemo(
    () => async (answers: AnswerState[]) => {
      if (!latest.current.isPreview) await latest.current.save({ Answers: answers })
    },
    [],
  )
  const kept = useKeptAnswers(props.isPreview ? null : props.store, form, keep)
  const [name, setName] = useState(props.isPreview ? '' : (props.signature ?? ''))
  const [isTried, setTried] = useState(false)
  const [isSubmitting, setSubmitting] = useState(false)
  const items = useMemo(() => itemFacts(form), [form])
  const given = [...kept.answers.values()]
  const missing = missingOf(items, form.Groups, given)
  const done = answeredCount(items, given)
  const missingTexts = new Map(
    missing.map((each) => [
      each.ItemId,
      each.Kind === 'group'
        ? words('evaluations.missingGroup', { group: each.Group ?? '' })
        : each.Kind === 'comment'
          ? words('evaluations.commentNeeded')
          : words('evaluations.missing', { count: 1 }),
    ]),
  )

  const goTo = (itemId: number | undefined) => {
    const question = itemId === undefined ? null : document.getElementById(questionId(itemId))
    question?.scrollIntoView({
      block: 'start',
      behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth',
    })
    question?.focus({ preventScroll: true })
  }
  const isOpen = (item: ItemFacts) => answeredCount([item], given) === 0
  const next = () => goTo((items.find(isOpen) ?? items.find(({ Id }) => missingTexts.has(Id)))?.Id)
  const previous = () => {
    const current = document.activeElement?.closest('fieldset')?.id
    const at = items.findIndex(({ Id }) => questionId(Id) === current)
    goTo(items[Math.max(0, at < 0 ? items.findIndex(isOpen) - 1 : at - 1)]?.Id)
  }
  const submit = async () => {
    setTried(true)
    if (missing.length > 0) return goTo(missing[0]!.ItemId)
    if (props.isPreview) {
      toast.done({ title: words('evaluations.previewDone'), detail: words('evaluations.previewNote') })
      return
    }
    setSubmitting(true)
    const submitLater = async () => {
      if (!props.onKept) return toast.error(words('evaluations.keptHere'))
      await kept.submitLater(name)
      props.onKept()
    }
    try {
      const sent = await kept.flush()
      if (sent === 'refused') return
      if (sent === 'unanswered') return await submitLater()
      await props.save({ Answers: [], Submit: true, SignedName: name })
      props.onSubmitted()
    } catch (error) {
      if (isUndecided(error)) await submitLater()
      else toast.error((error as CallError).message)
    } finally {
      setSubmitting(false)
    }
  }
  const states = {
    untouched: null,
    saved: [<IconCloudCheck key="i" size={18} stroke={1.75} aria-hidden />, words('evaluations.saved')],
    saving: [<IconCloudUp key="i" size={18} stroke={1.75} aria-hidden />, words('evaluations.saving')],
    waiting: [
      <IconCloudOff key="i" size={18} stroke={1.75} aria-hidden />,
      kept.problem ?? words('evaluations.keptHere'),
    ],
  } as const
  const stateMark = props.isPreview ? (
    <span className={classes.state}>{words('evaluations.previewNote')}</span>
  ) : (
    <span role="status" className={classes.state} data-state={kept.state}>
      {states[kept.state]}
    </span>
  )
  const isComplete = done === items.length || missing.length === 0
  return (
    <div className={classes.form}>
      {(!props.isPreview && props.head?.(stateMark)) || stateMark}
      <div className={classes.progress}>
        <span className={classes.track}>
          <i style={{ width: `${items.length === 0 ? 0 : (done / items.length) * 100}%` }} />
        </span>
        <span>{words('evaluations.answered', { done, all: items.length })}</span>
      </div>
      {form.IsAnonymous && (
        <p className={classes.anonymous}>
          <IconEyeOff size={20} stroke={1.75} aria-hidden />
          {words('evaluations.anonymous')}
        </p>
      )}
      {form.Instructions && (
        // biome-ignore lint/security/noDangerouslySetInnerHtml: the server cleans it by one allow-list before it is kept
        <div className={classes.instructions} dangerouslySetInnerHTML={{ __html: form.Instructions }} />
      )}
      <FormBody
        form={form}
        answers={kept.answers}
        onAnswer={kept.set}
        {...(isTried && { missing: missingTexts })}
      />
      {!form.IsAnonymous && isComplete && (
        <TextInput
          label={words('evaluations.sign')}
          value={name}
          maxLength={255}
          onChange={(event) => setName(event.currentTarget.value)}
          className={classes.signature}
        />
      )}
      <div className={classes.foot}>
        <Button variant="default" size="lg" aria-label={words('evaluations.previous')} onClick={previous}>
          <IconArrowUp size={20} stroke={1.75} aria-hidden />
        </Button>
        {isComplete ? (
          <Button size="lg" fullWidth loading={isSubmitting} onClick={() => void submit()}>
            {words('evaluations.submit')}
          </Button>
        ) : (
          <Button size="lg" fullWidth onClick={next}>
            {words('evaluations.next')}
          </Button>
        )}
      </div>
      {isTried && missing.length > 0 && (
        <p role="alert" className={classes.problem}>
          {words('evaluations.missing', { count: missing.length })}
        </p>
      )}
    </div>
  )
}
