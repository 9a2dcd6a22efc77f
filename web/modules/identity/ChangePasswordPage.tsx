import { useContext } from 'react'
import { changePassword } from '#contract/identity/identity.ts'
import { StateContext } from '#web/api/KnownState.tsx'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useMay, useTimeZone } from '#web/api/use-state.ts'
import { calendarCalls } from '#web/shared/calendar-feed.ts'
import { attempt } from '#web/ui/attempt.ts'
import { confirm } from '#web/ui/confirm.ts'
import { formatInstant } from '#web/ui/dates.ts'
import { Form, FormActions, FormSection } from '#web/ui/form/Form.tsx'
import { required } from '#web/ui/form/rules.ts'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'

/** The own calendar address, which opens without the password. */
const useOwnCalendar = () => {
  const words = useWords()
  const zone = useTimeZone()
  const may = useMay()
  const programId = useContext(StateContext)?.ProgramId
  const isOwn = may('schedule.own')
  const isOfSites = may('expected-students.read')
  const isOfStaff = programId && may('scheduling.read')
  const { get, end, input } = calendarCalls(
    isOfStaff ? { of: 'staff', programId } : { of: isOfSites ? 'sites' : 'own' },
  )
  const { data: feed } = useRead(get, input, { isEnabled: Boolean(isOwn || isOfSites || isOfStaff) })
  const ending = useSave(end, { refresh: [get] })
  const offerEnd = async () => {
    if (!feed) return
    const isSure = await confirm({
      title: words('account.calendarStaysTitle'),
      text: words('account.calendarStays', { when: formatInstant(feed.CreatedAt, zone) }),
      verb: words('account.calendarEnd'),
      cancel: words('account.calendarKeep'),
    })
    if (!isSure) return
    await attempt(async () => {
      await ending.run(input)
      toast.done(words('account.calendarEnded'))
    })
  }
  return { offerEnd }
}

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
  const calendar = useOwnCalendar()
  const saved = async () => {
    toast.done(words('account.changed'))
    form.restart({ OldPassword: '', Password: '', Repeat: '' })
    await calendar.offerEnd()
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
