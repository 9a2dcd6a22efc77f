import { useState } from 'react'
import {
  createApiKey,
  defaultCallsPerMinute,
  listApiKeys,
  listKeyRights,
  maxCallsPerMinute,
} from '#contract/keys/keys.ts'
import { readIpAddress } from '#contract/settings/ip-access.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useProgramId, useUser } from '#web/api/use-state.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Form } from '#web/ui/form/Form.tsx'
import { MultiSelectField } from '#web/ui/form/MultiSelectField.tsx'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { SwitchField } from '#web/ui/form/SwitchField.tsx'
import { TextAreaField } from '#web/ui/form/TextAreaField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { LeaveButton } from '#web/ui/LeaveButton.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { useWords } from '#web/words/use-words.ts'
import { KeyShown } from './KeyShown.tsx'
import { groupedRights, rightName } from './right-words.ts'

const never = 'never'
const linesOf = (text: string): string[] =>
  text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Makes a key with some of the own rights, and shows it this once. */
export function KeyDialog({ onClose }: { onClose: () => void }) {
  const words = useWords()
  const programId = useProgramId()
  const { isSuperAdmin } = useUser()
  const rights = useRead(listKeyRights, { params: { programId } })
  const create = useSave(createApiKey, { refresh: [listApiKeys] })
  const [made, setMade] = useState<{ Name: string; Key: string }>()
  const form = useEditForm({
    initialValues: {
      Name: '',
      Rights: [] as string[],
      Networks: '',
      ExpireDays: '365' as string | null,
      CallsPerMinute: defaultCallsPerMinute as number | null,
      IsForAllPrograms: false,
    },
    rules: {
      Networks: (text) => {
        for (const line of linesOf(text)) {
          const read = readIpAddress(line)
          if ('problem' in read) return words('keys.networkProblem', { line, problem: read.problem })
        }
        return null
      },
    },
    save: async (values) => {
      setMade(
        await create.run({
          params: { programId },
          body: {
            Name: values.Name,
            // Names that the server has listed.
            Rights: values.Rights as never,
            Networks: linesOf(values.Networks),
            ExpireDays: values.ExpireDays === never ? null : Number(values.ExpireDays),
            CallsPerMinute: values.CallsPerMinute ?? defaultCallsPerMinute,
            IsForAllPrograms: values.IsForAllPrograms,
          },
        }),
      )
    },
  })
  if (made) return <KeyShown made={made} onClose={onClose} />
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('keys.makeTitle')}
      subtitle={words('keys.makePurpose')}
      stayOnOutsideClick
      actions={
        <>
          <LeaveButton onClick={onClose} />
          <Button loading={form.isSaving} onClick={() => void form.submit()}>
            {words('keys.make')}
          </Button>
        </>
      }
    >
      {rights.error && (
        <PageMessage kind="error" text={rights.error.message} onRetry={() => void rights.refetch()} />
      )}
      <Form form={form} onCancel={onClose}>
        <TextField
          label={words('keys.name')}
          placeholder={words('keys.nameExample')}
          maxLength={100}
          required
          {...form.field('Name')}
        />
        <MultiSelectField
          label={words('keys.rights')}
          description={words('keys.rightsHint')}
          required
          options={groupedRights(words, rights.data ?? []).map(({ Right, Calls, group }) => ({
            value: Right,
            label: rightName(words, Right),
            detail: words('keys.rightCalls', { right: Right, count: Calls.length }),
            group,
          }))}
          {...form.field('Rights')}
        />
        <SelectField
          label={words('keys.expiry')}
          required
          options={[
            { value: '30', label: words('keys.inDays', { count: 30 }) },
            { value: '90', label: words('keys.inDays', { count: 90 }) },
            { value: '365', label: words('keys.inYear') },
            { value: '730', label: words('keys.inTwoYears') },
            { value: never, label: words('keys.never') },
          ]}
          {...form.field('ExpireDays')}
        />
        <TextAreaField
          label={words('keys.networks')}
          description={words('keys.networksHint')}
          rows={2}
          {...form.field('Networks')}
        />
        <NumberField
          label={words('keys.limit')}
          min={1}
          max={maxCallsPerMinute}
          {...form.field('CallsPerMinute')}
        />
        {isSuperAdmin && (
          <SwitchField
            label={words('keys.forAll')}
            description={words('keys.forAllHint')}
            {...form.field('IsForAllPrograms')}
          />
        )}
      </Form>
    </Dialog>
  )
}
