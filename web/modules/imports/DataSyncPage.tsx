import { IconBraces, IconKey, IconUpload } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { listSyncLogs, type SyncLog, type SyncModule, syncModules } from '#contract/imports/sync.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useRead } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { useAppState, useTimeZone } from '#web/api/use-state.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DisabledReason } from '#web/ui/DisabledReason.tsx'
import { formatInstant, isMoment } from '#web/ui/dates.ts'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { LeaveButton } from '#web/ui/LeaveButton.tsx'
import { Page } from '#web/ui/Page.tsx'
import { StatusIcon } from '#web/ui/StatusTag.tsx'
import type { WordKey } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import { SyncKeysDialog } from './SyncKeysDialog.tsx'
import classes from './sync.module.css'

const pageSize = 50

const moduleWords: Record<SyncModule, WordKey> = {
  students: 'sync.students',
  staff: 'sync.staff',
  sites: 'sync.sites',
  verifications: 'sync.verifications',
}
// The logs and the filter hold ids of the list only.
const moduleWord = (id: number): WordKey => moduleWords[syncModules.find(({ Id }) => Id === id)!.Name]

/** DataSync Logs: what other systems and files brought, and the keys of those systems. */
export function DataSyncPage() {
  const words = useWords()
  const zone = useTimeZone()
  const navigate = usePageNavigate()
  const programId = useAppState().data?.ProgramId ?? null
  const { at, filter, paging, pager } = useListAddress(
    listSyncLogs,
    { module: null as number | null, failed: false, since: '', page: 1 },
    pageSize,
  )
  const since = isMoment(at.since) ? at.since : ''
  const [open, setOpen] = useState<SyncLog>()
  const [isKeysOpen, setKeysOpen] = useState(false)
  const logs = useRead(listSyncLogs, {
    query: {
      ...(at.module !== null && { ModuleId: at.module }),
      FailedOnly: at.failed,
      ...(since && { Since: since }),
      ...paging,
    },
  })
  const columns = useMemo((): GridColumn<SyncLog>[] => {
    const figure = (id: 'Added' | 'Changed' | 'Unchanged', header: string): GridColumn<SyncLog> => ({
      id,
      header,
      width: 106,
      align: 'end',
      cell: ({ Event }) => Event[id]?.toLocaleString('en-US') ?? '–',
      text: ({ Event }) => String(Event[id] ?? ''),
    })
    return [
      {
        id: 'Date',
        header: words('sync.date'),
        width: 150,
        cell: (log) => formatInstant(log.Date, zone),
        text: (log) => formatInstant(log.Date, zone),
      },
      {
        id: 'ModuleName',
        header: words('sync.log'),
        identity: true,
        minWidth: 150,
        cell: (log) => words(moduleWord(log.ModuleId)),
        text: (log) => words(moduleWord(log.ModuleId)),
        detail: ({ Event }) => Event.Key ?? Event.File,
      },
      { id: 'ProgramId', header: words('sync.progId'), width: 92 },
      {
        id: 'ProgramName',
        header: words('sync.program'),
        grow: 2,
        detail: (log) => log.CollegeName,
      },
      {
        id: 'Success',
        header: words('sync.success'),
        width: 100,
        text: ({ Event }) => words(Event.Success ? 'sync.succeeded' : 'sync.failed'),
        cell: ({ Event }) => (
          <span
            className={classes.mark}
            role="img"
            aria-label={words(Event.Success ? 'sync.succeeded' : 'sync.failed')}
          >
            <StatusIcon status={Event.Success ? 'approved' : 'rejected'} size={18} />
          </span>
        ),
      },
      figure('Added', words('sync.added')),
      figure('Changed', words('sync.changed')),
      figure('Unchanged', words('sync.unchanged')),
    ]
  }, [words, zone])
  const total = logs.data?.Total ?? 0
  const isFiltered = at.module !== null || at.failed || since !== ''
  const reset = () => filter({ module: null, failed: false, since: '' })
  const counted = logs.data && words('sync.count', { count: total })
  const noProgram = programId === null && words('sync.chooseProgram')
  return (
    <Page
      title={words('sync.title')}
      count={counted}
      actions={
        <>
          <DisabledReason reason={noProgram}>
            <Button
              variant="default"
              leftSection={<IconKey size={17} stroke={1.75} aria-hidden />}
              onClick={() => setKeysOpen(true)}
            >
              {words('sync.keys')}
            </Button>
          </DisabledReason>
          <DisabledReason reason={noProgram}>
            <Button
              leftSection={<IconUpload size={17} stroke={1.75} aria-hidden />}
              onClick={() =>
                navigate('/admin/imports', {
                  search: { kind: at.module === null ? 'students' : syncModules[at.module - 1]?.Name },
                })
              }
            >
              {words('sync.upload')}
            </Button>
          </DisabledReason>
        </>
      }
      filters={
        <FilterBar isSet={isFiltered} onReset={reset}>
          <SelectChip
            name={words('sync.log')}
            options={syncModules.map(({ Id }) => ({ value: String(Id), label: words(moduleWord(Id)) }))}
            value={at.module === null ? null : String(at.module)}
            onChange={(module) => filter({ module: module === null ? null : Number(module) })}
          />
          <SelectChip
            name={words('sync.result')}
            options={[{ value: 'failed', label: words('sync.failedOnly') }]}
            value={at.failed ? 'failed' : null}
            onChange={(result) => filter({ failed: result !== null })}
          />
          {since && (
            <SelectChip
              name={words('sync.since')}
              options={[{ value: since, label: formatInstant(since, zone) }]}
              value={since}
              onChange={(next) => filter({ since: next ?? '' })}
            />
          )}
        </FilterBar>
      }
      footer={counted}
      footerEnd={<Pager {...pager} total={total} />}
    >
      <Grid
        id="sync-logs"
        label={words('sync.title')}
        columns={columns}
        {...fromList(logs)}
        rowKey={({ Id }) => Id}
        error={logs.error && words('sync.loadFailed', { reason: logs.error.message })}
        onOpen={setOpen}
        actions={(log) => [
          {
            label: words('sync.viewEvent'),
            icon: <IconBraces size={16} stroke={1.75} />,
            quick: true,
            onRun: () => setOpen(log),
          },
        ]}
        empty={{ text: words('sync.empty'), filters: { isFiltered, reset } }}
      />
      {open && (
        <Dialog
          opened
          onClose={() => setOpen(undefined)}
          width={680}
          title={words('sync.eventTitle')}
          subtitle={words('sync.eventSubtitle', {
            module: words(moduleWord(open.ModuleId)),
            date: formatInstant(open.Date, zone),
          })}
          actions={<LeaveButton onClick={() => setOpen(undefined)}>{words('sync.close')}</LeaveButton>}
        >
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long event scrolls by keyboard too */}
          <pre className={classes.event} tabIndex={0}>
            {JSON.stringify(open.Event, null, 2)}
          </pre>
        </Dialog>
      )}
      {isKeysOpen && programId !== null && (
        <SyncKeysDialog programId={programId} onClose={() => setKeysOpen(false)} />
      )}
    </Page>
  )
}
