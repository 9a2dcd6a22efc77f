import { useState } from 'react'
import type { ProcedureMapping } from '#contract/competencies/competency-lists.ts'
import type { ListMovePreview } from '#contract/competencies/list-moves.ts'
import { attempt } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { LeaveButton } from '#web/ui/LeaveButton.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './competencies.module.css'

export interface AskedMove {
  preview: ListMovePreview
  /** Undefined where nobody is moved after all. */
  answer: (mapping: ProcedureMapping | undefined) => void
}

/** What students who get this list passed by another one, and for which of its procedures that counts. */
export function MoveDialog({
  asked,
  list,
  refresh,
}: {
  asked: AskedMove
  list: string
  /** The preview by other choices. */
  refresh: (mapping: ProcedureMapping) => Promise<ListMovePreview>
}) {
  const words = useWords()
  const [preview, setPreview] = useState(asked.preview)
  const [mapping, setMapping] = useState<ProcedureMapping>([])
  const rows = preview.Procedures.filter(({ By, Passed, Logs }) => By !== 'same' && Passed + Logs > 0)
  const same = preview.Procedures.filter(({ By }) => By === 'same').length
  const taken = new Set(preview.Procedures.flatMap(({ ToProcedureId }) => ToProcedureId ?? []))
  const losing = preview.People.filter(({ Passed, Counting }) => Counting < Passed)
  const choose = (ProcedureId: number, ToProcedureId: number | null) =>
    attempt(async () => {
      const next = [
        ...mapping.filter((row) => row.ProcedureId !== ProcedureId),
        { ProcedureId, ToProcedureId },
      ]
      setPreview(await refresh(next))
      setMapping(next)
    })
  const isLost = (row: (typeof rows)[number]) => row.ToProcedureId === null
  return (
    <Dialog
      opened
      onClose={() => asked.answer(undefined)}
      title={words('competencies.moveTitle', { count: preview.Students })}
      width={720}
      stayOnOutsideClick
      actions={
        <>
          <LeaveButton onClick={() => asked.answer(undefined)} />
          <Button onClick={() => asked.answer(mapping)}>{words('competencies.move')}</Button>
        </>
      }
    >
      <p className={classes.note}>
        <b>
          {words('competencies.moveCounts', { passed: preview.Passed, counting: preview.Counting, list })}
        </b>{' '}
        {words('competencies.moveKept')}
      </p>
      {losing.length > 0 && (
        <details>
          <summary>{words('competencies.moveWho', { count: losing.length })}</summary>
          <ul className={classes.moveRows}>
            {losing.map(({ StudentId, Student, Passed, Counting }) => (
              <li key={StudentId}>
                <span>{Student}</span>
                <span>{words('competencies.moveOf', { counting: Counting, passed: Passed })}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {same > 0 && <p className={classes.note}>{words('competencies.moveSame', { count: same })}</p>}
      <ul className={classes.moveRows}>
        {[...rows.filter(isLost), ...rows.filter((row) => !isLost(row))].map((row) => (
          <li key={row.ProcedureId}>
            <span>
              <b>{row.Name}</b>
              <small>
                {[
                  row.MajorStudy,
                  row.List,
                  words('competencies.movePassed', { count: row.Passed }),
                  row.By === 'name' && words('competencies.moveByName'),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </small>
            </span>
            <SelectField
              name={`move-${row.ProcedureId}`}
              label={words('competencies.moveCountsFor')}
              placeholder={words('competencies.moveNothing')}
              clearable
              options={preview.Offered.filter(({ Id }) => Id === row.ToProcedureId || !taken.has(Id)).map(
                ({ Id, Name, MajorStudy }) => ({ value: String(Id), label: `${Name} (${MajorStudy})` }),
              )}
              value={row.ToProcedureId === null ? null : String(row.ToProcedureId)}
              onChange={(next) => void choose(row.ProcedureId, next === null ? null : Number(next))}
            />
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
