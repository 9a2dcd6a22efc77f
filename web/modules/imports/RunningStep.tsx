import { Button } from '#web/ui/buttons.ts'
import { Meter } from '#web/ui/charts/Meter.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './imports.module.css'

/** How far the import is. */
export function RunningStep({
  file,
  done,
  all,
  onCancel,
}: {
  file: string
  done: number
  all: number
  /** Not there for small files, which are done at once. */
  onCancel?: (() => void) | undefined
}) {
  const words = useWords()
  const text = words('imports.progress', {
    done: done.toLocaleString('en-US'),
    all: all.toLocaleString('en-US'),
  })
  return (
    <>
      <p role="status">
        <b>{words('imports.running', { file })}</b>
        <br />
        {text}
      </p>
      <Meter value={done} most={all} label={text} />
      <p className={classes.quiet}>{words('imports.mayLeave')}</p>
      {onCancel && (
        <div>
          <Button variant="default" onClick={onCancel}>
            {words('imports.cancel')}
          </Button>
        </div>
      )}
    </>
  )
}
