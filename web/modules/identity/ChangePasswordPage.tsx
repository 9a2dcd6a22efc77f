import { changePassword } from '#contract/identity/identity.ts'
import { useSave } from '#web/api/use-call.ts'
import { Form, FormActions, FormSection } from '#web/ui/form/Form.tsx'
import { required } from '#web/ui/form/rules.ts'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'

/** Change one's own password; every other session ends with it. */
export function ChangePasswordPage() {
  const words = useWords()
  const change = useSave(changePassword)
  const form = useEditForm({
    initialValues: { OldPassword: '', Password: '', Repeat: '' },
    rules: {
      OldPassword: required(),
      Password: required(),
      Repeat: (value: string, values: { Password: string }) =>
        value === values.Password ? null : words('account.mismatch'),
    },
    save: ({ OldPassword, Password }) => change.run({ body: { OldPassword, Password } }),
  })
  const saved = () => {
    toast.done(words('account.changed'))
    form.restart({ OldPassword: '', Password: '', Repeat: '' })
  }
  return (
    <Page
      title={words('account.changeTitle')}
      actions={<FormActions form={form} onSaved={saved} saveLabel={words('account.change')} />}
      inset
    >
      <Form form={form} onSaved={saved}>
        <FormSection name={words('identity.password')} purpose={words('account.newPasswordHint')}>
          <TextField
            label={words('account.oldPassword')}
            type="password"
            autoComplete="current-password"
            required
            {...form.field('OldPassword')}
          />
          <span />
          <TextField
            label={words('account.newPassword')}
            type="password"
            autoComplete="new-password"
            maxLength={50}
            required
            {...form.field('Password')}
          />
          <TextField
            label={words('account.repeat')}
            type="password"
            autoComplete="new-password"
            maxLength={50}
            required
            {...form.field('Repeat')}
          />
        </FormSection>
      </Form>
    </Page>
  )
}
