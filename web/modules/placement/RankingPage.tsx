import { IconClock, IconCopy, IconPlus } from '@tabler/icons-react'
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
import { Button } from '#web/ui/buttons.ts'
import { formatInstant } from '#web/ui/dates.ts'
import { TextAreaField } from '#web/ui/form/TextAreaField.tsx'
import { Page } from '#web/ui/Page.tsx'
import { SortableList } from '#web/ui/SortableList.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { BlockChips } from './BlockChips.tsx'
import { CopyRanksDialog } from './CopyRanksDialog.tsx'
import classes from './placement.module.css'
import { milesText, rankText } from './placement-words.ts'

const saveAfterMs = 500

/** Where a student ranks the sites of a plan, once or for each block: by tapping in order, or by dragging. */
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
  const isByBlock = ranking.RanksPer === 'block'
  /** What is ranked: once, or for each block. */
  const [lists, setLists] = useState<readonly (readonly number[])[]>(() => listsOf(ranking))
  const [block, setBlock] = useState(0)
  const [isCopying, setCopying] = useState(false)
  const order = lists[block] ?? []
  const [reason, setReason] = useState(ranking.Reason)
  const [state, setState] = useState<'saved' | 'saving' | 'failed'>('saved')
  const save = useSave(saveOwnRanking, { refresh: [listOwnPlacement] })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const waiting = useRef<() => void>(undefined)
  const sites = new Map(ranking.Sites.map((site) => [site.SiteId, site]))
  const isOpen = ranking.State === 'open'
  // What was pressed right before the page is left is saved as well.
  useEffect(() => () => waiting.current?.(), [])

  const send = async (ranked: readonly (readonly number[])[], Reason: string, IsSubmitted: boolean) => {
    clearTimeout(timer.current)
    waiting.current = undefined
    setState('saving')
    const isSaved = await attempt(
      () =>
        save.run({
          params: { planId: ranking.PlanId },
          body: {
            SiteIds: isByBlock ? [] : [...(ranked[0] ?? [])],
            BlockRankings: isByBlock
              ? ranked
                  .map((ids, Block) => ({ Block, SiteIds: [...ids] }))
                  .filter(({ SiteIds }) => SiteIds.length > 0)
              : [],
            Reason,
            IsSubmitted,
          },
        }),
      words('placement.notSaved'),
    )
    setState(isSaved ? 'saved' : 'failed')
    return isSaved
  }
  const keepAll = (next: readonly (readonly number[])[], nextReason = reason) => {
    setLists(next)
    setReason(nextReason)
    setState('saving')
    clearTimeout(timer.current)
    waiting.current = () => void send(next, nextReason, false)
    timer.current = setTimeout(waiting.current, saveAfterMs)
  }
  const keep = (next: readonly number[]) => keepAll(lists.map((each, at) => (at === block ? next : each)))
  const submit = async () => {
    if (await send(lists, reason, true)) toast.done(words('placement.receipt'))
  }
  const isThere = (id: number, at: number) => !isByBlock || (sites.get(id)?.Blocks.includes(at) ?? false)
  const copyTo = (blocks: readonly number[]) => {
    keepAll(lists.map((each, at) => (blocks.includes(at) ? order.filter((id) => isThere(id, at)) : each)))
    const isShort = blocks.some((at) => order.some((id) => !isThere(id, at)))
    toast.done({
      title: words('placement.copied', { count: blocks.length }),
      ...(isShort && { detail: words('placement.copiedShort') }),
    })
    setCopying(false)
  }
  const rankedCount = lists.filter(({ length }) => length > 0).length
  const left = lists.flatMap(({ length }, at) => (length === 0 ? [at + 1] : []))
  const others = ranking.Sites.filter(({ SiteId }) => !order.includes(SiteId) && isThere(SiteId, block))
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
        {isByBlock && <BlockChips blocks={ranking.Blocks} lists={lists} value={block} onChange={setBlock} />}
        <div className={classes.orderHead}>
          <p className={classes.label}>
            {isByBlock
              ? words('placement.orderOfBlock', { number: block + 1 })
              : words('placement.yourOrder')}
          </p>
          {isByBlock && isOpen && order.length > 0 && lists.length > 1 && (
            <Button
              variant="subtle"
              size="sm"
              leftSection={<IconCopy size={16} aria-hidden />}
              onClick={() => setCopying(true)}
            >
              {words('placement.copyRanks')}
            </Button>
          )}
        </div>
        <div className={classes.panel}>
          {order.length === 0 ? (
            <p className={classes.hint} style={{ padding: '14px 0' }}>
              {words('placement.nothingRanked')}
            </p>
          ) : isOpen ? (
            <SortableList
              key={block}
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
              onChange={(text) => keepAll(lists, text)}
            />
            <Button
              size="lg"
              disabled={rankedCount === 0}
              loading={save.isRunning}
              onClick={() => void submit()}
            >
              {isByBlock
                ? words('placement.submitBlocks', { count: rankedCount })
                : words('placement.submit', { count: order.length })}
            </Button>
            {isByBlock && left.length > 0 && (
              <p className={classes.hint}>
                {words('placement.blocksLeft', { count: left.length, blocks: left.join(', ') })}
              </p>
            )}
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
      {isCopying && (
        <CopyRanksDialog
          blocks={ranking.Blocks}
          lists={lists}
          from={block}
          onClose={() => setCopying(false)}
          onCopy={copyTo}
        />
      )}
    </Page>
  )
}

/** What is ranked, as lists: one, or one of each block. */
const listsOf = ({ RanksPer, SiteIds, BlockRankings, Blocks }: OwnRanking): number[][] =>
  RanksPer === 'plan'
    ? [SiteIds]
    : Blocks.map((_, block) => BlockRankings.find(({ Block }) => Block === block)?.SiteIds ?? [])

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
