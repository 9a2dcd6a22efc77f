import { IconCamera, IconFile, IconX } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import type { OwnRequirement } from '#contract/requirements/own-requirements.ts'
import { maxProofFiles } from '#contract/requirements/requirement-fields.ts'
import { useProgramId, useUser } from '#web/api/use-state.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DialogActions } from '#web/ui/DialogActions.tsx'
import { fileSize } from '#web/ui/file-size.ts'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { type DraftEvent, EventFields, firstEvent, isEndMeant, problemsOf } from './EventFields.tsx'
import { ProofNote } from './ProofNote.tsx'
import { sendProofOrKeep } from './proof-sending.ts'
import classes from './proofs.module.css'
import { readPhoto } from './read-photo.ts'
import { ruleText } from './rule-words.ts'

const problemWords = {
  tooLarge: 'requirements.tooLarge',
  notPicture: 'requirements.notPicture',
} as const

/** Shows something for a requirement: photo or file, the dates that its rule asks, a note. */
export function ProofDialog({
  requirement,
  today,
  onClose,
}: {
  requirement: OwnRequirement
  today: string
  onClose: () => void
}) {
  const words = useWords()
  const user = useUser()
  const programId = useProgramId()
  const rule = requirement.Rule
  const [files, setFiles] = useState<File[]>([])
  const [events, setEvents] = useState<DraftEvent[]>([firstEvent(rule)])
  const [note, setNote] = useState('')
  const [isTold, setTold] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [isReading, setReading] = useState(false)
  const [isSending, setSending] = useState(false)
  const lacking = problemsOf(rule, events)
  const lacksFile = requirement.NeedsFile && files.length === 0

  const add = async (list: FileList | null) => {
    if (!list) return
    setProblem(undefined)
    setReading(true)
    const ready: File[] = []
    for (const file of list) {
      const read = await readPhoto(file)
      if ('file' in read) ready.push(read.file)
      else setProblem(words(problemWords[read.problem], { name: file.name, size: fileSize(file.size) }))
    }
    setReading(false)
    setFiles((before) => {
      const all = [...before, ...ready]
      if (all.length > maxProofFiles) setProblem(words('requirements.tooMany', { count: maxProofFiles }))
      return all.slice(0, maxProofFiles)
    })
  }

  const send = async () => {
    setTold(true)
    setProblem(undefined)
    if (lacksFile) return setProblem(words('requirements.needsFile'))
    if (Object.keys(lacking).length > 0 || !(await isEndMeant(words, rule, events))) return
    setSending(true)
    try {
      const isSent = await sendProofOrKeep(
        { account: user.Id, program: programId },
        {
          RequirementId: requirement.Id,
          SiteId: requirement.SiteId,
          // Nothing lacks, so each has its day.
          Events: events.map((event) => ({ ...event, On: event.On! })),
          Note: note.trim(),
        },
        files,
      )
      toast.done(words(isSent ? 'requirements.didSend' : 'requirements.didKeep'))
      onClose()
    } catch (error) {
      setProblem((error as Error).message)
    } finally {
      setSending(false)
    }
  }

  return (
    <Dialog
      opened
      onClose={onClose}
      stayOnOutsideClick
      unsaved={files.length}
      title={requirement.Name}
      subtitle={
        requirement.Site ? words('requirements.atSite', { site: requirement.Site }) : ruleText(words, rule)
      }
      actions={
        <DialogActions
          verb={words('requirements.send')}
          onCancel={onClose}
          onRun={() => void send()}
          isRunning={isSending}
        />
      }
    >
      <div className={classes.form}>
        {requirement.Instructions && <p className={classes.quiet}>{requirement.Instructions}</p>}
        <Photos
          files={files}
          isReading={isReading}
          onAdd={add}
          onRemove={(file) => setFiles((all) => all.filter((each) => each !== file))}
        />
        <EventFields
          rule={rule}
          events={events}
          onChange={setEvents}
          today={today}
          problems={
            isTold
              ? Object.fromEntries(Object.entries(lacking).map(([name, word]) => [name, words(word)]))
              : {}
          }
        />
        <ProofNote note={note} onChange={setNote} problem={problem} />
      </div>
    </Dialog>
  )
}

/** The camera and files, with what was taken. */
export function Photos(props: {
  files: readonly File[]
  isReading: boolean
  onAdd: (files: FileList | null) => Promise<void>
  onRemove: (file: File) => void
}) {
  const words = useWords()
  const camera = useRef<HTMLInputElement>(null)
  const chooser = useRef<HTMLInputElement>(null)
  const input = (ref: typeof camera, more: object, label: string) => (
    <input
      ref={ref}
      type="file"
      hidden
      aria-label={label}
      accept="image/*,.heic,.heif,application/pdf"
      onChange={(event) => {
        const { currentTarget } = event
        void props.onAdd(currentTarget.files).then(() => {
          currentTarget.value = ''
        })
      }}
      {...more}
    />
  )
  return (
    <div className={classes.photos}>
      <div className={classes.sources}>
        <Button
          variant="default"
          size="lg"
          leftSection={<IconCamera size={20} stroke={1.75} aria-hidden />}
          onClick={() => camera.current?.click()}
        >
          {words('requirements.takePhoto')}
        </Button>
        <Button
          variant="default"
          size="lg"
          leftSection={<IconFile size={20} stroke={1.75} aria-hidden />}
          onClick={() => chooser.current?.click()}
        >
          {words('requirements.chooseFile')}
        </Button>
      </div>
      {input(camera, { capture: 'environment', accept: 'image/*' }, words('requirements.takePhoto'))}
      {input(chooser, { multiple: true }, words('requirements.chooseFile'))}
      <p className={classes.quiet}>{words('requirements.fileHint')}</p>
      {props.isReading && <p role="status">{words('requirements.reading')}</p>}
      {props.files.length > 0 && (
        <ul className={classes.files}>
          {props.files.map((file) => (
            <li key={`${file.name} ${file.lastModified} ${file.size}`}>
              <IconFile size={18} stroke={1.75} aria-hidden />
              <span className="p-ellipsis" title={file.name}>
                {file.name}
              </span>
              <span className={classes.quiet}>{fileSize(file.size)}</span>
              <button
                type="button"
                aria-label={words('requirements.removePhoto', { name: file.name })}
                onClick={() => props.onRemove(file)}
              >
                <IconX size={18} aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
