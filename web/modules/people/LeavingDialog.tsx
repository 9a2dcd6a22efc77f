import { useState } from 'react'
import { Level } from '#contract/core/levels.ts'
import { leaveProgram, previewLeaving } from '#contract/people/leaving.ts'
import { listUsers, type UserRow } from '#contract/people/people.ts'
import { listedName } from '#contract/people/person-fields.ts'
import { queryClient, useRead, useSave } from '#web/api/use-call.ts'
import { useComeBack } from '#web/shared/use-come-back.ts'
import { attempt } from '#web/ui/attempt.ts'
import { Stack, Text } from '#web/ui/base.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DialogActions } from '#web/ui/DialogActions.tsx'
import { formatDate } from '#web/ui/dates.ts'
import { DateField } from '#web/ui/form/DateField.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './people.module.css'

/** Ends what a person does in the program: shows what happens before it does. */
export function LeavingDialog(props: { programId: number; person: UserRow; onClose: () => void }) {
  const words = useWords()
  const { programId, person, onClose } = props
  const name = `${person.FirstName} ${person.LastName}`
  const params = { programId, userId: person.Id }
  const isStudent = person.AccessLevel === Level.Student
  const [lastDay, setLastDay] = useState<string | null>()
  const [handTo, setHandTo] = useState<string | null>(null)
  const HandToId = handTo === null ? null : Number(handTo)
  const preview = useRead(previewLeaving, {
    params,
    query: { ...(lastDay && { LastDay: lastDay }), HandToId },
  })
  const chosenDay = lastDay === undefined ? (person.LeavesOn ?? preview.data?.Today) : lastDay
  const comingDay = chosenDay && preview.data && chosenDay > preview.data.Today ? chosenDay : null
  const students = useRead(
    listUsers,
    { params: { programId }, query: { AccessLevel: Level.Student } },
    { isEnabled: isStudent },
  )
  const leave = useSave(leaveProgram)
  const comeBack = useComeBack(programId)
  const run = () =>
    attempt(async () => {
      if (!chosenDay) return
      const setLastDay = async (body: { LastDay: string; HandToId: number | null }) => {
        const done = await leave.run({ params, body })
        // Shifts, evaluations and figures of theirs are on many pages.
        void queryClient.invalidateQueries()
        return done
      }
      const { LeavesOn } = await setLastDay({ LastDay: chosenDay, HandToId })
      toast.done({
        title: LeavesOn
          ? words('people.leavesToast', { name, date: formatDate(LeavesOn) })
          : words('people.left', { name }),
        undo: () =>
          person.LeavesOn && LeavesOn
            ? void attempt(() => setLastDay({ LastDay: person.LeavesOn as string, HandToId: null }))
            : void comeBack({ ...person, LeavesOn }),
      })
      onClose()
    })
  const facts = preview.data
  const lines = facts
    ? [
        comingDay && words('people.leavingComing', { name, date: formatDate(comingDay) }),
        facts.Returning > 0 && words('people.leavingReturning', { count: facts.Returning }),
        ...facts.Sites.map(({ Site, Shifts, Handed, IsListed }) =>
          [
            words('people.leavingSite', { site: Site, count: Shifts }),
            Handed > 0 && words('people.leavingHanded', { count: Handed }),
            IsListed && words('people.leavingListed'),
          ]
            .filter(Boolean)
            .join(' '),
        ),
        facts.Sites.some(({ IsTold }) => IsTold) &&
          words('people.leavingTells', { count: facts.Sites.filter(({ IsTold }) => IsTold).length }),
        ...facts.Refused.map(({ Message }) => Message),
        facts.WaitingLists > 0 && words('people.leavingWaiting', { count: facts.WaitingLists }),
        facts.ShiftRequests > 0 && words('people.leavingRequests', { count: facts.ShiftRequests }),
        facts.Evaluations > 0 && words('people.leavingEvaluations', { count: facts.Evaluations }),
        facts.PlacementPlans > 0 && words('people.leavingPlans', { count: facts.PlacementPlans }),
        words('people.leavingAccess'),
        facts.PendingRecords > 0 && words('people.leavingPending', { count: facts.PendingRecords }),
      ]
    : []
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words(person.LeavesOn ? 'people.changeLastDayOf' : 'people.leavingTitle', { name })}
      width={560}
      stayOnOutsideClick
      actions={
        <DialogActions
          verb={words(comingDay ? 'people.setLastDay' : 'people.deactivate')}
          onCancel={onClose}
          onRun={() => void run()}
          isRunning={leave.isRunning}
          isDisabled={!facts || !chosenDay}
          isDanger={!comingDay}
        />
      }
    >
      <Stack gap="md">
        <DateField
          label={words('people.lastDay')}
          name="LastDay"
          required
          {...(facts && { min: isStudent ? (facts.LastRecord ?? undefined) : facts.Today })}
          value={chosenDay ?? null}
          onChange={setLastDay}
        />
        {isStudent && (
          <SelectField
            label={words('people.handTo')}
            name="HandToId"
            options={(students.data ?? [])
              .filter(({ Id }) => Id !== person.Id)
              .map(({ Id, FirstName, LastName }) => ({
                value: String(Id),
                label: listedName({ FirstName, LastName }),
              }))}
            value={handTo}
            onChange={setHandTo}
          />
        )}
        <ul className={classes.consequences} aria-live="polite">
          {lines.map((line) => line && <li key={line}>{line}</li>)}
        </ul>
        {facts && <Text>{words('people.leavingKept')}</Text>}
      </Stack>
    </Dialog>
  )
}
