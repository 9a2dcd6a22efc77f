import { IconPlus, IconX } from '@tabler/icons-react'
import { type MeasureInput, maxEnteredYears } from '#contract/graduates/effectiveness.ts'
import { measureKinds, populations, successes, targets } from '#contract/graduates/measures-rules.ts'
import { Button } from '#web/ui/buttons.ts'
import { CheckField } from '#web/ui/form/CheckField.tsx'
import { FullWidth } from '#web/ui/form/Form.tsx'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './graduates.module.css'

type MeasureFieldsProps = {
  measure: MeasureInput
  /** Its place, so that fields of several measures have names of their own. */
  number: number
  onChange: (measure: MeasureInput) => void
}

/** The fields of one measure. */
export function MeasureFields({ measure, number, onChange }: MeasureFieldsProps) {
  const words = useWords()
  const set = (more: Partial<MeasureInput>) => onChange({ ...measure, ...more })
  const name = (field: string) => `measure-${number}-${field}`
  const { Kind, Target } = measure
  const setKind = (value: string | null) => {
    const next = measureKinds.find((each) => each === value)
    if (next) set({ Kind: next, Success: successes[next][0], Population: populations[next][0] })
  }
  const allSuccesses = measureKinds.flatMap((kind) => [...successes[kind]])
  const allPopulations = measureKinds.flatMap((kind) => [...populations[kind]])
  return (
    <>
      <TextField
        name={name('name')}
        label={words('effectiveness.name')}
        required
        maxLength={100}
        error={measure.Name.trim() === '' ? words('effectiveness.nameMissing') : undefined}
        value={measure.Name}
        onChange={(Name) => set({ Name })}
      />
      <SelectField
        name={name('kind')}
        label={words('effectiveness.kind')}
        required
        options={measureKinds.map((value) => ({ value, label: words(`effectiveness.kind_${value}`) }))}
        value={Kind}
        onChange={setKind}
      />
      <SelectField
        name={name('success')}
        label={words('effectiveness.success')}
        required
        options={successes[Kind].map((value) => ({ value, label: words(`effectiveness.success_${value}`) }))}
        value={measure.Success}
        onChange={(value) => {
          const Success = allSuccesses.find((each) => each === value)
          if (Success) set({ Success })
        }}
      />
      <SelectField
        name={name('population')}
        label={words('effectiveness.population')}
        required
        options={populations[Kind].map((value) => ({
          value,
          label: words(`effectiveness.population_${value}`),
        }))}
        value={measure.Population}
        onChange={(value) => {
          const Population = allPopulations.find((each) => each === value)
          if (Population) set({ Population })
        }}
      />
      <NumberField
        name={name('window')}
        label={words('effectiveness.window')}
        description={words('effectiveness.windowHint')}
        placeholder={words('effectiveness.noEnd')}
        unit={words('effectiveness.months')}
        min={1}
        max={120}
        value={measure.WithinMonths}
        onChange={(WithinMonths) => set({ WithinMonths })}
      />
      <NumberField
        name={name('years')}
        label={words('effectiveness.yearsTogether')}
        required
        min={1}
        max={10}
        value={measure.Years}
        onChange={(Years) => set({ Years: Years ?? 1 })}
      />
      <SelectField
        name={name('target')}
        label={words('effectiveness.target')}
        required
        options={targets.map((value) => ({ value, label: words(`effectiveness.target_${value}`) }))}
        value={Target}
        onChange={(value) => {
          const next = targets.find((each) => each === value)
          if (next) set({ Target: next, Threshold: next === 'threshold' ? 75 : null })
        }}
      />
      {Target === 'threshold' && (
        <NumberField
          name={name('threshold')}
          label={words('effectiveness.threshold')}
          required
          decimals={2}
          unit=" %"
          min={0}
          max={100}
          error={measure.Threshold === null ? words('effectiveness.benchmarkMissing') : undefined}
          value={measure.Threshold}
          onChange={(Threshold) => set({ Threshold })}
        />
      )}
      <TextField
        name={name('alternative')}
        label={words('effectiveness.alternative')}
        description={words('effectiveness.alternativeHint')}
        maxLength={50}
        value={measure.Alternative}
        onChange={(Alternative) => set({ Alternative })}
      />
      <NumberField
        name={name('fewest')}
        label={words('effectiveness.fewest')}
        description={words('effectiveness.fewestHint')}
        unit={words('effectiveness.people')}
        min={0}
        max={50}
        value={measure.FewestShown}
        onChange={(FewestShown) => set({ FewestShown: FewestShown ?? 0 })}
      />
      <FullWidth>
        <CheckField
          name={name('published')}
          label={words('effectiveness.isPublished')}
          value={measure.IsPublished}
          onChange={(IsPublished) => set({ IsPublished })}
        />
      </FullWidth>
      <FullWidth>
        <Totals measure={measure} number={number} onChange={(Entered) => set({ Entered })} />
      </FullWidth>
    </>
  )
}

type YearRow = MeasureInput['Entered'][number]

const yearProblem = (
  words: Words,
  rows: readonly YearRow[],
  { Year, Numerator, Denominator, Mean }: YearRow,
): Partial<Record<keyof YearRow, string>> | undefined => {
  if (Year < 1950 || Year > 2099 || rows.filter((row) => row.Year === Year).length > 1)
    return { Year: words('effectiveness.yearOnce') }
  if (Numerator === null && Denominator === null)
    return Mean === null ? { Numerator: words('effectiveness.bothOrMean') } : undefined
  if (Numerator === null || Denominator === null)
    return { [Numerator === null ? 'Numerator' : 'Denominator']: words('effectiveness.bothFigures') }
  return Numerator > Denominator ? { Numerator: words('effectiveness.tooMany') } : undefined
}

/** What keeps a measure from being saved, as its fields show it; undefined when nothing does. */
export const measureProblem = (words: Words, { Name, Target, Threshold, Entered }: MeasureInput) => {
  if (Name.trim() === '') return words('effectiveness.nameMissing')
  if (Target === 'threshold' && Threshold === null) return words('effectiveness.benchmarkMissing')
  for (const row of Entered) {
    const problem = yearProblem(words, Entered, row)
    if (problem) return Object.values(problem)[0]
  }
  return undefined
}

function Totals({
  measure: { Entered, Target },
  number,
  onChange,
}: {
  measure: MeasureInput
  number: number
  onChange: (rows: YearRow[]) => void
}) {
  const words = useWords()
  const add = () => {
    const latest = Math.max(new Date().getFullYear() - 1, ...Entered.map(({ Year }) => Year + 1))
    onChange([{ Year: latest, Numerator: null, Denominator: null, Mean: null }, ...Entered])
  }
  const field = (row: YearRow, index: number, key: keyof YearRow, label: string, decimals = 0) => (
    <NumberField
      name={`measure-${number}-year-${index}-${key}`}
      label={label}
      decimals={decimals}
      isPlain={key === 'Year'}
      min={0}
      max={key === 'Mean' ? 100 : 100_000}
      error={yearProblem(words, Entered, row)?.[key]}
      value={row[key]}
      onChange={(value) =>
        onChange(Entered.with(index, { ...row, [key]: key === 'Year' ? (value ?? 0) : value }))
      }
    />
  )
  return (
    <fieldset className={classes.totals}>
      <legend>{words('effectiveness.totals')}</legend>
      <p className={classes.note}>{words('effectiveness.totalsHint')}</p>
      {Entered.map((row, index) => (
        // Years change while they are typed.
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        <div key={index} className={classes.total}>
          {field(row, index, 'Year', words('effectiveness.year'))}
          {field(row, index, 'Numerator', words('effectiveness.number'))}
          {field(row, index, 'Denominator', words('effectiveness.outOf'))}
          {Target === 'mean' ? field(row, index, 'Mean', words('effectiveness.mean'), 2) : <span />}
          <Button
            variant="subtle"
            color="gray"
            aria-label={words('effectiveness.removeYear', {
              year: row.Year || words('effectiveness.newYear'),
            })}
            onClick={() => onChange(Entered.toSpliced(index, 1))}
          >
            <IconX size={16} aria-hidden />
          </Button>
        </div>
      ))}
      <div>
        <Button
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={Entered.length >= maxEnteredYears}
          onClick={add}
        >
          {words('effectiveness.addYear')}
        </Button>
      </div>
    </fieldset>
  )
}
