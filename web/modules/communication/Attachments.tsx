import { useState } from 'react'
import {
  addEmailAttachment,
  type EmailAttachment,
  maxAttachmentBytes,
  maxAttachments,
} from '#contract/communication/emails.ts'
import { useSave } from '#web/api/use-call.ts'
import { fileSize } from '#web/ui/file-size.ts'
import { FileDrop } from '#web/ui/form/FileDrop.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './emails.module.css'

interface AttachmentsProps {
  files: readonly EmailAttachment[]
  onChange: (files: EmailAttachment[]) => void
  error?: string | undefined
}

/** The files of an email: each is uploaded at once, so that a refusal is said before sending. */
export function Attachments({ files, onChange, error }: AttachmentsProps) {
  const words = useWords()
  const add = useSave(addEmailAttachment)
  const [problem, setProblem] = useState<string>()
  const bytes = files.reduce((sum, { ByteCount }) => sum + ByteCount, 0)

  const upload = async (sent: File[]) => {
    const total = sent.reduce((sum, { size }) => sum + size, bytes)
    if (total > maxAttachmentBytes) return setProblem(words('emails.attachmentsTooLarge'))
    setProblem(undefined)
    const added = [...files]
    try {
      for (const file of sent) added.push(await add.run({}, { files: { file } }))
    } catch (failure) {
      setProblem((failure as Error).message)
    }
    if (added.length > files.length) onChange(added)
  }
  const shown = problem ?? error
  return (
    <div>
      {files.length < maxAttachments && (
        <FileDrop
          label={words(add.isRunning ? 'emails.attaching' : 'emails.attach')}
          hint={words('emails.attachHint')}
          files={[]}
          most={maxAttachments - files.length}
          onChange={(sent) => void upload(sent)}
          maxBytes={maxAttachmentBytes}
          {...(shown && { error: shown })}
        />
      )}
      {files.length > 0 && (
        <ul className={classes.attachments} aria-label={words('emails.attachments')}>
          {files.map((file) => (
            <li key={file.Id}>
              <b>{file.Name}</b>
              <span>{fileSize(file.ByteCount)}</span>
              <button
                type="button"
                className={classes.link}
                aria-label={words('emails.remove', { name: file.Name })}
                onClick={() => onChange(files.filter(({ Id }) => Id !== file.Id))}
              >
                {words('emails.removeFile')}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
