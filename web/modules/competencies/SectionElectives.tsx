import type { CompetencyList } from '#contract/competencies/competency-lists.ts'
import { NumberInput } from '#web/ui/inputs.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './competencies.module.css'

/** The least number of electives of each section that has some, beside how many it lists. */
export function SectionElectives(props: {
  sections: CompetencyList['Sections']
  value: Record<string, number>
  onChange: (value: Record<string, number>) => void
}) {
  const { value, onChange } = props
  const words = useWords()
  const offered = props.sections.filter(
    ({ Id, ElectiveCount }) => ElectiveCount > 0 || (value[String(Id)] ?? 0) > 0,
  )
  if (offered.length === 0) return <p className={classes.quiet}>{words('competencies.noElectives')}</p>
  return (
    <fieldset className={classes.electiveFields}>
      <legend>{words('competencies.electivesBySection')}</legend>
      <div className={classes.electives}>
        {offered.map(({ Id, Name, ElectiveCount }) => {
          const needed = value[String(Id)] ?? 0
          const isTooMany = needed > ElectiveCount
          return (
            <div key={Id} className={classes.elective}>
              <span className="p-ellipsis" title={Name}>
                {Name}
              </span>
              <small data-problem={isTooMany || undefined}>
                {words('competencies.listed', { count: ElectiveCount })}
              </small>
              <NumberInput
                aria-label={words('competencies.atLeastFrom', { section: Name })}
                aria-invalid={isTooMany || undefined}
                value={needed === 0 ? '' : needed}
                placeholder="0"
                min={0}
                max={1_000}
                allowNegative={false}
                allowDecimal={false}
                hideControls
                onChange={(next) => onChange({ ...value, [String(Id)]: next === '' ? 0 : Number(next) })}
              />
            </div>
          )
        })}
      </div>
    </fieldset>
  )
}
