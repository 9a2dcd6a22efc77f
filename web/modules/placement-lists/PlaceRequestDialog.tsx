import {
  decidePlaceRequest,
  getPlaceRequest,
  listPlaceRequests,
} from '#contract/placement-lists/place-requests.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useMay, useProgramId, useTimeZone } from '#web/api/use-state.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { formatDate, formatInstant } from '#web/ui/dates.ts'
import { LeaveButton } from '#web/ui/LeaveButton.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { Problem } from '#web/ui/Problem.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useAttempt } from '#web/ui/use-attempt.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './placement-lists.module.css'
import { answerWords, askedOf, offerOf, placesText, requestTag, stretchOf } from './request-words.ts'
import { SentLines } from './SentLines.tsx'

/** One request with what the site offers, to accept or decline. */
export function PlaceRequestDialog({ requestId, onClose }: { requestId: number; onClose: () => void }) {
  const words = useWords()
  const programId = useProgramId()
  const zone = useTimeZone()
  const mayDecide = useMay()('place-requests.send')
  const params = { programId, requestId }
  const request = useRead(getPlaceRequest, { params }, { keepsLast: false })
  const save = useSave(decidePlaceRequest, { refresh: [listPlaceRequests, getPlaceRequest] })
  const { problem, attempt } = useAttempt()
  const { data } = request
  const decide = (IsAccepted: boolean) =>
    attempt(async () => {
      if (!data?.AnsweredAt) return
      await save.run({ params, body: { IsAccepted, AnsweredAt: data.AnsweredAt } })
      toast.done(
        words(IsAccepted ? 'placeRequests.didAccept' : 'placeRequests.didDecline', { site: data.Site }),
      )
      onClose()
    })
  const offered = data?.OfferedPlaces ?? null
  const isOpen = data?.State === 'offered' && offered !== null && mayDecide
  return (
    <Dialog
      opened
      onClose={onClose}
      title={data?.Site ?? words('placeRequests.linkTitle')}
      subtitle={
        data &&
        `${askedOf({ ...data, Shift: data.Shift ?? words('placeRequests.wholeSite') }, words)} · ${stretchOf(data.StartDate, data.EndDate)}`
      }
      actions={
        isOpen ? (
          <>
            <Button size="lg" variant="default" disabled={save.isRunning} onClick={() => void decide(false)}>
              {words('placeRequests.decline')}
            </Button>
            <Button
              size="lg"
              loading={save.isRunning}
              disabled={data.Overfull !== null}
              onClick={() => void decide(true)}
            >
              {offered === 0
                ? words('placeRequests.acceptNone')
                : words('placeRequests.accept', { places: placesText(offered, words) })}
            </Button>
          </>
        ) : (
          <LeaveButton size="lg" onClick={onClose}>
            {words('placementLists.close')}
          </LeaveButton>
        )
      }
    >
      {request.error && <PageMessage kind="error" text={request.error.message} />}
      {data && (
        <div className={classes.fields}>
          <SentLines sent={data} />
          <div className={classes.offer}>
            <div className={classes.who}>
              <span>{words('placeRequests.siteSays')}</span>
              <b>
                {data.Answer === null
                  ? words('placementLists.noAnswer')
                  : [words(answerWords[data.Answer]), offerOf(data, words, { withDates: true })]
                      .filter((part, at) => at === 0 || data.Answer !== 'no' || part === '')
                      .join(': ')}
              </b>
              {data.Words && <span>{data.Words}</span>}
              {data.AnsweredAt && <span>{formatInstant(data.AnsweredAt, zone)}</span>}
              {data.DecidedAt && (
                <span>{words('placeRequests.decided', { date: formatInstant(data.DecidedAt, zone) })}</span>
              )}
            </div>
            <StatusTag status={requestTag(data).status}>{words(requestTag(data).word)}</StatusTag>
          </div>
          {isOpen && data.Overfull && (
            <Problem
              text={words('placeRequests.overfull', {
                count: data.Overfull.Placed,
                date: formatDate(data.Overfull.Date),
              })}
            />
          )}
          {isOpen && !data.Overfull && (
            <p className={classes.quiet}>
              {data.Shift
                ? words('placeRequests.effectShift', {
                    shift: data.Shift,
                    places: placesText(offered, words).toLowerCase(),
                  })
                : words('placeRequests.effectSite', { places: placesText(offered, words).toLowerCase() })}
            </p>
          )}
          <Problem text={problem} />
        </div>
      )}
    </Dialog>
  )
}
