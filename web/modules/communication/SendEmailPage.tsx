import { IconEye, IconMailForward, IconSend } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import {
  type EmailAttachment,
  type EmailStatus,
  emailMessages,
  getEmailFields,
  sendEmails,
  splitCopies,
  UserType,
} from '#contract/communication/emails.ts'
import { mergeFields, problemOfMerge } from '#contract/communication/merge-rules.ts'
import { listScheduledEmails } from '#contract/communication/scheduled-emails.ts'
import { isEmail, toBase64 } from '#contract/core/fields.ts'
import { CallError } from '#web/api/call.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { usePlace } from '#web/api/place.ts'
import { pageAddress } from '#web/api/root.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useAppState, useMay, useTimeZone, useUser } from '#web/api/use-state.ts'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { RedirectHome } from '#web/shell/RedirectHome.tsx'
import { Button } from '#web/ui/buttons.ts'
import { DateField } from '#web/ui/form/DateField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { TimeField } from '#web/ui/form/TimeField.tsx'
import { type FieldError, useEditForm } from '#web/ui/form/use-edit-form.ts'
import { Page } from '#web/ui/Page.tsx'
import { RichText } from '#web/ui/RichText.tsx'
import { useWords } from '#web/words/use-words.ts'
import { Attachments } from './Attachments.tsx'
import { type Choice, hasAnybody, instantAt, selectionOf } from './email-selection.ts'
import { storeEmail } from './email-store.ts'
import classes from './emails.module.css'
import { MailServerNote, useMailServer } from './MailServerNote.tsx'
import { MergeFieldsNote } from './MergeFieldsNote.tsx'
import type { Picked } from './PeopleField.tsx'
import { RecipientsPanel } from './RecipientsPanel.tsx'
import { SavedTexts } from './SavedTexts.tsx'
import type { SendResult } from './SendStatusPage.tsx'

/** Send email: to groups, to people picked by name, or with `i` to one person. */
export function SendEmailPage() {
  const mayOpen = useMay()('mail.send')
  const [{ i }] = useAddress({ i: null as number | null })
  const fields = useRead(
    getEmailFields,
    { params: { userId: i ?? 0 } },
    { isEnabled: i !== null && mayOpen, keepsLast: false },
  )
  const server = useMailServer(mayOpen)
  if (!mayOpen) return <RedirectHome />
  // What is said of it comes above the form, which would move away from a press.
  if (server.isPending) return null
  if (i === null) return <Composer key="many" individual={null} />
  if (fields.error) return <ReadProblem read={fields} />
  return fields.data ? <Composer key={i} individual={{ id: i, ...fields.data }} /> : null
}

const nobody: Choice = {
  groups: [],
  levels: [],
  cohorts: [],
  sites: [],
  picked: [],
  programs: [],
  hasPayments: false,
}

/** What another screen hands over with the navigation: whom to write to, what about, and where to go back. */
type HandedOver = SendResult & { recipients?: Picked[]; subject?: string; body?: string }

interface Individual {
  id: number
  Name: string
  EmailAddress: string
}

function Composer({ individual }: { individual: Individual | null }) {
  const words = useWords()
  const user = useUser()
  const zone = useTimeZone()
  const navigate = usePageNavigate()
  const { data: state } = useAppState()
  const programId = user.isSuperAdmin ? null : (state?.ProgramId ?? null)
  const context = { individualId: individual?.id ?? null, programId }
  const handedOver = usePlace().state as HandedOver
  const send = useSave(sendEmails, { refresh: [listScheduledEmails] })
  const [previewAddress, setPreviewAddress] = useState<string>()
  const refusal = useRef<HTMLDivElement>(null)
  // The same email sent twice, after an answer that got lost, is sent once.
  const attempt = useRef({ text: '', key: '' })

  const form = useEditForm({
    initialValues: {
      sender: user.isSuperAdmin ? '' : user.EmailAddress,
      carbonCopyRecipients: '',
      subject: handedOver.subject ?? '',
      body: handedOver.body ?? '',
      attachments: [] as EmailAttachment[],
      sendDate: null as string | null,
      sendTime: null as string | null,
      choice: {
        ...nobody,
        ...(user.isSuperAdmin && { groups: [UserType.ProgramDirectors] }),
        ...(handedOver.recipients && { groups: [], picked: handedOver.recipients }),
      } as Choice,
    },
    rules: {
      sender: (value: string) => (isEmail(value) ? null : emailMessages.sender),
      carbonCopyRecipients: (value: string) => (splitCopies(value) ? null : emailMessages.copies),
      subject: (value: string) => (value.trim() ? problemOfMerge(value) : emailMessages.subject),
      body: problemOfMerge,
      sendDate: (value: string | null, { sendTime }: { sendTime: string | null }) =>
        sendTime && !value ? words('emails.chooseDate') : null,
      sendTime: (value: string | null, { sendDate }: { sendDate: string | null }) =>
        sendDate && !value ? words('emails.chooseTime') : null,
      choice: (value: Choice) => (hasAnybody(value, context) ? null : emailMessages.nobody),
    },
    // People picked on another screen are not mixed with a draft for others.
    ...(!handedOver.recipients && { draftKey: `email-${user.Id}-${individual?.id ?? 0}` }),
    save: async ({
      choice,
      carbonCopyRecipients,
      body,
      attachments,
      sendDate,
      sendTime,
      ...rest
    }): Promise<FieldError[] | undefined> => {
      const input = {
        ...selectionOf(individual ? nobody : choice, context),
        sender: rest.sender.trim(),
        subject: rest.subject.trim(),
        body: toBase64(body),
        carbonCopyRecipients: splitCopies(carbonCopyRecipients) ?? [],
        attachmentIds: attachments.map(({ Id }) => Id),
        ...(sendDate && sendTime && { sendAfter: instantAt(sendDate, sendTime, zone) }),
      }
      const text = JSON.stringify(input)
      if (attempt.current.text !== text) attempt.current = { text, key: crypto.randomUUID() }
      try {
        const statuses = await send.run({ body: input }, { idempotencyKey: attempt.current.key })
        attempt.current = { text: '', key: '' }
        if (statuses.length === 0) return [{ Field: 'choice', Message: words('emails.nobodyThere') }]
        leave(statuses)
        return undefined
      } catch (error) {
        if (error instanceof CallError && error.Errors?.length) throw error
        if (error instanceof CallError && error.status === 422)
          return [{ Field: 'choice', Message: error.message }]
        return [{ Field: 'send', Message: words('emails.failed', { reason: (error as Error).message }) }]
      }
    },
  })

  const leave = (statuses: EmailStatus[]) => {
    const returnUrl = handedOver.returnUrl ?? location.pathname + location.search
    navigate('/admin/emails/send-status', { state: { statuses, returnUrl } satisfies SendResult })
  }
  useEffect(() => {
    if (form.refusals > 0) refusal.current?.focus()
  }, [form.refusals])

  const store = () => {
    const { subject, body } = form.values
    const chosen = individual ? nobody : form.values.choice
    const selection = hasAnybody(chosen, context) ? selectionOf(chosen, context) : undefined
    return storeEmail({ subject, body, selection })
  }
  const preview = () => {
    const address = pageAddress(store())
    setPreviewAddress(address)
    window.open(address, '_blank', 'noopener')
  }
  const { choice } = form.values
  const problems = Object.entries(form.errors)
  return (
    <Page
      title={words('emails.title')}
      actions={
        <>
          <Button
            component="a"
            href={pageAddress('admin/emails/sent')}
            variant="default"
            leftSection={<IconMailForward size={17} stroke={1.75} aria-hidden />}
          >
            {words('emails.sentTitle')}
          </Button>
          <Button
            variant="default"
            onClick={preview}
            leftSection={<IconEye size={17} stroke={1.75} aria-hidden />}
          >
            {words('emails.preview')}
          </Button>
          <Button
            loading={form.isSaving}
            onClick={() => void form.submit()}
            leftSection={<IconSend size={17} stroke={1.75} aria-hidden />}
          >
            {words('emails.send')}
          </Button>
        </>
      }
      {...(!individual && {
        aside: (
          <RecipientsPanel
            choice={choice}
            onChange={(next) => form.set('choice', next)}
            programId={programId}
            error={form.errors.choice}
          />
        ),
      })}
      inset
    >
      <div className={classes.form}>
        <MailServerNote />
        {problems.length > 0 && (
          <div ref={refusal} className={classes.refusal} role="alert" tabIndex={-1}>
            {!form.errors.send && <b>{words('emails.check')}</b>}
            <ul>
              {problems.map(([name, message]) => (
                <li key={name}>{message}</li>
              ))}
            </ul>
          </div>
        )}
        {form.isDraft && form.changed.length > 0 && (
          <div className={classes.draft} role="status">
            {words('emails.restored')}
            <button type="button" className={classes.link} onClick={form.reset}>
              {words('emails.discard')}
            </button>
          </div>
        )}
        {previewAddress && (
          <div className={classes.draft} role="status">
            {words('emails.previewOpened')}
            <a href={previewAddress} target="_blank" rel="noopener" className={classes.link} onClick={store}>
              {words('emails.openPreview')}
            </a>
          </div>
        )}
        <TextField
          label={words('emails.from')}
          type="email"
          required={!form.values.sender.trim()}
          maxLength={255}
          {...(!user.isSuperAdmin && {
            lockedBecause: words(user.EmailAddress ? 'emails.ownAddress' : 'emails.noOwnAddress'),
          })}
          {...form.field('sender')}
        />
        {individual && (
          <dl className={classes.to}>
            <dt>{words('emails.to')}</dt>
            <dd>
              <b>{individual.Name}</b>
              <span>{individual.EmailAddress || words('emails.noAddress')}</span>
            </dd>
          </dl>
        )}
        <TextField
          label={words('emails.cc')}
          hint={words('emails.ccHint')}
          maxLength={5_000}
          {...form.field('carbonCopyRecipients')}
        />
        {state?.ProgramId && (
          <SavedTexts
            programId={state.ProgramId}
            written={{ subject: form.values.subject, body: form.values.body }}
            onChange={({ subject, body }) => {
              form.set('subject', subject)
              form.set('body', body)
            }}
          />
        )}
        <TextField
          label={words('emails.subject')}
          required={!form.values.subject.trim()}
          maxLength={255}
          {...form.field('subject')}
        />
        <RichText
          label={words('emails.body')}
          value={form.values.body}
          onChange={(html) => form.set('body', html)}
          fields={mergeFields.map(({ Name, Note }) => ({ label: Note, insert: `{{${Name}}}` }))}
          height={380}
          {...(form.errors.body && { error: form.errors.body })}
        />
        <MergeFieldsNote />
        <Attachments
          files={form.values.attachments}
          onChange={(files) => form.set('attachments', files)}
          error={form.errors.attachmentIds}
        />
        <div className={classes.later}>
          <DateField
            label={words('emails.sendDate')}
            hint={words('emails.sendLaterHint')}
            {...form.field('sendDate')}
          />
          <TimeField label={words('emails.sendTime')} {...form.field('sendTime')} />
        </div>
      </div>
    </Page>
  )
}
