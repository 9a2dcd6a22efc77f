import { Button, Checkbox } from '@mantine/core'
import { IconArrowBackUp, IconCircleCheck, IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { type ImportError, type ImportResult, type ImportRun, mostImportBytes } from '#contract/imports.ts'
import {
  type ColumnMapping,
  type ImportKind,
  importFields,
  importKinds,
  type ValueMapping,
} from '#contract/imports-rules.ts'
import type { PageRoute } from '#contract/pages.ts'
import { CallError } from '#web/api/call.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useAppState, useMay, useTimeZone } from '#web/api/use-state.ts'
import { PageProblem } from '#web/shell/PageProblem.tsx'
import { Meter } from '#web/ui/charts/Meter.tsx'
import { confirm } from '#web/ui/confirm.ts'
import { formatInstant } from '#web/ui/dates.ts'
import { FileDrop } from '#web/ui/form/FileDrop.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Page } from '#web/ui/Page.tsx'
import { type Status, StatusTag } from '#web/ui/StatusTag.tsx'
import { toast } from '#web/ui/toast.tsx'
import { Why } from '#web/ui/Why.tsx'
import { useWords, type WordKey } from '#web/words/use-words.ts'
import { refusedAsCsv } from './errors-file.ts'
import { forgetReads, sampleAddress, sendFile, undoRun, useHistory } from './import-calls.ts'
import classes from './imports.module.css'
import { ValueMatching } from './ValueMatching.tsx'
import { valuesOf } from './values.ts'

interface KindText {
  title: WordKey
  key: WordKey
  see: WordKey
  page: PageRoute
  search?: Record<string, string>
  needs:
    | 'sites.write'
    | 'people.write'
    | 'employees.manage'
    | 'scheduling.assign'
    | 'verifications.write'
    | 'colleges.manage'
}
const kindTexts: Record<ImportKind, KindText> = {
  sites: {
    title: 'imports.titleSites',
    key: 'imports.keySites',
    see: 'imports.seeSites',
    page: '/admin/sites',
    needs: 'sites.write',
  },
  students: {
    title: 'imports.titleStudents',
    key: 'imports.keyStudents',
    see: 'imports.seeStudents',
    page: '/admin/manage-users',
    needs: 'people.write',
  },
  staff: {
    title: 'imports.titleStaff',
    key: 'imports.keyStaff',
    see: 'imports.seeStaff',
    page: '/admin/manage-users',
    needs: 'people.write',
  },
  employees: {
    title: 'imports.titleEmployees',
    key: 'imports.keyEmployees',
    see: 'imports.seeEmployees',
    page: '/admin/employees',
    needs: 'employees.manage',
  },
  assignments: {
    title: 'imports.titleAssignments',
    key: 'imports.keyAssignments',
    see: 'imports.seeAssignments',
    page: '/admin/shift-assignments',
    needs: 'scheduling.assign',
  },
  verifications: {
    title: 'imports.titleVerifications',
    key: 'imports.keyVerifications',
    see: 'imports.seeVerifications',
    page: '/admin/verification',
    search: { type: '1' },
    needs: 'verifications.write',
  },
  colleges: {
    title: 'imports.titleColleges',
    key: 'imports.keyColleges',
    see: 'imports.seeColleges',
    page: '/admin/manage-colleges',
    needs: 'colleges.manage',
  },
}
const steps = ['file', 'mapping', 'preview', 'done'] as const
const stepWords = {
  file: 'imports.stepFile',
  mapping: 'imports.stepMapping',
  preview: 'imports.stepPreview',
  done: 'imports.stepDone',
} as const satisfies Record<(typeof steps)[number], WordKey>

/** A file with what the server says about it, and how its columns and values are matched. */
interface Work {
  file: File
  result: ImportResult
  mapping: ColumnMapping
  values: ValueMapping
}

type Step =
  | { name: 'file' }
  | ({ name: 'mapping' } & Work)
  | ({ name: 'preview' } & Work)
  | { name: 'running'; file: File; rows: number }
  | { name: 'done'; file: File; result: ImportResult }

const historyPageSize = 10
/** More errors than this scroll in a box of their own. */
const shortList = 8

/** The wizard of imports (interface 6): file, columns, preview, done; with the history and its undo below. */
export function ImportPage() {
  const [address, setAddress] = useAddress({ kind: 'sites', page: 1 })
  const words = useWords()
  const may = useMay()
  const kind = importKinds.find((each) => each === address.kind)
  if (!kind) return <PageProblem kind="not-found" />
  if (!may(kindTexts[kind].needs))
    return (
      <PageProblem kind="error" text={words('shell.notAllowed')} detail={words('shell.notAllowedDetail')} />
    )
  return <Wizard key={kind} kind={kind} page={address.page} onPage={(page) => setAddress({ page })} />
}

function Wizard({ kind, page, onPage }: { kind: ImportKind; page: number; onPage: (page: number) => void }) {
  const words = useWords()
  const state = useAppState()
  const programId = state.data?.ProgramId ?? null
  const [step, setStep] = useState<Step>({ name: 'file' })
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
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
      const { status, message } = error as CallError
      setFailure(status === 0 ? words('imports.unanswered') : message)
    } finally {
      setBusy(false)
    }
  }
  const read = (file: File) =>
    attempt(async () => {
      const result = await sendFile(kind, programId, file, { DryRun: true, Remembered: true })
      setStep({ name: 'mapping', file, result, mapping: result.Mapping, values: valuesOf(result) })
    })
  const check = ({ file, mapping, values }: Work) =>
    attempt(async () => {
      const result = await sendFile(kind, programId, file, { DryRun: true, mapping, values })
      // Columns that were matched only now may bring values of their own.
      setStep({ name: 'preview', file, result, mapping, values: { ...valuesOf(result), ...values } })
    })
  const run = ({ file, mapping, values, result: before }: Work, SendLinks: boolean) =>
    attempt(async () => {
      setStep({ name: 'running', file, rows: before.Rows - before.ErrorRows })
      try {
        const result = await sendFile(kind, programId, file, {
          mapping,
          values,
          SendLinks,
          SkipErrors: before.ErrorRows > 0,
        })
        setStep({ name: 'done', file, result })
        await forgetReads()
      } catch (error) {
        const refused = error instanceof CallError && error.code === 'rows_refused'
        // Between preview and import somebody changed what the file is compared with: show what is wrong now.
        if (refused)
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
    try {
      await undoRun(kind, programId, run.Id)
      toast.done(words('imports.undone', { file: run.FileName }))
      if (step.name === 'done' && step.result.ImportId === run.Id) setStep({ name: 'file' })
    } catch (error) {
      toast.error((error as CallError).message)
    }
    await forgetReads()
  }

  return (
    <Page title={words(kindTexts[kind].title)} inset>
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
        {step.name === 'file' && (
          <FileStep kind={kind} programId={programId} isBusy={isBusy} onFile={(file) => void read(file)} />
        )}
        {step.name === 'mapping' && (
          <MappingStep
            kind={kind}
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
            kind={kind}
            step={step}
            isBusy={isBusy}
            onBack={() => setStep({ ...step, name: 'mapping' })}
            onFile={() => setStep({ name: 'file' })}
            onCheck={(values) => void check({ ...step, values })}
            onRun={(sendLinks) => void run(step, sendLinks)}
          />
        )}
        {step.name === 'running' && (
          <RunningStep file={step.file.name} done={running?.DoneRows ?? 0} all={step.rows} />
        )}
        {step.name === 'done' && (
          <DoneStep
            kind={kind}
            step={step}
            onAgain={() => setStep({ name: 'file' })}
            onUndo={() =>
              void undo({
                Id: step.result.ImportId!,
                FileName: step.file.name,
                Added: step.result.Added,
                Changed: step.result.Changed,
              })
            }
          />
        )}
      </div>
      <History history={history} page={page} onPage={onPage} onUndo={(run) => void undo(run)} />
    </Page>
  )
}

function FileStep({
  kind,
  programId,
  isBusy,
  onFile,
}: {
  kind: ImportKind
  programId: number | null
  isBusy: boolean
  onFile: (file: File) => void
}) {
  const words = useWords()
  const [name, setName] = useState('')
  return (
    <>
      <p className={classes.quiet}>{words(kindTexts[kind].key)}</p>
      <p className={classes.samples}>
        {words('imports.sampleIntro')}
        {(['xlsx', 'csv'] as const).map((format) => (
          <a key={format} href={sampleAddress(kind, programId, format)} download>
            <IconDownload size={15} stroke={1.75} aria-hidden />
            {words(format === 'xlsx' ? 'imports.sampleExcel' : 'imports.sampleCsv')}
          </a>
        ))}
      </p>
      <FileDrop
        label={words('imports.drop')}
        hint={words('imports.dropHint')}
        files={[]}
        maxBytes={mostImportBytes}
        onChange={([file]) => {
          if (!file || isBusy) return
          setName(file.name)
          onFile(file)
        }}
      />
      <p className={classes.quiet} role="status">
        {isBusy && words('imports.reading', { name })}
      </p>
    </>
  )
}

const unreadable = (result: ImportResult): boolean => result.Columns.length === 0

function MappingStep(props: {
  kind: ImportKind
  step: Extract<Step, { name: 'mapping' }>
  isBusy: boolean
  onMapping: (mapping: ColumnMapping) => void
  onValues: (values: ValueMapping) => void
  onBack: () => void
  onCheck: () => void
}) {
  const { kind, step, onMapping } = props
  const words = useWords()
  const { result, mapping, file } = step
  const fields = importFields[kind]
  const leftOut = result.Columns.filter((column) => !Object.values(mapping).includes(column))
  const choose = (field: string, column: string) => {
    // A column serves one field: the one that had it before gives it up.
    const rest = Object.entries(mapping).filter(([name, used]) => name !== field && used !== column)
    onMapping(Object.fromEntries(column ? [...rest, [field, column]] : rest))
  }
  const columnOptions = [...new Set(result.Columns)].map((each) => ({ value: each, label: each }))
  if (unreadable(result))
    return (
      <>
        <p className={classes.error} role="alert">
          {result.Errors[0]?.Message}
        </p>
        <div className={classes.verbs}>
          <Button variant="default" onClick={props.onBack}>
            {words('imports.otherFile')}
          </Button>
        </div>
      </>
    )
  return (
    <>
      <p>
        {words('imports.mappingIntro', {
          matched: Object.keys(mapping).length,
          fields: fields.length,
          file: file.name,
        })}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <section className={classes.scroll} aria-label={words('imports.stepMapping')} tabIndex={0}>
        <table className={classes.mapping}>
          <thead>
            <tr>
              <th scope="col" style={{ width: '26%' }}>
                {words('imports.field')}
              </th>
              <th scope="col" style={{ width: '32%' }}>
                {words('imports.column')}
              </th>
              <th scope="col">{words('imports.sample')}</th>
            </tr>
          </thead>
          <tbody>
            {fields.map(({ name, label, isRequired }) => {
              const column = mapping[name] ?? ''
              const index = result.Columns.indexOf(column)
              const sample = result.Sample.map((cells) => cells[index] ?? '')
                .filter(Boolean)
                .join(' · ')
              return (
                <tr key={name}>
                  <th scope="row">
                    {label} {isRequired && <small>{words('imports.required')}</small>}
                  </th>
                  <td>
                    <SelectField
                      name={`column-${name}`}
                      label={words('imports.columnOf', { field: label })}
                      placeholder={words('imports.notMatched')}
                      options={columnOptions}
                      value={index < 0 ? null : column}
                      onChange={(next) => choose(name, next ?? '')}
                      {...(isRequired && index < 0 && { error: words('imports.required') })}
                    />
                  </td>
                  <td title={sample}>{sample}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </section>
      {leftOut.length > 0 && (
        <p className={classes.quiet}>{words('imports.leftOut', { columns: leftOut.join(', ') })}</p>
      )}
      {result.HiddenRows > 0 && (
        <p className={classes.quiet}>{words('imports.hiddenRows', { count: result.HiddenRows })}</p>
      )}
      <ValueMatching kind={kind} result={result} values={step.values} onChange={props.onValues} />
      <div className={classes.verbs}>
        <Button variant="default" onClick={props.onBack}>
          {words('imports.otherFile')}
        </Button>
        <Button className={classes.end} loading={props.isBusy} onClick={props.onCheck}>
          {words('imports.check')}
        </Button>
      </div>
    </>
  )
}

const saveText = (name: string, text: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

function PreviewStep(props: {
  kind: ImportKind
  step: Extract<Step, { name: 'preview' }>
  isBusy: boolean
  onBack: () => void
  onFile: () => void
  onCheck: (values: ValueMapping) => void
  onRun: (sendLinks: boolean) => void
}) {
  const { kind, step } = props
  const { result, file } = step
  const words = useWords()
  const [sendsLinks, setSendsLinks] = useState(false)
  const [values, setValues] = useState(step.values)
  const isStale = JSON.stringify(values) !== JSON.stringify(step.values)
  const changes = result.Added + result.Changed
  const isPeople = kind === 'students' || kind === 'staff'
  const columns: GridColumn<ImportError & { key: number }>[] = [
    { id: 'Row', header: words('imports.row'), width: 90, align: 'end' },
    { id: 'Column', header: words('imports.column'), width: 170 },
    { id: 'Message', header: words('imports.message'), identity: true, text: ({ Message }) => Message },
  ]
  const figures: [WordKey, number, boolean?][] = [
    ['imports.rows', result.Rows],
    ['imports.added', result.Added],
    ['imports.changed', result.Changed],
    ['imports.unchanged', result.Unchanged],
    ['imports.errorRows', result.ErrorRows, result.ErrorRows > 0],
  ]
  return (
    <>
      <dl className={classes.figures} aria-label={words('imports.previewTitle')}>
        {figures.map(([key, value, isBad]) => (
          <div key={key}>
            <dt>{words(key)}</dt>
            <dd data-bad={isBad || undefined}>{value.toLocaleString('en-US')}</dd>
          </div>
        ))}
      </dl>
      {result.ErrorCount > 0 ? (
        <>
          <p className={classes.error} role="alert">
            {result.ErrorRows > 0
              ? words('imports.hasErrors', { count: result.ErrorRows })
              : words('imports.fileErrors')}{' '}
            {result.ErrorCount > result.Errors.length &&
              words('imports.errorsTold', { count: result.Errors.length.toLocaleString('en-US') })}
          </p>
          <div className={classes.errors} data-many={result.Errors.length > shortList || undefined}>
            <Grid
              id="import-errors"
              label={words('imports.errors')}
              columns={columns}
              rows={result.Errors.map((error, key) => ({ ...error, key }))}
              rowKey={({ key }) => key}
              framed
              height={result.Errors.length > shortList ? 'fill' : 'auto'}
              noColumnChoice
            />
          </div>
        </>
      ) : (
        <p className={classes.good}>
          <IconCircleCheck size={18} stroke={1.75} aria-hidden style={{ color: 'var(--p-approved)' }} />
          {words(changes === 0 ? 'imports.nothingToDo' : 'imports.noErrors')}
        </p>
      )}
      <ValueMatching kind={kind} result={result} values={values} onChange={setValues} />
      {isPeople && result.Added > 0 && (
        <Checkbox
          label={words('imports.sendLinks')}
          checked={sendsLinks}
          onChange={(event) => setSendsLinks(event.currentTarget.checked)}
        />
      )}
      <div className={classes.verbs}>
        <Button variant="default" onClick={props.onBack}>
          {words('imports.back')}
        </Button>
        <Button variant="default" onClick={props.onFile}>
          {words('imports.otherFile')}
        </Button>
        <DownloadRefused result={result} file={file} />
        {isStale ? (
          <Button className={classes.end} loading={props.isBusy} onClick={() => props.onCheck(values)}>
            {words('imports.checkAgain')}
          </Button>
        ) : (
          <Why
            reason={
              changes === 0 && words(result.ErrorCount > 0 ? 'imports.noneLeft' : 'imports.nothingToDo')
            }
          >
            <Button className={classes.end} loading={props.isBusy} onClick={() => props.onRun(sendsLinks)}>
              {words(result.ErrorRows > 0 ? 'imports.runOthers' : 'imports.run', {
                count: result.Added + result.Changed + result.Unchanged,
              })}
            </Button>
          </Why>
        )}
      </div>
    </>
  )
}

/** The rows with errors as a file, to be fixed and imported again. */
function DownloadRefused({ result, file }: { result: ImportResult; file: File }) {
  const words = useWords()
  if (result.Refused.length === 0) return null
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} stroke={1.75} aria-hidden />}
      onClick={() =>
        saveText(
          `${words('imports.download')}-${file.name.replace(/\.csv$/i, '')}.csv`,
          refusedAsCsv(result, words('imports.message')),
        )
      }
    >
      {words('imports.downloadErrors', { count: result.Refused.length })}
    </Button>
  )
}

function RunningStep({ file, done, all }: { file: string; done: number; all: number }) {
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
    </>
  )
}

function DoneStep(props: {
  kind: ImportKind
  step: Extract<Step, { name: 'done' }>
  onAgain: () => void
  onUndo: () => void
}) {
  const { kind, step } = props
  const words = useWords()
  const navigate = usePageNavigate()
  const { Added, Changed, Unchanged, ErrorRows } = step.result
  const told = [
    words('imports.doneAdded', { count: Added }),
    Changed > 0 && words('imports.doneChanged', { count: Changed }),
    Unchanged > 0 && words('imports.doneUnchanged', { count: Unchanged }),
    ErrorRows > 0 && words('imports.doneErrors', { count: ErrorRows }),
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
        <Button onClick={() => navigate(kindTexts[kind].page, { search: kindTexts[kind].search })}>
          {words(kindTexts[kind].see)}
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

const statusTags: Record<ImportRun['Status'], { status: Status; word: WordKey }> = {
  running: { status: 'pending', word: 'imports.statusRunning' },
  done: { status: 'approved', word: 'imports.statusDone' },
  failed: { status: 'rejected', word: 'imports.statusFailed' },
  stopped: { status: 'careful', word: 'imports.statusStopped' },
  undone: { status: 'review', word: 'imports.statusUndone' },
}

function History(props: {
  history: ReturnType<typeof useHistory>
  page: number
  onPage: (page: number) => void
  onUndo: (run: ImportRun) => void
}) {
  const { history, page } = props
  const words = useWords()
  const zone = useTimeZone()
  const total = history.data?.Total ?? 0
  const figure = (id: 'Rows' | 'Added' | 'Changed' | 'Unchanged', key: WordKey): GridColumn<ImportRun> => ({
    id,
    header: words(key),
    width: 92,
    align: 'end',
    cell: (run) => run[id].toLocaleString('en-US'),
  })
  const columns: GridColumn<ImportRun>[] = [
    { id: 'FileName', header: words('imports.file'), identity: true, minWidth: 150 },
    {
      id: 'CreateDate',
      header: words('imports.date'),
      width: 150,
      cell: (run) => formatInstant(run.CreateDate, zone),
    },
    figure('Rows', 'imports.rows'),
    figure('Added', 'imports.added'),
    figure('Changed', 'imports.changed'),
    figure('Unchanged', 'imports.unchanged'),
    { id: 'CreateBy', header: words('imports.by'), width: 120 },
    {
      id: 'Status',
      header: words('imports.status'),
      width: 120,
      text: (run) => words(statusTags[run.Status].word),
      cell: (run) => (
        <StatusTag status={statusTags[run.Status].status}>
          {run.Status === 'running'
            ? words('imports.progress', {
                done: run.DoneRows.toLocaleString('en-US'),
                all: run.Rows.toLocaleString('en-US'),
              })
            : words(statusTags[run.Status].word)}
        </StatusTag>
      ),
    },
  ]
  return (
    <section className={classes.history} aria-label={words('imports.history')}>
      <h2>{words('imports.history')}</h2>
      <Grid
        id="imports"
        label={words('imports.history')}
        columns={columns}
        rows={history.data?.Items}
        rowKey={(run) => run.Id}
        error={history.error?.message}
        onRetry={() => void history.refetch()}
        empty={{ text: words('imports.historyEmpty') }}
        height="auto"
        framed
        noColumnChoice
        actions={(run) => [
          {
            label: words('imports.undo'),
            icon: <IconArrowBackUp size={16} stroke={1.75} />,
            onRun: () => props.onUndo(run),
            reason: run.Status !== 'done' && words('imports.notUndoable'),
          },
        ]}
      />
      <Pager page={page} pageSize={historyPageSize} total={total} onPage={props.onPage} />
    </section>
  )
}
