import { getPlacementList } from '#contract/placement-lists/placement-lists.ts'
import { useRead } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { StudentLink } from '#web/shared/StudentLink.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { LeaveButton } from '#web/ui/LeaveButton.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { useWords } from '#web/words/use-words.ts'
import { periodOf } from './list-words.ts'
import classes from './placement-lists.module.css'
import { SentLines } from './SentLines.tsx'

/** One list with its students, what the site answered about each, and whether it was opened. */
export function PlacementListDialog({ listId, onClose }: { listId: number; onClose: () => void }) {
  const words = useWords()
  const programId = useProgramId()
  const list = useRead(getPlacementList, { params: { programId, listId } }, { keepsLast: false })
  const { data } = list
  return (
    <Dialog
      opened
      onClose={onClose}
      title={data?.Site ?? words('placementLists.linkTitle')}
      subtitle={data?.Rotation}
      actions={
        <LeaveButton size="lg" onClick={onClose}>
          {words('placementLists.close')}
        </LeaveButton>
      }
    >
      {list.error && <PageMessage kind="error" text={list.error.message} />}
      {data && (
        <div className={classes.fields}>
          <SentLines sent={data} />
          <ul className={classes.list}>
            {data.Items.map((student) => (
              <li key={student.StudentId}>
                <div className={classes.who}>
                  <StudentLink id={student.StudentId}>{student.Student}</StudentLink>
                  <span>{periodOf(student, words)}</span>
                  {student.Reason && <span>{student.Reason}</span>}
                </div>
                {student.IsConfirmed === null ? (
                  <StatusTag status="pending">{words('placementLists.noAnswer')}</StatusTag>
                ) : (
                  <StatusTag status={student.IsConfirmed ? 'approved' : 'rejected'}>
                    {words(student.IsConfirmed ? 'placementLists.confirmed' : 'placementLists.declined')}
                  </StatusTag>
                )}
              </li>
            ))}
          </ul>
        </div>
      )}
    </Dialog>
  )
}
