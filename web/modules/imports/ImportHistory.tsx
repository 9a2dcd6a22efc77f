import { IconArrowBackUp } from '@tabler/icons-react'
import type { ImportRun } from '#contract/imports/imports.ts'
import { useTimeZone } from '#web/api/use-state.ts'
import { formatInstant } from '#web/ui/dates.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { type Status, StatusTag } from '#web/ui/StatusTag.tsx'
import type { WordKey } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import type { useHistory } from './import-calls.ts'
import classes from './imports.module.css'

export const historyPageSize = 10

const statusTags: Record<ImportRun['Status'], { status: Status; word: WordKey }> = {
  running: { status: 'pending', word: 'imports.statusRunning' },
  done: { status: 'approved', word: 'imports.statusDone' },
  failed: { status: 'rejected', word: 'imports.statusFailed' },
  stopped: { status: 'careful', word: 'imports.statusStopped' },
  undone: { status: 'review', word: 'imports.statusUndone' },
}

/** Earlier imports, and their undo. */
export function ImportHistory(props: {
  history: ReturnType<typeof useHistory>
  page: number
  onPage: (page: number) => void
  onUndo: (run: ImportRun) => void
}) {
  const { history, page } = props
  const words = useWords()
  const zone = useTimeZone()
  const total = history.data?.Total ?? 0
  const figure = (id: 'Rows' | 'Added' | 'Changed' | 'Unchanged', key: WordKey): GridColumn<ImportRun> => ({
    id,
    header: words(key),
    width: 92,
    align: 'end',
    cell: (run) => run[id].toLocaleString('en-US'),
  })
  const columns: GridColumn<ImportRun>[] = [
    { id: 'FileName', header: words('imports.file'), identity: true, minWidth: 150 },
    {
      id: 'CreateDate',
      header: words('imports.date'),
      width: 150,
      cell: (run) => formatInstant(run.CreateDate, zone),
    },
    figure('Rows', 'imports.rows'),
    figure('Added', 'imports.added'),
    figure('Changed', 'imports.changed'),
    figure('Unchanged', 'imports.unchanged'),
    { id: 'CreateBy', header: words('imports.by'), width: 120 },
    {
      id: 'Status',
      header: words('imports.status'),
      width: 164,
      text: (run) => words(statusTags[run.Status].word),
      cell: (run) => (
        <StatusTag status={statusTags[run.Status].status}>
          {run.Status === 'running'
            ? words('imports.progress', {
                done: run.DoneRows.toLocaleString('en-US'),
                all: run.Rows.toLocaleString('en-US'),
              })
            : run.Kept > 0
              ? words('imports.statusUndoneKept', { count: run.Kept })
              : words(statusTags[run.Status].word)}
        </StatusTag>
      ),
    },
  ]
  return (
    <section className={classes.history} aria-label={words('imports.history')}>
      <h2>{words('imports.history')}</h2>
      <Grid
        id="imports"
        label={words('imports.history')}
        columns={columns}
        rows={history.data?.Items}
        rowKey={(run) => run.Id}
        error={history.error?.message}
        onRetry={() => void history.refetch()}
        empty={{ text: words('imports.historyEmpty') }}
        height="auto"
        framed
        noColumnChoice
        actions={(run) => [
          {
            label: words('imports.undo'),
            icon: <IconArrowBackUp size={16} stroke={1.75} />,
            onRun: () => props.onUndo(run),
            reason: run.Status !== 'done' && words('imports.notUndoable'),
          },
        ]}
      />
      <Pager page={page} pageSize={historyPageSize} total={total} onPage={props.onPage} />
    </section>
  )
}
