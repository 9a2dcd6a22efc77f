import { IconLock, IconLockOpen } from '@tabler/icons-react'
import { useState } from 'react'
import {
  type Draft,
  type DraftRow,
  type DraftShift,
  explainCell,
  forceCell,
  getDraft,
  listDrafts,
  lockCells,
  setCells,
  type Why,
} from '#contract/placement/drafts.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useMay, useProgramId, useTimeZone } from '#web/api/use-state.ts'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { attempt } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { formatInstant } from '#web/ui/dates.ts'
import { CloseButton } from '#web/ui/icon-buttons.ts'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import type { Place } from './DraftGrid.tsx'
import classes from './draft.module.css'
import { meanText, rankText } from './placement-words.ts'
import { SwapField } from './SwapField.tsx'

export type WhyPanelProps = {
  draft: Draft
  row: DraftRow
  place: Place
  shifts: ReadonlyMap<number, DraftShift>
  /** Absent in a dialog, which has its own. */
  onClose?: () => void
}

/** Why a student is where they are in a block, what another site would cost, and the lock of the cell. */
export function WhyPanel({ draft, row, place, shifts, onClose }: WhyPanelProps) {
  const words = useWords()
  const programId = useProgramId()
  const zone = useTimeZone()
  const mayPlan = useMay()('placement.plan')
  const [wanted, setWanted] = useState<number>()
  const params = { programId, planId: draft.PlanId, draftId: draft.Id }
  const why = useRead(explainCell, { params, query: place }, { keepsLast: false })
  const lock = useSave(lockCells, { refresh: [getDraft, listDrafts] })
  const cell = row.Cells.find(({ Block }) => Block === place.Block)
  const shift = shifts.get(cell?.SiteShiftId ?? 0)
  const isOpen = draft.State === 'queued' || draft.State === 'running'
  const toggle = () =>
    attempt(async () => {
      await lock.run({ params, body: { Cells: [place], IsLocked: !cell?.IsLocked } })
    }, words('placement.notLocked'))
  return (
    <div className={classes.why}>
      <div className={classes.whyHead}>
        <div>
          <h2>{row.Student}</h2>
          <p>
            {words('placement.block', { number: place.Block + 1 })}
            {' · '}
            {shift ? `${shift.Site}, ${shift.Shift}` : words('placement.noPlace')}
          </p>
        </div>
        {onClose && <CloseButton aria-label={words('ui.close')} onClick={onClose} />}
      </div>
      {why.error && !why.data && <ReadProblem read={why} />}
      {why.isPending && <p>{words('placement.asking')}</p>}
      {why.data && (
        <>
          {why.data.Why.length === 0 && <p>{words('placement.whyNothing')}</p>}
          <ol>
            {why.data.Why.map((reason) => (
              <Reason
                key={reason.SiteId}
                reason={reason}
                isAsked={wanted === reason.SiteId}
                onAsk={() => setWanted(reason.SiteId)}
              />
            ))}
          </ol>
          {wanted !== undefined && <Cost draft={draft} place={place} siteId={wanted} key={wanted} />}
          {mayPlan && cell && !cell.IsAccepted && !isOpen && (
            <div className={classes.acts}>
              <Button
                variant="default"
                loading={lock.isRunning}
                leftSection={
                  cell.IsLocked ? <IconLockOpen size={16} aria-hidden /> : <IconLock size={16} aria-hidden />
                }
                onClick={() => void toggle()}
              >
                {words(cell.IsLocked ? 'placement.unlock' : 'placement.lock')}
              </Button>
            </div>
          )}
          {mayPlan && !isOpen && !cell?.IsAccepted && (
            <SwapField
              draft={draft}
              place={place}
              shifts={shifts}
              key={`${place.StudentId} ${place.Block}`}
            />
          )}
          <p>{words('placement.studentSees', { text: why.data.StudentText })}</p>
          {why.data.AcceptedDate && (
            <p>{words('placement.asAccepted', { date: formatInstant(why.data.AcceptedDate, zone) })}</p>
          )}
        </>
      )}
    </div>
  )
}

function Reason({ reason, isAsked, onAsk }: { reason: Why; isAsked: boolean; onAsk: () => void }) {
  const words = useWords()
  return (
    <li data-own={reason.IsOwn || undefined}>
      <i>{reason.Rank ?? '–'}</i>
      <span>
        <b>{reason.Site}</b>
        {reason.Text}
        {reason.IsPossible && !isAsked && (
          <span className={classes.acts}>
            <Button variant="default" mt={6} onClick={onAsk}>
              {words('placement.giveAnyway')}
            </Button>
          </span>
        )}
      </span>
    </li>
  )
}

/** What it would cost to give a student a site in the block anyway, and the button that does it. */
function Cost({ draft, place, siteId }: { draft: Draft; place: Place; siteId: number }) {
  const words = useWords()
  const programId = useProgramId()
  const mayPlan = useMay()('placement.plan')
  const params = { programId, planId: draft.PlanId, draftId: draft.Id }
  const cost = useRead(forceCell, { params, query: { ...place, SiteId: siteId } }, { keepsLast: false })
  const move = useSave(setCells, { refresh: [getDraft, listDrafts, explainCell] })
  const { data } = cost
  const rank = (value: number | null) => (value === null ? '' : ` ${rankText(words, value)}`)
  const tryIt = () =>
    attempt(async () => {
      await move.run({
        params,
        body: {
          Block: place.Block,
          Cells: (data?.Moves ?? []).map(({ StudentId, SiteShiftId }) => ({ StudentId, SiteShiftId })),
        },
      })
      toast.done(words('placement.moved'))
    }, words('placement.notMoved'))
  return (
    <div className={classes.cost} aria-live="polite">
      {cost.error && <span>{cost.error.message}</span>}
      {cost.isPending && <span>{words('placement.asking')}</span>}
      {data && (
        <>
          <b>{words('placement.costTitle', { count: data.Moves.length })}</b>
          {data.Moves.map((each) => (
            <span key={each.StudentId}>
              {each.Student}: {each.From || words('placement.noPlace')}
              {rank(each.FromRank)} → {each.To || words('placement.noPlace')}
              {rank(each.ToRank)}
            </span>
          ))}
          <span>
            {data.MeanRankBefore !== null &&
              data.MeanRankAfter !== null &&
              words('placement.meanFromTo', {
                before: meanText(data.MeanRankBefore),
                after: meanText(data.MeanRankAfter),
              })}{' '}
            {words(data.Cost > 0 ? 'placement.costsMore' : 'placement.costsNothing')}
          </span>
          {mayPlan && data.Moves.length > 0 && draft.State !== 'running' && draft.State !== 'queued' && (
            <div>
              <Button variant="default" loading={move.isRunning} onClick={() => void tryIt()}>
                {words('placement.tryIt')}
              </Button>
            </div>
          )}
        </>
      )}
    </div>
  )
}
