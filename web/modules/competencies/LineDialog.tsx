import { type ReactNode, useState } from 'react'
import { maxCount, patients } from '#contract/competencies/log-rules.ts'
import type {
  LogContext,
  LogLine,
  Standing,
  StandingProcedure,
} from '#contract/competencies/procedure-logs.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextAreaField } from '#web/ui/form/TextAreaField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { Problem } from '#web/ui/Problem.tsx'
import { useWords } from '#web/words/use-words.ts'
import { levelsOf, movedTo } from './log-drafts.ts'
import { participationName } from './log-words.ts'
import classes from './procedure-log.module.css'
import { RadioChips } from './RadioChips.tsx'
import { whyPrivate } from './why-private.ts'

const texts = ['RepeatReason', 'Radiographer', 'OtherPathology', 'Note'] as const

type AnyLine = Omit<LogLine, 'Patient'> & { Patient: LogLine['Patient'] | null }

/** Everything that a line may say. What looks like a record number or a date of birth is refused before it leaves the device. */
export function LineDialog<Line extends AnyLine>(props: {
  title: string
  standing: Standing
  procedure: StandingProcedure
  context: Pick<LogContext, 'Pathology' | 'Pathologies'>
  line: Line
  /** With it procedure, count and participation are in the dialog too. */
  isWhole?: boolean
  problem?: string | undefined
  isSaving?: boolean
  doneLabel: string
  more?: ReactNode
  children?: ReactNode
  onDone: (line: Line) => void
  onClose: () => void
}) {
  const { standing, context } = props
  const words = useWords()
  const [line, setLine] = useState(props.line)
  const procedure = standing.Procedures.find(({ Id }) => Id === line.ProcedureId) ?? props.procedure
  const [isTold, setTold] = useState(false)
  const set = (part: Partial<AnyLine>) => setLine((before) => ({ ...before, ...part }))
  const needsReason = line.Repeats > 0 && line.RepeatReason.trim() === ''
  const problems: Record<string, string | undefined> = Object.fromEntries(
    texts.map((field) => [field, whyPrivate(line[field])]),
  )
  if (isTold && needsReason) problems.RepeatReason ??= words('procedureLog.repeatReasonNeeded')
  const field = <F extends keyof AnyLine & string>(name: F) => ({
    name,
    value: line[name],
    onChange: (value: AnyLine[F]) => set({ [name]: value } as Partial<AnyLine>),
    ...(problems[name] !== undefined && { error: problems[name] }),
  })
  const own = context.Pathologies.filter(({ ProcedureId }) => ProcedureId === procedure.Id)
  const levels = levelsOf(standing, procedure)
  const list = standing.List
  const done = () => {
    setTold(true)
    if (needsReason || texts.some((name) => whyPrivate(line[name]))) return
    props.onDone(line)
  }
  return (
    <Dialog
      opened
      onClose={props.onClose}
      stayOnOutsideClick
      title={props.title}
      subtitle={words('procedureLog.patientNote')}
      actions={
        <>
          {props.more}
          <Button size="lg" loading={props.isSaving ?? false} onClick={done}>
            {props.doneLabel}
          </Button>
        </>
      }
    >
      <div className={classes.fields}>
        {props.isWhole && (
          <>
            <SelectField
              label={words('procedureLog.procedure')}
              name="ProcedureId"
              required
              options={standing.Procedures.map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
              chosenLabel={props.title}
              value={String(line.ProcedureId)}
              onChange={(value) => setLine((before) => movedTo(standing, before, Number(value)))}
            />
            <NumberField
              label={words('procedureLog.count')}
              name="Count"
              min={1}
              max={maxCount}
              value={line.Count}
              onChange={(value) => set({ Count: Math.min(maxCount, Math.max(1, value ?? 1)) })}
            />
            {levels.length > 0 && (
              <RadioChips
                label={words('procedureLog.participation', { name: procedure.Name })}
                name="dialog-level"
                options={levels.map(({ Id, Name }) => ({ value: Id, label: participationName(words, Name) }))}
                value={line.LevelId}
                onChange={(LevelId) => set({ LevelId })}
              />
            )}
          </>
        )}
        <RadioChips
          label={words('procedureLog.patientOf', { name: procedure.Name })}
          name="dialog-patient"
          options={patients.map((value) => ({ value, label: words(`procedureLog.${value}`) }))}
          value={line.Patient}
          onChange={(Patient) => set({ Patient })}
        />
        {list && (
          <p className={classes.quiet}>
            {words('procedureLog.pediatricMeans', { age: list.PediatricMaxAge })}{' '}
            {words(
              list.GeriatricNeedsImpairment
                ? 'procedureLog.geriatricImpaired'
                : 'procedureLog.geriatricMeans',
              {
                age: list.GeriatricMinAge,
              },
            )}
          </p>
        )}
        <NumberField
          label={words('procedureLog.repeats')}
          description={words('procedureLog.repeatsHint')}
          name="Repeats"
          min={0}
          max={maxCount}
          value={line.Repeats}
          onChange={(value) => set({ Repeats: Math.min(maxCount, Math.max(0, value ?? 0)) })}
        />
        {line.Repeats > 0 && (
          <>
            <TextField
              label={words('procedureLog.repeatReason')}
              required
              maxLength={200}
              {...field('RepeatReason')}
            />
            <TextField
              label={words('procedureLog.radiographer')}
              description={words('procedureLog.radiographerHint')}
              maxLength={100}
              {...field('Radiographer')}
            />
          </>
        )}
        {context.Pathology.IsAsked !== 'off' && own.length > 0 && (
          <SelectField
            label={words('procedureLog.pathology')}
            name="PathologyId"
            options={own.map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
            value={line.PathologyId === null ? null : String(line.PathologyId)}
            onChange={(value) => set({ PathologyId: value === null ? null : Number(value) })}
          />
        )}
        {context.Pathology.IsAsked !== 'off' && context.Pathology.AllowsOther && (
          <TextField
            label={words('procedureLog.otherPathology')}
            maxLength={100}
            {...field('OtherPathology')}
          />
        )}
        <TextAreaField label={words('procedureLog.note')} rows={2} maxLength={500} {...field('Note')} />
        {props.children}
        <Problem text={props.problem} />
      </div>
    </Dialog>
  )
}
