import { useState } from 'react'
import {
  type ClearanceRow,
  listClearance,
  maxIssuedAtOnce,
} from '#contract/clinical-records/clinical-records.ts'
import { useOpenAddress } from '#web/api/navigate.ts'
import { useRead } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { CohortChip } from '#web/shared/CohortChip.tsx'
import { formatDate } from '#web/ui/dates.ts'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import type { GridColumn, RowKey } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { TickGrid, useTicks } from '#web/ui/grid/TickGrid.tsx'
import { Page } from '#web/ui/Page.tsx'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import { ClearedTag } from './ClearedTag.tsx'
import classes from './clinical-records.module.css'
import { IssueDialog } from './IssueDialog.tsx'
import { CheckMark, checkNames, checkText, checkWords } from './record-parts.tsx'
import { apart, pageSize, start, Views } from './record-views.tsx'

const clearanceStates = ['not-cleared', 'cleared', 'exception', 'recorded'] as const

const clearanceColumns = (words: Words): GridColumn<ClearanceRow>[] => [
  {
    id: 'Student',
    header: words('clinicalRecords.student'),
    identity: true,
    minWidth: 190,
  },
  {
    id: 'Cohort',
    header: words('clinicalRecords.cohort'),
    width: 112,
    detail: ({ PlannedEnd }) =>
      PlannedEnd && words('clinicalRecords.plannedEnd', { date: formatDate(PlannedEnd) }),
  },
  ...checkNames.map(
    (name): GridColumn<ClearanceRow> => ({
      id: name,
      header: words(checkWords[name]),
      width: name === 'Hours' ? 150 : 106,
      cell: ({ Checks }) => (
        <span className={classes.check}>
          <CheckMark isMet={Checks[name].IsMet} />
          {checkText(words, name, Checks[name])}
        </span>
      ),
      text: ({ Checks }) => checkText(words, name, Checks[name]),
    }),
  ),
  {
    id: 'ClearedOn',
    header: words('clinicalRecords.clearance'),
    width: 250,
    cell: ({ ClearedOn, Exception }) =>
      ClearedOn ? (
        <>
          <ClearedTag date={ClearedOn} exception={Exception ?? ''} />
          {Exception && <span className={classes.reason}>{Exception}</span>}
        </>
      ) : (
        '–'
      ),
    text: ({ ClearedOn, ClearedBy, Exception }) =>
      ClearedOn
        ? [
            words('clinicalRecords.clearedBy', { name: ClearedBy ?? '', date: formatDate(ClearedOn) }),
            Exception,
          ]
            .filter(Boolean)
            .join(': ')
        : words('clinicalRecords.notCleared'),
  },
  {
    id: 'RecordNumber',
    header: words('clinicalRecords.record'),
    width: 160,
    cell: ({ RecordNumber }) => RecordNumber ?? '–',
    detail: ({ RecordNumber, IsFinal }) =>
      RecordNumber && words(IsFinal ? 'clinicalRecords.final' : 'clinicalRecords.interim'),
  },
]

/** Who can be cleared for graduation. */
export function ClearanceList() {
  const words = useWords()
  const programId = useProgramId()
  const openAddress = useOpenAddress()
  const mayIssue = useMay()('clinical-records.issue')
  const ticks = useTicks()
  const [isIssuing, setIssuing] = useState(false)
  const { at, filter, reset, isFiltered, paging, pager } = useListAddress(
    listClearance,
    start,
    pageSize,
    apart,
  )
  const State = clearanceStates.find((each) => each === at.state)
  const students = useRead(listClearance, {
    params: { programId },
    query: {
      ...paging,
      ...(at.search && { search: at.search }),
      ...(at.cohort && { Cohort: at.cohort }),
      ...(State && { State }),
    },
  })
  const total = students.data?.Total ?? 0
  const open = ({ StudentId }: ClearanceRow) => openAddress(`/new/admin/clinical-records/${StudentId}`)
  return (
    <Page
      title={words('clinicalRecords.title')}
      count={students.data && words('clinicalRecords.students', { count: total })}
      above={<Views value="clearance" />}
      filters={
        <FilterBar isSet={isFiltered} onReset={reset}>
          <SelectChip
            name={words('clinicalRecords.state')}
            options={clearanceStates.map((value) => ({
              value,
              label: words(`clinicalRecords.state_${value}`),
            }))}
            value={State ?? null}
            onChange={(state) => filter({ state: state ?? '' })}
          />
          <CohortChip value={at.cohort} onChange={(cohort) => filter({ cohort })} />
          <SearchBox
            label={words('clinicalRecords.searchStudents')}
            value={at.search}
            maxLength={100}
            onChange={(search) => filter({ search })}
          />
        </FilterBar>
      }
      footerEnd={<Pager {...pager} total={total} />}
    >
      <TickGrid
        ticks={ticks}
        id="clearance"
        label={words('clinicalRecords.clearance')}
        {...fromList(students)}
        rowKey={({ StudentId }) => StudentId}
        columns={clearanceColumns(words)}
        empty={{ text: words('clinicalRecords.noStudents'), filters: { isFiltered, reset } }}
        onOpen={open}
        {...(mayIssue && {
          bulk: (_: ClearanceRow[], keys: ReadonlySet<RowKey>) => ({
            sum: words('clinicalRecords.students', { count: keys.size }),
            verbs: [
              {
                label: words('clinicalRecords.issueMany', { count: keys.size }),
                main: true,
                onRun: () => setIssuing(true),
                reason:
                  keys.size > maxIssuedAtOnce && words('clinicalRecords.tooMany', { count: maxIssuedAtOnce }),
              },
            ],
          }),
        })}
      />
      {isIssuing && (
        <IssueDialog
          studentIds={[...ticks.now()].map(Number)}
          onClose={() => setIssuing(false)}
          onDone={() => ticks.clear()}
        />
      )}
    </Page>
  )
}
