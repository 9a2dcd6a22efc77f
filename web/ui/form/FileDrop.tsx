import '@mantine/dropzone/styles.layer.css'
import { Dropzone, type FileRejection } from '@mantine/dropzone'
import { IconFile, IconUpload, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useFileSending } from '#web/api/use-file-sending.ts'
import { plainWords } from '#web/words/plain-words.ts'
import { fileSize } from '../file-size.ts'
import classes from './FileDrop.module.css'

export type FileDropProps = {
  label: string
  files: File[]
  onChange: (files: File[]) => void
  /** Largest size of a file in bytes. */
  maxBytes: number
  /** MIME types, such as ['application/pdf']; everything when none is given. */
  accept?: string[]
  /** Most files; 1 when none is given. */
  most?: number
  /** Words for what is accepted: "PDF or picture, at most 10 MB". */
  hint?: string
  error?: string
}

function refusal(rejected: FileRejection[], maxBytes: number): string {
  return rejected
    .map(({ file, errors }) =>
      errors.some((error) => error.code === 'file-too-large')
        ? `${file.name} has ${fileSize(file.size)}; at most ${fileSize(maxBytes)}.`
        : errors.some((error) => error.code === 'too-many-files')
          ? `${file.name} is one file too many.`
          : `${file.name} is not of an accepted type.`,
    )
    .join(' ')
}

/** Files by dropping, by button and by keyboard; what is refused is named with its reason. */
export function FileDrop(props: FileDropProps) {
  const { files, onChange, maxBytes, most = 1 } = props
  const [problem, setProblem] = useState<string>()
  useFileSending()
  const error = problem ?? props.error
  return (
    <div>
      <Dropzone
        onDrop={(added) => {
          setProblem(undefined)
          onChange(most === 1 ? added.slice(0, 1) : [...files, ...added].slice(0, most))
        }}
        onReject={(rejected) => setProblem(refusal(rejected, maxBytes))}
        maxSize={maxBytes}
        maxFiles={most}
        multiple={most > 1}
        accept={props.accept}
        className={classes.drop}
        data-error={error ? true : undefined}
        aria-label={props.label}
        inputProps={{ 'aria-label': props.label }}
      >
        <IconUpload size={20} stroke={1.75} aria-hidden />
        <div>
          <b>{props.label}</b>
          {props.hint && <div className={classes.hint}>{props.hint}</div>}
        </div>
      </Dropzone>
      <ul className={classes.files}>
        {files.map((file) => (
          <li key={`${file.name}${file.size}`}>
            <IconFile size={16} stroke={1.75} aria-hidden />
            <span className="p-ellipsis" title={file.name}>
              {file.name}
            </span>
            <span className={classes.hint}>{fileSize(file.size)}</span>
            <button
              type="button"
              aria-label={plainWords('ui.removeFile', { name: file.name })}
              onClick={() => onChange(files.filter((each) => each !== file))}
            >
              <IconX size={16} aria-hidden />
            </button>
          </li>
        ))}
      </ul>
      {error && (
        <div className={classes.error} role="alert">
          {error}
        </div>
      )}
    </div>
  )
}
