import { IconArrowBackUp, IconCircleCheck } from '@tabler/icons-react'
import type { Importable } from '#contract/core/import-fields.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { Button } from '#web/ui/buttons.ts'
import { useFilled, useWords } from '#web/words/use-words.ts'
import { DownloadRefused } from './DownloadRefused.tsx'
import type { Step } from './import-steps.ts'
import classes from './imports.module.css'

/** What was imported, and where to go from here. */
export function DoneStep(props: {
  importable: Importable
  step: Extract<Step, { name: 'done' }>
  onAgain: () => void
  onUndo: () => void
}) {
  const { importable, step } = props
  const words = useWords()
  const fill = useFilled()
  const navigate = usePageNavigate()
  const { Added, Changed, Unchanged, ErrorRows, WarningRows } = step.result
  const told = [
    words('imports.doneAdded', { count: Added }),
    Changed > 0 && words('imports.doneChanged', { count: Changed }),
    Unchanged > 0 && words('imports.doneUnchanged', { count: Unchanged }),
    ErrorRows > 0 && words('imports.doneErrors', { count: ErrorRows }),
    WarningRows > 0 && words('imports.doneWarnings', { count: WarningRows }),
  ]
  return (
    <>
      <p role="status" className={classes.good}>
        <IconCircleCheck size={20} stroke={1.75} aria-hidden style={{ color: 'var(--p-approved)' }} />
        <span>
          <b>{words('imports.doneTitle', { file: step.file.name })}</b>
          <br />
          <span>{told.filter(Boolean).join(' · ')}</span>
        </span>
      </p>
      <div className={classes.verbs}>
        <Button onClick={() => navigate(importable.seen.page, { search: importable.seen.search })}>
          {words('imports.view', { what: fill(importable.seen.name) })}
        </Button>
        <Button variant="default" onClick={props.onAgain}>
          {words('imports.again')}
        </Button>
        <Button
          variant="default"
          leftSection={<IconArrowBackUp size={16} stroke={1.75} aria-hidden />}
          onClick={props.onUndo}
        >
          {words('imports.undo')}
        </Button>
        <DownloadRefused result={step.result} file={step.file} />
      </div>
    </>
  )
}
