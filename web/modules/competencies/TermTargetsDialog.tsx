import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import {
  getCompetencyGrid,
  getCompetencyGridHead,
  listTermTargets,
  saveTermTargets,
} from '#contract/competencies/competency-grid.ts'
import type { TermTarget } from '#contract/competencies/pace-rules.ts'
import type { AnswerOf } from '#contract/core/endpoint.ts'
import { listCohorts } from '#contract/people/people.ts'
import type { CallError } from '#web/api/call.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DateField } from '#web/ui/form/DateField.tsx'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useUnsaved } from '#web/ui/form/unsaved.ts'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { toast } from '#web/ui/toast.tsx'
import type { WordKey } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './TermTargetsDialog.module.css'

type Params = { programId: number; listId: number }
type Targets = AnswerOf<typeof listTermTargets>
type Draft = {
  key: number
  Name: string
  Cohort: string | null
  FromDate: string | null
  ThroughDate: string | null
  Exams: number | null
}

/** How many exams students of a list pass in each term; whoever is below 80 % of it is behind. */
export function TermTargetsDialog({ params, onClose }: { params: Params; onClose: () => void }) {
  const words = useWords()
  const targets = useRead(listTermTargets, { params }, { keepsLast: false })
  if (targets.data) return <TargetsForm params={params} targets={targets.data} onClose={onClose} />
  if (!targets.error) return null
  return (
    <Dialog opened onClose={onClose} title={words('competencyProgress.termTargets')}>
      <PageMessage kind="error" text={targets.error.message} onRetry={() => void targets.refetch()} />
    </Dialog>
  )
}

const problemOf = ({ Name, FromDate, ThroughDate, Exams }: Draft): WordKey | undefined => {
  if (Name.trim() === '') return 'competencyProgress.termNameMissing'
  if (FromDate === null || ThroughDate === null) return 'competencyProgress.termDatesMissing'
  if (ThroughDate < FromDate) return 'competencyProgress.termDates'
  return Exams === null || Exams < 1 ? 'competencyProgress.termExamsMissing' : undefined
}

/** A row without a problem. */
const targetOf = ({ Name, Cohort, FromDate, ThroughDate, Exams }: Draft): TermTarget => ({
  Name: Name.trim(),
  Cohort,
  FromDate: FromDate ?? '',
  ThroughDate: ThroughDate ?? '',
  Exams: Exams ?? 0,
})

function TargetsForm(props: { params: Params; targets: Targets; onClose: () => void }) {
  const { params, targets, onClose } = props
  const words = useWords()
  const cohorts = useRead(listCohorts, { params: { programId: params.programId } }, { staleMs: 60_000 })
  const save = useSave(saveTermTargets, {
    refresh: [listTermTargets, getCompetencyGrid, getCompetencyGridHead],
  })
  const [rows, setRows] = useState<Draft[]>(() => targets.Targets.map((target, key) => ({ key, ...target })))
  const [nextKey, setNextKey] = useState(rows.length)
  const [isTold, setTold] = useState(false)
  const [problem, setProblem] = useState<string>()
  const change = (key: number, part: Partial<Draft>) =>
    setRows((before) => before.map((row) => (row.key === key ? { ...row, ...part } : row)))
  const add = () => {
    setRows((before) => [
      ...before,
      { key: nextKey, Name: '', Cohort: null, FromDate: null, ThroughDate: null, Exams: null },
    ])
    setNextKey(nextKey + 1)
  }
  const known = new Set([...(cohorts.data ?? []), ...rows.flatMap(({ Cohort }) => Cohort ?? [])])
  const isChanged = JSON.stringify(rows.map(targetOf)) !== JSON.stringify(targets.Targets)
  const run = async () => {
    setTold(true)
    if (rows.some(problemOf)) return
    try {
      await save.run({ params, body: { Targets: rows.map(targetOf) } }, { basedOn: targets })
      toast.done(words('competencyProgress.termsSaved'))
      onClose()
    } catch (error) {
      setProblem((error as CallError).message)
    }
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('competencyProgress.termTargets')}
      subtitle={words('competencyProgress.termTargetsPurpose')}
      width={860}
      stayOnOutsideClick
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconPlus size={17} stroke={1.75} aria-hidden />}
            onClick={add}
          >
            {words('competencyProgress.termAdd')}
          </Button>
          <Button loading={save.isRunning} onClick={() => void run()}>
            {words('competencyProgress.termsSave')}
          </Button>
        </>
      }
    >
      <Unsaved count={isChanged && !save.isRunning ? 1 : 0} />
      {rows.length === 0 && <p className={classes.none}>{words('competencyProgress.termsNone')}</p>}
      {rows.map((row, index) => {
        const wrong = isTold && problemOf(row)
        const number = index + 1
        return (
          <fieldset key={row.key} className={classes.row}>
            <legend className="p-sr-only">{words('competencyProgress.termNameOf', { number })}</legend>
            <TextField
              name={`term-${row.key}`}
              label={words('competencyProgress.termName')}
              maxLength={100}
              value={row.Name}
              onChange={(Name) => change(row.key, { Name })}
            />
            <SelectField
              name={`cohort-${row.key}`}
              label={words('competencyProgress.termCohort')}
              placeholder={words('competencyProgress.termAllCohorts')}
              options={[...known].map((cohort) => ({ value: cohort, label: cohort }))}
              value={row.Cohort}
              onChange={(Cohort) => change(row.key, { Cohort })}
            />
            <DateField
              name={`from-${row.key}`}
              label={words('competencyProgress.termFrom')}
              value={row.FromDate}
              onChange={(FromDate) => change(row.key, { FromDate })}
            />
            <DateField
              name={`through-${row.key}`}
              label={words('competencyProgress.termThrough')}
              value={row.ThroughDate}
              onChange={(ThroughDate) => change(row.key, { ThroughDate })}
            />
            <NumberField
              name={`exams-${row.key}`}
              label={words('competencyProgress.termExams')}
              min={1}
              max={1_000}
              value={row.Exams}
              onChange={(Exams) => change(row.key, { Exams })}
            />
            <button
              type="button"
              className={classes.remove}
              aria-label={words('competencyProgress.termRemove', { name: row.Name || String(number) })}
              onClick={() => setRows((before) => before.filter(({ key }) => key !== row.key))}
            >
              <IconTrash size={17} stroke={1.75} aria-hidden />
            </button>
            {wrong && (
              <p role="alert" className={classes.wrong}>
                {words(wrong)}
              </p>
            )}
          </fieldset>
        )
      })}
      {problem && (
        <p role="alert" className={classes.wrong}>
          {problem}
        </p>
      )}
    </Dialog>
  )
}

/** The dialog asks before what was typed is lost. */
function Unsaved({ count }: { count: number }) {
  useUnsaved({ count, hasDraft: false, keys: [] })
  return null
}
