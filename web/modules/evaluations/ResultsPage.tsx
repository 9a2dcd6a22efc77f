import { useMemo } from 'react'
import { listAreas } from '#contract/areas/areas.ts'
import { Level } from '#contract/core/levels.ts'
import {
  exportEvaluationResults,
  getEvaluationResults,
  listResultComments,
  type ResultRow,
  type ResultSort,
  resultGroups,
} from '#contract/evaluations/evaluation-results.ts'
import { getEvaluationTemplate, listEvaluationTemplates } from '#contract/evaluations/evaluations.ts'
import { listUsers } from '#contract/people/people.ts'
import { listedName } from '#contract/people/person-fields.ts'
import { listSites } from '#contract/sites/sites.ts'
import { callAddress } from '#web/api/call.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead } from '#web/api/use-call.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { ExportMenu } from '#web/shell/ExportMenu.tsx'
import { EmptyList } from '#web/ui/EmptyList.tsx'
import { DateRangeChip } from '#web/ui/filters/DateRangeChip.tsx'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { SegmentedCounts } from '#web/ui/SegmentedCounts.tsx'
import { useWords } from '#web/words/use-words.ts'
import { Comments } from './Comments.tsx'
import classes from './evaluations.module.css'
import { OwnResultsPage } from './OwnResultsPage.tsx'
import { ResultsBand } from './ResultsBand.tsx'
import { resultColumns } from './result-columns.tsx'
import parts from './results.module.css'

const pageSize = 50
const noFilters = {
  template: null as number | null,
  category: null as number | null,
  item: null as number | null,
  subject: null as number | null,
  site: null as number | null,
  area: null as number | null,
  from: '',
  through: '',
}
const start = { ...noFilters, by: 'item', low: false, sort: 'Percent', page: 1 }
const groups = [...resultGroups, 'comment'] as const
type By = (typeof groups)[number]

/** Results of the program for those who may see them, one's own for everybody else. */
export function ResultsPage() {
  return useMay()('evaluations.results') ? <ProgramResults /> : <OwnResultsPage />
}

/** Results of evaluations: by item, category, subject, site and month, with trend, spread and comments. */
function ProgramResults() {
  const words = useWords()
  const programId = useProgramId()
  const [at, setAt] = useAddress(start)
  const inProgram = { params: { programId } }
  const by = (groups as readonly string[]).includes(at.by) ? (at.by as By) : 'item'
  const isComments = by === 'comment'
  const filters = {
    ...(at.template !== null && { TemplateId: at.template }),
    ...(at.category !== null && { CategoryId: at.category }),
    ...(at.item !== null && { ItemId: at.item }),
    ...(at.subject !== null && { SubjectId: at.subject }),
    ...(at.site !== null && { SiteId: at.site }),
    ...(at.area !== null && { AreaId: at.area }),
    ...(at.from && { FromDate: at.from }),
    ...(at.through && { ThroughDate: at.through }),
  }
  const sort = at.sort as ResultSort
  const results = useRead(getEvaluationResults, {
    ...inProgram,
    query: { ...filters, By: isComments ? 'item' : by, sort, page: isComments ? 1 : at.page, pageSize },
  })
  const comments = useRead(
    listResultComments,
    { ...inProgram, query: { ...filters, LowOnly: at.low, page: at.page, pageSize } },
    { isEnabled: isComments },
  )
  const set = (change: Partial<typeof at>) => setAt({ ...change, page: 1 })
  const columns = useMemo(
    () => resultColumns(words, words(isComments ? 'evaluations.by_item' : `evaluations.by_${by}`), true),
    [words, by, isComments],
  )
  const isFiltered = Object.keys(filters).length > 0
  const reset = () => set({ ...noFilters, low: false })
  const isNarrow = at.subject !== null || at.site !== null || at.area !== null
  const shown = isComments ? comments : results
  /** What is behind a row: its items, or its comments where it is one. */
  const open = (row: ResultRow) => {
    if (by === 'item') set({ template: row.TemplateId, item: row.ItemId, by: 'subject' })
    else if (by === 'category') set({ template: row.TemplateId, category: row.CategoryId, by: 'item' })
    else if (by === 'template') set({ template: row.TemplateId, by: 'item' })
    else if (by === 'subject')
      set({ subject: row.SubjectId, site: row.SubjectId ? at.site : row.SiteId, by: 'item' })
    else if (by === 'site') set({ site: row.SiteId, by: 'item' })
    else {
      const [year, month] = row.Key.split('-').map(Number) as [number, number]
      const last = new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
      set({ from: `${row.Key}-01`, through: last, by: 'item' })
    }
  }
  /** Nothing is put below the band before the band is there: it would move. */
  const isKnown = !results.isPending
  return (
    <Page
      title={words('evaluations.results')}
      count={results.data && words('evaluations.answersCount', { count: results.data.Totals.Answers })}
      intro={results.data?.IsHeldBack && words('evaluations.resultsHeldBack')}
      actions={
        <ExportMenu
          address={(Format) =>
            callAddress(exportEvaluationResults, {
              ...inProgram,
              query: { ...filters, By: by, sort, Format },
            })
          }
        />
      }
      filters={
        <FilterBar isSet={isFiltered} onReset={reset} resetLabel={words('evaluations.reset')}>
          <Chips at={at} set={set} />
        </FilterBar>
      }
      footer={
        shown.data &&
        (isComments
          ? words('evaluations.commentsCount', { count: comments.data?.Total ?? 0 })
          : words('evaluations.answersCount', { count: results.data?.Totals.Answers ?? 0 }))
      }
      footerEnd={
        <Pager
          page={at.page}
          pageSize={pageSize}
          total={shown.data?.Total ?? 0}
          onPage={(page) => setAt({ page })}
        />
      }
      inset
    >
      {results.data && results.data.Totals.Answers > 0 && (
        <ResultsBand summary={results.data} name={words('evaluations.chosen')} isCompared={isNarrow} />
      )}
      {isKnown && (
        <div className={parts.part}>
          <SegmentedCounts
            label={words('evaluations.resultsBy')}
            value={by}
            onChange={(next) => set({ by: next, sort: next === 'period' ? 'Name' : 'Percent' })}
            segments={groups.map((value) => ({ value, label: words(`evaluations.by_${value}`) }))}
          />
          {isComments && (
            <label className={classes.tick}>
              <input
                type="checkbox"
                className="p-tick"
                checked={at.low}
                onChange={(event) => set({ low: event.currentTarget.checked })}
              />
              {words('evaluations.lowOnly')}
            </label>
          )}
        </div>
      )}
      {isComments ? (
        comments.error ? (
          <PageMessage kind="error" text={comments.error.message} onRetry={() => void comments.refetch()} />
        ) : comments.data?.Total === 0 ? (
          <EmptyList
            text={words('evaluations.noComments')}
            filters={{ isFiltered: isFiltered || at.low, reset }}
          />
        ) : (
          comments.data && <Comments rows={comments.data.Items} />
        )
      ) : (
        <Grid
          key={String(isKnown)}
          id={`evaluation-results-${by}`}
          label={words('evaluations.results')}
          columns={columns}
          {...fromList(results)}
          rowKey={({ Key }) => Key}
          sort={at.sort}
          onSort={(next) => set({ sort: next })}
          empty={{ text: words('evaluations.noResults'), filters: { isFiltered, reset } }}
          onOpen={open}
          height="auto"
          framed
        />
      )}
    </Page>
  )
}

type At = { [Name in keyof typeof noFilters]: (typeof noFilters)[Name] }

/** The filters; category and item can be chosen once a template is. */
function Chips({ at, set }: { at: At; set: (change: Partial<At>) => void }) {
  const words = useWords()
  const programId = useProgramId()
  const inProgram = { params: { programId } }
  const templates = useRead(listEvaluationTemplates, inProgram, { staleMs: 60_000 })
  const template = useRead(
    getEvaluationTemplate,
    { params: { programId, templateId: at.template ?? 0 } },
    { isEnabled: at.template !== null, staleMs: 60_000 },
  )
  const people = useRead(listUsers, { ...inProgram, query: {} }, { staleMs: 60_000 })
  const sites = useRead(listSites, inProgram, { staleMs: 60_000 })
  const areas = useRead(listAreas, { ...inProgram, query: {} }, { staleMs: 300_000 })
  const idOf = (text: string | null): number | null => (text ? Number(text) : null)
  const textOf = (id: number | null): string | null => (id === null ? null : String(id))
  const named = (list: { Id: number; Name?: string; Title?: string; Text?: string }[] | undefined) =>
    (list ?? []).map((each) => ({
      value: String(each.Id),
      label: each.Name ?? each.Title ?? each.Text ?? '',
    }))
  const subjects = (people.data ?? []).filter(({ AccessLevel }) => AccessLevel <= Level.Faculty)
  return (
    <>
      <SelectChip
        name={words('evaluations.template')}
        options={named(templates.data)}
        value={textOf(at.template)}
        onChange={(id) => set({ template: idOf(id), category: null, item: null })}
      />
      {at.template !== null && (
        <>
          <SelectChip
            name={words('evaluations.category')}
            options={named(template.data?.Categories)}
            value={textOf(at.category)}
            onChange={(id) => set({ category: idOf(id) })}
          />
          <SelectChip
            name={words('evaluations.itemFilter')}
            options={named(template.data?.Items)}
            value={textOf(at.item)}
            onChange={(id) => set({ item: idOf(id) })}
          />
        </>
      )}
      <SelectChip
        name={words('evaluations.subject')}
        options={subjects.map(({ Id, LastName, FirstName }) => ({
          value: String(Id),
          label: listedName({ FirstName, LastName }),
        }))}
        value={textOf(at.subject)}
        onChange={(id) => set({ subject: idOf(id) })}
      />
      <SelectChip
        name={words('evaluations.site')}
        options={named(sites.data)}
        value={textOf(at.site)}
        onChange={(id) => set({ site: idOf(id) })}
      />
      <SelectChip
        name={words('evaluations.area')}
        options={named(areas.data)}
        value={textOf(at.area)}
        onChange={(id) => set({ area: idOf(id) })}
      />
      <DateRangeChip
        name={words('evaluations.dates')}
        value={{ from: at.from || null, to: at.through || null }}
        onChange={({ from, to }) => set({ from: from ?? '', through: to ?? '' })}
      />
    </>
  )
}
