import { IconCheck, IconLock } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { AnyDecision, Grading } from '#contract/competencies/exam-grading.ts'
import {
  type ExamResult,
  gradingOf,
  longestComment,
  needsComment,
  statement,
  whyNotApprovable,
  whyNotRefusable,
} from '#contract/competencies/exam-rules.ts'
import type { AttemptItem } from '#contract/competencies/exams.ts'
import { CallError } from '#web/api/call.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DialogActions } from '#web/ui/DialogActions.tsx'
import { TextAreaField } from '#web/ui/form/TextAreaField.tsx'
import { useWords } from '#web/words/use-words.ts'
import { attemptName, obstacleText } from './exam-words.ts'
import classes from './exams.module.css'
import { PreviousAttempts } from './PreviousAttempts.tsx'
import { whyPrivate } from './why-private.ts'

type Item = AnyDecision['Items'][number]
type Decided = { Result: ExamResult; Score: number; Highest: number }

/** Labels of up to so many signs are beside the item; longer ones below it. */
const shortLabel = 3

/** Long labels by their first letters, where no two begin with the same one; the legend tells what they are. */
const letterOf = (items: readonly AttemptItem[]): ((label: string) => string) => {
  const labels = [...new Set(items.flatMap(({ Scale }) => Scale.map(({ Label }) => Label)))]
  const letters = new Set(labels.map((label) => label.charAt(0).toUpperCase()))
  const isShort = labels.every((label) => label.length <= shortLabel)
  return !isShort && letters.size === labels.length
    ? (label) => label.charAt(0).toUpperCase()
    : (label) => label
}

const itemOf = ({ Position, ValueId, Comment }: AttemptItem): Item => ({ Position, ValueId, Comment })

/**
 * An exam in the hands of its examiner: items with their scores, kept as they are given, and the decision, signed once. Whose
 * hands it is in is said on top.
 */
export function GradeForm(props: {
  grading: Grading
  /** Who holds the device, and how they proved it. */
  lock: string
  save: (item: Item) => Promise<unknown>
  decide: (decision: AnyDecision) => Promise<Decided>
  onDone: (decided: Decided) => void
  children?: ReactNode
}) {
  const { grading } = props
  const words = useWords()
  const [items, setItems] = useState(grading.Items)
  const [isSimulated, setSimulated] = useState(grading.IsSimulated)
  const [problem, setProblem] = useState<string>()
  const [signing, setSigning] = useState<ExamResult>()
  const letter = letterOf(grading.Items)
  const labels = [...new Set(grading.Items.flatMap(({ Scale }) => Scale.map(({ Label }) => Label)))]
  const sum = gradingOf(items, grading)
  const obstacle = whyNotApprovable(sum, {
    IsSimulated: isSimulated,
    IsSimulationApproved: grading.IsSimulationApproved,
  })
  const keep = (item: AttemptItem) => {
    if (whyPrivate(item.Comment)) return
    props.save(itemOf(item)).then(
      () => setProblem(undefined),
      (error: unknown) => {
        if (!(error instanceof CallError)) throw error
        setProblem(words('exams.saveFailed', { message: error.message }))
      },
    )
  }
  const change = (item: AttemptItem) =>
    setItems((all) => all.map((each) => (each.Position === item.Position ? item : each)))
  return (
    <div className={classes.screen}>
      <p className={classes.lock}>
        <IconLock size={16} stroke={2} aria-hidden />
        {props.lock}
      </p>
      <div>
        <h1 className={classes.title}>{`${grading.Procedure} · ${grading.Student}`}</h1>
        <p className={classes.quiet}>
          {words('exams.gradingLine', {
            site: grading.Site ?? words('exams.noSiteShort'),
            attempt: attemptName(words, grading.Number),
            count: grading.Logged,
          })}
          {grading.Patient !== 'adult' && ` · ${words(`exams.${grading.Patient}`)}`}
        </p>
      </div>
      {grading.IsSimulated && (
        <Scale
          isWide
          label={words('exams.onPatient')}
          name="how"
          options={[
            { value: 'patient', label: words('exams.onPatient') },
            { value: 'simulated', label: words('exams.simulated') },
          ]}
          value={isSimulated ? 'simulated' : 'patient'}
          onChange={(value) => setSimulated(value === 'simulated')}
        />
      )}
      {isSimulated && !grading.IsSimulationApproved && (
        <p className={classes.problem}>{words('exams.simulationOff')}</p>
      )}
      {labels.some((label) => letter(label) !== label) && (
        <p className={classes.quiet}>{labels.map((label) => `${letter(label)} ${label}`).join(' · ')}</p>
      )}
      <ul className={classes.card}>
        {items.map((item) => (
          <ItemRow
            key={item.Position}
            item={item}
            letter={letter}
            isCommentNeeded={needsComment(item, grading)}
            onChange={change}
            onKeep={keep}
          />
        ))}
      </ul>
      <div className={classes.scoreLine}>
        <span>
          {words('exams.score')} <b>{words('exams.scoreOf', { score: sum.Score, highest: sum.Highest })}</b>
        </span>
        {sum.PassesFrom !== null && <span>{words('exams.passesFrom', { count: sum.PassesFrom })}</span>}
      </div>
      {grading.SameDay.length > 0 && (
        <p role="note" className={classes.sameDay}>
          {words('exams.sameDay', { procedures: grading.SameDay.join(', ') })}
        </p>
      )}
      <PreviousAttempts attempts={grading.Previous} />
      {props.children}
      <div className={classes.foot}>
        {(problem ?? obstacle) && (
          <p className={problem ? classes.problem : classes.quiet} role={problem ? 'alert' : undefined}>
            {problem ?? (obstacle && obstacleText(words, obstacle))}
          </p>
        )}
        <div className={classes.verbs}>
          <Button size="lg" variant="default" onClick={() => setSigning('failed')}>
            {words('exams.refuse')}
          </Button>
          <Button
            size="lg"
            disabled={obstacle !== undefined}
            leftSection={<IconCheck size={18} stroke={2} aria-hidden />}
            onClick={() => setSigning('passed')}
          >
            {words('exams.approve')}
          </Button>
        </div>
      </div>
      {signing && (
        <SignDialog
          result={signing}
          isSimulated={isSimulated}
          grading={grading}
          items={items}
          decide={props.decide}
          onDone={props.onDone}
          onClose={() => setSigning(undefined)}
        />
      )}
    </div>
  )
}

function Scale<Value extends string | number>(props: {
  label: string
  name: string
  /** `name` is the whole text where the label is its first letter. */
  options: readonly { value: Value; label: string; name?: string }[]
  value: Value | null
  onChange: (value: Value) => void
  isWide?: boolean
}) {
  return (
    <fieldset className={classes.scale} data-wide={props.isWide || undefined}>
      <legend className="p-sr-only">{props.label}</legend>
      {props.options.map(({ value, label, name = label }) => (
        <label key={value} className={classes.value} title={name === label ? undefined : name}>
          <input
            type="radio"
            name={props.name}
            aria-label={name}
            checked={props.value === value}
            onChange={() => props.onChange(value)}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  )
}

function ItemRow(props: {
  item: AttemptItem
  letter: (label: string) => string
  isCommentNeeded: boolean
  onChange: (item: AttemptItem) => void
  onKeep: (item: AttemptItem) => void
}) {
  const { item, letter, isCommentNeeded, onChange, onKeep } = props
  const words = useWords()
  const [isOpen, setOpen] = useState(item.Comment !== '')
  const isPrivate = whyPrivate(item.Comment)
  const isMissing = isCommentNeeded && item.Comment.trim() === ''
  return (
    <li className={classes.item}>
      <div className={classes.itemHead}>
        <div className={classes.itemText}>
          {item.Text}
          {item.IsCritical && <small>{words('exams.critical')}</small>}
        </div>
        <Scale
          isWide={item.Scale.some(({ Label }) => letter(Label).length > shortLabel)}
          label={item.Text}
          name={`item-${item.Position}`}
          options={item.Scale.map(({ Id, Label }) => ({ value: Id, label: letter(Label), name: Label }))}
          value={item.ValueId}
          onChange={(ValueId) => {
            const changed = { ...item, ValueId }
            onChange(changed)
            onKeep(changed)
          }}
        />
      </div>
      {(isCommentNeeded || isOpen) && (
        <>
          <input
            className={classes.comment}
            aria-label={words('exams.commentOf', { name: item.Text })}
            aria-invalid={isMissing || isPrivate !== undefined}
            placeholder={words('exams.commentNeeded')}
            maxLength={longestComment}
            value={item.Comment}
            onChange={(event) => {
              setOpen(true)
              onChange({ ...item, Comment: event.currentTarget.value })
            }}
            onBlur={() => onKeep(item)}
          />
          {isPrivate && <p className={classes.problem}>{isPrivate}</p>}
        </>
      )}
    </li>
  )
}

/** What is signed, word for word, and the signature. */
function SignDialog(props: {
  result: ExamResult
  isSimulated: boolean
  grading: Grading
  items: readonly AttemptItem[]
  decide: (decision: AnyDecision) => Promise<Decided>
  onDone: (decided: Decided) => void
  onClose: () => void
}) {
  const { result, grading } = props
  const words = useWords()
  const [comment, setComment] = useState(grading.Comment)
  const [practice, setPractice] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isRunning, setRunning] = useState(false)
  const isFailed = result === 'failed'
  const obstacle = isFailed ? whyNotRefusable(gradingOf(props.items, grading), comment) : undefined
  const isPrivate = whyPrivate(comment) ?? whyPrivate(practice)
  const sign = async () => {
    setRunning(true)
    try {
      const decided = await props.decide({
        Result: result,
        Items: props.items.map(itemOf),
        Comment: comment,
        Remediation: isFailed ? practice : '',
        IsSimulated: props.isSimulated,
        StatementVersion: statement.Version,
      })
      props.onDone(decided)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setProblem(error.message)
      setRunning(false)
    }
  }
  return (
    <Dialog
      opened
      stayOnOutsideClick
      onClose={props.onClose}
      title={words('exams.signTitle')}
      subtitle={`${grading.Procedure} · ${grading.Student}`}
      actions={
        <DialogActions
          verb={words('exams.sign')}
          onCancel={props.onClose}
          onRun={() => void sign()}
          isRunning={isRunning}
          isDisabled={obstacle !== undefined || isPrivate !== undefined}
        />
      }
    >
      <div className={classes.fields}>
        <TextAreaField
          label={words(isFailed ? 'exams.whyNotApproved' : 'exams.overall')}
          name="Comment"
          required={isFailed}
          rows={2}
          maxLength={longestComment}
          value={comment}
          onChange={setComment}
        />
        {isFailed && (
          <TextAreaField
            label={words('exams.practice')}
            description={words('exams.practiceHint')}
            name="Remediation"
            rows={2}
            maxLength={longestComment}
            value={practice}
            onChange={setPractice}
          />
        )}
        <p lang="en" className={classes.statement}>
          {statement.text(grading.Student, grading.Procedure, result, props.isSimulated)}
        </p>
        <p className={classes.signer}>{[grading.Examiner, grading.Credential].filter(Boolean).join(', ')}</p>
        {(problem ?? isPrivate) ? (
          <p className={classes.problem} role="alert">
            {problem ?? isPrivate}
          </p>
        ) : (
          obstacle && <p className={classes.quiet}>{obstacleText(words, obstacle)}</p>
        )}
      </div>
    </Dialog>
  )
}
