import { IconCheck, IconEye } from '@tabler/icons-react'
import { useState } from 'react'
import { listCompetencyLists } from '#contract/competencies/competency-lists.ts'
import { isClean } from '#contract/competencies/log-rules.ts'
import {
  exportProcedureLogs,
  type LogEntry,
  listProcedureLogs,
  logFilters,
} from '#contract/competencies/log-verification.ts'
import { listProcedures } from '#contract/competencies/procedures.ts'
import { callAddress } from '#web/api/call.ts'
import { useLiveEvent } from '#web/api/live.ts'
import { useRead } from '#web/api/use-call.ts'
import { useFilteredList } from '#web/api/use-filtered-list.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { ListFilters } from '#web/shared/ListFilters.tsx'
import { ExportMenu } from '#web/shell/ExportMenu.tsx'
import type { Option } from '#web/ui/choice/use-options.ts'
import { formatDate } from '#web/ui/dates.ts'
import { fromList } from '#web/ui/grid/from-list.ts'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { TickGrid, useTicks } from '#web/ui/grid/TickGrid.tsx'
import { Page } from '#web/ui/Page.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import { DecideDialog } from './DecideDialog.tsx'
import { EntryDialog } from './EntryDialog.tsx'
import { entryLine, stateTags } from './log-words.ts'
import { usualList } from './use-lists.ts'
import { useVerifying } from './use-verifying.ts'

const pageSize = 50

const columnsOf = (words: Words): GridColumn<LogEntry>[] => [
  { id: 'Date', header: words('procedureLog.date'), width: 106, cell: (row) => formatDate(row.Date) },
  {
    id: 'Student',
    header: words('procedureLog.student'),
    identity: true,
    grow: 2,
    minWidth: 130,
    cell: (row) => row.Student,
  },
  {
    id: 'Procedure',
    header: words('procedureLog.procedure'),
    grow: 3,
    minWidth: 144,
    cell: (row) => row.Procedure,
  },
  { id: 'Count', header: words('procedureLog.count'), width: 70, align: 'end', cell: (row) => row.Count },
  { id: 'Level', header: words('procedureLog.level'), width: 105, cell: (row) => row.Level ?? '' },
  {
    id: 'Patient',
    header: words('procedureLog.patient'),
    width: 88,
    cell: (row) => words(`procedureLog.${row.Patient}`),
  },
  {
    id: 'Repeats',
    header: words('procedureLog.repeated'),
    width: 80,
    align: 'end',
    cell: (row) => row.Repeats || '',
  },
  {
    id: 'Site',
    header: words('procedureLog.site'),
    grow: 2,
    minWidth: 110,
    cell: (row) => row.Site ?? words('procedureLog.noSite'),
  },
  {
    id: 'Supervisor',
    header: words('procedureLog.supervisor'),
    grow: 1,
    minWidth: 100,
    cell: (row) => row.Supervisor ?? '',
  },
  {
    id: 'State',
    header: words('procedureLog.status'),
    width: 120,
    cell: (row) => (
      <StatusTag status={stateTags[row.State].status}>{words(stateTags[row.State].word)}</StatusTag>
    ),
  },
]

/** The procedures of the list of a cohort, or else of the list that most students have. */
const useProcedureOptions = (programId: number, cohort: string): Option[] => {
  const lists = useRead(listCompetencyLists, { params: { programId }, query: {} }, { staleMs: 300_000 })
  const list = usualList(lists.data ?? [], cohort)
  const params = { programId, listId: list?.Id ?? 0 }
  const procedures = useRead(
    listProcedures,
    { params, query: {} },
    { isEnabled: list !== undefined, staleMs: 300_000 },
  )
  const nameOf = new Map(list?.Sections.map(({ Id, Name }) => [Id, Name]))
  return (procedures.data ?? []).map(({ Id, Name, MajorStudyId }) => ({
    value: String(Id),
    label: Name,
    group: nameOf.get(MajorStudyId) ?? '',
  }))
}

/** What all students logged, the newest first. */
export function ProcedureLogsPage() {
  const words = useWords()
  const programId = useProgramId()
  const list = useFilteredList(listProcedureLogs, logFilters, { page: 1 }, pageSize)
  const { asked, at, paging, pager, reset, isFiltered } = list
  const [openId, setOpenId] = useState<number>()
  const [deciding, setDeciding] = useState<LogEntry>()
  const mayVerify = useMay()('procedure-logs.verify')
  const ticks = useTicks()
  const procedures = useProcedureOptions(programId, at.cohort)
  const logs = useRead(listProcedureLogs, { params: { programId }, query: { ...asked, ...paging } })
  useLiveEvent('procedure-logs', () => void logs.refetch(), 2_000)
  const { verify } = useVerifying(() => void logs.refetch())
  const verifyAll = (entries: readonly LogEntry[]) => {
    ticks.clear()
    const students = new Set(entries.map(({ Student }) => Student))
    const [only] = students
    void verify(
      students.size === 1 && only ? only : words('procedureLog.severalStudents', { count: students.size }),
      entries,
    )
  }
  const total = logs.data?.Total ?? 0
  const figure = total.toLocaleString('en-US')
  return (
    <Page
      title={words('procedureLog.logsTitle')}
      count={
        logs.data &&
        (logs.data.IsTotalCapped
          ? words('procedureLog.totalCapped', { count: figure })
          : words('procedureLog.shownOf', { shown: logs.data.Items.length, total: figure }))
      }
      actions={
        <ExportMenu
          address={(Format) =>
            callAddress(exportProcedureLogs, { params: { programId }, query: { ...asked, Format } })
          }
        />
      }
      filters={<ListFilters filters={logFilters} list={list} options={{ procedure: procedures }} />}
      footerEnd={<Pager {...pager} total={total} />}
    >
      <TickGrid
        ticks={ticks}
        id="procedure-logs"
        label={words('procedureLog.logsTitle')}
        columns={columnsOf(words)}
        {...fromList(logs)}
        rowKey={({ Id }) => Id}
        empty={{ text: words('procedureLog.noLogs'), filters: { isFiltered, reset } }}
        card={(row: LogEntry) => (
          <>
            <b>
              {row.Count} × {row.Procedure}
            </b>
            <div className="p-muted">
              {row.Student} · {formatDate(row.Date)} · {entryLine(words, row)}
            </div>
            <StatusTag status={stateTags[row.State].status}>{words(stateTags[row.State].word)}</StatusTag>
          </>
        )}
        {...(mayVerify && {
          bulk: (chosen: LogEntry[]) => ({
            verbs: [
              {
                label: words('procedureLog.verifySelected'),
                icon: <IconCheck size={16} stroke={2} aria-hidden />,
                onRun: () => verifyAll(chosen),
                main: true,
              },
            ],
          }),
          untickable: (row: LogEntry) =>
            !isClean(row) &&
            words(row.State === 'submitted' ? 'procedureLog.repeatsAlone' : 'procedureLog.notWaiting'),
        })}
        actions={(row: LogEntry) => [
          ...(mayVerify && row.State === 'submitted'
            ? [
                {
                  label: words('procedureLog.verifyOne'),
                  icon: <IconCheck size={16} stroke={2} />,
                  onRun: () => (isClean(row) ? verifyAll([row]) : setDeciding(row)),
                  tone: 'good' as const,
                  quick: true,
                },
              ]
            : []),
          {
            label: words('procedureLog.open'),
            icon: <IconEye size={16} stroke={1.75} />,
            onRun: () => setOpenId(row.Id),
          },
        ]}
        onOpen={(row: LogEntry) => setOpenId(row.Id)}
      />
      {deciding && <DecideDialog entry={deciding} onClose={() => setDeciding(undefined)} />}
      {openId !== undefined && <EntryDialog logId={openId} onClose={() => setOpenId(undefined)} />}
    </Page>
  )
}
