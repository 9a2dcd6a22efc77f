import { useState } from 'react'
import type { AnswerOf } from '#contract/core/endpoint.ts'
import type { LinkState } from '#contract/links/links.ts'
import {
  answerPlaceRequest,
  mostPlaces,
  openPlaceRequest,
  type SiteAnswerKind,
  siteAnswers,
  wordsLength,
} from '#contract/placement-lists/place-requests.ts'
import { useParams } from '#web/api/place.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { LinkGate } from '#web/shared/LinkGate.tsx'
import { LinkOutcome } from '#web/shared/LinkOutcome.tsx'
import { LinkPaper } from '#web/shared/LinkPaper.tsx'
import { Button } from '#web/ui/buttons.ts'
import { formatDate, isPast } from '#web/ui/dates.ts'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { Problem } from '#web/ui/Problem.tsx'
import { useAttempt } from '#web/ui/use-attempt.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './placement-lists.module.css'
import { askedOf, offerOf, stretchOf } from './request-words.ts'
import { StretchFields } from './StretchFields.tsx'

type Asked = AnswerOf<typeof openPlaceRequest>

/** How many students a site is asked to take, for its contact to answer: behind a link and a mailed code, without an account. */
export function PlaceRequestByLinkPage() {
  const { token = '' } = useParams()
  const words = useWords()
  return (
    <LinkGate token={token} kind="places" title={words('placeRequests.linkTitle')}>
      {(link) => <Opened token={token} link={link} />}
    </LinkGate>
  )
}

function Opened({ token, link }: { token: string; link: LinkState }) {
  const words = useWords()
  const request = useRead(openPlaceRequest, { params: { token } })
  const { data } = request
  const isOver = data?.State === 'accepted' || data?.State === 'declined'
  return (
    <LinkPaper title={words('placeRequests.linkTitle')} link={link} heading={data?.Site}>
      {request.error && !data && (
        <PageMessage kind="error" text={request.error.message} onRetry={() => void request.refetch()} />
      )}
      {data && (
        <div className={classes.fields}>
          <div>
            <p className={classes.asked}>{askedOf(data, words)}</p>
            <p>{stretchOf(data.StartDate, data.EndDate)}</p>
          </div>
          {data.Note && <p className={classes.quiet}>{data.Note}</p>}
          {isOver ? (
            <LinkOutcome
              tone={data.State === 'accepted' ? 'approved' : 'rejected'}
              text={
                data.State === 'accepted'
                  ? words('placeRequests.linkAccepted', {
                      offer: offerOf(data, words, { withDates: true }).toLowerCase(),
                    })
                  : words('placeRequests.linkDeclined')
              }
            />
          ) : (
            <AnswerForm token={token} asked={data} />
          )}
        </div>
      )}
    </LinkPaper>
  )
}

function AnswerForm({ token, asked }: { token: string; asked: Asked }) {
  const words = useWords()
  const save = useSave(answerPlaceRequest, { refresh: [openPlaceRequest] })
  const [answer, setAnswer] = useState<SiteAnswerKind | null>(asked.Answer)
  const [places, setPlaces] = useState<number | null>(asked.OfferedPlaces || null)
  const [from, setFrom] = useState<string | null>(asked.OfferedFrom)
  const [through, setThrough] = useState<string | null>(asked.OfferedThrough)
  const [said, setSaid] = useState(asked.Words)
  const [isSent, setSent] = useState(false)
  const { problem, attempt } = useAttempt()
  const choose = (next: SiteAnswerKind) => {
    setAnswer(next)
    setSent(false)
    if (next === 'fewer' && (places ?? 0) >= asked.Places) setPlaces(null)
    if (next === 'otherDates') setPlaces(places ?? asked.Places)
  }
  const texts: Record<SiteAnswerKind, string> = {
    yes:
      asked.Places === 1
        ? words('placeRequests.linkYesOne')
        : words('placeRequests.linkYes', { count: asked.Places }),
    fewer: words('placeRequests.linkFewer'),
    otherDates: words('placeRequests.linkOtherDates'),
    no: words('placeRequests.linkNo'),
  }
  const isComplete =
    answer === 'yes' ||
    answer === 'no' ||
    (answer === 'fewer' && places !== null) ||
    (answer === 'otherDates' && places !== null && from !== null && through !== null)
  const send = () =>
    attempt(async () => {
      if (answer === null) return
      await save.run({
        params: { token },
        body: {
          Answer: answer,
          Places: answer === 'fewer' || answer === 'otherDates' ? places : null,
          StartDate: answer === 'otherDates' ? from : null,
          EndDate: answer === 'otherDates' ? through : null,
          Words: said.trim(),
        },
      })
      setSent(true)
    })
  const given = offerOf(asked, words, { withDates: true })
  return (
    <>
      <p className={classes.quiet}>
        {words(isPast(asked.AnswerBy) ? 'placeRequests.linkLate' : 'placeRequests.linkIntro', {
          date: formatDate(asked.AnswerBy),
        })}
        {given && ` ${words('placeRequests.linkGiven', { offer: given })}`}
      </p>
      <fieldset className={classes.choices}>
        <legend>{words('placeRequests.linkAnswer')}</legend>
        {siteAnswers
          // One student is asked for: there is nothing fewer.
          .filter((kind) => kind !== 'fewer' || asked.Places > 1)
          .map((kind) => (
            <Button
              key={kind}
              size="lg"
              variant={answer === kind ? 'filled' : 'default'}
              aria-pressed={answer === kind}
              onClick={() => choose(kind)}
            >
              {texts[kind]}
            </Button>
          ))}
      </fieldset>
      {(answer === 'fewer' || answer === 'otherDates') && (
        <NumberField
          label={words('placeRequests.linkHowMany')}
          name="Places"
          required
          min={1}
          max={answer === 'fewer' ? asked.Places - 1 : mostPlaces}
          value={places}
          onChange={(next) => {
            setPlaces(next)
            setSent(false)
          }}
        />
      )}
      {answer === 'otherDates' && (
        <StretchFields from={from} through={through} onFrom={setFrom} onThrough={setThrough} />
      )}
      {answer !== null && (
        <TextField
          label={words('placeRequests.linkWords')}
          name="Words"
          maxLength={wordsLength}
          value={said}
          onChange={(next) => {
            setSaid(next)
            setSent(false)
          }}
        />
      )}
      <Problem text={problem} />
      <div className={classes.foot}>
        <p className={classes.quiet} role="status">
          {isSent ? words('placeRequests.linkThanks') : answer === null && words('placeRequests.linkChoose')}
        </p>
        <div className={classes.buttons}>
          <Button
            size="md"
            disabled={!isComplete || isSent}
            loading={save.isRunning}
            onClick={() => void send()}
          >
            {words('placeRequests.linkSend')}
          </Button>
        </div>
      </div>
    </>
  )
}
