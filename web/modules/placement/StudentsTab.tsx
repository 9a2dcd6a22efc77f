import { useState } from 'react'
import {
  checkPlacementPlan,
  listPlanStudents,
  type PlacementPlan,
  type PlanStudent,
  remindPlanStudents,
} from '#contract/placement/plans.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { useMay, useProgramId, useTimeZone } from '#web/api/use-state.ts'
import { attempt } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { formatInstant } from '#web/ui/dates.ts'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { SegmentedCounts } from '#web/ui/SegmentedCounts.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { PlanStudentDialog } from './PlanStudentDialog.tsx'
import classes from './placement.module.css'

const pageSize = 50
const start = { tab: 'students', search: '', sort: 'Student', page: 1, missing: false }

/** The students of a plan: what they ranked, who has not, pins and exclusions. */
export function StudentsTab({ plan }: { plan: PlacementPlan }) {
  const words = useWords()
  const programId = useProgramId()
  const timeZone = useTimeZone()
  const mayPlan = useMay()('placement.plan')
  const [changing, setChanging] = useState<PlanStudent>()
  const { at, filter, reset, isFiltered, paging, sorting, pager } = useListAddress(
    listPlanStudents,
    start,
    pageSize,
  )
  const params = { programId, planId: plan.Id }
  const students = useRead(listPlanStudents, {
    params,
    query: { ...paging, IsMissing: at.missing, ...(at.search && { search: at.search }) },
  })
  const check = useRead(checkPlacementPlan, { params })
  const remind = useSave(remindPlanStudents)
  const codes = new Map(check.data?.Demand.map(({ SiteId, Code, Site }) => [SiteId, Code || Site]))
  const named = (ids: readonly number[]) => ids.map((id) => codes.get(id) ?? '…').join(', ')
  /** What a student ranks, as text: once, or block by block where these differ. */
  const choicesOf = ({ SiteIds, BlockRankings }: PlanStudent): string => {
    if (plan.RanksPer === 'plan') return named(SiteIds)
    const ranked = BlockRankings.filter(({ Block }) => Block < plan.Blocks.length)
    const texts = [...new Set(ranked.map((each) => named(each.SiteIds)))]
    return texts.length <= 1 && ranked.length === plan.Blocks.length
      ? (texts[0] ?? '')
      : ranked
          .map((each) => `${words('placement.block', { number: each.Block + 1 })}: ${named(each.SiteIds)}`)
          .join('; ')
  }
  const { data } = students
  const columns: GridColumn<PlanStudent>[] = [
    {
      id: 'Student',
      header: words('placement.students'),
      identity: true,
      sortable: true,
      minWidth: 200,
      detail: ({ StudentLevel, IsActive }) => (IsActive ? (StudentLevel ?? '') : words('placement.inactive')),
    },
    {
      id: 'Choices',
      header: words('placement.choices'),
      minWidth: 220,
      cell: (student) => choicesOf(student) || words('placement.notRanked'),
      text: (student) => choicesOf(student) || words('placement.notRanked'),
      detail: ({ Reason }) => Reason,
    },
    {
      id: 'SubmittedAt',
      header: words('placement.ranking'),
      width: 220,
      sortable: true,
      cell: ({ SubmittedAt, SavedAt }) =>
        SubmittedAt
          ? words('placement.submitted', { when: formatInstant(SubmittedAt, timeZone) })
          : words(SavedAt ? 'placement.savedOnly' : 'placement.notRanked'),
    },
    { id: 'Points', header: words('placement.points'), width: 90, align: 'end', sortable: true },
    {
      id: 'Pins',
      header: words('placement.pinned'),
      width: 160,
      cell: ({ Pins }) => named(Pins.map(({ SiteId }) => SiteId)) || '–',
      text: ({ Pins }) => named(Pins.map(({ SiteId }) => SiteId)),
    },
    {
      id: 'Excluded',
      header: words('placement.excluded'),
      width: 160,
      cell: ({ ExcludedSiteIds }) => named(ExcludedSiteIds) || '–',
      text: ({ ExcludedSiteIds }) => named(ExcludedSiteIds),
      detail: ({ Note }) => Note,
    },
  ]
  const remindAll = () =>
    attempt(async () => {
      const { Sent } = await remind.run({ params })
      toast.done(words('placement.reminded', { count: Sent }))
    }, words('placement.notReminded'))
  return (
    <>
      <div className={classes.bar}>
        <FilterBar isSet={isFiltered} onReset={reset}>
          <SegmentedCounts
            label={words('placement.show')}
            value={at.missing ? 'missing' : 'all'}
            onChange={(value) => filter({ missing: value === 'missing' })}
            segments={[
              { value: 'all', label: words('placement.all') },
              {
                value: 'missing',
                label: words('placement.missing'),
                ...(data && { count: data.MissingCount }),
              },
            ]}
          />
          <SearchBox
            label={words('placement.searchStudents')}
            value={at.search}
            maxLength={100}
            onChange={(search) => filter({ search })}
          />
          {mayPlan && plan.State === 'ranking' && (data?.MissingCount ?? 0) > 0 && (
            <Button variant="default" loading={remind.isRunning} onClick={() => void remindAll()}>
              {words('placement.remind', { count: data?.MissingCount ?? 0 })}
            </Button>
          )}
        </FilterBar>
      </div>
      <Grid
        id="placement-students"
        label={words('placement.students')}
        columns={columns}
        {...fromList(students)}
        rowKey={({ StudentId }) => StudentId}
        {...sorting}
        empty={{
          text: words(at.missing ? 'placement.allSubmitted' : 'placement.noStudents'),
          filters: { isFiltered: at.search !== '', reset },
        }}
        {...(mayPlan && { onOpen: setChanging })}
      />
      <Pager {...pager} total={data?.Total ?? 0} />
      {changing && check.data && (
        <PlanStudentDialog
          plan={plan}
          sites={check.data.Demand}
          student={changing}
          onClose={() => setChanging(undefined)}
        />
      )}
    </>
  )
}
