import { IconCircleCheck } from '@tabler/icons-react'
import { useState } from 'react'
import type { Importable } from '#contract/core/import-fields.ts'
import type { ImportError, ImportResult } from '#contract/imports/imports.ts'
import type { ValueMapping } from '#contract/imports/imports-rules.ts'
import { Button } from '#web/ui/buttons.ts'
import { DisabledReason } from '#web/ui/DisabledReason.tsx'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Checkbox } from '#web/ui/inputs.ts'
import type { WordKey } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import { DownloadRefused } from './DownloadRefused.tsx'
import type { Step } from './import-steps.ts'
import classes from './imports.module.css'
import { ValueMatching } from './ValueMatching.tsx'

/** More errors than this scroll in their own box. */
const shortList = 8

/** What the import would do, before it is run. */
export function PreviewStep(props: {
  importable: Importable
  step: Extract<Step, { name: 'preview' }>
  isBusy: boolean
  onBack: () => void
  onFile: () => void
  onCheck: (values: ValueMapping) => void
  onRun: (sendLinks: boolean) => void
}) {
  const { importable, step } = props
  const { result, file } = step
  const words = useWords()
  const [sendsLinks, setSendsLinks] = useState(false)
  const [values, setValues] = useState(step.values)
  const isStale = JSON.stringify(values) !== JSON.stringify(step.values)
  const changes = result.Added + result.Changed
  const columns: GridColumn<ImportError & { key: number }>[] = [
    { id: 'Row', header: words('imports.row'), width: 90, align: 'end' },
    { id: 'Column', header: words('imports.column'), width: 170 },
    { id: 'Message', header: words('imports.message'), identity: true, text: ({ Message }) => Message },
  ]
  const changeColumns: GridColumn<ImportResult['Changes'][number] & { key: number }>[] = [
    { id: 'Row', header: words('imports.row'), width: 90, align: 'end' },
    { id: 'Name', header: words('imports.name'), identity: true },
    { id: 'Column', header: words('imports.column'), width: 170 },
    { id: 'Before', header: words('imports.before') },
    { id: 'After', header: words('imports.after') },
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
              rows={result.Errors.map((row, key) => ({ ...row, key }))}
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
      {result.WarningRows > 0 && (
        <>
          <p role="status">{words('imports.hasWarnings', { count: result.WarningRows })}</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long list scrolls by keyboard too */}
          <section className={classes.warnings} tabIndex={0} aria-label={words('imports.warnings')}>
            <table className={classes.mapping}>
              <thead>
                <tr>
                  <th scope="col" style={{ width: 70 }}>
                    {words('imports.row')}
                  </th>
                  <th scope="col" style={{ width: 140 }}>
                    {words('imports.column')}
                  </th>
                  <th scope="col">{words('imports.message')}</th>
                </tr>
              </thead>
              <tbody>
                {result.Warnings.map(({ Row, Column, Message }) => (
                  <tr key={`${Row} ${Column} ${Message}`}>
                    <td>{Row}</td>
                    <td>{Column}</td>
                    <td>{Message}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        </>
      )}
      {result.AddedNames.length > 0 && (
        <>
          <p>
            {words('imports.hasAdded', { count: result.Added })}{' '}
            {result.Added > result.AddedNames.length &&
              words('imports.errorsTold', { count: result.AddedNames.length.toLocaleString('en-US') })}
          </p>
          <div className={classes.errors} data-many={result.AddedNames.length > shortList || undefined}>
            <Grid
              id="import-added"
              label={words('imports.addedNames')}
              columns={[{ id: 'Name', header: words('imports.name'), identity: true }]}
              rows={result.AddedNames.map((Name, key) => ({ Name, key }))}
              rowKey={({ key }) => key}
              framed
              height={result.AddedNames.length > shortList ? 'fill' : 'auto'}
              noColumnChoice
            />
          </div>
        </>
      )}
      {result.Changes.length > 0 && (
        <>
          <p>{words('imports.hasChanges', { count: result.Changes.length })}</p>
          <div className={classes.errors} data-many={result.Changes.length > shortList || undefined}>
            <Grid
              id="import-changes"
              label={words('imports.changes')}
              columns={changeColumns}
              rows={result.Changes.map((row, key) => ({ ...row, key }))}
              rowKey={({ key }) => key}
              framed
              height={result.Changes.length > shortList ? 'fill' : 'auto'}
              noColumnChoice
            />
          </div>
        </>
      )}
      <ValueMatching importable={importable} result={result} values={values} onChange={setValues} />
      {importable.addsPeople && result.Added > 0 && (
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
          <DisabledReason
            reason={
              changes === 0 && words(result.ErrorCount > 0 ? 'imports.noneLeft' : 'imports.nothingToDo')
            }
          >
            <Button className={classes.end} loading={props.isBusy} onClick={() => props.onRun(sendsLinks)}>
              {words(result.ErrorRows > 0 ? 'imports.runOthers' : 'imports.run', {
                count: result.Added + result.Changed + result.Unchanged,
              })}
            </Button>
          </DisabledReason>
        )}
      </div>
    </>
  )
}
