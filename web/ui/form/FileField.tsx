import { IconFile, IconTrash } from '@tabler/icons-react'
import { fileSize } from '../file-size.ts'
import classes from './FileDrop.module.css'
import { FileDrop } from './FileDrop.tsx'
import { useFieldWork } from './unsaved.ts'
import { fieldId } from './use-edit-form.ts'

export type FileFieldProps = {
  /** The form's field that tells of refusals. */
  name: string
  label: string
  hint: string
  /** What is kept now; it stays until another file is chosen, or it is removed. */
  kept?: { name: string; url: string; bytes: number } | undefined
  /** What will be sent. */
  file: File | undefined
  onChange: (file: File | undefined) => void
  maxBytes: number
  /** Shows the button that takes the kept file away, under this name. */
  removeLabel?: string
  onRemove?: () => void
  error?: string | undefined
}

/** The one file of a form: the kept one as a link, and the place to drop another. */
export function FileField(props: FileFieldProps) {
  const { kept, file, onRemove } = props
  const { onChange } = useFieldWork({ value: file?.name, onChange: props.onChange })
  return (
    <div id={fieldId(props.name)} tabIndex={-1}>
      {kept && !file && (
        <ul className={`${classes.files} ${classes.kept}`}>
          <li>
            <IconFile size={16} stroke={1.75} aria-hidden />
            <a href={kept.url} download className="p-ellipsis" title={kept.name}>
              {kept.name}
            </a>
            <span className={classes.hint}>{fileSize(kept.bytes)}</span>
            {onRemove && (
              <button
                type="button"
                aria-label={props.removeLabel}
                title={props.removeLabel}
                onClick={onRemove}
              >
                <IconTrash size={16} stroke={1.75} aria-hidden />
              </button>
            )}
          </li>
        </ul>
      )}
      <FileDrop
        label={props.label}
        hint={props.hint}
        files={file ? [file] : []}
        onChange={(files) => onChange(files[0])}
        maxBytes={props.maxBytes}
        {...(props.error && { error: props.error })}
      />
    </div>
  )
}
