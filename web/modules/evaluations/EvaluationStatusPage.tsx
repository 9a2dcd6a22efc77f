import {
  IconCalendarPlus,
  IconLink,
  IconMail,
  IconPlayerPlay,
  IconPlayerStop,
  IconTrash,
  IconUsersPlus,
} from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { listAreas } from '#contract/areas/areas.ts'
import { Level } from '#contract/core/levels.ts'
import {
  restoreEvaluations,
  resumeEvaluations,
  stopEvaluations,
} from '#contract/evaluations/evaluation-making.ts'
import {
  deleteEvaluations,
  type EvaluationRow,
  listEvaluationTemplates,
  remindEvaluators,
  searchEvaluations,
} from '#contract/evaluations/evaluations.ts'
import { listStudentLevels, listUsers } from '#contract/people/people.ts'
import { listedName } from '#contract/people/person-fields.ts'
import { listSites } from '#contract/sites/sites.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { StudentLink } from '#web/shared/StudentLink.tsx'
import { AddNew } from '#web/ui/AddNew.tsx'
import { attempt, offerUndo } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { confirm } from '#web/ui/confirm.ts'
import { formatDate } from '#web/ui/dates.ts'
import { DateRangeChip } from '#web/ui/filters/DateRangeChip.tsx'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import type { RowKey } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { TickGrid, useTicks } from '#web/ui/grid/TickGrid.tsx'
import { Page } from '#web/ui/Page.tsx'
import { SegmentedCounts } from '#web/ui/SegmentedCounts.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { CohortDialog } from './CohortDialog.tsx'
import { type Chosen, ExtendDialog } from './ExtendDialog.tsx'
import classes from './evaluations.module.css'
import { LinksDialog } from './LinksDialog.tsx'
import { NewEvaluationDialog } from './NewEvaluationDialog.tsx'
import { ResultsLink } from './ResultsLink.tsx'

const pageSize = 50
const noFilters = {
  template: null as number | null,
  area: null as number | null,
  evaluator: null as number | null,
  subject: null as number | null,
  site: null as number | null,
  quick: 'all',
  from: '',
  through: '',
  alumni: false,
  levels: [] as number[],
  /** Has no control on the page; a link may name it. */
  cohort: '',
}
const defaults = {
  ...noFilters,
  /** A link may open the dialog for a new evaluation, about the subject of the filter. */
  assign: false,
  sort: '-Date',
  page: 1,
}
type Quick = 'all' | 'late' | 'uncompleted' | 'completed' | 'stopped'

const stateOf = (row: EvaluationRow) =>
  row.Status === 1
    ? (['approved', 'completed'] as const)
    : row.IsStopped
      ? (['review', 'stopped'] as const)
      : row.IsLate
        ? (['rejected', 'uncompletedLate'] as const)
        : (['pending', 'uncompleted'] as const)

/** Where the answers of an anonymous form show, together with others. */
const resultsOf = ({ TemplateId, SubjectId, SiteId }: EvaluationRow) => ({
  template: TemplateId,
  ...(SubjectId !== null ? { subject: SubjectId } : SiteId !== null && { site: SiteId }),
})

/** Evaluation status: what was asked, of whom, and whether it was submitted. */
export function EvaluationStatusPage() {
  const words = useWords()
  const programId = useProgramId()
  const navigate = usePageNavigate()
  const mayAssign = useMay()('evaluations.assign')
  const [applied, setAddress] = useAddress(defaults)
  const { assign, sort, page } = applied
  const ticks = useTicks()
  const [linked, setLinked] = useState<EvaluationRow>()
  const [isAdding, setAdding] = useState(false)
  const inProgram = { params: { programId } }
  const quick = applied.quick as Quick
  const filter = {
    ...(applied.template && { TemplateId: Number(applied.template) }),
    ...(applied.area && { AreaId: Number(applied.area) }),
    ...(applied.evaluator && { EvaluatorId: Number(applied.evaluator) }),
    ...(applied.subject && { SubjectId: Number(applied.subject) }),
    ...(applied.site && { SiteId: Number(applied.site) }),
    ...(quick === 'completed' && { Status: 1 }),
    ...(quick === 'uncompleted' && { Status: 0 }),
    IsLate: quick === 'late',
    IsStopped: quick === 'stopped',
    ...(applied.from && { FromDate: applied.from }),
    ...(applied.through && { ThroughDate: applied.through }),
    AlumniOnly: applied.alumni,
    StudentLevelIds: applied.levels as number[],
    ...(applied.cohort && { Cohort: applied.cohort }),
  }
  const evaluations = useRead(searchEvaluations, {
    ...inProgram,
    query: {
      ...filter,
      sort: sort as '-Date',
      page,
      pageSize,
    },
  })
  const templates = useRead(listEvaluationTemplates, inProgram, { staleMs: 60_000 })
  const areas = useRead(listAreas, { ...inProgram, query: {} }, { staleMs: 300_000 })
  const people = useRead(listUsers, { ...inProgram, query: {} }, { staleMs: 60_000 })
  const sites = useRead(listSites, inProgram, { staleMs: 60_000 })
  const levels = useRead(listStudentLevels, inProgram, { staleMs: 300_000 })
  const remove = useSave(deleteEvaluations, { refresh: [searchEvaluations] })
  const restore = useSave(restoreEvaluations, { refresh: [searchEvaluations] })
  const remind = useSave(remindEvaluators)
  const stop = useSave(stopEvaluations, { refresh: [searchEvaluations] })
  const resume = useSave(resumeEvaluations, { refresh: [searchEvaluations] })
  const [extended, setExtended] = useState<Chosen>()
  const [isCohort, setCohort] = useState(false)

  const change = (part: Partial<typeof applied>) => {
    ticks.clear()
    setAddress({ ...part, page: 1 })
  }
  const reset = () => setAddress(defaults as typeof applied)
  const choose = (value: Quick) => change({ quick: value })
  const idOf = (text: string | null): number | null => (text ? Number(text) : null)
  const textOf = (id: unknown): string | null => (id ? String(id) : null)
  const named = (list: { Id: number; Name?: string; Title?: string }[] | undefined) =>
    (list ?? []).map((each) => ({ value: String(each.Id), label: each.Name ?? each.Title ?? '' }))
  const subjectOf = (row: EvaluationRow): string => row.Subject || words('evaluations.role_program')
  const studentIds = useMemo(
    () =>
      new Set(people.data?.filter(({ AccessLevel }) => AccessLevel === Level.Student).map(({ Id }) => Id)),
    [people.data],
  )
  const persons = (people.data ?? []).map((person) => ({
    value: String(person.Id),
    label: listedName(person),
  }))
  const attemptAll = (work: () => Promise<string>) =>
    attempt(async () => {
      toast.done(await work())
      ticks.clear()
    })
  const total = evaluations.data?.Total ?? 0
  const whole: Chosen = { body: { Filter: filter }, count: total }
  const doResume = (body: Chosen['body']) =>
    attemptAll(async () =>
      words('evaluations.resumed', { count: (await resume.run({ ...inProgram, body })).Changed }),
    )
  const askStop = async ({ body, count }: Chosen) => {
    const isSure = await confirm({
      title: words('evaluations.stopTitle', { count }),
      text: words('evaluations.stopText'),
      verb: words('evaluations.stop'),
    })
    if (!isSure) return
    await attempt(async () => {
      const { Changed, Ids } = await stop.run({ ...inProgram, body })
      toast.done({
        title: words('evaluations.stoppedCount', { count: Changed }),
        ...(Ids.length > 0 && { undo: () => void doResume({ Ids }) }),
      })
      ticks.clear()
    })
  }
  const isOpenPart = quick === 'late' || quick === 'uncompleted'
  const figure = total.toLocaleString('en-US')
  const { sort: _sort, page: _page, assign: _assign, ...filters } = defaults
  const isFiltered = Object.entries(filters).some(
    ([name, none]) => String(applied[name as keyof typeof filters]) !== String(none),
  )
  const add = mayAssign && (
    <AddNew label={words('evaluations.addEvaluation')} onClick={() => setAdding(true)} />
  )
  return (
    <Page
      title={words('evaluations.statusTitle')}
      count={evaluations.data && words('evaluations.count', { count: total })}
      actions={
        <>
          <ResultsLink />
          {mayAssign && (
            <Button
              variant="default"
              leftSection={<IconUsersPlus size={17} stroke={1.75} aria-hidden />}
              onClick={() => setCohort(true)}
            >
              {words('evaluations.assignCohort')}
            </Button>
          )}
          {add}
        </>
      }
      filters={
        <FilterBar
          end={
            <>
              <Button size="xs" variant="default" onClick={() => void evaluations.refetch()}>
                {words('evaluations.search')}
              </Button>
              <Button size="xs" variant="default" onClick={() => void evaluations.refetch()}>
                {words('evaluations.apply')}
              </Button>
              <Button size="xs" variant="subtle" color="gray" data-quiet onClick={reset}>
                {words('evaluations.reset')}
              </Button>
            </>
          }
        >
          <SelectChip
            name={words('evaluations.template')}
            options={named(templates.data)}
            value={textOf(applied.template)}
            onChange={(id) => change({ template: idOf(id) })}
          />
          <SelectChip
            name={words('evaluations.area')}
            options={named(areas.data)}
            value={textOf(applied.area)}
            onChange={(id) => change({ area: idOf(id) })}
          />
          <SelectChip
            name={words('evaluations.evaluator')}
            options={persons}
            value={textOf(applied.evaluator)}
            onChange={(id) => change({ evaluator: idOf(id) })}
          />
          <SelectChip
            name={words('evaluations.subject')}
            options={persons.filter(
              (_person, index) => (people.data?.[index]?.AccessLevel ?? 0) <= Level.Faculty,
            )}
            value={textOf(applied.subject)}
            onChange={(id) => change({ subject: idOf(id) })}
          />
          <SelectChip
            name={words('evaluations.site')}
            options={named(sites.data)}
            value={textOf(applied.site)}
            onChange={(id) => change({ site: idOf(id) })}
          />
          <SelectChip
            name={words('evaluations.status')}
            none={words('evaluations.any')}
            options={[
              { value: 'uncompleted', label: words('evaluations.uncompleted') },
              { value: 'completed', label: words('evaluations.completed') },
              { value: 'stopped', label: words('evaluations.stopped') },
            ]}
            value={['completed', 'uncompleted', 'stopped'].includes(applied.quick) ? applied.quick : null}
            onChange={(value) => change({ quick: value ?? 'all' })}
          />
          <DateRangeChip
            name={words('evaluations.dates')}
            value={{ from: applied.from || null, to: applied.through || null }}
            onChange={({ from, to }) => change({ from: from ?? '', through: to ?? '' })}
          />
          <SelectChip
            name={words('evaluations.levels')}
            multi
            options={named(levels.data)}
            value={(applied.levels as number[]).map(String)}
            onChange={(ids) => change({ levels: ids.map(Number) })}
          />
          <label className={classes.tick}>
            <input
              type="checkbox"
              className="p-tick"
              checked={applied.alumni}
              onChange={(event) => change({ alumni: event.currentTarget.checked })}
            />
            {words('evaluations.alumniOnly')}
          </label>
        </FilterBar>
      }
      above={
        <SegmentedCounts
          label={words('evaluations.quick')}
          value={quick}
          onChange={(value) => choose(value as Quick)}
          segments={[
            { value: 'all', label: words('evaluations.any') },
            { value: 'late', label: words('evaluations.uncompletedLate') },
            { value: 'uncompleted', label: words('evaluations.uncompletedAll') },
            { value: 'completed', label: words('evaluations.completed') },
            { value: 'stopped', label: words('evaluations.stopped') },
          ]}
        />
      }
      footer={evaluations.data && words('evaluations.count', { count: total })}
      footerEnd={
        <Pager page={page} pageSize={pageSize} total={total} onPage={(page) => setAddress({ page })} />
      }
    >
      <TickGrid
        ticks={ticks}
        id="evaluation-status"
        label={words('evaluations.statusTitle')}
        {...fromList(evaluations)}
        rowKey={(row) => row.Id}
        sort={sort}
        onSort={(sort) => setAddress({ sort, page: 1 })}
        empty={{ text: words('evaluations.nothing'), next: add, filters: { isFiltered, reset } }}
        onOpen={(row) =>
          row.IsAnonymous
            ? row.Status === 1 && navigate('/admin/evaluations/results', { search: resultsOf(row) })
            : (row.Status === 1 || row.IsStopped) && navigate(`/evaluate/${row.Id}`)
        }
        {...(mayAssign && {
          untickable: (row: EvaluationRow) => row.Status === 1 && words('evaluations.completed'),
          bulk: (_rows: EvaluationRow[], keys: ReadonlySet<RowKey>) => {
            const Ids = [...keys].map(Number)
            return {
              verbs: [
                {
                  label: words('evaluations.remind'),
                  icon: <IconMail size={16} stroke={1.75} />,
                  main: true,
                  onRun: () =>
                    void attemptAll(async () =>
                      words('evaluations.reminded', {
                        count: (await remind.run({ ...inProgram, body: { Ids } })).Emails,
                      }),
                    ),
                },
                ...(quick === 'stopped'
                  ? [
                      {
                        label: words('evaluations.resume'),
                        icon: <IconPlayerPlay size={16} stroke={1.75} />,
                        onRun: () => void doResume({ Ids }),
                      },
                    ]
                  : [
                      {
                        label: words('evaluations.extend'),
                        icon: <IconCalendarPlus size={16} stroke={1.75} />,
                        onRun: () => setExtended({ body: { Ids }, count: Ids.length }),
                      },
                      {
                        label: words('evaluations.stop'),
                        icon: <IconPlayerStop size={16} stroke={1.75} />,
                        onRun: () => void askStop({ body: { Ids }, count: Ids.length }),
                      },
                    ]),
                {
                  label: words('evaluations.remove'),
                  icon: <IconTrash size={16} stroke={1.75} />,
                  onRun: () =>
                    void attempt(async () => {
                      const { Removed } = await remove.run({ ...inProgram, body: { Ids } })
                      ticks.clear()
                      offerUndo({
                        restore: () => restore.run({ ...inProgram, body: { Ids } }),
                        deleted: words('evaluations.removed', { count: Removed }),
                      })
                    }),
                },
                ...(isOpenPart
                  ? [
                      {
                        label: words('evaluations.extendAll', { count: figure }),
                        onRun: () => setExtended(whole),
                        apart: true,
                      },
                      {
                        label: words('evaluations.stopAll', { count: figure }),
                        onRun: () => void askStop(whole),
                      },
                    ]
                  : quick === 'stopped'
                    ? [
                        {
                          label: words('evaluations.resumeAll', { count: figure }),
                          onRun: () => void doResume(whole.body),
                          apart: true,
                        },
                      ]
                    : []),
              ],
            }
          },
        })}
        columns={[
          { id: 'Id', header: words('evaluations.id'), width: 90, sortable: true },
          {
            id: 'Date',
            header: words('evaluations.date'),
            width: 110,
            sortable: true,
            cell: (row) => formatDate(row.Date),
          },
          {
            id: 'EndDate',
            header: words('evaluations.endDate'),
            width: 110,
            sortable: true,
            cell: (row) => (row.EndDate ? formatDate(row.EndDate) : '–'),
          },
          { id: 'Evaluator', header: words('evaluations.evaluator'), grow: 2 },
          {
            id: 'Subject',
            header: words('evaluations.subject'),
            grow: 2,
            identity: true,
            cell: (row) =>
              row.SubjectId !== null && studentIds.has(row.SubjectId) ? (
                <StudentLink id={row.SubjectId}>{row.Subject}</StudentLink>
              ) : (
                subjectOf(row)
              ),
            text: subjectOf,
            detail: (row) => row.Template,
          },
          { id: 'Site', header: words('evaluations.site'), grow: 2 },
          {
            id: 'Link',
            header: words('evaluations.link'),
            width: 110,
            cell: (row) =>
              row.HasLink && mayAssign ? (
                <Button
                  size="compact-xs"
                  variant="default"
                  leftSection={<IconLink size={14} aria-hidden />}
                  onClick={() => setLinked(row)}
                >
                  {words('evaluations.showLink')}
                </Button>
              ) : (
                '–'
              ),
          },
          {
            id: 'Status',
            header: words('evaluations.status'),
            width: 172,
            sortable: true,
            text: (row) => words(`evaluations.${stateOf(row)[1]}`),
            cell: (row) => {
              const [status, name] = stateOf(row)
              return <StatusTag status={status}>{words(`evaluations.${name}`)}</StatusTag>
            },
          },
        ]}
      />
      {isCohort && <CohortDialog programId={programId} onClose={() => setCohort(false)} />}
      {extended && (
        <ExtendDialog
          programId={programId}
          chosen={extended}
          onClose={() => setExtended(undefined)}
          onDone={() => {
            setExtended(undefined)
            ticks.clear()
          }}
        />
      )}
      {linked && <LinksDialog row={linked} programId={programId} onClose={() => setLinked(undefined)} />}
      {(isAdding || (assign && mayAssign)) && (
        <NewEvaluationDialog
          programId={programId}
          subjectId={assign ? Number(applied.subject) : null}
          onClose={() => {
            setAdding(false)
            setAddress({ assign: false })
          }}
        />
      )}
    </Page>
  )
}
