import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Level } from '#contract/core/levels.ts'
import { leaveProgram, previewLeaving, undoLeaving } from '#contract/people/leaving.ts'
import { listUsers, searchUsers, type UserRow } from '#contract/people/people.ts'
import { listedName } from '#contract/people/person-fields.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { attempt } from '#web/ui/attempt.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { formatDate } from '#web/ui/dates.ts'
import { DateField } from '#web/ui/form/DateField.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'

const refresh = { refresh: [searchUsers, listUsers] }

/** Gives back what leaving has taken, and tells what did not come back. */
export function useComeBack(programId: number) {
  const words = useWords()
  const undo = useSave(undoLeaving, refresh)
  return (person: { Id: number; FirstName: string; LastName: string }) =>
    attempt(async () => {
      const name = `${person.FirstName} ${person.LastName}`
      const { Shifts, Refused } = await undo.run({ params: { programId, userId: person.Id } })
      const lost = Refused.map(({ Site, Date: date }) => `${Site} ${formatDate(date)}`).join(', ')
      toast.done({
        title: words('people.reactivated', { name }),
        detail: [
          Shifts > 0 && words('people.shiftsBack', { count: Shifts }),
          lost && words('people.shiftsLost', { shifts: lost }),
        ]
          .filter(Boolean)
          .join(' '),
        ...(lost && { duration: 15_000 }),
      })
    })
}

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
  const chosenDay = lastDay === undefined ? preview.data?.Today : lastDay
  const students = useRead(
    listUsers,
    { params: { programId }, query: { AccessLevel: Level.Student } },
    { isEnabled: isStudent },
  )
  const leave = useSave(leaveProgram, refresh)
  const comeBack = useComeBack(programId)
  const run = () =>
    attempt(async () => {
      if (!chosenDay) return
      await leave.run({ params, body: { LastDay: chosenDay, HandToId } })
      toast.done({ title: words('people.left', { name }), undo: () => void comeBack(person) })
      onClose()
    })
  const facts = preview.data
  const lines = facts
    ? [
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
        facts.PendingRecords > 0 && words('people.leavingPending', { count: facts.PendingRecords }),
        words('people.leavingKept'),
      ]
    : []
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('people.leavingTitle', { name })}
      width={560}
      stayOnOutsideClick
      actions={
        <Button
          color="red"
          disabled={!facts || !chosenDay}
          loading={leave.isRunning}
          onClick={() => void run()}
        >
          {words('people.deactivate')}
        </Button>
      }
    >
      <Stack gap="md">
        {isStudent && (
          <>
            <DateField
              label={words('people.lastDay')}
              name="LastDay"
              required
              {...(facts && { max: facts.Today })}
              {...(facts?.LastRecord && { min: facts.LastRecord })}
              value={chosenDay ?? null}
              onChange={setLastDay}
            />
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
          </>
        )}
        <Stack gap={4} aria-live="polite">
          {lines.map((line) => line && <Text key={line}>{line}</Text>)}
        </Stack>
      </Stack>
    </Dialog>
  )
}
