import { getGlobals } from '#contract/session/session.ts'
import { type FileSettings, getFileSettings, saveFileSettings } from '#contract/settings/global-settings.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { CheckField } from '#web/ui/form/CheckField.tsx'
import { Form, FormActions, FormSection, FullWidth } from '#web/ui/form/Form.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './settings.module.css'

/** Global Settings: what holds for the whole installation. */
export function GlobalSettingsPage() {
  const settings = useRead(getFileSettings, {}, { keepsLast: false, staleMs: 0 })
  if (settings.error) return <ReadProblem read={settings} />
  return settings.data ? <SettingsForm settings={settings.data} /> : null
}

function SettingsForm({ settings }: { settings: FileSettings }) {
  const words = useWords()
  const save = useSave(saveFileSettings, { refresh: [getFileSettings, getGlobals] })
  const form = useEditForm({
    initialValues: settings,
    draftKey: 'file-settings',
    save: (values) => save.run({ body: values }, { basedOn: settings }),
  })
  const saved = () => toast.done(words('settings.saved'))
  return (
    <Page
      title={words('settings.globalTitle')}
      actions={<FormActions form={form} onSaved={saved} saveLabel={words('settings.save')} />}
      inset
    >
      <Form form={form} onSaved={saved}>
        <FormSection name={words('settings.security')} purpose={words('settings.securityPurpose')}>
          <FullWidth>
            <CheckField
              label={words('settings.csrf')}
              description={words('settings.csrfDetail')}
              {...form.field('EnableAntiForgery')}
            />
          </FullWidth>
          {!form.values.EnableAntiForgery && (
            <FullWidth>
              <p className={classes.careful} role="note">
                {words('settings.csrfOff')}
              </p>
            </FullWidth>
          )}
        </FormSection>
      </Form>
    </Page>
  )
}
