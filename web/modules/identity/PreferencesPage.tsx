import type { AnswerOf } from '#contract/core/endpoint.ts'
import { readsLanguages } from '#contract/core/levels.ts'
import { getPreferences, mutableEmails, savePreferences } from '#contract/identity/preferences.ts'
import { isLanguage, languageNames, languages } from '#contract/language/language.ts'
import { pushKindsFor } from '#contract/push/push.ts'
import { getLeftMenu } from '#contract/session/session.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useMay, useUser } from '#web/api/use-state.ts'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { useMantineColorScheme } from '#web/ui/base.ts'
import { CheckField } from '#web/ui/form/CheckField.tsx'
import { Form, FormActions, FormSection, FullWidth } from '#web/ui/form/Form.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { type FieldProps, useEditForm } from '#web/ui/form/use-edit-form.ts'
import { later } from '#web/ui/later.tsx'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import type { WordKey } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'

type Kept = AnswerOf<typeof getPreferences>

const PushSection = later(() => import('./PushSection.tsx').then((m) => m.PushSection))
const OwnDetails = later(() => import('./OwnDetails.tsx').then((m) => m.OwnDetails))

/** Preferences: what one may set for oneself. */
export function PreferencesPage() {
  const preferences = useRead(getPreferences, {}, { keepsLast: false })
  if (preferences.error) {
    return <ReadProblem read={preferences} />
  }
  if (!preferences.data) return null
  return <PreferencesForm kept={preferences.data} />
}

const emailWords: Record<string, WordKey> = {
  PLACEMENT_made: 'account.emailShiftsAdded',
  PLACEMENT_changed: 'account.emailShiftsChanged',
  PLACEMENT_removed: 'account.emailShiftsRemoved',
  SHIFT_swap: 'account.emailShiftSwap',
  SHIFT_open: 'account.emailShiftOpen',
  SHIFT_change_asked: 'account.emailShiftRequests',
  SITE_list_answered: 'account.emailSiteLists',
  SITE_places_answered: 'account.emailSitePlaces',
  TIME_unmatched: 'account.emailUnmatched',
  TIME_missed: 'account.emailMissed',
  TIME_approved: 'account.emailTimeApproved',
  TIME_change_decided: 'account.emailTimeChangeDecided',
  TIME_change_asked: 'account.emailTimeChangeAsked',
  EVALUATION_due: 'account.emailEvaluation',
  EVALUATION_late: 'account.emailEvaluationLate',
  INBOX_weekly: 'account.emailInbox',
  EVALUATION_completed: 'account.emailEvaluationCompleted',
  EVALUATION_low_score: 'account.emailLowScore',
  REQUIREMENT_expiring: 'account.emailRequirement',
  DOCUMENT_added: 'account.emailDocument',
  ANNOUNCEMENT_published: 'account.emailAnnouncement',
  REPORT_weekly: 'account.emailWeeklyReport',
}

function PreferencesForm({ kept }: { kept: Kept }) {
  const words = useWords()
  const { AccessLevel } = useUser()
  const may = useMay()
  const isStaff = may('admin-shell.use')
  // In the list of people.
  const mayChangeSelf = may('people.write')
  const menu = useRead(getLeftMenu, {}, { isEnabled: isStaff, staleMs: 300_000 })
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const save = useSave(savePreferences, { refresh: [getPreferences] })
  const emails = mutableEmails.filter(({ isFor }) => isFor(AccessLevel))
  const form = useEditForm<Record<string, string | boolean | null>>({
    initialValues: {
      StartPage: kept.StartPage || 'home',
      Language: kept.Language ?? 'browser',
      IsMenuShown: kept.IsMenuShown,
      ...Object.fromEntries(emails.map(({ Label }) => [Label, !kept.MutedEmails.includes(Label)])),
    },
    draftKey: 'preferences',
    save: (values) =>
      save.run(
        {
          body: {
            StartPage: values.StartPage === 'home' ? '' : String(values.StartPage ?? ''),
            IsMenuShown: values.IsMenuShown === true,
            Language: isLanguage(values.Language) ? values.Language : null,
            MutedEmails: emails.filter(({ Label }) => values[Label] === false).map(({ Label }) => Label),
          },
        },
        { basedOn: kept },
      ),
  })
  // A page has one language for as long as it lives.
  const saved = () =>
    form.values.Language === (kept.Language ?? 'browser')
      ? toast.done(words('account.preferencesSaved'))
      : location.reload()
  const pages = (menu.data?.Items ?? [])
    .flatMap((item) => [item, ...item.SubMenuItems])
    .filter(({ Url }) => Url !== '#' && Url !== '/new/admin/home')
  const check = (name: string) => form.field(name) as FieldProps<boolean>
  return (
    <Page title={words('shell.preferences')} actions={<FormActions form={form} onSaved={saved} />} inset>
      <Form form={form} onSaved={saved}>
        <FormSection name={words('shell.appearance')} purpose={words('account.appearancePurpose')}>
          <SelectField
            label={words('shell.appearance')}
            required
            options={[
              { value: 'auto', label: words('shell.system') },
              { value: 'light', label: words('shell.light') },
              { value: 'dark', label: words('shell.dark') },
            ]}
            name="Appearance"
            value={colorScheme}
            onChange={(scheme) => setColorScheme((scheme ?? 'auto') as typeof colorScheme)}
          />
        </FormSection>
        {readsLanguages(AccessLevel) && (
          <FormSection name={words('account.language')} purpose={words('account.languagePurpose')}>
            <SelectField
              label={words('account.language')}
              required
              options={[
                { value: 'browser', label: words('account.languageOfBrowser') },
                ...languages.map((each) => ({ value: each, label: languageNames[each] })),
              ]}
              {...(form.field('Language') as FieldProps<string | null>)}
            />
          </FormSection>
        )}
        {isStaff && (
          <FormSection name={words('account.startSection')} purpose={words('account.startPurpose')}>
            <SelectField
              label={words('account.startPage')}
              required
              options={[
                { value: 'home', label: words('account.startHome') },
                ...pages.map(({ Url, Name }) => ({ value: Url, label: Name })),
              ]}
              {...(form.field('StartPage') as FieldProps<string | null>)}
            />
            <FullWidth>
              <CheckField label={words('account.menuShown')} {...check('IsMenuShown')} />
            </FullWidth>
          </FormSection>
        )}
        {emails.length > 0 && (
          <FormSection name={words('account.emailsSection')} purpose={words('account.emailsPurpose')}>
            {emails.map(({ Label }) => (
              <FullWidth key={Label}>
                <CheckField label={words(emailWords[Label]!)} {...check(Label)} />
              </FullWidth>
            ))}
          </FormSection>
        )}
      </Form>
      {!mayChangeSelf && <OwnDetails />}
      {pushKindsFor(AccessLevel).length > 0 && <PushSection />}
    </Page>
  )
}
