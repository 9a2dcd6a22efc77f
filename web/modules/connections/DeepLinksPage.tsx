import { Button } from '#web/ui/buttons.ts'
import { Checkbox, Radio } from '#web/ui/inputs.ts'
import '#web/ui/all-styles.ts'
import { useState } from 'react'
import { answerDeepLink, type DeepLink, getDeepLink } from '#contract/connections/lti.ts'
import { type LtiPage, ltiPages } from '#contract/connections/lti-rules.ts'
import { useParams } from '#web/api/place.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { Logo } from '#web/shell/Logo.tsx'
import { attempt } from '#web/ui/attempt.ts'
import { DisabledReason } from '#web/ui/DisabledReason.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './deep-links.module.css'

/** An instructor who came from a course chooses the links that it gets. */
export function DeepLinksPage() {
  const words = useWords()
  const { guid = '' } = useParams()
  const request = useRead(getDeepLink, { params: { guid } })
  const [isSent, setSent] = useState(false)
  const title = words(isSent || request.data?.IsAnswered ? 'lti.linksSent' : 'lti.linksTitle')
  const isGone = request.error?.status === 404
  return (
    <main className={classes.page}>
      <title>{`${title} · Practicum`}</title>
      <div className={classes.paper}>
        <header>
          <Logo size={28} />
          <h1>{title}</h1>
        </header>
        {request.error ? (
          <PageMessage
            kind={isGone ? 'not-found' : 'error'}
            text={isGone ? words('lti.linksGone') : request.error.message}
            {...(!isGone && { onRetry: () => void request.refetch() })}
          />
        ) : isSent || request.data?.IsAnswered ? (
          <p role="status">{words('lti.linksSentText')}</p>
        ) : (
          request.data && <Choice guid={guid} request={request.data} onSent={() => setSent(true)} />
        )}
      </div>
    </main>
  )
}

function Choice({ guid, request, onSent }: { guid: string; request: DeepLink; onSent: () => void }) {
  const words = useWords()
  const answer = useSave(answerDeepLink)
  const [chosen, setChosen] = useState<readonly LtiPage[]>([])
  const { Platform: platform, AcceptsMultiple } = request
  const Tick = AcceptsMultiple ? Checkbox : Radio
  const toggle = (page: LtiPage) => {
    if (!AcceptsMultiple) setChosen([page])
    else setChosen(chosen.includes(page) ? chosen.filter((one) => one !== page) : [...chosen, page])
  }
  const send = (pages: readonly LtiPage[]) =>
    attempt(async () => {
      const { Address } = await answer.run({ params: { guid }, body: { Pages: [...pages] } })
      if (Address) location.replace(Address)
      else onSent()
    })
  return (
    <>
      <p>{words(AcceptsMultiple ? 'lti.linksIntro' : 'lti.linksOne', { platform })}</p>
      <fieldset className={classes.choices}>
        <legend className={classes.legend}>{words('lti.links')}</legend>
        {ltiPages.map((page) => (
          <Tick
            key={page}
            name="Pages"
            value={page}
            label={words(`lti.page.${page}`)}
            description={words(`lti.pageHint.${page}`)}
            checked={chosen.includes(page)}
            onChange={() => toggle(page)}
          />
        ))}
      </fieldset>
      <div className={classes.actions}>
        <Button variant="default" disabled={answer.isRunning} onClick={() => void send([])}>
          {words('ui.cancel')}
        </Button>
        <DisabledReason reason={chosen.length === 0 && words('lti.chooseFirst')}>
          <Button loading={answer.isRunning} onClick={() => void send(chosen)}>
            {words('lti.send', { count: chosen.length })}
          </Button>
        </DisabledReason>
      </div>
    </>
  )
}
