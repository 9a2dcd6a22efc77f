import { IconFileImport, IconListCheck, IconSettings } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { addDays } from '#contract/core/calendar.ts'
import { listStudentLevels } from '#contract/people/people.ts'
import {
  exportMatrix,
  getMatrix,
  type MatrixRow,
  matrixFilters,
  stateOfSign,
} from '#contract/requirements/matrix.ts'
import { isMet } from '#contract/requirements/requirement-rules.ts'
import { type CallError, call, callAddress } from '#web/api/call.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useAddress } from '#web/api/use-address.ts'
import { readKey, useRead } from '#web/api/use-call.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { CohortChip } from '#web/shared/CohortChip.tsx'
import { requirementLooks } from '#web/shared/RequirementState.tsx'
import { useWriteTo } from '#web/shared/use-write-to.ts'
import { ExportMenu } from '#web/shell/ExportMenu.tsx'
import { PageLink } from '#web/shell/PageLink.tsx'
import { Button } from '#web/ui/buttons.ts'
import { formatDate } from '#web/ui/dates.ts'
import { EmptyList } from '#web/ui/EmptyList.tsx'
import { DateChip } from '#web/ui/filters/DateChip.tsx'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { LoadingRows } from '#web/ui/LoadingRows.tsx'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { StatusIcon } from '#web/ui/StatusTag.tsx'
import { useIsPhone } from '#web/ui/use-is-phone.ts'
import { useWords } from '#web/words/use-words.ts'
import { ExemptDialog } from './ExemptDialog.tsx'
import { MatrixCards } from './MatrixCards.tsx'
import { MatrixGrid } from './MatrixGrid.tsx'

const defaults = {
  on: '',
  show: '',
  requirement: null as number | null,
  level: null as number | null,
  cohort: '',
  search: '',
}
const showWords = {
  notReady: 'requirements.notReady',
  waiting: 'requirements.waitingOnly',
  expiring: 'requirements.expiringOnly',
} as const

/** Students × requirements on a day, a page of students at a time as one scrolls. */
export function MatrixPage() {
  const words = useWords()
  const programId = useProgramId()
  const navigate = usePageNavigate()
  const isPhone = useIsPhone()
  const may = useMay()
  const mayReview = may('requirements.review')
  const writeTo = useWriteTo()
  const [at, setAt] = useAddress(defaults)
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set())
  const [isExempting, setExempting] = useState(false)
  const query = {
    ...(at.on && { On: at.on }),
    ...(matrixFilters.find((each) => each === at.show) && {
      Show: at.show as (typeof matrixFilters)[number],
    }),
    ...(at.requirement !== null && { RequirementId: at.requirement }),
    ...(at.level !== null && { StudentLevelIds: [at.level] }),
    ...(at.cohort && { Cohort: at.cohort }),
    search: at.search,
  }
  const params = { programId }
  const mayFilter = may('people.read')
  const levels = useRead(listStudentLevels, { params }, { staleMs: 300_000, isEnabled: mayFilter })
  const matrix = useInfiniteQuery({
    queryKey: readKey(getMatrix, { params: { programId }, query }),
    queryFn: ({ pageParam, signal }) =>
      call(
        getMatrix,
        { params: { programId }, query: { ...query, ...(pageParam && { After: pageParam }) } },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ Next }) => Next ?? undefined,
    networkMode: 'always',
  })
  const first = matrix.data?.pages[0]
  const rows = useMemo(() => matrix.data?.pages.flatMap(({ Rows }) => Rows) ?? [], [matrix.data])
  const columns = first?.Columns ?? []
  const isFiltered = Object.entries(defaults).some(
    ([name, none]) => at[name as keyof typeof defaults] !== none,
  )
  const tell = (row: MatrixRow, index: number): string => {
    const state = stateOfSign(row.States[index] ?? '-')
    if (!state || !first) return ''
    if (!mayReview) return words(isMet(state) ? 'requirements.stateMet' : 'requirements.stateNotMet')
    const end = row.Ends.split(',')[index]
    const [, word, withDay] = requirementLooks[state]
    return end && withDay ? words(withDay, { date: formatDate(addDays(first.On, Number(end))) }) : words(word)
  }
  const shown = {
    label: words('requirements.matrixTitle'),
    columns,
    rows,
    tell,
    onEnd: () => {
      if (matrix.hasNextPage && !matrix.isFetchingNextPage) void matrix.fetchNextPage()
    },
    ...(mayReview && { ticked, onTick: setTicked }),
  }
  return (
    <Page
      title={words('requirements.matrixTitle')}
      {...(mayReview && { intro: words('requirements.notVendors') })}
      count={first?.Total != null && words('requirements.matrixCount', { count: first.Total })}
      actions={
        <>
          {mayReview && (
            <Button variant="default" component={PageLink} href="/new/admin/requirements/forecast">
              {words('requirements.forecast')}
            </Button>
          )}
          {mayReview && (
            <Button
              variant="default"
              leftSection={<IconListCheck size={17} stroke={1.75} aria-hidden />}
              component={PageLink}
              href="/new/admin/requirements/review"
            >
              {words('requirements.reviewTitle')}
            </Button>
          )}
          {mayReview && may('imports.run') && (
            <Button
              variant="default"
              leftSection={<IconFileImport size={17} stroke={1.75} aria-hidden />}
              onClick={() => navigate('/admin/imports', { search: { kind: 'requirement-results' } })}
            >
              {words('requirements.importResults')}
            </Button>
          )}
          <ExportMenu
            address={(Format) =>
              callAddress(exportMatrix, { params: { programId }, query: { ...query, Format } })
            }
          />
        </>
      }
      filters={
        <FilterBar
          isSet={isFiltered}
          onReset={() => setAt(defaults)}
          resetLabel={words('requirements.reset')}
        >
          <SearchBox
            label={words('requirements.search')}
            value={at.search}
            onChange={(search) => setAt({ search })}
          />
          <DateChip
            name={words('requirements.on')}
            none={words('requirements.today')}
            value={at.on || null}
            onChange={(on) => setAt({ on: on ?? '' })}
          />
          <SelectChip
            name={words('requirements.showOnly')}
            none={words('requirements.everyone')}
            options={(mayReview ? matrixFilters : (['notReady'] as const)).map((value) => ({
              value,
              label: words(showWords[value]),
            }))}
            value={at.show || null}
            onChange={(show) => setAt({ show: show ?? '' })}
          />
          <SelectChip
            name={words('requirements.requirement')}
            none={words('requirements.anyRequirement')}
            options={columns.map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
            value={at.requirement === null ? null : String(at.requirement)}
            onChange={(value) => setAt({ requirement: value === null ? null : Number(value) })}
          />
          {mayFilter && (
            <>
              <SelectChip
                name={words('requirements.level')}
                none={words('requirements.anyLevel')}
                options={(levels.data ?? []).map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
                value={at.level === null ? null : String(at.level)}
                onChange={(value) => setAt({ level: value === null ? null : Number(value) })}
              />
              <CohortChip value={at.cohort} onChange={(cohort) => setAt({ cohort })} />
            </>
          )}
        </FilterBar>
      }
      footer={
        ticked.size > 0 ? (
          <>
            {words('requirements.selected', { count: ticked.size })}{' '}
            {may('mail.send') && (
              <Button
                variant="subtle"
                onClick={() =>
                  writeTo(
                    rows.flatMap(({ Id, Student }) => (ticked.has(Id) ? [{ id: Id, name: Student }] : [])),
                    { subject: words('requirements.emailSubject'), text: words('requirements.emailText') },
                  )
                }
              >
                {words('requirements.email')}
              </Button>
            )}
            <Button variant="subtle" onClick={() => setExempting(true)}>
              {words('requirements.waive')}
            </Button>
          </>
        ) : (
          mayReview && !isPhone && <Legend />
        )
      }
    >
      {matrix.error ? (
        <PageMessage
          kind="error"
          text={(matrix.error as CallError).message}
          onRetry={() => void matrix.refetch()}
        />
      ) : first && columns.length === 0 ? (
        <PageMessage
          kind="empty"
          text={words('requirements.noRequirements')}
          detail={words('requirements.noRequirementsDetail')}
          next={
            may('requirements.design') && (
              <Button
                leftSection={<IconSettings size={17} stroke={1.75} aria-hidden />}
                component={PageLink}
                href="/new/admin/requirements/design"
              >
                {words('requirements.design')}
              </Button>
            )
          }
        />
      ) : first && rows.length === 0 ? (
        <EmptyList text={words('requirements.none')} filters={{ isFiltered, reset: () => setAt(defaults) }} />
      ) : !first ? (
        <LoadingRows rows={12} isInset />
      ) : isPhone ? (
        <MatrixCards {...shown} opens={mayReview} />
      ) : (
        <MatrixGrid
          {...shown}
          isMetOnly={!mayReview}
          {...(mayReview && {
            onOpen: (row: MatrixRow) => navigate(`/admin/requirements/students/${row.Id}`),
          })}
        />
      )}
      {isExempting && (
        <ExemptDialog
          studentIds={[...ticked]}
          requirements={columns}
          onClose={(isDone) => {
            setExempting(false)
            if (isDone) {
              setTicked(new Set())
              void matrix.refetch()
            }
          }}
        />
      )}
    </Page>
  )
}

/** Each sign of the cells with its word. */
function Legend() {
  const words = useWords()
  return (
    <span style={{ display: 'inline-flex', gap: 14, flexWrap: 'wrap' }}>
      {(['accepted', 'expiring', 'inProgress', 'submitted', 'returned', 'missing', 'waived'] as const).map(
        (state) => (
          <span key={state} style={{ display: 'inline-flex', gap: 5, alignItems: 'center' }}>
            <StatusIcon status={requirementLooks[state][0]} />
            {words(requirementLooks[state][1])}
          </span>
        ),
      )}
    </span>
  )
}
