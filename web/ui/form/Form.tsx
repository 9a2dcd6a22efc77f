import '../all-styles.ts'
import { Button } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconAlertCircle, IconRestore } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { Why } from '../Why.tsx'
import classes from './Form.module.css'
import { type EditForm, fieldId } from './use-edit-form.ts'

export type FormProps<Values extends Record<string, unknown>> = {
  form: EditForm<Values>
  children: ReactNode
  /** After saving: close, go back, say so. */
  onSaved?: () => void
  /** Escape in a field that has nothing open, and Cancel. */
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
  const summary = useRef<HTMLDivElement>(null)
  const errors = Object.entries(form.errors)

  useEffect(() => {
    if (form.refusals > 0) summary.current?.focus()
  }, [form.refusals])

  const save = async () => {
    if (await form.submit()) onSaved?.()
  }
  useHotkeys([['mod+S', () => void save()]], [])

  const onKeyDown = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement
    const hasOpenList = target.getAttribute('aria-expanded') === 'true'
    // React passes on what is typed in an open list's search, though the list lies outside the form.
    const isInForm = event.currentTarget.contains(target)
    if (event.key === 'Escape' && onCancel && isInForm && !hasOpenList && !event.defaultPrevented) onCancel()
  }

  return (
    <form
      id={props.id}
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        void save()
      }}
      onKeyDown={onKeyDown}
    >
      {(errors.length > 0 || form.failure) && (
        <div ref={summary} className={classes.summary} role="alert" tabIndex={-1}>
          <IconAlertCircle size={18} stroke={1.75} aria-hidden />
          {form.failure ? (
            <div>
              <b>{form.failure}</b>{' '}
              <button type="submit" className={classes.again}>
                Try again
              </button>
            </div>
          ) : (
            <div>
              <b>
                {errors.length === 1
                  ? 'One field needs a correction before saving: '
                  : `${errors.length} fields need a correction before saving: `}
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
                    {form.labels[name] ?? labelOnScreen(name)}
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
          Your unsaved text was put back.
          <button type="button" className={classes.again} onClick={form.reset}>
            Start from what was saved
          </button>
        </div>
      )}
      {children}
      {/* Save stands outside the form; without a button inside, Enter in a field would do nothing. */}
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

/** "2 unsaved changes", Cancel and Save, for the page's actions or a dialog's footer. */
export function FormActions<Values extends Record<string, unknown>>(props: FormActionsProps<Values>) {
  const { form, onSaved, onCancel, saveLabel = 'Save', always } = props
  const count = form.changed.length
  return (
    <>
      <span role="status">
        {count > 0 && (
          <span className={classes.unsaved}>
            {count} unsaved {count === 1 ? 'change' : 'changes'}
          </span>
        )}
      </span>
      {onCancel && (
        <Button variant="subtle" color="gray" data-quiet onClick={onCancel}>
          Cancel
        </Button>
      )}
      <Why reason={!always && count === 0 && 'Nothing was changed yet'}>
        <Button
          loading={form.isSaving}
          onClick={async () => {
            if (await form.submit()) onSaved?.()
          }}
          rightSection={<kbd className={classes.key}>{modifier}</kbd>}
        >
          {saveLabel}
        </Button>
      </Why>
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
  return (
    <fieldset className={classes.section}>
      <div className={classes.sectionName}>
        <legend>{props.name}</legend>
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
