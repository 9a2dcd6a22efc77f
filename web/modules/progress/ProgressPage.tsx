import { useState } from 'react'
import { listCohorts, listStudentLevels } from '#contract/people/people.ts'
import { examWeeks, isNothingAsked } from '#contract/progress/forecast-rules.ts'
import {
  exportProgress,
  getProgressRules,
  listProgress,
  type ProgressRow,
} from '#contract/progress/progress.ts'
import { callAddress } from '#web/api/call.ts'
import { useOpenAddress } from '#web/api/navigate.ts'
import { useRead } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { hoursDoneText, hoursText, isFarOff, lacksText, risksText } from '#web/shared/ProgressCard.tsx'
import { ExportMenu } from '#web/shell/ExportMenu.tsx'
import { Button } from '#web/ui/buttons.ts'
import { formatDate } from '#web/ui/dates.ts'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Page } from '#web/ui/Page.tsx'
import { SegmentedCounts } from '#web/ui/SegmentedCounts.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './progress.module.css'
import { RulesDialog } from './RulesDialog.tsx'

const pageSize = 50
const start = {
  search: '',
  sort: '-CompletesOn',
  page: 1,
  cohort: '',
  level: null as number | null,
  risk: false,
  new: false,
}

const completesText = (words: Words, row: ProgressRow): string => {
  if (row.Lacks.length > 0) return words('progress.notSetUp')
  if (isNothingAsked(row))
    return words(row.StudentLevel === null ? 'progress.noLevel' : 'progress.nothingAsked')
  if (row.DecidedBy === null) return words('progress.done')
  if (isFarOff(row)) return words('progress.notByEnd')
  return row.CompletesOn ? formatDate(row.CompletesOn) : words('progress.noDate')
}

const whyText = (words: Words, row: ProgressRow): string => {
  const { CompletesOn, DecidedBy } = row
  if (row.Lacks.length > 0) return lacksText(words, row)
  if (isNothingAsked(row)) return words('progress.nothingAskedDetail')
  if (DecidedBy === null) return words('progress.doneDetail')
  const isHours = DecidedBy === 'hours'
  return CompletesOn || isFarOff(row)
    ? words(isHours ? 'progress.byHours' : 'progress.byCompetencies')
    : words(isHours ? 'progress.stuckHours' : 'progress.stuckCompetencies')
}

const columnsOf = (words: Words): GridColumn<ProgressRow>[] => [
  {
    id: 'Student',
    header: words('progress.student'),
    identity: true,
    sortable: true,
    minWidth: 190,
    detail: ({ Cohort, StudentLevel }) => [Cohort, StudentLevel].filter(Boolean).join(' · '),
  },
  {
    id: 'CompletesOn',
    header: words('progress.completesOn'),
    width: 164,
    sortable: true,
    cell: (row) => completesText(words, row),
    text: (row) => completesText(words, row),
    detail: (row) => whyText(words, row),
  },
  {
    id: 'EndsOn',
    header: words('progress.plannedEnd'),
    width: 106,
    cell: ({ EndsOn }) => formatDate(EndsOn) || '–',
    text: ({ EndsOn }) => formatDate(EndsOn) || '–',
  },
  {
    id: 'Hours',
    header: words('progress.hoursOfAll'),
    width: 156,
    sortable: true,
    cell: ({ Hours }) => (Hours.Needed === 0 && Hours.Done === 0 ? '–' : hoursDoneText(words, Hours)),
    detail: ({ Hours }) => hoursText(words, Hours),
  },
  {
    id: 'Exams',
    header: words('progress.exams'),
    width: 112,
    sortable: true,
    cell: ({ Exams }) => words('progress.examsOf', { done: Exams.Done, needed: Exams.Needed }),
    detail: ({ Exams }) => words('progress.perWeekExams', { count: Math.round(Exams.PerWeek * examWeeks) }),
  },
  {
    id: 'Absences',
    header: words('progress.attendance'),
    width: 108,
    sortable: true,
    cell: ({ Absences }) => words('progress.absences', { count: Absences }),
    detail: ({ Late }) => words('progress.late', { count: Late }),
  },
  {
    id: 'EvaluationPercent',
    header: words('progress.evaluations'),
    width: 104,
    cell: ({ EvaluationPercent }) =>
      EvaluationPercent === null ? '–' : words('progress.percent', { percent: EvaluationPercent }),
  },
  {
    id: 'Risks',
    header: words('progress.risks'),
    minWidth: 200,
    sortable: true,
    cell: (row) =>
      row.Risks.length === 0 ? (
        '–'
      ) : (
        <span className={classes.reasons}>
          <StatusTag status="careful">{risksText(words, row)}</StatusTag>
        </span>
      ),
    text: (row) => risksText(words, row),
  },
]

/** Students by the day on which they will be done at their present pace. */
export function ProgressPage() {
  const words = useWords()
  const programId = useProgramId()
  const openAddress = useOpenAddress()
  const maySet = useMay()('program.settings')
  const [isSetting, setSetting] = useState(false)
  const { at, filter, reset, isFiltered, sort, paging, sorting, pager } = useListAddress(
    listProgress,
    start,
    pageSize,
  )
  const params = { programId }
  const cohorts = useRead(listCohorts, { params })
  const levels = useRead(listStudentLevels, { params }, { staleMs: 300_000 })
  const rules = useRead(getProgressRules, { params }, { isEnabled: isSetting })
  const query = {
    search: at.search,
    sort,
    IsAtRisk: at.risk,
    IsNotSetUp: at.new,
    ...(at.cohort && { Cohort: at.cohort }),
    ...(at.level && { StudentLevelId: at.level }),
  }
  const students = useRead(listProgress, { params, query: { ...paging, ...query } })
  const { data } = students
  const total = data?.Total ?? 0
  return (
    <Page
      title={words('progress.title')}
      count={data && words('progress.count', { count: total })}
      actions={
        <>
          <ExportMenu
            address={(Format) => callAddress(exportProgress, { params, query: { ...query, Format } })}
          />
          {maySet && (
            <Button variant="default" onClick={() => setSetting(true)}>
              {words('progress.rules')}
            </Button>
          )}
        </>
      }
      filters={
        <FilterBar isSet={isFiltered} onReset={reset}>
          <SelectChip
            name={words('progress.cohort')}
            options={(cohorts.data ?? []).map((cohort) => ({ value: cohort, label: cohort }))}
            value={at.cohort || null}
            onChange={(cohort) => filter({ cohort: cohort ?? '' })}
          />
          <SelectChip
            name={words('progress.level')}
            options={(levels.data ?? []).map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
            value={at.level === null ? null : String(at.level)}
            onChange={(level) => filter({ level: level === null ? null : Number(level) })}
          />
          <SearchBox
            label={words('progress.search')}
            value={at.search}
            maxLength={100}
            onChange={(search) => filter({ search })}
          />
        </FilterBar>
      }
      above={
        <SegmentedCounts
          label={words('progress.state')}
          value={at.new ? 'new' : at.risk ? 'risk' : 'all'}
          onChange={(value) =>
            filter({
              risk: value === 'risk',
              new: value === 'new',
              sort: value === 'risk' ? '-Risks' : start.sort,
            })
          }
          segments={[
            { value: 'all', label: words('progress.all') },
            {
              value: 'risk',
              label: words('progress.atRisk'),
              ...(data && { count: data.AtRisk }),
              status: 'careful',
            },
            {
              value: 'new',
              label: words('progress.notSetUp'),
              ...(data && { count: data.NotSetUp }),
              status: 'review',
            },
          ]}
        />
      }
      footerEnd={<Pager {...pager} total={total} />}
    >
      <Grid
        id="progress"
        label={words('progress.title')}
        {...fromList(students)}
        rowKey={({ StudentId }) => StudentId}
        {...sorting}
        columns={columnsOf(words)}
        onOpen={({ StudentId }) => openAddress(`/new/admin/students/${StudentId}?tab=progress`)}
        empty={{
          text: words('progress.empty'),
          filters: { isFiltered, reset },
        }}
      />
      {isSetting && rules.data && <RulesDialog rules={rules.data} onClose={() => setSetting(false)} />}
    </Page>
  )
}
