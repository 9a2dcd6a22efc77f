import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import {
  addStudentNote,
  deleteStudentNote,
  listStudentChanges,
  listStudentNotes,
  restoreStudentNote,
  type StudentNote,
} from '#contract/students/students.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useTimeZone } from '#web/api/use-state.ts'
import { deleteWithUndo } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { formatInstant } from '#web/ui/dates.ts'
import { CheckField } from '#web/ui/form/CheckField.tsx'
import { Form } from '#web/ui/form/Form.tsx'
import { required } from '#web/ui/form/rules.ts'
import { TextAreaField } from '#web/ui/form/TextAreaField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { ActionIcon } from '#web/ui/icon-buttons.ts'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import type { At } from './student-lists.tsx'
import classes from './students.module.css'

const pageSize = 25
const refresh = { refresh: [listStudentNotes, listStudentChanges] }

/** What staff keep in mind about a student. Students see only what is shared. */
export function StudentNotes({ at }: { at: At }) {
  const words = useWords()
  const timeZone = useTimeZone()
  const [page, setPage] = useState(1)
  const notes = useRead(listStudentNotes, { ...at, query: { page, pageSize } })
  const add = useSave(addStudentNote, refresh)
  const remove = useSave(deleteStudentNote, refresh)
  const restore = useSave(restoreStudentNote, refresh)
  const form = useEditForm({
    initialValues: { Text: '', IsShared: false },
    rules: { Text: required() },
    draftKey: `student-note-${at.params.studentId}`,
    save: (body) => add.run({ ...at, body }),
  })
  const saved = () => {
    toast.done(words('students.noteAdded'))
    form.restart({ Text: '', IsShared: false })
    setPage(1)
  }
  const deleteIt = ({ Id }: StudentNote) => {
    const one = { params: { ...at.params, noteId: Id } }
    return deleteWithUndo({
      remove: () => remove.run(one),
      restore: () => restore.run(one),
      deleted: words('students.noteDeleted'),
      restored: words('students.noteRestored'),
    })
  }
  const total = notes.data?.Total ?? 0
  return (
    <div className={classes.part}>
      <Form form={form} onSaved={saved} onCancel={() => form.reset()}>
        <div className={classes.noteForm}>
          <TextAreaField
            label={words('students.note')}
            description={words('students.notesPurpose')}
            maxLength={2000}
            required
            {...form.field('Text')}
          />
          <CheckField label={words('students.shareNote')} {...form.field('IsShared')} />
          <Button
            loading={form.isSaving}
            onClick={async () => {
              if (await form.submit()) saved()
            }}
          >
            {words('students.addNote')}
          </Button>
        </div>
      </Form>
      {notes.error && (
        <PageMessage kind="error" text={notes.error.message} onRetry={() => void notes.refetch()} />
      )}
      {total === 0 && notes.data && <p className={classes.quiet}>{words('students.notesEmpty')}</p>}
      <ul className={classes.notes}>
        {notes.data?.Items.map((note) => {
          const date = formatInstant(note.At, timeZone)
          return (
            <li key={note.Id}>
              <div className={classes.grow}>
                <p className={classes.quiet}>
                  {[note.By, date, note.IsShared && words('students.sharedNote')].filter(Boolean).join(' · ')}
                </p>
                <p>{note.Text}</p>
              </div>
              {note.IsDeletable && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size={44}
                  aria-label={words('students.deleteNote', { date })}
                  onClick={() => void deleteIt(note)}
                >
                  <IconTrash size={17} stroke={1.75} aria-hidden />
                </ActionIcon>
              )}
            </li>
          )
        })}
      </ul>
      <Pager page={page} pageSize={pageSize} total={total} onPage={setPage} />
    </div>
  )
}
