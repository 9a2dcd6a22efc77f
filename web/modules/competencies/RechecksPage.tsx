import { IconEye, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { cancelRechecks, listRechecks, type Recheck } from '#contract/competencies/exam-admin.ts'
import { type RecheckState, recheckStates } from '#contract/competencies/exam-rules.ts'
import { useLiveEvent } from '#web/api/live.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { ChoiceChip } from '#web/shared/ChoiceChip.tsx'
import { CohortChip } from '#web/shared/CohortChip.tsx'
import { attemptWhenSure } from '#web/ui/attempt-when-sure.ts'
import { Button } from '#web/ui/buttons.ts'
import { formatDate } from '#web/ui/dates.ts'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { TickGrid, useTicks } from '#web/ui/grid/TickGrid.tsx'
import { Page } from '#web/ui/Page.tsx'
import { type Status, StatusTag } from '#web/ui/StatusTag.tsx'
import { toast } from '#web/ui/toast.tsx'
import type { WordKey, Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import { kindWords } from './exam-words.ts'
import { NewRechecksDialog } from './NewRechecksDialog.tsx'

const pageSize = 50
const tags: Readonly<Record<RecheckState, { status: Status; word: WordKey }>> = {
  open: { status: 'pending', word: 'exams.recheckOpen' },
  passed: { status: 'approved', word: 'exams.statePassed' },
  failed: { status: 'rejected', word: 'exams.stateFailed' },
  canceled: { status: 'unmatched', word: 'exams.recheckCanceled' },
}

const columnsOf = (words: Words): GridColumn<Recheck>[] => [
  {
    id: 'DueOn',
    header: words('exams.due'),
    width: 116,
    cell: (row) => formatDate(row.DueOn) || '–',
  },
  {
    id: 'Student',
    header: words('exams.student'),
    identity: true,
    grow: 2,
    minWidth: 140,
    cell: (row) => row.Student,
  },
  { id: 'Cohort', header: words('exams.cohort'), width: 120, cell: (row) => row.Cohort },
  { id: 'Procedure', header: words('exams.procedure'), grow: 3, minWidth: 160, cell: (row) => row.Procedure },
  { id: 'Kind', header: words('exams.kind'), width: 168, cell: (row) => words(kindWords[row.Kind]) },
  {
    id: 'PassedOn',
    header: words('exams.passedOn'),
    width: 124,
    cell: (row) => formatDate(row.PassedOn) || '–',
  },
  {
    id: 'State',
    header: words('exams.status'),
    width: 140,
    cell: (row) => <StatusTag status={tags[row.State].status}>{words(tags[row.State].word)}</StatusTag>,
  },
]

/** Passed procedures that are examined once more, the ones that are due first. */
export function RechecksPage() {
  const words = useWords()
  const programId = useProgramId()
  const mayManage = useMay()('exams.manage')
  const navigate = usePageNavigate()
  const ticks = useTicks()
  const [isAdding, setAdding] = useState(false)
  const { at, filter, paging, pager, reset, isFiltered } = useListAddress(
    listRechecks,
    { show: '', student: null as number | null, cohort: '', page: 1 },
    pageSize,
  )
  const Show = recheckStates.find((each) => each === at.show)
  const { page, pageSize: size } = paging
  const rechecks = useRead(listRechecks, {
    params: { programId },
    query: {
      page,
      pageSize: size,
      ...(Show && { Show }),
      ...(at.student !== null && { StudentId: at.student }),
      ...(at.cohort && { Cohort: at.cohort }),
    },
  })
  const cancel = useSave(cancelRechecks, { refresh: [listRechecks] })
  useLiveEvent('procedure-logs', () => void rechecks.refetch(), 2_000)
  const total = rechecks.data?.Total ?? 0
  const waits = ({ State }: Recheck) => State === 'open' || State === 'failed'
  const cancelThem = (rows: readonly Recheck[]) =>
    attemptWhenSure(
      {
        text: words('exams.cancelQuestion', { count: rows.length }),
        verb: words('exams.cancelRechecks'),
        cancel: words('exams.keepRechecks'),
      },
      async () => {
        const { Canceled } = await cancel.run({
          params: { programId },
          body: { Ids: rows.map(({ Id }) => Id) },
        })
        ticks.clear()
        toast.done(words('exams.didCancel', { count: Canceled }))
      },
    )
  return (
    <Page
      title={words('exams.rechecksTitle')}
      count={rechecks.data && words('exams.total', { count: total.toLocaleString('en-US') })}
      actions={mayManage && <Button onClick={() => setAdding(true)}>{words('exams.newRechecks')}</Button>}
      filters={
        <FilterBar onReset={reset} isSet={isFiltered} resetLabel={words('exams.reset')}>
          <SelectChip
            name={words('exams.status')}
            none={words('exams.recheckDue')}
            options={recheckStates.map((value) => ({ value, label: words(tags[value].word) }))}
            value={at.show || null}
            onChange={(show) => filter({ show: show ?? '' })}
          />
          <ChoiceChip
            kind="student"
            name={words('exams.student')}
            value={at.student}
            onChange={(student) => filter({ student })}
          />
          <CohortChip value={at.cohort} onChange={(cohort) => filter({ cohort })} />
        </FilterBar>
      }
      footerEnd={<Pager {...pager} total={total} />}
    >
      <TickGrid
        id="rechecks"
        label={words('exams.rechecksTitle')}
        columns={columnsOf(words)}
        {...fromList(rechecks)}
        rowKey={({ Id }) => Id}
        ticks={ticks}
        empty={{ text: words('exams.noRechecks'), filters: { isFiltered, reset } }}
        actions={(row: Recheck) => [
          {
            label: words('exams.openAttempt'),
            icon: <IconEye size={16} stroke={1.75} />,
            reason: row.AttemptId === null && words('exams.noAttempt'),
            onRun: () => row.AttemptId !== null && navigate(`/admin/competencies/exams/${row.AttemptId}`),
          },
        ]}
        {...(mayManage && {
          bulk: (rows: Recheck[]) => {
            const waiting = rows.filter(waits)
            return {
              sum: words('exams.recheckCount', { count: rows.length }),
              verbs: [
                {
                  label: words('exams.cancelRechecks'),
                  icon: <IconX size={16} stroke={1.75} />,
                  reason: waiting.length === 0 && words('exams.noneWaits'),
                  onRun: () => void cancelThem(waiting),
                },
              ],
            }
          },
        })}
      />
      {isAdding && <NewRechecksDialog onClose={() => setAdding(false)} />}
    </Page>
  )
}
