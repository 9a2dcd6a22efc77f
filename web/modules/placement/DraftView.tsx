import { useCallback, useMemo, useRef, useState } from 'react'
import { finder } from '#contract/core/search.ts'
import { type ChangedPlaces, type Draft, type DraftRow, getDraft } from '#contract/placement/drafts.ts'
import type { PlacementPlan } from '#contract/placement/plans.ts'
import { useRead } from '#web/api/use-call.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { Button } from '#web/ui/buttons.ts'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { SegmentedCounts } from '#web/ui/SegmentedCounts.tsx'
import { useWords } from '#web/words/use-words.ts'
import { CauseList } from './CauseList.tsx'
import { ConflictList } from './ConflictList.tsx'
import { DraftGrid, type Place } from './DraftGrid.tsx'
import classes from './draft.module.css'
import { problemsOf, rotationNames } from './placement-words.ts'
import { useMoves } from './use-moves.ts'

const runMs = 3_000

type Part = 'all' | 'missing' | 'low' | 'far' | 'locked'

/** From so many miles on a distance is long. */
const farMiles = 50

const isIn: Record<Part, (row: DraftRow, blocks: number) => boolean> = {
  all: () => true,
  missing: ({ Cells }, blocks) => Cells.length < blocks,
  low: ({ Cells }) => Cells.some(({ Rank, HasRanked }) => HasRanked && (Rank === null || Rank > 3)),
  far: ({ Cells }) => Cells.some(({ Miles }) => (Miles ?? 0) >= farMiles),
  locked: ({ Cells }) => Cells.some(({ IsLocked }) => IsLocked),
}

export type DraftViewProps = {
  plan: PlacementPlan
  draft: Draft
  chosen: Place | undefined
  onChoose: (place: Place) => void
  onRemedy: (places: readonly ChangedPlaces[]) => void
}

/** The grid of a draft with its filters, its figures, and what it could not do. */
export function DraftView({ plan, draft, chosen, onChoose, onRemedy }: DraftViewProps) {
  const words = useWords()
  const programId = useProgramId()
  const mayPlan = useMay()('placement.plan')
  const [part, setPart] = useState<Part>('all')
  const [search, setSearch] = useState('')
  const isRunning = draft.State === 'queued' || draft.State === 'running'
  const params = { programId, planId: draft.PlanId, draftId: draft.Id }
  // What the list says has changed is read again: a run that ended, a lock, a move.
  const read = useRead(
    getDraft,
    { params },
    { keepsLast: false, ...(isRunning && { refetchEveryMs: runMs }) },
  )
  const { data, refetch } = read
  const mark = `${draft.State} ${draft.LockedCount} ${draft.AcceptedCount} ${draft.Seconds}`
  const [seen, setSeen] = useState(mark)
  if (seen !== mark) {
    setSeen(mark)
    void refetch()
  }
  const shifts = useMemo(
    () => new Map(data?.Shifts.map((shift) => [shift.SiteShiftId, shift])),
    [data?.Shifts],
  )
  const rotations = useMemo(() => rotationNames(plan), [plan])
  const blocks = data?.Blocks.length ?? 0
  const rows = useMemo(() => {
    const isFound = finder(search)
    return (data?.Rows ?? []).filter((row) => isIn[part](row, blocks) && isFound(row.Student))
  }, [data?.Rows, part, search, blocks])
  const { move } = useMoves(draft)
  const latest = useRef({ move, rows: data?.Rows ?? [] })
  latest.current = { move, rows: data?.Rows ?? [] }
  const moveOnto = useCallback((from: Place, { StudentId: withStudentId }: Place) => {
    void latest.current.move(latest.current.rows, { ...from, withStudentId })
  }, [])
  const choose = useCallback((place: Place) => onChoose(place), [onChoose])
  if (!data) return read.error ? <ReadProblem read={read} /> : null
  // Until the first places are found an empty grid would say that there are none.
  if (isRunning && data.Rows.every(({ Cells }) => Cells.length === 0)) return null
  const count = (which: Part) => data.Rows.filter((row) => isIn[which](row, blocks)).length
  const { Figures } = draft
  const { stops, warned, unnamed } = problemsOf(Figures)
  const undone = [...stops, ...unnamed]
  const about = {
    planId: draft.PlanId,
    startDate: plan.StartDate,
    students: new Map(data.Rows.map(({ StudentId, Student }) => [StudentId, Student])),
    sites: new Map(data.Shifts.map(({ SiteId, Site }) => [SiteId, Site])),
  }
  return (
    <>
      {Figures && (undone.length > 0 || Figures.Conflict) && (
        <details className={classes.problems}>
          <summary>{words('placement.problemCount', { count: undone.length })}</summary>
          <ul>
            {unnamed.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
          <CauseList causes={stops} {...about} />
          {mayPlan && !isRunning && Figures.Remedies.length > 0 && (
            <div className={classes.remedies}>
              <p>{words('placement.offers')}</p>
              {Figures.Remedies.map(({ Text, Places, Touches = 0, IsEnough = false }) => (
                <Button key={Text} variant="default" onClick={() => onRemedy(Places)}>
                  {Text}
                  <small>
                    {words('placement.touches', { count: Touches })}
                    {IsEnough && ` · ${words('placement.isEnough')}`}
                  </small>
                </Button>
              ))}
            </div>
          )}
          {Figures.Conflict && <ConflictList conflict={Figures.Conflict} planId={draft.PlanId} />}
        </details>
      )}
      {warned.length > 0 && (
        <details className={classes.problems}>
          <summary>{words('placement.warnedCount', { count: warned.length })}</summary>
          <CauseList causes={warned} {...about} />
        </details>
      )}
      <div className={classes.bar}>
        <FilterBar
          isSet={part !== 'all' || search !== ''}
          onReset={() => {
            setPart('all')
            setSearch('')
          }}
        >
          <SegmentedCounts
            label={words('placement.show')}
            value={part}
            onChange={setPart}
            segments={[
              { value: 'all', label: words('placement.all') },
              { value: 'missing', label: words('placement.withoutPlace'), count: count('missing') },
              { value: 'low', label: words('placement.lowRanks'), count: count('low') },
              { value: 'far', label: words('placement.longWays'), count: count('far') },
              { value: 'locked', label: words('placement.isLocked'), count: count('locked') },
            ]}
          />
          <SearchBox
            label={words('placement.searchStudents')}
            value={search}
            maxLength={100}
            onChange={setSearch}
          />
        </FilterBar>
      </div>
      <DraftGrid
        label={words('placement.draftGrid', { name: draft.Name })}
        rows={rows}
        shifts={shifts}
        blocks={data.Blocks}
        rotations={rotations}
        placed={data.Placed}
        chosen={chosen}
        onChoose={choose}
        {...(mayPlan && !isRunning && { onMove: moveOnto })}
      />
    </>
  )
}
