import { useCallback, useState } from 'react'
import { examScopes } from '#contract/competencies/exam-rules.ts'
import {
  createExaminers,
  type ExaminerEntry,
  getExaminer,
  listExaminerAccounts,
  listExaminers,
  updateExaminer,
} from '#contract/competencies/examiners.ts'
import { CallError, call } from '#web/api/call.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { useSchedulingOptions } from '#web/shared/use-scheduling-options.ts'
import type { OptionSearch } from '#web/ui/choice/use-options.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DialogActions } from '#web/ui/DialogActions.tsx'
import { DateField } from '#web/ui/form/DateField.tsx'
import { MultiSelectField } from '#web/ui/form/MultiSelectField.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { Problem } from '#web/ui/Problem.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './exams.module.css'

/** A person of a roster: credential, email, what they examine, and the account that is theirs. A new one at several sites at once. */
export function ExaminerDialog({
  entry,
  onClose,
}: {
  entry: ExaminerEntry | undefined
  onClose: () => void
}) {
  const words = useWords()
  const programId = useProgramId()
  const params = { programId, examinerId: entry?.Id ?? 0 }
  const basis = useRead(getExaminer, { params }, { isEnabled: entry !== undefined })
  const refresh = { refresh: [listExaminers, getExaminer] }
  const create = useSave(createExaminers, refresh)
  const update = useSave(updateExaminer, refresh)
  const [sites, setSites] = useState<string[]>([])
  const [values, setValues] = useState({
    FirstName: entry?.FirstName ?? '',
    LastName: entry?.LastName ?? '',
    EmailAddress: entry?.EmailAddress ?? '',
    Credential: entry?.Credential ?? 'R.T.(R)',
    CredentialNumber: entry?.CredentialNumber ?? '',
    ExpiresOn: entry?.ExpiresOn ?? null,
    Examines: entry?.Examines ?? ('all' as const),
    AccountId: entry?.AccountId ?? null,
  })
  const [problem, setProblem] = useState<CallError>()
  const found = useSchedulingOptions('site', sites.map(Number))
  const searchAccounts = useCallback<OptionSearch>(
    async (text, page) => {
      const { Items, PageSize } = await call(listExaminerAccounts, {
        params: { programId },
        query: { search: text, page: page + 1, pageSize: 50 },
      })
      return {
        options: Items.map(({ Id, Name, Email }) => ({ value: String(Id), label: Name, detail: Email })),
        hasMore: Items.length === PageSize,
      }
    },
    [programId],
  )
  const set = (part: Partial<typeof values>) => setValues({ ...values, ...part })
  const errorOf = (field: string) => problem?.Errors?.find(({ Field }) => Field === field)?.Message
  const text = (name: 'FirstName' | 'LastName' | 'EmailAddress' | 'Credential' | 'CredentialNumber') => ({
    name,
    value: values[name],
    onChange: (value: string) => set({ [name]: value }),
    ...(errorOf(name) && { error: errorOf(name) }),
  })
  const isComplete =
    [values.FirstName, values.LastName, values.EmailAddress, values.Credential].every(
      (value) => value.trim() !== '',
    ) &&
    (entry !== undefined || sites.length > 0)
  const save = async () => {
    try {
      if (entry) await update.run({ params, body: values }, { basedOn: basis.data ?? entry })
      else await create.run({ params: { programId }, body: { SiteIds: sites.map(Number), ...values } })
      toast.done(words('exams.didSave'))
      onClose()
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setProblem(error)
    }
  }
  return (
    <Dialog
      opened
      stayOnOutsideClick
      onClose={onClose}
      title={words(entry ? 'exams.editExaminer' : 'exams.newExaminer')}
      subtitle={entry?.Site}
      actions={
        <DialogActions
          verb={words('exams.save')}
          onCancel={onClose}
          onRun={() => void save()}
          isRunning={create.isRunning || update.isRunning}
          isDisabled={!isComplete}
        />
      }
    >
      <div className={classes.fields}>
        {!entry && (
          <MultiSelectField
            label={words('exams.sites')}
            name="SiteIds"
            required
            search={found.search}
            chosenLabels={found.chosenLabels}
            value={sites}
            onChange={setSites}
          />
        )}
        <TextField label={words('exams.firstName')} required maxLength={50} {...text('FirstName')} />
        <TextField label={words('exams.lastName')} required maxLength={50} {...text('LastName')} />
        <TextField
          label={words('exams.email')}
          description={words('exams.emailHint')}
          required
          maxLength={255}
          {...text('EmailAddress')}
        />
        <TextField label={words('exams.credential')} required maxLength={50} {...text('Credential')} />
        <TextField label={words('exams.number')} maxLength={50} {...text('CredentialNumber')} />
        <DateField
          label={words('exams.expires')}
          name="ExpiresOn"
          value={values.ExpiresOn}
          onChange={(ExpiresOn) => set({ ExpiresOn })}
        />
        <SelectField
          label={words('exams.examines')}
          name="Examines"
          required
          options={examScopes.map((value) => ({
            value,
            label: words(value === 'all' ? 'exams.examinesAll' : 'exams.examinesCare'),
          }))}
          value={values.Examines}
          onChange={(value) => set({ Examines: value === 'patient-care' ? 'patient-care' : 'all' })}
        />
        <SelectField
          label={words('exams.account')}
          description={words('exams.accountHint')}
          name="AccountId"
          clearable
          placeholder={words('exams.noAccount')}
          search={searchAccounts}
          {...(entry?.Account && { chosenLabel: entry.Account })}
          value={values.AccountId === null ? null : String(values.AccountId)}
          onChange={(value) => set({ AccountId: value === null ? null : Number(value) })}
          {...(errorOf('AccountId') && { error: errorOf('AccountId') })}
        />
        <Problem text={problem?.message} />
      </div>
    </Dialog>
  )
}
