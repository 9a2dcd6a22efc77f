import { IconBookmark, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import {
  deleteEmailText,
  type EmailText,
  listEmailTexts,
  restoreEmailText,
  saveEmailText,
} from '#contract/communication/emails.ts'
import { toBase64 } from '#contract/core/fields.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { deleteWithUndo } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DisabledReason } from '#web/ui/DisabledReason.tsx'
import { Form } from '#web/ui/form/Form.tsx'
import { required } from '#web/ui/form/rules.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './emails.module.css'

/** What an email says. */
export interface Written {
  subject: string
  body: string
}

export type SavedTextsProps = {
  programId: number
  written: Written
  onChange: (written: Written) => void
}

/** The program's saved texts: begin with one, or save what is written for the next time. */
export function SavedTexts({ programId, written, onChange }: SavedTextsProps) {
  const words = useWords()
  const params = { programId }
  const texts = useRead(listEmailTexts, { params })
  const refresh = { refresh: [listEmailTexts] }
  const remove = useSave(deleteEmailText, refresh)
  const restore = useSave(restoreEmailText, refresh)
  const [chosenId, setChosenId] = useState<string | null>(null)
  const [isSaving, setSaving] = useState(false)
  const list = texts.data ?? []
  const chosen = list.find(({ Id }) => String(Id) === chosenId)
  const use = (id: string | null) => {
    setChosenId(id)
    const text = list.find(({ Id }) => String(Id) === id)
    if (!text) return
    const before = written
    onChange({ subject: text.Subject, body: text.Html })
    if (before.subject.trim() || before.body.trim())
      toast.done({ title: words('emails.textUsed', { name: text.Name }), undo: () => onChange(before) })
  }
  const drop = (text: EmailText) => {
    const at = { params: { programId, textId: text.Id } }
    setChosenId(null)
    void deleteWithUndo({
      remove: () => remove.run(at),
      restore: () => restore.run(at),
      deleted: words('emails.textDeleted', { name: text.Name }),
      restored: words('emails.textRestored', { name: text.Name }),
    })
  }
  const isEmpty = !written.subject.trim() && !written.body.trim()
  return (
    <div className={classes.texts}>
      <SelectField
        name="saved-text"
        label={words('emails.savedText')}
        placeholder={words(texts.data?.length === 0 ? 'emails.noTexts' : 'emails.chooseText')}
        options={list.map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
        value={chosen ? chosenId : null}
        onChange={use}
      />
      <DisabledReason reason={isEmpty && words('emails.writeFirst')}>
        <Button
          variant="default"
          leftSection={<IconBookmark size={16} stroke={1.75} aria-hidden />}
          onClick={() => setSaving(true)}
        >
          {words('emails.saveText')}
        </Button>
      </DisabledReason>
      {chosen && (
        <Button
          variant="subtle"
          color="gray"
          data-quiet
          leftSection={<IconTrash size={16} stroke={1.75} aria-hidden />}
          onClick={() => drop(chosen)}
        >
          {words('emails.deleteText')}
        </Button>
      )}
      {isSaving && (
        <SaveDialog
          programId={programId}
          list={list}
          name={chosen?.Name ?? written.subject.slice(0, 100)}
          written={written}
          onClose={() => setSaving(false)}
          onSaved={({ Id }) => setChosenId(String(Id))}
        />
      )}
    </div>
  )
}

type SaveDialogProps = {
  programId: number
  list: readonly EmailText[]
  name: string
  written: Written
  onClose: () => void
  onSaved: (text: EmailText) => void
}

function SaveDialog({ programId, list, name, written, onClose, onSaved }: SaveDialogProps) {
  const words = useWords()
  const save = useSave(saveEmailText, { refresh: [listEmailTexts] })
  const isKnown = (wanted: string) =>
    list.some(({ Name }) => Name.toLowerCase() === wanted.trim().toLowerCase())
  const form = useEditForm({
    initialValues: { name },
    rules: { name: required() },
    save: async (values) =>
      onSaved(
        await save.run({
          params: { programId },
          body: {
            name: values.name.trim(),
            subject: written.subject,
            body: toBase64(written.body),
            replaces: isKnown(values.name),
          },
        }),
      ),
  })
  const saved = () => {
    toast.done(words('emails.textSaved', { name: form.values.name.trim() }))
    onClose()
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('emails.saveTextTitle')}
      summary={words(isKnown(form.values.name) ? 'emails.replacesText' : 'emails.sharedText')}
      actions={
        <Button
          loading={form.isSaving}
          onClick={async () => {
            if (await form.submit()) saved()
          }}
        >
          {words(isKnown(form.values.name) ? 'emails.replaceText' : 'emails.saveTextVerb')}
        </Button>
      }
    >
      <Form form={form} onCancel={onClose} onSaved={saved}>
        <TextField label={words('emails.textName')} required maxLength={100} {...form.field('name')} />
      </Form>
    </Dialog>
  )
}
