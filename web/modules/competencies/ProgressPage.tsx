import { IconAlertTriangle, IconFileText, IconMail, IconMapPin } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import {
  type CompetencySort,
  exportCompetencyGrid,
  exportCompetencyRecords,
  getCompetencyGrid,
  getCompetencyGridHead,
  maxRecords,
} from '#contract/competencies/competency-grid.ts'
import { type CompetencyList, listCompetencyLists } from '#contract/competencies/competency-lists.ts'
import { gridStates } from '#contract/competencies/grid-states.ts'
import { callAddress } from '#web/api/call.ts'
import { useLiveEvent } from '#web/api/live.ts'
import { readKey, useRead } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { useFetchAllRows } from '#web/api/use-row-pages.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { ChoiceChip } from '#web/shared/ChoiceChip.tsx'
import { CohortChip } from '#web/shared/CohortChip.tsx'
import { useWriteTo } from '#web/shared/use-write-to.ts'
import { ExportMenu } from '#web/shell/ExportMenu.tsx'
import { PageLink } from '#web/shell/PageLink.tsx'
import { PreparingFile } from '#web/shell/PreparingFile.tsx'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { useFile } from '#web/shell/use-file.ts'
import { Button } from '#web/ui/buttons.ts'
import { EmptyList } from '#web/ui/EmptyList.tsx'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { BulkBar } from '#web/ui/grid/BulkBar.tsx'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { type Ticks, useTicks } from '#web/ui/grid/TickGrid.tsx'
import { later } from '#web/ui/later.tsx'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useIsPhone } from '#web/ui/use-is-phone.ts'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import { stateName } from './CellSign.tsx'
import classes from './CompetencyGrid.module.css'
import { CompetencyGrid } from './CompetencyGrid.tsx'
import { ProgressCards } from './ProgressCards.tsx'
import { type ProgressHead, type ProgressInput, progressRows } from './progress-rows.ts'
import { usualList } from './use-lists.ts'

const HistoryDialog = later(() => import('./HistoryDialog.tsx').then((m) => m.HistoryDialog))
const SitesDialog = later(() => import('./SitesDialog.tsx').then((m) => m.SitesDialog))

const TermTargetsDialog = later(() => import('./TermTargetsDialog.tsx').then((m) => m.TermTargetsDialog))

const pageSize = 30
const start = {
  list: null as number | null,
  cohort: '',
  level: null as number | null,
  area: null as number | null,
  study: null as number | null,
  procedure: null as number | null,
  state: '',
  behind: false,
  search: '',
  sort: '',
  page: 1,
}
const apart = ['list'] as const

/** Students by procedures: who has passed what, who is behind, and where procedures can be had. */
export function ProgressPage() {
  const words = useWords()
  const programId = useProgramId()
  const lists = useRead(listCompetencyLists, { params: { programId }, query: {} })
  if (lists.error && !lists.data) return <ReadProblem read={lists} />
  if (!lists.data) return null
  if (lists.data.length === 0)
    return (
      <Page title={words('competencyProgress.title')}>
        <PageMessage
          kind="empty"
          text={words('competencyProgress.noLists')}
          next={
            <PageLink href="/new/admin/competencies/lists">{words('competencyProgress.toLists')}</PageLink>
          }
        />
      </Page>
    )
  return <Progress lists={lists.data} />
}

const sortOptions = (words: Words): { value: CompetencySort; label: string }[] => [
  { value: 'Name', label: words('competencyProgress.sortName') },
  { value: 'Passed', label: words('competencyProgress.sortFewest') },
  { value: '-Passed', label: words('competencyProgress.sortMost') },
  { value: '-Ready', label: words('competencyProgress.sortReady') },
  { value: 'Logged', label: words('competencyProgress.sortLogged') },
]

function Progress({ lists }: { lists: readonly CompetencyList[] }) {
  const words = useWords()
  const programId = useProgramId()
  const writeTo = useWriteTo()
  const client = useQueryClient()
  const isPhone = useIsPhone()
  const may = useMay()
  const ticks = useTicks()
  const fetchAll = useFetchAllRows()
  const records = useFile()
  const { at, set, filter, reset, isFiltered, paging, pager } = useListAddress(
    getCompetencyGrid,
    start,
    pageSize,
    apart,
  )
  const [opened, setOpened] = useState<{ studentId: number; procedureId: number }>()
  const scroller = useRef<HTMLDivElement>(null)
  const [isSites, setSites] = useState(false)
  const [isTargets, setTargets] = useState(false)
  // There is at least one.
  const list = lists.find(({ Id }) => Id === at.list) ?? usualList(lists, at.cohort)!
  const params = { programId, listId: list.Id }
  const filters = {
    ...(at.cohort !== '' && { Cohort: at.cohort }),
    ...(at.level !== null && { StudentLevelId: at.level }),
    ...(at.area !== null && { AreaId: at.area }),
    ...(at.study !== null && { MajorStudyId: at.study }),
    ...(at.procedure !== null && { ProcedureId: at.procedure }),
    ...(at.state !== '' && { State: gridStates.find((state) => state === at.state) }),
    ...(at.behind && { IsBehind: true }),
    ...(at.search.trim() !== '' && { search: at.search.trim() }),
  }
  const sort = sortOptions(words).find(({ value }) => value === at.sort)?.value ?? 'Name'
  const input: ProgressInput = { params, query: { ...filters, sort } }
  const head = useRead(getCompetencyGridHead, { params, query: filters })
  const shown = head.isPlaceholderData ? undefined : head.data
  const count = shown?.StudentCount
  const refresh = useCallback(() => {
    void client.invalidateQueries({ queryKey: readKey(getCompetencyGridHead) })
    void client.invalidateQueries({ queryKey: readKey(getCompetencyGrid) })
  }, [client])
  useLiveEvent('procedure-logs', refresh, 2_000)

  /** The keys go on where they were. */
  const close = () => {
    setOpened(undefined)
    scroller.current?.focus({ preventScroll: true })
  }
  const tickAll = async () => {
    try {
      const rows = await fetchAll(progressRows(input), count ?? 0)
      ticks.set(new Set(rows.map(({ id }) => id)))
    } catch (error) {
      toast.error({ title: words('competencyProgress.notDone'), detail: (error as Error).message })
    }
  }
  const narrow = (change: Parameters<typeof filter>[0]) => {
    ticks.clear()
    filter(change)
  }
  const email = async (ids: ReadonlySet<string | number>) => {
    try {
      const rows = await fetchAll(progressRows(input), count ?? 0)
      writeTo(rows.filter(({ id }) => ids.has(id)).map(({ id, name }) => ({ id, name })))
    } catch (error) {
      toast.error({ title: words('competencyProgress.notDone'), detail: (error as Error).message })
    }
  }
  return (
    <Page
      title={words('competencyProgress.title')}
      count={count !== undefined && words('competencyProgress.studentCount', { count })}
      beside={
        lists.length > 1 && (
          <SelectChip
            name={words('competencyProgress.list')}
            fixed
            options={lists.map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
            value={String(list.Id)}
            onChange={(id) => {
              ticks.clear()
              set({ list: Number(id), study: null, procedure: null, page: 1 })
            }}
          />
        )
      }
      actions={
        <>
          {records.task && <PreparingFile task={records.task} onCancel={() => void records.cancel()} />}
          <Button
            variant="default"
            leftSection={<IconMapPin size={17} stroke={1.75} aria-hidden />}
            onClick={() => setSites(true)}
          >
            {words('competencyProgress.bySite')}
          </Button>
          <ExportMenu
            address={(Format) =>
              callAddress(exportCompetencyGrid, { params, query: { ...filters, sort, Format } })
            }
          />
        </>
      }
      filters={
        <FilterBar
          onReset={() => {
            ticks.clear()
            reset()
          }}
          isSet={isFiltered}
          resetLabel={words('competencyProgress.reset')}
          end={
            <BehindButton
              head={head.data}
              isOn={at.behind}
              onTargets={may('competencies.design') ? () => setTargets(true) : undefined}
              onChange={(behind) => narrow({ behind })}
            />
          }
        >
          <SearchBox
            label={words('competencyProgress.search')}
            value={at.search}
            onChange={(search) => narrow({ search })}
            width={220}
          />
          <CohortChip value={at.cohort} onChange={(cohort) => narrow({ cohort })} />
          <ChoiceChip
            kind="level"
            name={words('competencyProgress.level')}
            value={at.level}
            onChange={(level) => narrow({ level })}
          />
          <ChoiceChip
            kind="area"
            name={words('competencyProgress.area')}
            value={at.area}
            onChange={(area) => narrow({ area })}
          />
          <SelectChip
            name={words('competencyProgress.study')}
            options={(head.data?.Studies ?? []).map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
            value={at.study === null ? null : String(at.study)}
            onChange={(id) => narrow({ study: id === null ? null : Number(id), procedure: null })}
          />
          <SelectChip
            name={words('competencyProgress.procedure')}
            options={(head.data?.Procedures ?? [])
              .filter(({ MajorStudyId }) => at.study === null || MajorStudyId === at.study)
              .map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
            value={at.procedure === null ? null : String(at.procedure)}
            onChange={(id) => narrow({ procedure: id === null ? null : Number(id) })}
          />
          <SelectChip
            name={words('competencyProgress.state')}
            options={gridStates.map((state) => ({ value: state, label: stateName(words, state) }))}
            value={at.state || null}
            onChange={(state) => narrow({ state: state ?? '' })}
          />
          <SelectChip
            name={words('competencyProgress.sort')}
            fixed
            options={sortOptions(words)}
            value={sort}
            onChange={(value) => filter({ sort: value === 'Name' ? '' : (value ?? '') })}
          />
        </FilterBar>
      }
      footerEnd={isPhone && <Pager {...pager} total={count ?? 0} />}
    >
      {head.error && !head.data ? (
        <PageMessage kind="error" text={head.error.message} onRetry={() => void head.refetch()} />
      ) : count === 0 ? (
        <EmptyList text={words('competencyProgress.noStudents')} filters={{ isFiltered, reset }} />
      ) : shown?.Procedures.length === 0 ? (
        <PageMessage
          kind="empty"
          text={words('competencyProgress.noProcedures')}
          next={
            <PageLink href={`/new/admin/competencies/procedures?list=${list.Id}`}>
              {words('competencyProgress.toProcedures')}
            </PageLink>
          }
        />
      ) : isPhone ? (
        <ProgressCards input={input} paging={paging} head={head.data} filters={{ isFiltered, reset }} />
      ) : (
        <GridOf
          input={input}
          head={head.data}
          count={count}
          study={at.study}
          procedure={at.procedure}
          ticks={may('mail.send') ? ticks : undefined}
          onTickAll={() => void tickAll()}
          scroller={scroller}
          onOpen={(studentId, procedureId) => setOpened({ studentId, procedureId })}
          onOldHead={refresh}
        />
      )}
      {may('mail.send') && !isPhone && (
        <Bulk
          ticks={ticks}
          programId={programId}
          onEmail={(ids) => void email(ids)}
          onRecords={(address) => void records.download(address)}
        />
      )}
      {opened && <HistoryDialog {...opened} onClose={close} />}
      {isTargets && <TermTargetsDialog params={params} onClose={() => setTargets(false)} />}
      {isSites && (
        <SitesDialog
          params={params}
          cohort={at.cohort}
          onProcedure={(procedure) => {
            setSites(false)
            narrow({ procedure, study: null })
          }}
          onClose={() => setSites(false)}
        />
      )}
    </Page>
  )
}

/** The grid with the columns that the filters leave. */
function GridOf({
  study,
  procedure,
  ...grid
}: Omit<Parameters<typeof CompetencyGrid>[0], 'columns'> & {
  study: number | null
  procedure: number | null
}) {
  const { head } = grid
  const columns = useMemo(
    () =>
      (head?.Procedures ?? []).filter(
        ({ Id, MajorStudyId }) =>
          (study === null || MajorStudyId === study) && (procedure === null || Id === procedure),
      ),
    [head, study, procedure],
  )
  return <CompetencyGrid {...grid} columns={columns} />
}

/** How many are behind, as a filter; without term targets the way to them. */
function BehindButton(props: {
  head: ProgressHead | undefined
  isOn: boolean
  /** Where targets may be set. */
  onTargets: (() => void) | undefined
  onChange: (isOn: boolean) => void
}): ReactNode {
  const { head, isOn, onTargets } = props
  const words = useWords()
  if (!head) return null
  if (!head.HasTargets && !isOn)
    return (
      onTargets && (
        <button type="button" className={classes.targets} onClick={onTargets}>
          {words('competencyProgress.setTargets')}
        </button>
      )
    )
  return (
    <button
      type="button"
      className={classes.behindButton}
      aria-pressed={isOn}
      data-on={isOn || undefined}
      onClick={() => props.onChange(!isOn)}
    >
      <IconAlertTriangle size={15} stroke={2} aria-hidden />
      {words('competencyProgress.behindCount', { count: head.BehindCount })}
    </button>
  )
}

function Bulk(props: {
  ticks: Ticks
  programId: number
  onEmail: (ids: ReadonlySet<string | number>) => void
  onRecords: (address: string) => void
}) {
  const { ticks, programId } = props
  const words = useWords()
  const ids = useSyncExternalStore(ticks.watch, ticks.now)
  return (
    <BulkBar
      count={ids.size}
      onClear={ticks.clear}
      verbs={[
        {
          label: words('competencyProgress.records'),
          icon: <IconFileText size={16} stroke={1.75} aria-hidden />,
          reason: ids.size > maxRecords && words('competencyProgress.mostRecords', { count: maxRecords }),
          onRun: () =>
            props.onRecords(
              callAddress(exportCompetencyRecords, {
                params: { programId },
                query: { StudentIds: [...ids].map(Number) },
              }),
            ),
        },
        {
          label: words('competencyProgress.email'),
          icon: <IconMail size={16} stroke={1.75} aria-hidden />,
          main: true,
          onRun: () => props.onEmail(ids),
        },
      ]}
    />
  )
}
