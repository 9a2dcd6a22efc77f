import {
  IconCopy,
  IconDots,
  IconPlayerPlay,
  IconPlayerStop,
  IconTrash,
  IconUsersGroup,
} from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import {
  type ChangedPlaces,
  type Draft,
  type DraftFigures,
  deleteDraft,
  exportDraft,
  getDraft,
  listDrafts,
  restoreDraft,
  runDraft,
  stopDraft,
} from '#contract/placement/drafts.ts'
import { getPlacementPlanById, type PlacementPlan } from '#contract/placement/plans.ts'
import { callAddress } from '#web/api/call.ts'
import { useParams } from '#web/api/place.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { ExportMenu } from '#web/shell/ExportMenu.tsx'
import { PageLink } from '#web/shell/PageLink.tsx'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { attempt, deleteWithUndo } from '#web/ui/attempt.ts'
import { attemptWhenSure } from '#web/ui/attempt-when-sure.ts'
import { Menu } from '#web/ui/base.ts'
import { Button } from '#web/ui/buttons.ts'
import { FloatingMenu } from '#web/ui/FloatingMenu.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { ActionIcon } from '#web/ui/icon-buttons.ts'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { SegmentedCounts } from '#web/ui/SegmentedCounts.tsx'
import { useIsPhone } from '#web/ui/use-is-phone.ts'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import { AcceptDialog } from './AcceptDialog.tsx'
import { AcceptedButton } from './AcceptedDialog.tsx'
import { ChosenWhy } from './ChosenWhy.tsx'
import { CompareDrafts } from './CompareDrafts.tsx'
import { DraftDialog } from './DraftDialog.tsx'
import type { Place } from './DraftGrid.tsx'
import { DraftView } from './DraftView.tsx'
import classes from './draft.module.css'
import { EquityView } from './EquityView.tsx'
import { gapText, meanText, milesText } from './placement-words.ts'

const start = { draft: 0, view: 'draft', make: false }
const runMs = 1_000

const isOpen = ({ State }: Draft): boolean => State === 'queued' || State === 'running'

/** The drafts of a placement plan: making them, reading and changing them, comparing and accepting. */
export function DraftsPage() {
  const words = useWords()
  const programId = useProgramId()
  const { planId = '' } = useParams()
  const params = { programId, planId: Number(planId) }
  const plan = useRead(getPlacementPlanById, { params })
  const [isWaiting, setWaiting] = useState(false)
  const drafts = useRead(listDrafts, { params }, isWaiting ? { refetchEveryMs: runMs } : {})
  const hasOpen = drafts.data?.Drafts.some(isOpen) ?? false
  if (hasOpen !== isWaiting) setWaiting(hasOpen)
  const failed = [plan, drafts].find(({ error, data }) => error && !data)
  if (!plan.data || !drafts.data)
    return <Page title={words('placement.drafts')}>{failed && <ReadProblem read={failed} />}</Page>
  return <Drafts plan={plan.data} drafts={drafts.data.Drafts} />
}

interface Verb {
  label: string
  icon: ReactNode
  isRunning?: boolean
  onRun: () => void
}

/** What is done with a draft besides accepting it: behind one button where there is no room. */
function Verbs({ name, verbs }: { name: string; verbs: readonly Verb[] }) {
  const words = useWords()
  if (!useIsPhone())
    return verbs.map(({ label, icon, isRunning = false, onRun }) => (
      <Button key={label} variant="default" loading={isRunning} leftSection={icon} onClick={onRun}>
        {label}
      </Button>
    ))
  return (
    <FloatingMenu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={44} aria-label={words('ui.moreFor', { name })}>
          <IconDots size={17} stroke={1.75} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {verbs.map(({ label, icon, onRun }) => (
          <Menu.Item key={label} leftSection={icon} onClick={onRun}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </FloatingMenu>
  )
}

type Making = { from?: Draft; places?: readonly ChangedPlaces[]; name: string }

function Drafts({ plan, drafts }: { plan: PlacementPlan; drafts: readonly Draft[] }) {
  const words = useWords()
  const programId = useProgramId()
  const mayPlan = useMay()('placement.plan')
  const [{ draft: asked, view, make }, setAt] = useAddress(start)
  const [accepting, setAccepting] = useState<Draft>()
  const [chosen, setChosen] = useState<Place>()
  const run = useSave(runDraft, { refresh: [listDrafts, getDraft] })
  const remove = useSave(deleteDraft, { refresh: [listDrafts, getPlacementPlanById] })
  const restore = useSave(restoreDraft, { refresh: [listDrafts, getPlacementPlanById] })
  const draft = drafts.find(({ Id }) => Id === asked) ?? drafts.at(-1)
  const isComparing = view === 'compare' && drafts.length > 1
  const isEquity = view === 'equity' && draft?.Figures != null
  const mark = String.fromCharCode(65 + (drafts.length % 26))
  const newDraft: Making = { name: words('placement.draftName', { mark }) }
  const [making, setMaking] = useState(make && mayPlan && drafts.length === 0 ? newDraft : undefined)
  const makeNew = () => setMaking(newDraft)
  const whatIf = (from: Draft, places?: readonly ChangedPlaces[]) =>
    setMaking({
      from,
      ...(places && { places }),
      name: words('placement.whatIfName', { name: from.Name }).slice(0, 60),
    })
  const deleteIt = ({ Id, Name }: Draft) => {
    const params = { programId, planId: plan.Id, draftId: Id }
    return deleteWithUndo({
      remove: () => remove.run({ params }),
      restore: () => restore.run({ params }),
      deleted: words('placement.deleted', { name: Name }),
      restored: words('placement.restored', { name: Name }),
      notDeleted: words('placement.notDeleted', { name: Name }),
      notRestored: words('placement.notRestored', { name: Name }),
    })
  }
  const addressed = ({ Id }: Draft) => ({ programId, planId: plan.Id, draftId: Id })
  const makeButton = mayPlan && (
    <Button variant={draft ? 'default' : 'filled'} onClick={makeNew}>
      {words('placement.makeDraft')}
    </Button>
  )
  const verbsOf = (of: Draft): Verb[] => [
    {
      label: words(of.State === 'stopped' ? 'placement.resume' : 'placement.runAgain'),
      icon: <IconPlayerPlay size={16} aria-hidden />,
      isRunning: run.isRunning,
      onRun: () => void attempt(() => run.run({ params: addressed(of) }), words('placement.notRun')),
    },
    {
      label: words('placement.whatIfButton'),
      icon: <IconCopy size={16} aria-hidden />,
      onRun: () => whatIf(of),
    },
    {
      label: words('placement.deleteDraft'),
      icon: <IconTrash size={16} aria-hidden />,
      onRun: () => void deleteIt(of),
    },
  ]
  const toAccept = draft?.Figures ? draft.Figures.Placed - draft.AcceptedCount : 0
  // The rest of a draft that was accepted in part comes before publishing.
  const isPublishNext = plan.AcceptedCount > 0 && (toAccept === 0 || draft?.AcceptedCount === 0)
  const actions = (
    <>
      {draft?.Figures && !isComparing && (
        <ExportMenu
          address={(Format) => callAddress(exportDraft, { params: addressed(draft), query: { Format } })}
          pdf={callAddress(exportDraft, { params: addressed(draft), query: { Format: 'pdf' } })}
        />
      )}
      {makeButton}
      {mayPlan && draft && !isComparing && !isOpen(draft) && (
        <>
          <Verbs name={draft.Name} verbs={verbsOf(draft)} />
          {toAccept > 0 && (
            <Button
              onClick={() => setAccepting(draft)}
              variant={isPublishNext && plan.PublishedAt === null ? 'default' : 'filled'}
            >
              {words('placement.accept', { count: toAccept })}
            </Button>
          )}
        </>
      )}
      <AcceptedButton plan={plan} isNext={isPublishNext} />
    </>
  )
  return (
    <Page
      title={plan.Name}
      breadcrumb={<PageLink href={`/new/admin/placement/${plan.Id}`}>{words('placement.plan')}</PageLink>}
      count={draft && !isComparing && <DraftCount draft={draft} />}
      actions={actions}
      {...(draft?.Figures && !isComparing && { footer: figuresText(words, draft.Figures) })}
      {...(chosen &&
        draft &&
        !isComparing && {
          aside: (
            <ChosenWhy
              draft={draft}
              place={chosen}
              onClose={() => setChosen(undefined)}
              key={`${chosen.StudentId} ${chosen.Block}`}
            />
          ),
        })}
    >
      {!draft ? (
        <PageMessage kind="empty" text={words('placement.noDrafts')} next={makeButton || undefined} />
      ) : (
        <>
          <div className={classes.bar}>
            {!isComparing && (
              <SelectChip
                name={words('placement.draft')}
                fixed
                options={drafts.map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
                value={String(draft.Id)}
                onChange={(id) => {
                  setChosen(undefined)
                  setAt({ draft: Number(id), view: 'draft' })
                }}
              />
            )}
            {(drafts.length > 1 || draft.Figures) && (
              <SegmentedCounts
                label={words('placement.view')}
                value={isComparing ? 'compare' : isEquity ? 'equity' : 'draft'}
                onChange={(next) => {
                  setChosen(undefined)
                  setAt({ view: next })
                }}
                segments={[
                  { value: 'draft', label: words('placement.draft') },
                  ...(draft.Figures ? [{ value: 'equity' as const, label: words('placement.equity') }] : []),
                  ...(drafts.length > 1
                    ? [{ value: 'compare' as const, label: words('placement.compare') }]
                    : []),
                ]}
              />
            )}
            {!isComparing && !isEquity && <RankKeys draft={draft} />}
          </div>
          {isComparing ? (
            <CompareDrafts drafts={drafts} />
          ) : isEquity ? (
            <EquityView plan={plan} draft={draft} />
          ) : (
            <>
              {draft.Together.length > 0 && <TogetherLine draft={draft} />}
              <RunState draft={draft} />
              <DraftView
                key={draft.Id}
                plan={plan}
                draft={draft}
                chosen={chosen}
                onChoose={setChosen}
                onRemedy={(places) => whatIf(draft, places)}
              />
            </>
          )}
        </>
      )}
      {making && (
        <DraftDialog
          plan={plan}
          name={making.name}
          {...(making.from && { from: making.from })}
          {...(making.places && { places: making.places })}
          onClose={() => setMaking(undefined)}
          onMade={({ Id }) => {
            setMaking(undefined)
            setChosen(undefined)
            setAt({ draft: Id, view: 'draft' })
          }}
        />
      )}
      {accepting && <AcceptDialog plan={plan} draft={accepting} onClose={() => setAccepting(undefined)} />}
    </Page>
  )
}

const figuresText = (words: Words, figures: DraftFigures): string =>
  [
    figures.MeanRank !== null && `${words('placement.figMean')} ${meanText(figures.MeanRank)}`,
    figures.MeanRankWithUnranked != null &&
      figures.MeanRankWithUnranked !== figures.MeanRank &&
      `${words('placement.figMeanAll')} ${meanText(figures.MeanRankWithUnranked)}`,
    figures.MedianMiles !== null && `${words('placement.figMiles')} ${milesText(figures.MedianMiles)}`,
    figures.MeanRank !== null &&
      `${words('placement.figFair')} ${figures.SpreadBefore} → ${figures.SpreadAfter}`,
    figures.Missing > 0 && `${words('placement.figMissing')} ${figures.Missing}`,
  ]
    .filter(Boolean)
    .join(' · ')

function DraftCount({ draft: { Figures, Seconds } }: { draft: Draft }) {
  const words = useWords()
  if (!Figures) return null
  return [
    words('placement.placedOf', { placed: Figures.Placed, cells: Figures.Cells }),
    Seconds !== null && words('placement.foundIn', { seconds: Math.max(1, Math.round(Seconds)) }),
    Figures.Gap === 0
      ? words('placement.isBest')
      : Figures.Gap < 0.001
        ? words('placement.nearBest')
        : Figures.Gap < 1
          ? words('placement.aboveBest', { gap: gapText(Figures.Gap) })
          : words('placement.gapUnknown'),
  ]
    .filter(Boolean)
    .join(' · ')
}

function RankKeys({ draft: { Figures } }: { draft: Draft }) {
  const words = useWords()
  if (!Figures || Figures.MeanRank === null) return null
  const share = (count: number) => `${Math.round((100 * count) / Math.max(1, Figures.Placed))} %`
  const labels = [
    words('placement.rank1'),
    words('placement.rank2'),
    words('placement.rank3'),
    words('placement.rankLow'),
    words('placement.rankNone'),
  ]
  return (
    <div className={classes.keys}>
      {Figures.Ranks.map((count, index) => (
        <span key={labels[index]}>
          <i className={classes.key} data-rank={index + 1} />
          {labels[index]} {share(count)}
        </span>
      ))}
    </div>
  )
}

/** Which programs a draft is solved with, and how many students they have; nothing else of them is shown. */
function TogetherLine({ draft: { Together, IsJoint, State } }: { draft: Draft }) {
  const words = useWords()
  const others = Together.map(({ Program, Students }) =>
    Students === null
      ? words('placement.programFew', { program: Program })
      : words('placement.programOf', { program: Program, count: Students }),
  ).join(', ')
  return (
    <p className={classes.together}>
      <IconUsersGroup size={16} aria-hidden />
      <span>
        {words('placement.solvedWith', { others })} {State === 'done' && words('placement.solvedWithThen')}
        {State === 'stopped' && IsJoint && words('placement.stoppedTogether')}
      </span>
    </p>
  )
}

/** For how long a run works already, and how long it still takes once that is known. */
const timeText = (words: Words, { ExpectedSeconds, RunSeconds }: Draft): string => {
  const span = (seconds: number) =>
    seconds < 90
      ? words('placement.timeSeconds', { count: seconds })
      : words('placement.timeMinutes', { count: Math.round(seconds / 60) })
  if (RunSeconds === null) return ''
  const since = words('placement.since', { time: span(RunSeconds) })
  const left = ExpectedSeconds - RunSeconds
  if (ExpectedSeconds === 0) return `${since} ${words('placement.timeUnknown')}`
  return `${since} ${left <= 0 ? words('placement.timeOver') : words('placement.timeLeft', { time: span(left) })}`
}

/** How far a run is, with the button that stops it, or why it failed. */
function RunState({ draft }: { draft: Draft }) {
  const words = useWords()
  const programId = useProgramId()
  const mayPlan = useMay()('placement.plan')
  const stop = useSave(stopDraft, { refresh: [listDrafts] })
  if (draft.State === 'failed')
    return (
      <div className={classes.run} data-failed role="alert">
        {draft.Error}
      </div>
    )
  if (!isOpen(draft)) return null
  return (
    <div className={classes.run} role="status">
      <span>
        {draft.State === 'queued'
          ? words('placement.waiting')
          : words('placement.solving', { step: draft.Step, steps: draft.Steps })}{' '}
        {timeText(words, draft)}
      </span>
      <progress value={draft.Step} max={Math.max(1, draft.Steps)} aria-label={words('placement.progress')} />
      {mayPlan && (
        <Button
          variant="default"
          loading={stop.isRunning}
          leftSection={<IconPlayerStop size={16} aria-hidden />}
          onClick={() =>
            void attemptWhenSure(
              { text: words('placement.stopQuestion'), verb: words('placement.stop') },
              () => stop.run({ params: { programId, planId: draft.PlanId, draftId: draft.Id } }),
              words('placement.notStopped'),
            )
          }
        >
          {words('placement.stop')}
        </Button>
      )}
    </div>
  )
}
