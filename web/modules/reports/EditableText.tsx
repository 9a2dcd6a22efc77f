import { useRef, useState } from 'react'
import { useWords } from '#web/words/use-words.ts'
import classes from './plans.module.css'

export interface EditableTextProps {
  /** What the text is, for screen readers and while it is edited. */
  label: string
  value: string
  maxLength: number
  isRequired?: boolean
  isReadOnly: boolean
  /** Throws to refuse; the text stays in the field then, with the reason. */
  save: (text: string) => Promise<unknown>
}

/** A text that is edited where it is: a press opens it, leaving it saves, Escape puts it back. */
export function EditableText({ label, value, maxLength, isRequired, isReadOnly, save }: EditableTextProps) {
  const words = useWords()
  const [draft, setDraft] = useState<string>()
  const [error, setError] = useState<string>()
  const [isSaving, setSaving] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)

  if (isReadOnly) return <span className={classes.text}>{value || '–'}</span>
  const close = () => {
    // The focus goes back only from here: meanwhile it may have gone to the next text.
    const isHere = document.activeElement === field.current
    setDraft(undefined)
    setError(undefined)
    if (isHere) setTimeout(() => button.current?.focus(), 0)
  }
  const end = async () => {
    const text = draft?.trim()
    if (text === undefined || isSaving) return
    if (text === value || (isRequired && text === '')) {
      close()
      return
    }
    setSaving(true)
    try {
      await save(text)
      close()
    } catch (failure) {
      setError((failure as Error).message)
    } finally {
      setSaving(false)
    }
  }
  if (draft === undefined)
    return (
      <button
        ref={button}
        type="button"
        className={classes.cell}
        data-empty={value === '' || undefined}
        aria-label={words('plans.editCell', { field: label, text: value || words('plans.emptyCell') })}
        onClick={() => setDraft(value)}
      >
        {value || '–'}
      </button>
    )
  return (
    <div className={classes.editing}>
      <textarea
        ref={field}
        // biome-ignore lint/a11y/noAutofocus: it is where the pressed text was
        autoFocus
        className={`${classes.input} p-halo`}
        aria-label={label}
        aria-invalid={error ? true : undefined}
        title={words('plans.saveHint')}
        value={draft}
        maxLength={maxLength}
        readOnly={isSaving}
        rows={Math.min(10, Math.max(3, Math.ceil(draft.length / 16)))}
        onChange={(event) => setDraft(event.currentTarget.value)}
        onBlur={() => void end()}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.stopPropagation()
            close()
          } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault()
            void end()
          }
        }}
      />
      {error && (
        <span className={classes.error} role="alert">
          {error}
        </span>
      )}
    </div>
  )
}
