import { IconChevronRight, IconMinus, IconPlus } from '@tabler/icons-react'
import { maxCount, patients } from '#contract/competencies/log-rules.ts'
import type { Standing, StandingProcedure } from '#contract/competencies/procedure-logs.ts'
import { Problem } from '#web/ui/Problem.tsx'
import { useWords } from '#web/words/use-words.ts'
import { asVariant, type DraftLine, effectOf, isCounted, levelsOf } from './log-drafts.ts'
import { participationName } from './log-words.ts'
import classes from './procedure-log.module.css'
import { RadioChips } from './RadioChips.tsx'

/** One line of what is logged: count, participation, patient, and the way to everything else. */
export function LineCard(props: {
  standing: Standing
  procedure: StandingProcedure
  line: DraftLine
  lines: readonly DraftLine[]
  problem: string | undefined
  onChange: (line: DraftLine) => void
  /** One less than one takes it away. */
  onRemove: () => void
  onDetails: () => void
}) {
  const { standing, procedure, line, lines, onChange } = props
  const words = useWords()
  const levels = levelsOf(standing, procedure)
  const effect = effectOf(standing, procedure, lines)
  const variant = asVariant(standing, line)
  const name = procedure.Name
  const details = [
    line.Repeats > 0 && words('procedureLog.repeatsLine', { count: line.Repeats }),
    line.Note !== '' && words('procedureLog.note'),
    (line.PathologyId !== null || line.OtherPathology !== '') && words('procedureLog.pathology'),
  ].filter(Boolean)
  return (
    <li className={classes.line} aria-label={name}>
      <div className={classes.lineHead}>
        <div className={classes.lineName}>
          <b>{name}</b>
          {line.LevelId !== null && !isCounted(standing, procedure, line.LevelId) ? (
            <span>{words('procedureLog.notCounted')}</span>
          ) : (
            effect && (
              <span data-good={effect.kind === 'unlocks' || undefined}>
                {effect.kind === 'unlocks'
                  ? words('procedureLog.unlocks')
                  : words('procedureLog.moreUnlock', { count: effect.count })}
              </span>
            )
          )}
        </div>
        <div className={classes.stepper}>
          <button
            type="button"
            aria-label={words('procedureLog.fewer', { name })}
            onClick={() => (line.Count > 1 ? onChange({ ...line, Count: line.Count - 1 }) : props.onRemove())}
          >
            <IconMinus size={18} stroke={2} aria-hidden />
          </button>
          <output>{line.Count}</output>
          <button
            type="button"
            aria-label={words('procedureLog.more', { name })}
            disabled={line.Count >= maxCount}
            onClick={() => onChange({ ...line, Count: line.Count + 1 })}
          >
            <IconPlus size={18} stroke={2} aria-hidden />
          </button>
        </div>
      </div>
      {levels.length > 0 && (
        <RadioChips
          label={words('procedureLog.participation', { name })}
          name={`level-${line.Key}`}
          options={levels.map(({ Id, Name }) => ({ value: Id, label: participationName(words, Name) }))}
          value={line.LevelId}
          onChange={(LevelId) => onChange({ ...line, LevelId })}
        />
      )}
      <div className={classes.lineFoot}>
        <RadioChips
          isSmall
          label={words('procedureLog.patientOf', { name })}
          name={`patient-${line.Key}`}
          options={patients.map((value) => ({ value, label: words(`procedureLog.${value}`) }))}
          value={line.Patient}
          onChange={(Patient) => onChange({ ...line, Patient })}
        />
        <button
          type="button"
          className={classes.details}
          aria-label={words('procedureLog.detailsOf', { name })}
          onClick={props.onDetails}
        >
          {details.length > 0 ? details.join(' · ') : words('procedureLog.details')}
          <IconChevronRight size={16} stroke={2} aria-hidden />
        </button>
      </div>
      {variant && (
        <button type="button" className={classes.offer} onClick={() => onChange(variant.line)}>
          {words('procedureLog.countAs', { name: variant.name })}
        </button>
      )}
      <Problem text={props.problem} />
    </li>
  )
}
