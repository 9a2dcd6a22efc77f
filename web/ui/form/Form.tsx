import '../all-styles.ts'
import { Button } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconAlertCircle, IconRestore, IconUserEdit } from '@tabler/icons-react'
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useId,
  useRef,
} from 'react'
import { createPortal } from 'react-dom'
import { useWords } from '#web/words/use-words.ts'
import { DisabledReason } from '../DisabledReason.tsx'
import { formatInstant } from '../dates.ts'
import { dialogHearsEscape, escapeClosesFloat } from '../escape.ts'
import { LeaveButton } from '../LeaveButton.tsx'
import { useIsLow, useIsPhone } from '../use-is-phone.ts'
import classes from './Form.module.css'
import { SavePlace } from './save-place.ts'
import { shownText } from './shown-text.ts'
import { DialogWork, FieldWork, useUnsaved } from './unsaved.ts'
import { type EditForm, fieldId } from './use-edit-form.ts'

export type FormProps<Values extends Record<string, unknown>> = {
  form: EditForm<Values>
  children: ReactNode
  /** After saving: close, go back, say so. */
  onSaved?: () => void
  /** Escape in a field that has nothing open, and Cancel. A dialog closes itself and asks about unsaved text. */
  onCancel?: () => void
  /** At the form's foot, left: who changed it last. */
  foot?: ReactNode
  /** At the form's foot, right and far from Save: the delete button. */
  danger?: ReactNode
  /** The id that a Save button outside refers to with `form=`. */
  id?: string
}

/** Sections of fields with one summary of what needs a correction. Save and the unsaved count: `FormActions`. */
export function Form<Values extends Record<string, unknown>>(props: FormProps<Values>) {
  const { form, children, onSaved, onCancel } = props
  const words = useWords()
  const isInDialog = useContext(DialogWork) !== undefined
  const summary = useRef<HTMLDivElement>(null)
  const notice = useRef<HTMLDivElement>(null)
  const errors = Object.entries(form.errors).sort(byPlace)
  form.onSettled.current = useUnsaved({
    // What is on its way to the server is not left behind: a save may lead to the page of what it made.
    count: form.isSaving ? 0 : form.changed.length,
    hasDraft: form.hasDraft,
    keys: form.addressKeys,
  })

  useEffect(() => {
    if (form.refusals > 0) (summary.current ?? notice.current)?.focus()
  }, [form.refusals])

  const save = async () => {
    if (await form.submit()) onSaved?.()
  }
  useHotkeys([['mod+S', () => void save()]], [])

  const onKeyDown = (event: KeyboardEvent) => {
    // React passes on what is typed in an open list's search, though the list is outside the form.
    const isInForm = event.currentTarget.contains(event.target as HTMLElement)
    if (event.key !== 'Escape' || !onCancel || isInDialog || !isInForm) return
    if (event.defaultPrevented || escapeClosesFloat() || dialogHearsEscape()) return
    event.preventDefault()
    onCancel()
  }

  return (
    <form
      id={props.id}
      className={classes.form}
      data-in-dialog={isInDialog || undefined}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        void save()
      }}
      onKeyDown={onKeyDown}
    >
      {form.theirs && <TheirChangesNotice form={form} place={notice} />}
      {(errors.length > 0 || form.failure) && (
        <div ref={summary} className={classes.summary} role="alert" tabIndex={-1}>
          <IconAlertCircle size={18} stroke={1.75} aria-hidden />
          {form.failure ? (
            <div>
              <b>{form.failure}</b>
              {form.mayTryAgain && (
                <>
                  {' '}
                  <button type="submit" className={classes.again}>
                    {words('ui.tryAgain')}
                  </button>
                </>
              )}
            </div>
          ) : (
            <div>
              <b>
                {errors.length === 1 ? words('ui.fixOne') : words('ui.fixMany', { count: errors.length })}
              </b>
              {errors.map(([name, message], index) => (
                <span key={name}>
                  {index > 0 && ', '}
                  <a
                    href={`#${fieldId(name)}`}
                    title={message}
                    onClick={(event) => {
                      event.preventDefault()
                      const field = document.getElementById(fieldId(name))
                      field?.scrollIntoView({ block: 'center' })
                      field?.focus()
                    }}
                  >
                    {labelOf(form, name)}
                  </a>
                </span>
              ))}
            </div>
          )}
        </div>
      )}
      {form.isDraft && form.changed.length > 0 && (
        <div className={classes.draft} role="status">
          <IconRestore size={16} stroke={1.75} aria-hidden />
          {words('ui.draftRestored')}
          <button type="button" className={classes.again} onClick={form.reset}>
            {words('ui.discardDraft')}
          </button>
        </div>
      )}
      <FieldWork value={undefined}>{children}</FieldWork>
      {/* Save is outside the form; without a button inside, Enter in a field would do nothing. */}
      <button type="submit" hidden aria-hidden tabIndex={-1} />
      {(props.foot || props.danger) && (
        <div className={classes.foot}>
          <div>{props.foot}</div>
          <div className={classes.danger}>{props.danger}</div>
        </div>
      )}
    </form>
  )
}

/** Who saved something else meanwhile, and what is different now: nothing is overwritten unseen. */
function TheirChangesNotice<Values extends Record<string, unknown>>({
  form,
  place,
}: {
  form: EditForm<Values>
  place: RefObject<HTMLDivElement | null>
}) {
  const words = useWords()
  // Shown only when there are any.
  const { by, at, fields } = form.theirs!
  const shown = (name: string, value: unknown) => shownText(words, value, form.textOf(name, value))
  return (
    <div ref={place} className={classes.theirs} role="alert" tabIndex={-1}>
      <IconUserEdit size={18} stroke={1.75} aria-hidden />
      <div>
        <b>
          {by && at
            ? words('ui.changedBy', { name: by, at: formatInstant(at) })
            : words('ui.changedBySomeone')}
        </b>{' '}
        {words(form.changed.length > 0 ? 'ui.changesKept' : 'ui.nothingOfYours')}
        {fields.map(({ name, theirs, mine, ...told }) => {
          const label = labelOf(form, name)
          const text = shown(name, theirs)
          if (!mine)
            return (
              <p key={name}>
                {text === undefined
                  ? words('ui.fieldChanged', { label })
                  : words('ui.fieldNow', { label, value: text })}
              </p>
            )
          const choices = [
            {
              word: words('ui.yours'),
              text: shown(name, mine.value),
              value: mine.value,
              isChosen: mine.isChosen,
            },
            { word: words('ui.theirs'), text, value: theirs, isChosen: !mine.isChosen },
          ]
          return (
            <fieldset key={name} className={classes.conflict}>
              <legend>{label}</legend>
              {choices.map(({ word, text: its, value, isChosen }) => (
                <label key={word}>
                  <input
                    type="radio"
                    name={`whose-${name}`}
                    checked={isChosen}
                    onChange={() => form.set(name, value as Values[typeof name])}
                  />
                  <span>
                    {word}
                    {its !== undefined && <b> {its}</b>}
                    {value === theirs && told.by && told.at && (
                      <small>
                        {told.by}, {formatInstant(told.at)}
                      </small>
                    )}
                  </span>
                </label>
              ))}
            </fieldset>
          )
        })}
        <button type="button" className={classes.again} onClick={form.reset}>
          {words(form.changed.length > 0 ? 'ui.useSaved' : 'ui.close')}
        </button>
      </div>
    </div>
  )
}

/** In the order of the fields on the screen; what has no field there comes last. */
const byPlace = ([one]: [name: string, ...unknown[]], [other]: [name: string, ...unknown[]]): number => {
  const [first, second] = [one, other].map((name) => document.getElementById(fieldId(name)))
  if (!first || !second) return Number(!first) - Number(!second)
  return first.compareDocumentPosition(second) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1
}

const labelOf = <Values extends Record<string, unknown>>(form: EditForm<Values>, name: string): string =>
  form.labels[name] ?? labelOnScreen(name)

function labelOnScreen(name: string): string {
  const label = document.querySelector(`label[for="${CSS.escape(fieldId(name))}"]`)
  return label?.firstChild?.textContent ?? name
}

export type FormActionsProps<Values extends Record<string, unknown>> = {
  form: EditForm<Values>
  onSaved?: () => void
  onCancel?: () => void
  saveLabel?: string
  /** Save also works when nothing was changed, as when adding. */
  always?: boolean
}

const modifier = /Mac|iP(hone|ad)/.test(globalThis.navigator?.userAgent ?? '') ? '⌘S' : 'Ctrl S'

/**
 * "2 unsaved changes", Cancel and Save, for the page's actions or a dialog's footer. On a phone those of a page are in a bar at
 * its foot, in view however long the form is; on a low screen, where that bar scrolls away, at both ends.
 */
export function FormActions<Values extends Record<string, unknown>>(props: FormActionsProps<Values>) {
  const { form, onSaved, onCancel, always } = props
  const words = useWords()
  const savePlace = useContext(SavePlace)
  const isPhone = useIsPhone()
  const isLow = useIsLow()
  const saveLabel = props.saveLabel ?? words('ui.save')
  const count = form.changed.length
  const buttons = (
    <>
      <span role="status">
        {count > 0 && <span className={classes.unsaved}>{words('ui.unsaved', { count })}</span>}
      </span>
      {onCancel && <LeaveButton variant="subtle" color="gray" data-quiet onClick={onCancel} />}
      <DisabledReason reason={!always && count === 0 && words('ui.nothingChanged')}>
        <Button
          loading={form.isSaving}
          onClick={async () => {
            if (await form.submit()) onSaved?.()
          }}
          rightSection={<kbd className={classes.key}>{modifier}</kbd>}
        >
          {saveLabel}
        </Button>
      </DisabledReason>
    </>
  )
  const isAtFoot = savePlace && (isPhone || isLow)
  return (
    <>
      {(!isAtFoot || isLow) && buttons}
      {isAtFoot && createPortal(buttons, savePlace)}
    </>
  )
}

/** Name and purpose at the left, fields at the right in two columns. `wide` gives one column, for an editor. */
export function FormSection(props: {
  name: string
  purpose?: ReactNode
  wide?: boolean
  children: ReactNode
}) {
  const id = useId()
  return (
    <fieldset className={classes.section} aria-labelledby={id}>
      <div className={classes.sectionName}>
        <b id={id}>{props.name}</b>
        {props.purpose && <p>{props.purpose}</p>}
      </div>
      <div className={classes.fields} data-wide={props.wide || undefined}>
        {props.children}
      </div>
    </fieldset>
  )
}

/** A field, or a sentence, over both columns of its section. */
export function FullWidth({ children }: { children: ReactNode }) {
  return <div className={classes.full}>{children}</div>
}
