import { useEffect, useState } from 'react'
import { cleanEmail } from '#contract/communication/emails.ts'
import { toBase64 } from '#contract/core/fields.ts'
import { pageAddress } from '#web/api/root.ts'
import { useRead } from '#web/api/use-call.ts'
import { Button } from '#web/ui/buttons.ts'
import { Html } from '#web/ui/Html.tsx'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { useWords } from '#web/words/use-words.ts'
import { readEmail, removeEmail } from './email-store.ts'
import classes from './emails.module.css'

/** The composed email as it would be sent, outside the shell. It is shown once. */
export function EmailPreviewPage() {
  const words = useWords()
  const [email] = useState(readEmail)
  useEffect(removeEmail, [])
  const [place, setPlace] = useState(1)
  const cleaned = useRead(
    cleanEmail,
    {
      body: {
        body: toBase64(email?.body ?? ''),
        subject: email?.subject ?? '',
        place,
        ...(email?.selection && { selection: email.selection }),
      },
    },
    { isEnabled: email !== undefined },
  )
  const { data } = cleaned
  const recipient = data?.Recipient
  return (
    <div className={classes.apart}>
      <Page
        standalone
        inset
        title={words('emails.previewTitle')}
        actions={
          <Button
            component="a"
            href={pageAddress('admin/emails')}
            variant="default"
            // Opened in its own window, it ends with that window.
            onClick={() => window.opener && window.close()}
          >
            {words('emails.closePreview')}
          </Button>
        }
      >
        {!email && (
          <PageMessage
            kind="empty"
            text={words('emails.previewGone')}
            detail={words('emails.previewGoneDetail')}
            next={<a href={pageAddress('admin/emails')}>{words('emails.title')}</a>}
          />
        )}
        {email && (
          <div className={classes.recipient}>
            <p>
              <small>{words('emails.subject')}</small>
              <b>{(data?.Subject ?? email.subject) || words('emails.noSubject')}</b>
            </p>
          </div>
        )}
        {data?.Problem && (
          <p className={classes.refusal} role="alert">
            {data.Problem}
          </p>
        )}
        {recipient && (
          <div className={classes.recipient}>
            <p role="status">
              <b>{words('emails.previewFor', { name: recipient.Name })}</b>
              <small>{recipient.EmailAddress}</small>
              {data.Recipients > 1 && (
                <small>
                  {words('emails.previewPlace', {
                    place: recipient.Place.toLocaleString('en-US'),
                    count: data.Recipients.toLocaleString('en-US'),
                  })}
                </small>
              )}
            </p>
            {data.Recipients > 1 && (
              <Button.Group>
                <Button
                  variant="default"
                  disabled={recipient.Place === 1}
                  onClick={() => setPlace(recipient.Place - 1)}
                >
                  {words('emails.previewBack')}
                </Button>
                <Button
                  variant="default"
                  disabled={recipient.Place === data.Recipients}
                  onClick={() => setPlace(recipient.Place + 1)}
                >
                  {words('emails.previewNext')}
                </Button>
              </Button.Group>
            )}
          </div>
        )}
        {data && data.Missing.length > 0 && (
          <ul className={classes.missing}>
            {data.Missing.map(({ Field, Says, Recipients }) => (
              <li key={Field}>
                {words('emails.missing', { count: Recipients, field: `{{${Field}}}`, says: Says })}
              </li>
            ))}
          </ul>
        )}
        {email && !email.body && <p>{words('emails.noBody')}</p>}
        {cleaned.error && (
          <PageMessage kind="error" text={cleaned.error.message} onRetry={() => void cleaned.refetch()} />
        )}
        {data && <Html html={data.Html} className={classes.emailText} />}
      </Page>
    </div>
  )
}
