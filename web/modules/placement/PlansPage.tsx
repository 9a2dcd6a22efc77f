import type { AnswerOf } from '#contract/core/endpoint.ts'
import { deletePlacementPlan, listPlacementPlans, restorePlacementPlan } from '#contract/placement/plans.ts'
import { useOpenAddress, usePageNavigate } from '#web/api/navigate.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { useMay, useProgramId, useTimeZone } from '#web/api/use-state.ts'
import { AddNew } from '#web/ui/AddNew.tsx'
import { deleteWithUndo } from '#web/ui/attempt.ts'
import { formatDate } from '#web/ui/dates.ts'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { deleteAction, editAction } from '#web/ui/grid/edit-and-delete.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Page } from '#web/ui/Page.tsx'
import { useWords } from '#web/words/use-words.ts'
import { stateText } from './placement-words.ts'

const pageSize = 50
const start = { search: '', sort: '-StartDate', page: 1 }

type Row = AnswerOf<typeof listPlacementPlans>['Items'][number]

/** Placement plans of the program. */
export function PlansPage() {
  const words = useWords()
  const programId = useProgramId()
  const timeZone = useTimeZone()
  const mayPlan = useMay()('placement.plan')
  const navigate = usePageNavigate()
  const openAddress = useOpenAddress()
  const { at, filter, reset, isFiltered, paging, sorting, pager } = useListAddress(
    listPlacementPlans,
    start,
    pageSize,
  )
  const plans = useRead(listPlacementPlans, {
    params: { programId },
    query: { ...paging, ...(at.search && { search: at.search }) },
  })
  const remove = useSave(deletePlacementPlan, { refresh: [listPlacementPlans] })
  const restore = useSave(restorePlacementPlan, { refresh: [listPlacementPlans] })
  const open = ({ Id }: Row) => openAddress(`/new/admin/placement/${Id}`)
  const deleteIt = ({ Id, Name }: Row) => {
    const params = { programId, planId: Id }
    return deleteWithUndo({
      remove: () => remove.run({ params }),
      restore: () => restore.run({ params }),
      deleted: words('placement.deleted', { name: Name }),
      restored: words('placement.restored', { name: Name }),
      notDeleted: words('placement.notDeleted', { name: Name }),
      notRestored: words('placement.notRestored', { name: Name }),
    })
  }
  const columns: GridColumn<Row>[] = [
    {
      id: 'Name',
      header: words('placement.name'),
      identity: true,
      sortable: true,
      minWidth: 240,
      detail: ({ Rotations, Template }) =>
        `${Rotations.map(({ Name }) => Name).join(', ')} · ${words(`placement.${Template}`)}`,
    },
    {
      id: 'StartDate',
      header: words('placement.dates'),
      width: 200,
      sortable: true,
      cell: ({ StartDate, EndDate }) => `${formatDate(StartDate)} – ${formatDate(EndDate)}`,
      text: ({ StartDate, EndDate }) => `${formatDate(StartDate)} – ${formatDate(EndDate)}`,
      detail: ({ BlockCount, WeeksPerBlock }) =>
        `${words('placement.blockCount', { count: BlockCount })}, ${words('placement.weeks', { count: WeeksPerBlock })}`,
    },
    {
      id: 'StudentCount',
      header: words('placement.students'),
      width: 130,
      align: 'end',
      sortable: true,
      cell: ({ StudentCount }) => StudentCount.toLocaleString('en-US'),
    },
    {
      id: 'AnsweredCount',
      header: words('placement.ranking'),
      width: 210,
      cell: (row) => stateText(words, row, timeZone),
      text: (row) => stateText(words, row, timeZone),
      detail: ({ AnsweredCount, StudentCount, OpensAt }) =>
        OpensAt === null ? '' : words('placement.answeredOf', { done: AnsweredCount, count: StudentCount }),
    },
    {
      id: 'AcceptedCount',
      header: words('placement.accepted'),
      width: 120,
      align: 'end',
      cell: ({ AcceptedCount }) => (AcceptedCount > 0 ? AcceptedCount.toLocaleString('en-US') : '–'),
    },
  ]
  const addNew = (
    <AddNew
      reason={!mayPlan && words('shell.notAllowedDetail')}
      onClick={() => navigate('/admin/placement/edit')}
    />
  )
  const total = plans.data?.Total ?? 0
  return (
    <Page
      title={words('placement.plans')}
      count={plans.data && words('placement.planCount', { count: total })}
      actions={addNew}
      filters={
        <FilterBar isSet={isFiltered} onReset={reset}>
          <SearchBox
            label={words('placement.search')}
            value={at.search}
            maxLength={100}
            onChange={(search) => filter({ search })}
          />
        </FilterBar>
      }
      footerEnd={<Pager {...pager} total={total} />}
    >
      <Grid
        id="placement-plans"
        label={words('placement.plans')}
        columns={columns}
        {...fromList(plans)}
        rowKey={({ Id }) => Id}
        {...sorting}
        onOpen={open}
        empty={{ text: words('placement.empty'), next: addNew, filters: { isFiltered, reset } }}
        {...(mayPlan && {
          actions: (plan: Row) => [
            editAction(() => navigate('/admin/placement/edit', { search: { id: plan.Id } })),
            deleteAction(() => void deleteIt(plan)),
          ],
        })}
      />
    </Page>
  )
}
