import { IconChecks } from '@tabler/icons-react'
import { useState } from 'react'
import {
  type Acceptance,
  listAcceptances,
  publishPlan,
  undoAcceptance,
} from '#contract/placement/acceptances.ts'
import { getDraft, listDrafts } from '#contract/placement/drafts.ts'
import { getPlacementPlanById, type PlacementPlan } from '#contract/placement/plans.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useMay, useProgramId, useTimeZone } from '#web/api/use-state.ts'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { attempt } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { confirm } from '#web/ui/confirm.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { formatInstant } from '#web/ui/dates.ts'
import { DateField } from '#web/ui/form/DateField.tsx'
import { TimeField } from '#web/ui/form/TimeField.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './draft.module.css'
import placement from './placement.module.css'

const refresh = [getDraft, listDrafts, getPlacementPlanById, listAcceptances] as const

/**
 * The button of a plan of which something was accepted. Publishing is its next step until that is done.
 *
 * @param isNext that nothing else on the page comes before
 */
export function AcceptedButton({ plan, isNext }: { plan: PlacementPlan; isNext: boolean }) {
  const words = useWords()
  const mayPlan = useMay()('placement.plan')
  const [isOpen, setOpen] = useState(false)
  const isPublished = plan.PublishedAt !== null
  return (
    <>
      {plan.AcceptedCount > 0 && (
        <Button
          variant={isNext && mayPlan && !isPublished ? 'filled' : 'default'}
          leftSection={<IconChecks size={16} aria-hidden />}
          onClick={() => setOpen(true)}
        >
          {mayPlan
            ? words(isPublished ? 'placement.hideOrUndo' : 'placement.publishOrUndo')
            : words('placement.acceptedCount', { count: plan.AcceptedCount })}
        </Button>
      )}
      {isOpen && <AcceptedDialog plan={plan} onClose={() => setOpen(false)} />}
    </>
  )
}

/** What was accepted of a plan, each with Undo, and from when on students see their result. */
function AcceptedDialog({ plan, onClose }: { plan: PlacementPlan; onClose: () => void }) {
  const words = useWords()
  const programId = useProgramId()
  const timeZone = useTimeZone()
  const mayPlan = useMay()('placement.plan')
  const params = { programId, planId: plan.Id }
  const accepted = useRead(listAcceptances, { params })
  const undo = useSave(undoAcceptance, { refresh })
  const publish = useSave(publishPlan, { refresh })
  const [date, setDate] = useState<string | null>(null)
  const [time, setTime] = useState<string | null>('08:00')
  const undoIt = async ({ Id, Draft, Ahead }: Acceptance) => {
    if (
      !(await confirm({
        text: words(plan.PublishedAt === null ? 'placement.undoQuestion' : 'placement.undoTold', {
          name: Draft,
          count: Ahead,
        }),
        verb: words('placement.undoVerb'),
        danger: true,
      }))
    )
      return
    await attempt(async () => {
      const { Removed, Kept, IsHidden } = await undo.run({ params: { ...params, acceptanceId: Id } })
      const removed = words(Kept > 0 ? 'placement.undoneKept' : 'placement.undoneCount', {
        count: Removed,
        kept: Kept,
      })
      toast.done(IsHidden ? `${removed}. ${words('placement.hidden')}.` : removed)
    }, words('placement.notUndone'))
  }
  const isAnything = plan.AcceptedCount > 0
  const publishIt = (IsPublished: boolean) =>
    attempt(async () => {
      const { PublishedAt } = await publish.run({
        params,
        body: { IsPublished, ...(IsPublished && date && { Date: date, Time: time }) },
      })
      toast.done(
        PublishedAt === null
          ? words('placement.hidden')
          : words('placement.publishedFrom', { when: formatInstant(PublishedAt, timeZone) }),
      )
    }, words('placement.notPublished'))
  return (
    <Dialog
      opened
      onClose={onClose}
      losesNothing
      title={words('placement.acceptedTitle')}
      actions={
        mayPlan && (
          <>
            {plan.PublishedAt !== null && (
              <Button variant="default" loading={publish.isRunning} onClick={() => void publishIt(false)}>
                {words('placement.hide')}
              </Button>
            )}
            {isAnything && (plan.PublishedAt === null || date) && (
              <Button loading={publish.isRunning} onClick={() => void publishIt(true)}>
                {words(date ? 'placement.publishLater' : 'placement.publishNow')}
              </Button>
            )}
          </>
        )
      }
    >
      {accepted.error && !accepted.data && <ReadProblem read={accepted} />}
      <ul className={classes.history}>
        {accepted.data?.Acceptances.map((each) => (
          <li key={each.Id}>
            <span>
              {words('placement.acceptedLine', { name: each.Draft, count: each.Shifts })}
              <small>
                {each.UndoneAt
                  ? words('placement.undoneAt', { when: formatInstant(each.UndoneAt, timeZone) })
                  : [formatInstant(each.AcceptedAt, timeZone), each.AcceptedBy].filter(Boolean).join(' · ')}
              </small>
            </span>
            {mayPlan && !each.UndoneAt && each.Ahead === 0 && each.Begun > 0 && (
              <small>{words('placement.allBegun')}</small>
            )}
            {mayPlan && !each.UndoneAt && (each.Ahead > 0 || each.Begun === 0) && (
              <Button variant="default" loading={undo.isRunning} onClick={() => void undoIt(each)}>
                {words('placement.undoVerb')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <p>
        {plan.PublishedAt === null
          ? words(isAnything ? 'placement.isHidden' : 'placement.nothingToPublish')
          : words('placement.publishedFrom', { when: formatInstant(plan.PublishedAt, timeZone) })}
      </p>
      {mayPlan && isAnything && <p>{words('placement.publishTells')}</p>}
      {mayPlan && isAnything && (
        <div className={placement.two}>
          <DateField
            name="publish-date"
            label={words('placement.publishDate')}
            value={date}
            onChange={setDate}
          />
          <TimeField
            name="publish-time"
            label={words('placement.publishTime')}
            value={time}
            onChange={setTime}
          />
        </div>
      )}
    </Dialog>
  )
}
