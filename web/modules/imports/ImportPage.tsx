import { useEffect, useRef, useState } from 'react'
import { type ImportKind, importables, importKinds } from '#contract/imports/import-kinds.ts'
import type { ImportResult, ImportRun } from '#contract/imports/imports.ts'
import type { BackgroundTask } from '#contract/tasks/tasks.ts'
import { CallError } from '#web/api/call.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useAppState, useMay } from '#web/api/use-state.ts'
import { PageProblem } from '#web/shell/PageProblem.tsx'
import { confirm } from '#web/ui/confirm.ts'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import type { WordKey } from '#web/words/plain-words.ts'
import { useFilled, useWords } from '#web/words/use-words.ts'
import { DoneStep } from './DoneStep.tsx'
import { FileStep } from './FileStep.tsx'
import { historyPageSize, ImportHistory } from './ImportHistory.tsx'
import {
  cancelImport,
  forgetReads,
  type RunOptions,
  sendImportFile,
  undoRun,
  useHistory,
} from './import-calls.ts'
import type { Step, Work } from './import-steps.ts'
import classes from './imports.module.css'
import { MappingStep } from './MappingStep.tsx'
import { PreviewStep } from './PreviewStep.tsx'
import { RunningStep } from './RunningStep.tsx'
import { TaskLine } from './TaskLine.tsx'
import { valuesOf } from './values.ts'

const steps = ['file', 'mapping', 'preview', 'done'] as const
const stepWords = {
  file: 'imports.stepFile',
  mapping: 'imports.stepMapping',
  preview: 'imports.stepPreview',
  done: 'imports.stepDone',
} as const satisfies Record<(typeof steps)[number], WordKey>

/** The wizard of imports: file, columns, preview, done; with the history and its undo below. */
export function ImportPage() {
  const [address, setAddress] = useAddress({ kind: 'sites', page: 1 })
  const words = useWords()
  const may = useMay()
  const kind = importKinds.find((each) => each === address.kind)
  if (!kind) return <PageProblem kind="not-found" />
  if (!may(importables[kind].may))
    return (
      <PageProblem kind="error" text={words('shell.notAllowed')} detail={words('shell.notAllowedDetail')} />
    )
  return <Wizard key={kind} kind={kind} page={address.page} onPage={(page) => setAddress({ page })} />
}

function Wizard({ kind, page, onPage }: { kind: ImportKind; page: number; onPage: (page: number) => void }) {
  const words = useWords()
  const fill = useFilled()
  const state = useAppState()
  const programId = state.data?.ProgramId ?? null
  const [step, setStep] = useState<Step>({ name: 'file' })
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [task, setTask] = useState<BackgroundTask>()
  const leaving = useRef<AbortController>(undefined)
  useEffect(() => {
    const own = new AbortController()
    leaving.current = own
    return () => own.abort()
  }, [])
  const history = useHistory(kind, programId, {
    page,
    pageSize: historyPageSize,
    isRunning: step.name === 'running',
  })
  const running = history.data?.Items.find(({ Status }) => Status === 'running')
  const at = steps.indexOf(step.name === 'running' ? 'done' : step.name)

  const attempt = async (work: () => Promise<void>) => {
    setBusy(true)
    setFailure(undefined)
    try {
      await work()
    } catch (error) {
      // Whoever has left the page hears no more of it here; the bell tells them.
      if (leaving.current?.signal.aborted) return
      const { status, message, code } = error as CallError
      if (code === 'canceled') toast.done(words('imports.canceled', { file: message }))
      else setFailure(status === 0 ? words('imports.unanswered') : message)
    } finally {
      setBusy(false)
    }
  }
  const following = () => ({
    onTask: setTask,
    // Set while the page is shown.
    signal: leaving.current!.signal,
  })
  const send = (file: File, options: RunOptions) =>
    sendImportFile(kind, programId, file, options, following())
  const cancel = (running: BackgroundTask) =>
    void cancelImport(running).catch((error: Error) => toast.error(error.message))
  const read = (file: File) =>
    attempt(async () => {
      const result = await send(file, { DryRun: true, Remembered: true })
      setStep({ name: 'mapping', file, result, mapping: result.Mapping, values: valuesOf(result) })
    })
  const check = ({ file, mapping, values }: Work) =>
    attempt(async () => {
      const result = await send(file, { DryRun: true, mapping, values })
      // Columns that were matched only now may bring values of their own.
      setStep({ name: 'preview', file, result, mapping, values: { ...valuesOf(result), ...values } })
    })
  const run = ({ file, mapping, values, result: before }: Work, SendLinks: boolean) =>
    attempt(async () => {
      setStep({ name: 'running', file, rows: before.Rows - before.ErrorRows })
      try {
        const result = await send(file, {
          mapping,
          values,
          preview: before,
          SendLinks,
          SkipErrors: before.ErrorRows > 0,
        })
        setStep({ name: 'done', file, result })
        // Not waited for: the page would stay busy until it ends, and ignore the next file.
        void forgetReads()
      } catch (error) {
        // Between preview and import somebody changed what the file is compared with: show what is so now.
        if (error instanceof CallError && 'Changes' in error.body)
          // A refusal with changes carries a result, as the contract says.
          setStep({ name: 'preview', file, mapping, values, result: error.body as unknown as ImportResult })
        else setStep({ name: 'file' })
        throw error
      }
    })
  const undo = async (run: Pick<ImportRun, 'Id' | 'FileName' | 'Added' | 'Changed'>) => {
    const isSure = await confirm({
      title: words('imports.undoQuestion', { file: run.FileName }),
      text: words('imports.undoDetail', { added: run.Added, changed: run.Changed }),
      verb: words('imports.undoVerb'),
      danger: true,
    })
    if (!isSure) return
    await attempt(async () => {
      const { Kept, KeptTold } = await undoRun(kind, programId, run.Id, following())
      const more = Kept > KeptTold.length ? ', …' : ''
      toast.done(
        Kept === 0
          ? words('imports.undone', { file: run.FileName })
          : words('imports.undoneKept', {
              file: run.FileName,
              count: Kept,
              rows: `${KeptTold.join(', ')}${more}`,
            }),
      )
      if (step.name === 'done' && step.result.ImportId === run.Id) setStep({ name: 'file' })
    })
    await forgetReads()
  }

  return (
    <Page title={words('imports.title', { what: fill(importables[kind].name) })} inset>
      <ol className={classes.steps} aria-label={words('imports.steps')}>
        {steps.map((name, index) => (
          <li key={name} aria-current={index === at ? 'step' : undefined} data-past={index < at || undefined}>
            {words(stepWords[name])}
          </li>
        ))}
      </ol>
      <div className={classes.part}>
        {failure && (
          <p className={classes.error} role="alert">
            {failure}
          </p>
        )}
        {task && step.name !== 'running' && <TaskLine task={task} onCancel={() => cancel(task)} />}
        {step.name === 'file' && (
          <FileStep
            kind={kind}
            programId={programId}
            isBusy={isBusy}
            isTold={task !== undefined}
            onFile={(file) => void read(file)}
          />
        )}
        {step.name === 'mapping' && (
          <MappingStep
            importable={importables[kind]}
            step={step}
            isBusy={isBusy}
            onMapping={(mapping) => setStep({ ...step, mapping })}
            onValues={(values) => setStep({ ...step, values })}
            onBack={() => setStep({ name: 'file' })}
            onCheck={() => void check(step)}
          />
        )}
        {step.name === 'preview' && (
          <PreviewStep
            importable={importables[kind]}
            step={step}
            isBusy={isBusy}
            onBack={() => setStep({ ...step, name: 'mapping' })}
            onFile={() => setStep({ name: 'file' })}
            onCheck={(values) => void check({ ...step, values })}
            onRun={(sendLinks) => void run(step, sendLinks)}
          />
        )}
        {step.name === 'running' && (
          <RunningStep
            file={step.file.name}
            done={task ? task.Done : (running?.DoneRows ?? 0)}
            all={step.rows}
            onCancel={task && (() => cancel(task))}
          />
        )}
        {step.name === 'done' && (
          <DoneStep
            importable={importables[kind]}
            step={step}
            onAgain={() => setStep({ name: 'file' })}
            onUndo={() =>
              void undo({
                // What was imported has an id; only a dry run has none.
                Id: step.result.ImportId!,
                FileName: step.file.name,
                Added: step.result.Added,
                Changed: step.result.Changed,
              })
            }
          />
        )}
      </div>
      <ImportHistory history={history} page={page} onPage={onPage} onUndo={(run) => void undo(run)} />
    </Page>
  )
}
