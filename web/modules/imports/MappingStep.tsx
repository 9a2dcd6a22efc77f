import type { Importable } from '#contract/core/import-fields.ts'
import type { ImportResult } from '#contract/imports/imports.ts'
import type { ColumnMapping, ValueMapping } from '#contract/imports/imports-rules.ts'
import { Button } from '#web/ui/buttons.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { useWords } from '#web/words/use-words.ts'
import type { Step } from './import-steps.ts'
import classes from './imports.module.css'
import { ValueMatching } from './ValueMatching.tsx'

const unreadable = (result: ImportResult): boolean => result.Columns.length === 0

/** Matches the columns of the file to our fields, and values to the fixed sets. */
export function MappingStep(props: {
  importable: Importable
  step: Extract<Step, { name: 'mapping' }>
  isBusy: boolean
  onMapping: (mapping: ColumnMapping) => void
  onValues: (values: ValueMapping) => void
  onBack: () => void
  onCheck: () => void
}) {
  const { importable, step, onMapping } = props
  const words = useWords()
  const { result, mapping, file } = step
  const fields = importable.fields
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
      <ValueMatching importable={importable} result={result} values={step.values} onChange={props.onValues} />
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
