import { useState } from 'react'
import { getAnonymousForm, saveAnonymousAnswers } from '#contract/evaluations/evaluations.ts'
import { call } from '#web/api/call.ts'
import { useParams } from '#web/api/place.ts'
import { useRead } from '#web/api/use-call.ts'
import { LinkFailure } from '#web/shared/LinkFailure.tsx'
import { Logo } from '#web/shell/Logo.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './evaluations.module.css'
import { LinkForm } from './LinkForm.tsx'

/** The form behind an anonymous link: no account, no shell, no trace of who answers. */
export function AnonymousPage() {
  const { token = '' } = useParams()
  const words = useWords()
  const [isDone, setDone] = useState(false)
  const form = useRead(
    getAnonymousForm,
    { params: { token } },
    { staleMs: Number.POSITIVE_INFINITY, isForgotten: true, isEnabled: !isDone },
  )
  return (
    <main className={classes.alone}>
      <title>{`${form.data?.Title ?? 'Practicum'} · Practicum`}</title>
      <header>
        <Logo size={28} />
        <div>
          <h1>{form.data?.Title ?? 'Practicum'}</h1>
          {form.data && <p>{[form.data.Subject, form.data.Site].filter(Boolean).join(' · ')}</p>}
        </div>
      </header>
      {isDone ? (
        <PageMessage
          kind="empty"
          text={words('evaluations.submittedTitle')}
          detail={words('evaluations.submittedText')}
        />
      ) : form.error ? (
        <LinkFailure
          error={form.error}
          over={words('evaluations.linkOver')}
          onRetry={() => void form.refetch()}
        />
      ) : (
        form.data && (
          <LinkForm
            form={form.data}
            save={(body) => call(saveAnonymousAnswers, { params: { token }, body })}
            onSubmitted={() => setDone(true)}
          />
        )
      )}
    </main>
  )
}
