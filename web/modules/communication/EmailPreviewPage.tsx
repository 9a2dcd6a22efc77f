import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { cleanEmail } from '#contract/emails.ts'
import { toBase64 } from '#contract/fields.ts'
import { pageAddress } from '#web/api/root.ts'
import { useRead } from '#web/api/use-call.ts'
import { Html } from '#web/ui/Html.tsx'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { useWords } from '#web/words/use-words.ts'
import { readEmail, removeEmail } from './email-store.ts'
import classes from './emails.module.css'

/** The composed e-mail as it would be sent, outside the shell (D1-014, D1-015). It is shown once. */
export function EmailPreviewPage() {
  const words = useWords()
  const [email] = useState(readEmail)
  useEffect(removeEmail, [])
  const cleaned = useRead(
    cleanEmail,
    { body: { body: toBase64(email?.body ?? '') } },
    { isEnabled: Boolean(email?.body) },
  )
  return (
    <div className={classes.apart}>
      <Page
        standalone
        inset
        title={email ? email.subject || words('emails.noSubject') : words('emails.previewTitle')}
        actions={
          <Button
            component="a"
            href={pageAddress('admin/emails')}
            variant="default"
            // Opened in a window of its own, it ends with that window.
            onClick={() => window.opener && window.close()}
          >
            {words('emails.closePreview')}
          </Button>
        }
        {...(email && { breadcrumb: <span>{words('emails.previewTitle')}</span> })}
      >
        {!email && (
          <PageMessage
            kind="empty"
            text={words('emails.previewGone')}
            detail={words('emails.previewGoneDetail')}
            next={<a href={pageAddress('admin/emails')}>{words('emails.title')}</a>}
          />
        )}
        {email && !email.body && <p>{words('emails.noBody')}</p>}
        {cleaned.error && (
          <PageMessage kind="error" text={cleaned.error.message} onRetry={() => void cleaned.refetch()} />
        )}
        {cleaned.data && <Html html={cleaned.data.Html} className={classes.emailText} />}
      </Page>
    </div>
  )
}
