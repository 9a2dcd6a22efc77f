import type { Importable } from '#contract/core/import-fields.ts'
import type { ImportResult } from '#contract/imports/imports.ts'
import type { ValueMapping } from '#contract/imports/imports-rules.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './imports.module.css'

export type ValueMatchingProps = {
  importable: Importable
  result: ImportResult
  values: ValueMapping
  onChange: (values: ValueMapping) => void
}

/** How the choice that leaves a cell empty is distinguished from no choice. */
const empty = '\u0000'

/** The values of a file that columns with a fixed set do not know, and what each of them means. */
export function ValueMatching({ importable, result, values, onChange }: ValueMatchingProps) {
  const words = useWords()
  const fields = importable.fields.filter(({ name }) => (result.Choices[name] ?? []).length > 0)
  if (fields.length === 0) return null
  const set = (field: string, text: string, to: string | null) => {
    const { [text]: _before, ...rest } = values[field] ?? {}
    onChange({ ...values, [field]: to === null ? rest : { ...rest, [text]: to } })
  }
  return (
    <section aria-label={words('imports.values')}>
      <h2 className={classes.heading}>{words('imports.values')}</h2>
      <p className={classes.quiet}>{words('imports.valuesIntro')}</p>
      {fields.map(({ name, label, isRequired }) => {
        const options = [
          ...(result.Choices[name] ?? []).map((choice) => ({ value: choice, label: choice })),
          ...(isRequired ? [] : [{ value: empty, label: words('imports.valueEmpty') }]),
        ]
        return (
          <div key={name} className={classes.values}>
            <table className={classes.mapping}>
              <caption>{label}</caption>
              <thead>
                <tr>
                  <th scope="col">{words('imports.valueTheirs')}</th>
                  <th scope="col">{words('imports.valueOurs')}</th>
                </tr>
              </thead>
              <tbody>
                {result.Values.filter(({ Field }) => Field === name).map(({ Text, Rows }, index) => {
                  const to = values[name]?.[Text]
                  return (
                    <tr key={Text}>
                      <th scope="row">
                        {Text} <small>{words('imports.valueRows', { count: Rows })}</small>
                      </th>
                      <td>
                        <SelectField
                          name={`value-${name}-${index}`}
                          label={words('imports.valueOf', { text: Text })}
                          placeholder={words('imports.valueChoose')}
                          options={options}
                          value={to === '' ? empty : (to ?? null)}
                          onChange={(next) => set(name, Text, next === empty ? '' : next)}
                        />
                      </td>
                    </tr>
                  )
                })}
              </tbody>
            </table>
          </div>
        )
      })}
    </section>
  )
}
