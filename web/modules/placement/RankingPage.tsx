import { Button } from '@mantine/core'
import { IconClock, IconPlus } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import {
  getOwnRanking,
  listOwnPlacement,
  type OwnRanking,
  type RankedSite,
  saveOwnRanking,
} from '#contract/placement/own-placement.ts'
import { useParams } from '#web/api/place.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useTimeZone } from '#web/api/use-state.ts'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { attempt } from '#web/ui/attempt.ts'
import { formatInstant } from '#web/ui/dates.ts'
import { TextAreaField } from '#web/ui/form/TextAreaField.tsx'
import { Page } from '#web/ui/Page.tsx'
import { SortableList } from '#web/ui/SortableList.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './placement.module.css'
import { milesText, rankText } from './placement-words.ts'

const saveAfterMs = 500

/** Where a student ranks the sites of a plan: by tapping in order, or by dragging. */
export function RankingPage() {
  const words = useWords()
  const { planId = '' } = useParams()
  const ranking = useRead(getOwnRanking, { params: { planId: Number(planId) } })
  if (!ranking.data)
    return <Page title={words('placement.own')}>{ranking.error && <ReadProblem read={ranking} />}</Page>
  return <Ranking key={ranking.data.PlanId} ranking={ranking.data} />
}

function Ranking({ ranking }: { ranking: OwnRanking }) {
  const words = useWords()
  const timeZone = useTimeZone()
  const [order, setOrder] = useState(ranking.SiteIds)
  const [reason, setReason] = useState(ranking.Reason)
  const [state, setState] = useState<'saved' | 'saving' | 'failed'>('saved')
  const save = useSave(saveOwnRanking, { refresh: [listOwnPlacement] })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const waiting = useRef<() => void>(undefined)
  const sites = new Map(ranking.Sites.map((site) => [site.SiteId, site]))
  const isOpen = ranking.State === 'open'
  // What was pressed right before the page is left is saved as well.
  useEffect(() => () => waiting.current?.(), [])

  const send = async (SiteIds: readonly number[], Reason: string, IsSubmitted: boolean) => {
    clearTimeout(timer.current)
    waiting.current = undefined
    setState('saving')
    const isSaved = await attempt(
      () =>
        save.run({
          params: { planId: ranking.PlanId },
          body: { SiteIds: [...SiteIds], Reason, IsSubmitted },
        }),
      words('placement.notSaved'),
    )
    setState(isSaved ? 'saved' : 'failed')
    return isSaved
  }
  const keep = (next: readonly number[], nextReason = reason) => {
    setOrder([...next])
    setReason(nextReason)
    setState('saving')
    clearTimeout(timer.current)
    waiting.current = () => void send(next, nextReason, false)
    timer.current = setTimeout(waiting.current, saveAfterMs)
  }
  const submit = async () => {
    if (await send(order, reason, true)) toast.done(words('placement.receipt'))
  }
  const others = ranking.Sites.filter(({ SiteId }) => !order.includes(SiteId))
  const isFull = order.length >= ranking.MostRanks
  return (
    <Page title={words('placement.own')} inset>
      <div className={classes.ranking}>
        <div>
          <p className={classes.hint}>{ranking.Plan}</p>
          <h2>{words('placement.where')}</h2>
        </div>
        <p className={classes.when}>
          <IconClock size={15} stroke={2} aria-hidden />{' '}
          {[
            ranking.State === 'open'
              ? words('placement.ownOpen', { when: formatInstant(ranking.ClosesAt, timeZone) })
              : words(ranking.State === 'ahead' ? 'placement.isAhead' : 'placement.isClosed'),
            ranking.Points > 0 && words('placement.youHave', { count: ranking.Points }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        {ranking.Instructions && <p className={classes.hint}>{ranking.Instructions}</p>}
        <p className={classes.label}>{words('placement.yourOrder')}</p>
        <div className={classes.panel}>
          {order.length === 0 ? (
            <p className={classes.hint} style={{ padding: '14px 0' }}>
              {words('placement.nothingRanked')}
            </p>
          ) : isOpen ? (
            <SortableList
              label={words('placement.yourOrder')}
              onOrder={(keys) => keep(keys.map(Number))}
              entries={order.flatMap((id, index) => {
                const site = sites.get(id)
                return site
                  ? [
                      {
                        key: String(id),
                        label: site.Site,
                        content: (
                          <button
                            type="button"
                            className={classes.site}
                            aria-label={words('placement.removeSite', { name: site.Site })}
                            onClick={() => keep(order.filter((each) => each !== id))}
                          >
                            <span className={classes.number}>{index + 1}</span>
                            <SiteLines site={site} />
                          </button>
                        ),
                      },
                    ]
                  : []
              })}
            />
          ) : (
            <ul>
              {order.flatMap((id, index) => {
                const site = sites.get(id)
                return site
                  ? [
                      <li key={id} className={`${classes.site} ${classes.plain}`}>
                        <span className={classes.number}>{index + 1}</span>
                        <SiteLines site={site} />
                      </li>,
                    ]
                  : []
              })}
            </ul>
          )}
        </div>
        {isOpen && others.length > 0 && (
          <>
            <p className={classes.label}>
              {isFull
                ? words('placement.rankedAll')
                : words('placement.addRank', { rank: rankText(words, order.length + 1) })}
            </p>
            <div className={classes.panel}>
              <ul aria-label={words('placement.otherSites')}>
                {others.map((site) => (
                  <li key={site.SiteId} className={classes.plain}>
                    <button
                      type="button"
                      className={classes.site}
                      disabled={isFull}
                      aria-label={words('placement.addSite', { name: site.Site })}
                      onClick={() => keep([...order, site.SiteId])}
                    >
                      <span className={`${classes.number} ${classes.plus}`}>
                        <IconPlus size={16} aria-hidden />
                      </span>
                      <SiteLines site={site} />
                    </button>
                  </li>
                ))}
              </ul>
            </div>
          </>
        )}
        {isOpen && (
          <>
            <TextAreaField
              name="reason"
              label={words('placement.reasonLabel')}
              description={words('placement.reasonHint')}
              maxLength={500}
              value={reason}
              onChange={(text) => keep(order, text)}
            />
            <Button
              size="lg"
              disabled={order.length === 0}
              loading={save.isRunning}
              onClick={() => void submit()}
            >
              {words('placement.submit', { count: order.length })}
            </Button>
            <p className={classes.state} role="status">
              {state === 'saving'
                ? words('placement.saving')
                : state === 'failed'
                  ? words('placement.notSaved')
                  : words('placement.savedAsYouGo')}
            </p>
          </>
        )}
      </div>
    </Page>
  )
}

function SiteLines({ site }: { site: RankedSite }) {
  const words = useWords()
  const facts = [
    site.Miles === null ? site.City : milesText(site.Miles),
    ...site.Offers,
    site.EarlierCount > 0 && words('placement.earlier', { count: site.EarlierCount }),
  ]
  return (
    <span>
      <b>{site.Site}</b>
      <small>{facts.filter(Boolean).join(' · ')}</small>
    </span>
  )
}
