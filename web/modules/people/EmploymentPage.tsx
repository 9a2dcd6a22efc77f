import type { AnswerOf } from '#contract/core/endpoint.ts'
import {
  type EmploymentStatus,
  employmentStatuses,
  getOwnEmployment,
  hasEmployer,
  saveOwnEmployment,
} from '#contract/people/employment.ts'
import { PageRedirect } from '#web/api/navigate.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useMay } from '#web/api/use-state.ts'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { formatDate } from '#web/ui/dates.ts'
import { CheckField } from '#web/ui/form/CheckField.tsx'
import { DateField } from '#web/ui/form/DateField.tsx'
import { Form, FormActions, FormSection, FullWidth } from '#web/ui/form/Form.tsx'
import { required } from '#web/ui/form/rules.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'

/** Employment Information: what students and alumni tell about their work. For others it is no page. */
export function EmploymentPage() {
  return useMay()('employment.own') ? <Own /> : <PageRedirect to="/not-found" />
}

function Own() {
  const own = useRead(getOwnEmployment, {}, { keepsLast: false })
  if (own.error) return <ReadProblem read={own} />
  if (!own.data) return null
  return <EmploymentForm own={own.data} />
}

function EmploymentForm({ own }: { own: AnswerOf<typeof getOwnEmployment> }) {
  const kept = own.Employment
  const words = useWords()
  const save = useSave(saveOwnEmployment, { refresh: [getOwnEmployment] })
  const form = useEditForm({
    initialValues: {
      Status: (kept?.Status ?? null) as string | null,
      Employer: kept?.Employer ?? '',
      Position: kept?.Position ?? '',
      StartDate: kept?.StartDate ?? null,
      Credential: kept?.Credential ?? '',
      MayContact: kept?.MayContact ?? false,
    },
    rules: {
      Status: required(),
      Employer: (value: string, values: { Status: string | null }) =>
        hasEmployer(values.Status ?? '') && !value.trim() ? words('identity.required') : null,
    },
    draftKey: 'employment',
    save: (values) =>
      save.run({ body: { ...values, Status: values.Status as EmploymentStatus } }, { basedOn: own }),
  })
  const saved = () => toast.done(words('employment.saved'))
  return (
    <Page
      title={words('employment.ownTitle')}
      intro={words('employment.ownPurpose')}
      actions={<FormActions form={form} onSaved={saved} />}
      inset
    >
      <Form form={form} onSaved={saved}>
        <FormSection
          name={words('employment.now')}
          purpose={kept ? words('employment.savedOn', { date: formatDate(kept.UpdatedOn) }) : ''}
        >
          <SelectField
            label={words('employment.status')}
            required
            options={employmentStatuses.map((value) => ({ value, label: words(`employment.${value}`) }))}
            {...form.field('Status')}
          />
        </FormSection>
        {hasEmployer(form.values.Status ?? '') && (
          <FormSection name={words('employment.jobSection')} purpose={words('employment.jobPurpose')}>
            <TextField
              label={words('employment.employer')}
              required
              maxLength={255}
              autoComplete="organization"
              {...form.field('Employer')}
            />
            <TextField
              label={words('employment.position')}
              maxLength={255}
              autoComplete="organization-title"
              {...form.field('Position')}
            />
            <DateField label={words('employment.start')} {...form.field('StartDate')} />
          </FormSection>
        )}
        <FormSection
          name={words('employment.credentialSection')}
          purpose={words('employment.credentialPurpose')}
        >
          <TextField
            label={words('employment.credential')}
            hint={words('employment.credentialHint')}
            maxLength={255}
            {...form.field('Credential')}
          />
          <FullWidth>
            <CheckField label={words('employment.mayContact')} {...form.field('MayContact')} />
          </FullWidth>
        </FormSection>
      </Form>
    </Page>
  )
}
