import type { FilledForm, TemplateDetail } from '#contract/evaluations/evaluations.ts'
import { DateField } from '#web/ui/form/DateField.tsx'
import { Textarea, TextInput } from '#web/ui/inputs.ts'
import { useWords } from '#web/words/use-words.ts'
import type { AnswerState } from './answer-store.ts'
import classes from './evaluations.module.css'

export interface FormParts {
  ScoreTypes: FilledForm['ScoreTypes']
  Groups: FilledForm['Groups']
  Categories: FilledForm['Categories']
  Items: FilledForm['Items']
}
type Item = TemplateDetail['Items'][number]

export interface FormBodyProps {
  form: FormParts
  answers: ReadonlyMap<number, AnswerState>
  onAnswer?: (itemId: number, change: Partial<AnswerState>) => void
  /** Items at fault with what is missing, marked after a try to submit. */
  missing?: ReadonlyMap<number, string>
}

/** Not a number from 0 up; a point or a minus may be about to become one. */
const isStrayNumber = (text: string): boolean => !/^\s*(\d{0,12}([.]\d{0,6})?)?\s*$/.test(text)

/** The id of an item's question, to scroll to. */
export const questionId = (itemId: number): string => `question-${itemId}`

/** The questions by category: for filling with `onAnswer`, for reading without. */
export function FormBody({ form, answers, onAnswer, missing }: FormBodyProps) {
  const words = useWords()
  let number = 0
  return (
    <>
      {form.Categories.map((category, at) => {
        const items = form.Items.filter(({ CategoryId }) => CategoryId === category.Id)
        if (items.length === 0) return null
        return (
          <section key={category.Id} aria-label={category.Name} className={classes.category}>
            <h2>
              {words('evaluations.section', { name: category.Name, at: at + 1, all: form.Categories.length })}
            </h2>
            <div className={classes.card}>
              {items.map((item, index) => {
                number += 1
                return (
                  <Question
                    key={item.Id}
                    withKey={item.ScoreTypeId !== items[index - 1]?.ScoreTypeId}
                    item={item}
                    number={number}
                    form={form}
                    answer={answers.get(item.Id)}
                    {...(onAnswer && {
                      onAnswer: (change: Partial<AnswerState>) => onAnswer(item.Id, change),
                    })}
                    missing={missing?.get(item.Id)}
                  />
                )
              })}
            </div>
          </section>
        )
      })}
    </>
  )
}

interface QuestionProps {
  item: Item
  /** The first of those with its scale says what the figures mean. */
  withKey: boolean
  number: number
  form: FormParts
  answer: AnswerState | undefined
  onAnswer?: (change: Partial<AnswerState>) => void
  missing: string | undefined
}

function Question({ item, withKey, number, form, answer, onAnswer, missing }: QuestionProps) {
  const words = useWords()
  const values = form.ScoreTypes.find(({ Id }) => Id === item.ScoreTypeId)?.Values ?? []
  const chosen = values.find(({ Id }) => Id === answer?.ScoreValueId)
  const group = form.Groups.find(({ Id }) => Id === item.GroupId)
  const label = `${number} ${item.Text}`
  return (
    <fieldset
      id={questionId(item.Id)}
      tabIndex={-1}
      className={classes.question}
      data-missing={missing ? true : undefined}
    >
      <legend>
        <span className={classes.number}>{number}</span>
        <span>
          {item.Text}
          {item.IsMandatory && <span className={classes.star}> *</span>}
          {group?.IsMandatory && <small className={classes.groupName}>{group.Name}</small>}
        </span>
      </legend>
      {withKey && values.some(({ Value }) => Value !== null) && (
        <p className={classes.key} aria-hidden>
          {values.map(({ Id, Value, Label }) => (
            <span key={Id}>
              {Value !== null && <b>{Value}</b>} {Label}
            </span>
          ))}
        </p>
      )}
      {values.length > 0 && (
        <div
          className={classes.scores}
          role="radiogroup"
          aria-label={label}
          aria-required={item.IsMandatory || undefined}
        >
          {values.map((value) => (
            <label
              key={value.Id}
              className={classes.score}
              data-on={value.Id === answer?.ScoreValueId || undefined}
            >
              <input
                type="radio"
                name={`item-${item.Id}`}
                checked={value.Id === answer?.ScoreValueId}
                disabled={!onAnswer}
                aria-label={value.Value === null ? value.Label : `${value.Value}, ${value.Label}`}
                onChange={() => onAnswer?.({ ScoreValueId: value.Id })}
                onClick={() =>
                  value.Id === answer?.ScoreValueId && !item.IsMandatory && onAnswer?.({ ScoreValueId: null })
                }
              />
              <span aria-hidden>{value.Value === null ? value.Label : value.Value}</span>
            </label>
          ))}
        </div>
      )}
      {chosen && (
        <p className={classes.chosen}>
          {chosen.Value === null ? chosen.Label : `${chosen.Value} · ${chosen.Label}`}
        </p>
      )}
      {item.Kind === 'fib' && (
        <Written item={item} label={label} answer={answer} {...(onAnswer && { onAnswer })} />
      )}
      {item.Kind === 'scored' && (chosen?.NeedsComment || answer?.Comment) && (
        <div className={classes.comment}>
          {onAnswer ? (
            <Textarea
              label={
                <>
                  {words('evaluations.comment')}{' '}
                  <span className={classes.quiet}>{words('evaluations.commentNeeded')}</span>
                </>
              }
              autosize
              minRows={2}
              maxLength={10_000}
              value={answer?.Comment ?? ''}
              onChange={(event) => onAnswer({ Comment: event.currentTarget.value })}
            />
          ) : (
            <p className={classes.written}>{answer?.Comment}</p>
          )}
        </div>
      )}
      {missing && (
        <p role="alert" className={classes.problem}>
          {missing}
        </p>
      )}
    </fieldset>
  )
}

function Written(props: {
  item: Item
  label: string
  answer: AnswerState | undefined
  onAnswer?: (change: Partial<AnswerState>) => void
}) {
  const { item, label, answer, onAnswer } = props
  const words = useWords()
  const text = answer?.Text ?? ''
  const set = (Text: string | null) => onAnswer?.({ Text })
  const yesNo: Record<string, string> = { yes: words('evaluations.yes'), no: words('evaluations.no') }
  if (!onAnswer)
    return <p className={classes.written}>{yesNo[text] ?? (text || words('evaluations.noAnswer'))}</p>
  switch (item.InputType) {
    case 'yesno':
    case 'choice': {
      const choices = item.InputType === 'yesno' ? ['yes', 'no'] : item.Choices
      return (
        <div
          className={classes.scores}
          role="radiogroup"
          aria-label={label}
          aria-required={item.IsMandatory || undefined}
          data-wide
        >
          {choices.map((choice) => (
            <label key={choice} className={classes.score} data-on={text === choice || undefined}>
              <input
                type="radio"
                name={`item-${item.Id}-text`}
                checked={text === choice}
                onChange={() => set(choice)}
              />
              <span>{yesNo[choice] ?? choice}</span>
            </label>
          ))}
        </div>
      )
    }
    case 'date':
      return <DateField label={label} name={`item-${item.Id}`} value={text || null} onChange={set} />
    case 'long':
      return (
        <Textarea
          aria-label={label}
          aria-required={item.IsMandatory || undefined}
          autosize
          minRows={3}
          maxLength={10_000}
          value={text}
          onChange={(event) => set(event.currentTarget.value)}
        />
      )
    default:
      return (
        <TextInput
          aria-label={label}
          aria-required={item.IsMandatory || undefined}
          inputMode={item.InputType === 'number' ? 'decimal' : 'text'}
          error={item.InputType === 'number' && isStrayNumber(text) && words('evaluations.numberOnly')}
          maxLength={255}
          value={text}
          onChange={(event) => set(event.currentTarget.value)}
        />
      )
  }
}
