import type { AnswerOf } from '#contract/core/endpoint.ts'
import { changeEmail, getOwnEmail } from '#contract/identity/identity.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { Form, FormActions, FormSection, FullWidth } from '#web/ui/form/Form.tsx'
import { all, required, validEmail } from '#web/ui/form/rules.ts'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { Page } from '#web/ui/Page.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'

/** Change/Confirm Email: the address counts when the link mailed to it was opened. */
export function ChangeEmailPage() {
  const email = useRead(getOwnEmail, {}, { keepsLast: false })
  if (email.error) return <ReadProblem read={email} />
  if (!email.data) return null
  return <EmailForm email={email.data} />
}

function EmailForm({ email }: { email: AnswerOf<typeof getOwnEmail> }) {
  const words = useWords()
  const change = useSave(changeEmail, { refresh: [getOwnEmail] })
  const form = useEditForm({
    initialValues: { EmailAddress: email.EmailAddress },
    rules: {
      EmailAddress: all(required(), validEmail()),
    },
    save: (body) => change.run({ body }),
  })
  const isOther = form.values.EmailAddress.trim().toLowerCase() !== email.EmailAddress.toLowerCase()
  const saved = () => {
    toast.done({
      title: words('account.confirmMailed', { email: form.values.EmailAddress.trim() }),
      detail: words('account.confirmMailedDetail'),
    })
    form.restart({ EmailAddress: email.EmailAddress })
  }
  return (
    <Page
      title={words('shell.changeEmail')}
      actions={
        <FormActions
          form={form}
          onSaved={saved}
          saveLabel={words(isOther ? 'account.mailToNew' : 'account.mailToConfirm')}
          always={!email.IsConfirmed}
        />
      }
      inset
    >
      <Form form={form} onSaved={saved}>
        <FormSection name={words('account.email')} purpose={words('account.emailPurpose')}>
          <FullWidth>
            {email.IsConfirmed ? (
              <StatusTag status="approved">{words('account.isConfirmed')}</StatusTag>
            ) : (
              <StatusTag status="review">{words('account.isNotConfirmed')}</StatusTag>
            )}
            {email.PendingEmailAddress && (
              <p>{words('account.pendingEmail', { email: email.PendingEmailAddress })}</p>
            )}
          </FullWidth>
          <TextField
            label={words('account.email')}
            type="email"
            autoComplete="email"
            maxLength={255}
            required
            {...form.field('EmailAddress')}
          />
        </FormSection>
      </Form>
    </Page>
  )
}
