import { Button, TextInput } from '@mantine/core'
import { IconLink, IconMail, IconPlus, IconTrash } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { listAreas } from '#contract/areas.ts'
import {
  deleteEvaluations,
  type EvaluationRow,
  listEvaluationTemplates,
  makeEvaluationLink,
  remindEvaluators,
  searchEvaluations,
} from '#contract/evaluations.ts'
import { Level } from '#contract/levels.ts'
import { listStudentLevels, listUsers } from '#contract/people.ts'
import { listSites } from '#contract/sites.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { StudentLink } from '#web/shell/StudentLink.tsx'
import { attempt } from '#web/ui/attempt.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { formatDate } from '#web/ui/dates.ts'
import { DateRangeChip } from '#web/ui/filters/DateRangeChip.tsx'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { RowKey } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Page } from '#web/ui/Page.tsx'
import { SegmentedCounts } from '#web/ui/SegmentedCounts.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './evaluations.module.css'
import { NewEvaluationDialog } from './NewEvaluationDialog.tsx'
import { ResultsLink } from './ResultsLink.tsx'

const pageSize = 50
const defaults = {
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
  /** Has no control on the page (D3-098); a link may name it. */
  cohort: '',
  /** A link may open the dialog for a new evaluation, about the subject of the filter. */
  assign: false,
  sort: '-Date',
  page: 1,
}
type Quick = 'all' | 'late' | 'uncompleted' | 'completed'

/** Evaluation status (specification 3 §2): what was asked, of whom, and whether it was handed in. */
export function EvaluationStatusPage() {
  const words = useWords()
  const programId = useProgramId()
  const navigate = usePageNavigate()
  const mayAssign = useMay()('evaluations.assign')
  const [applied, setAddress] = useAddress(defaults)
  const [draft, setDraft] = useState(applied)
  const [selected, setSelected] = useState<ReadonlySet<RowKey>>(new Set())
  const [linked, setLinked] = useState<EvaluationRow>()
  const [isAdding, setAdding] = useState(applied.assign && mayAssign)
  const inProgram = { params: { programId } }
  const quick = applied.quick as Quick
  const evaluations = useRead(searchEvaluations, {
    ...inProgram,
    query: {
      ...(applied.template && { TemplateId: Number(applied.template) }),
      ...(applied.area && { AreaId: Number(applied.area) }),
      ...(applied.evaluator && { EvaluatorId: Number(applied.evaluator) }),
      ...(applied.subject && { SubjectId: Number(applied.subject) }),
      ...(applied.site && { SiteId: Number(applied.site) }),
      ...(quick === 'completed' && { Status: 1 }),
      ...(quick === 'uncompleted' && { Status: 0 }),
      IsLate: quick === 'late',
      ...(applied.from && { FromDate: applied.from }),
      ...(applied.through && { ThroughDate: applied.through }),
      AlumniOnly: applied.alumni,
      StudentLevelIds: applied.levels as number[],
      ...(applied.cohort && { Cohort: applied.cohort }),
      sort: applied.sort as '-Date',
      page: applied.page,
      pageSize,
    },
  })
  const templates = useRead(listEvaluationTemplates, inProgram, { staleMs: 60_000 })
  const areas = useRead(listAreas, { ...inProgram, query: {} }, { staleMs: 300_000 })
  const people = useRead(listUsers, { ...inProgram, query: {} }, { staleMs: 60_000 })
  const sites = useRead(listSites, inProgram, { staleMs: 60_000 })
  const levels = useRead(listStudentLevels, inProgram, { staleMs: 300_000 })
  const remove = useSave(deleteEvaluations, { refresh: [searchEvaluations] })
  const remind = useSave(remindEvaluators)

  const isDirty = JSON.stringify(draft) !== JSON.stringify(applied)
  const change = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part })
  const apply = () => setAddress({ ...draft, page: 1 })
  const reset = () => {
    setDraft(defaults as typeof draft)
    setAddress(defaults as typeof draft)
  }
  const choose = (value: Quick) => {
    setDraft({ ...draft, quick: value })
    setAddress({ quick: value, page: 1 })
  }
  const idOf = (text: string | null): number | null => (text ? Number(text) : null)
  const textOf = (id: unknown): string | null => (id ? String(id) : null)
  const named = (list: { Id: number; Name?: string; Title?: string }[] | undefined) =>
    (list ?? []).map((each) => ({ value: String(each.Id), label: each.Name ?? each.Title ?? '' }))
  const studentIds = useMemo(
    () =>
      new Set(people.data?.filter(({ AccessLevel }) => AccessLevel === Level.Student).map(({ Id }) => Id)),
    [people.data],
  )
  const persons = (people.data ?? []).map((person) => ({
    value: String(person.Id),
    label: `${person.LastName}, ${person.FirstName}`,
  }))
  const attemptAll = (work: () => Promise<string>) =>
    attempt(async () => {
      toast.done(await work())
      setSelected(new Set())
    })
  const total = evaluations.data?.Total ?? 0
  return (
    <Page
      title={words('evaluations.statusTitle')}
      count={evaluations.data && words('evaluations.count', { count: total })}
      actions={
        <>
          <ResultsLink />
          {mayAssign && (
            <Button
              leftSection={<IconPlus size={17} stroke={1.75} aria-hidden />}
              onClick={() => setAdding(true)}
            >
              {words('evaluations.newEvaluation')}
            </Button>
          )}
        </>
      }
      filters={
        <FilterBar
          end={
            <>
              <Button size="xs" variant="default" onClick={() => void evaluations.refetch()}>
                {words('evaluations.search')}
              </Button>
              <Button size="xs" variant={isDirty ? 'filled' : 'default'} onClick={apply}>
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
            value={textOf(draft.template)}
            onChange={(id) => change({ template: idOf(id) })}
          />
          <SelectChip
            name={words('evaluations.area')}
            options={named(areas.data)}
            value={textOf(draft.area)}
            onChange={(id) => change({ area: idOf(id) })}
          />
          <SelectChip
            name={words('evaluations.evaluator')}
            options={persons}
            value={textOf(draft.evaluator)}
            onChange={(id) => change({ evaluator: idOf(id) })}
          />
          <SelectChip
            name={words('evaluations.subject')}
            options={persons.filter(
              (_person, index) => (people.data?.[index]?.AccessLevel ?? 0) <= Level.Faculty,
            )}
            value={textOf(draft.subject)}
            onChange={(id) => change({ subject: idOf(id) })}
          />
          <SelectChip
            name={words('evaluations.site')}
            options={named(sites.data)}
            value={textOf(draft.site)}
            onChange={(id) => change({ site: idOf(id) })}
          />
          <SelectChip
            name={words('evaluations.status')}
            none={words('evaluations.any')}
            options={[
              { value: 'uncompleted', label: words('evaluations.uncompleted') },
              { value: 'completed', label: words('evaluations.completed') },
            ]}
            value={draft.quick === 'completed' || draft.quick === 'uncompleted' ? draft.quick : null}
            onChange={(value) => change({ quick: value ?? 'all' })}
          />
          <DateRangeChip
            name={words('evaluations.dates')}
            value={{ from: draft.from || null, to: draft.through || null }}
            onChange={({ from, to }) => change({ from: from ?? '', through: to ?? '' })}
          />
          <SelectChip
            name={words('evaluations.levels')}
            multi
            options={named(levels.data)}
            value={(draft.levels as number[]).map(String)}
            onChange={(ids) => change({ levels: ids.map(Number) })}
          />
          <label className={classes.tick}>
            <input
              type="checkbox"
              className="p-tick"
              checked={draft.alumni}
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
          ]}
        />
      }
      footer={evaluations.data && words('evaluations.count', { count: total })}
      footerEnd={
        <Pager
          page={applied.page}
          pageSize={pageSize}
          total={total}
          onPage={(page) => setAddress({ page })}
        />
      }
    >
      <Grid
        id="evaluation-status"
        label={words('evaluations.statusTitle')}
        {...fromList(evaluations)}
        rowKey={(row) => row.Id}
        sort={applied.sort}
        onSort={(sort) => setAddress({ sort, page: 1 })}
        empty={{ text: words('evaluations.nothing') }}
        onOpen={(row) => row.Status === 1 && navigate(`/evaluate/${row.Id}`)}
        {...(mayAssign && {
          selection: {
            selected,
            onChange: setSelected,
            reason: (row: EvaluationRow) => row.Status === 1 && words('evaluations.completed'),
          },
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
                {
                  label: words('evaluations.remove'),
                  icon: <IconTrash size={16} stroke={1.75} />,
                  onRun: () =>
                    void attemptAll(async () =>
                      words('evaluations.removed', {
                        count: (await remove.run({ ...inProgram, body: { Ids } })).Removed,
                      }),
                    ),
                },
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
                row.Subject
              ),
            text: (row) => row.Subject,
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
            width: 140,
            sortable: true,
            text: (row) => words(row.Status === 1 ? 'evaluations.completed' : 'evaluations.uncompleted'),
            cell: (row) => (
              <StatusTag status={row.Status === 1 ? 'approved' : row.IsLate ? 'rejected' : 'pending'}>
                {words(
                  row.Status === 1
                    ? 'evaluations.completed'
                    : row.IsLate
                      ? 'evaluations.uncompletedLate'
                      : 'evaluations.uncompleted',
                )}
              </StatusTag>
            ),
          },
        ]}
      />
      {linked && <LinkDialog row={linked} programId={programId} onClose={() => setLinked(undefined)} />}
      {isAdding && (
        <NewEvaluationDialog
          programId={programId}
          subjectId={applied.assign ? Number(applied.subject) : null}
          onClose={() => {
            setAdding(false)
            setAddress({ assign: false })
          }}
        />
      )}
    </Page>
  )
}

/** The anonymous link: only its hash is kept, so showing it means making a new one (D3-104). */
function LinkDialog({
  row,
  programId,
  onClose,
}: {
  row: EvaluationRow
  programId: number
  onClose: () => void
}) {
  const words = useWords()
  const make = useSave(makeEvaluationLink)
  const [link, setLink] = useState('')
  const create = () =>
    attempt(async () => setLink((await make.run({ params: { programId, evaluationId: row.Id } })).Link))
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('evaluations.linkTitle')}
      subtitle={[row.Template, row.Subject].filter(Boolean).join(' · ')}
      actions={
        !link && (
          <Button loading={make.isRunning} onClick={() => void create()}>
            {words('evaluations.newLink')}
          </Button>
        )
      }
    >
      <p>{words('evaluations.linkText')}</p>
      {link && (
        <div className={classes.copyRow}>
          <TextInput
            aria-label={words('evaluations.linkTitle')}
            readOnly
            value={link}
            onFocus={(event) => event.currentTarget.select()}
          />
          <Button
            variant="default"
            onClick={() =>
              void navigator.clipboard.writeText(link).then(() => toast.done(words('evaluations.copiedLink')))
            }
          >
            {words('evaluations.copy')}
          </Button>
        </div>
      )}
    </Dialog>
  )
}
