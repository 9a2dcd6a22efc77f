import { IconListDetails, IconUser, IconUserSearch } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { type AuditKind, type AuditRow, exportAudit, listAudit } from '#contract/audit/audit.ts'
import { addDays, addMonths, weekOf } from '#contract/core/calendar.ts'
import { callAddress } from '#web/api/call.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead } from '#web/api/use-call.ts'
import { useProgramId, useTimeZone } from '#web/api/use-state.ts'
import { usePeopleSearch } from '#web/shared/use-people-search.ts'
import { ExportMenu } from '#web/shell/ExportMenu.tsx'
import { Button } from '#web/ui/buttons.ts'
import { dateOfInstant, formatInstant } from '#web/ui/dates.ts'
import { DateRangeChip } from '#web/ui/filters/DateRangeChip.tsx'
import type { DatePreset } from '#web/ui/filters/date-range.ts'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Page } from '#web/ui/Page.tsx'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import { lineOf } from './detail-words.ts'
import { EntryDialog } from './EntryDialog.tsx'

const icon = { size: 16, stroke: 1.75 }
const defaults = { kind: '', source: '', person: 0, subject: 0, from: '', through: '', cursor: '' }

/** The ranges that are asked for most. */
const presetsOf = (words: Words, today: string): DatePreset[] => {
  const weekStart = weekOf(today)
  const first = `${today.slice(0, 7)}-01`
  return [
    { label: words('audit.lastWeek'), range: { from: addDays(weekStart, -7), to: addDays(weekStart, -1) } },
    { label: words('audit.thisMonth'), range: { from: first, to: addDays(addMonths(first, 1), -1) } },
  ]
}

/** Audit: who did or saw what, about whom, when and from where, with old and new values. */
export function AuditPage() {
  const words = useWords()
  const zone = useTimeZone()
  const today = dateOfInstant(Date.now(), zone)
  const programId = useProgramId()
  const [at, setAt] = useAddress(defaults)
  const [opened, setOpened] = useState<AuditRow>()
  const filters = {
    // What the chip offers.
    ...(at.kind && { Kind: at.kind as AuditKind }),
    ...(at.source === 'keys' && { ByKey: true }),
    ...(at.source === 'links' && { ByLink: true }),
    ...(at.person > 0 && { PersonId: at.person }),
    ...(at.subject > 0 && { SubjectId: at.subject }),
    ...(at.from && { FromDate: at.from }),
    ...(at.through && { ThroughDate: at.through }),
  }
  const params = { programId }
  const rows = useRead(listAudit, { params, query: { ...filters, ...(at.cursor && { cursor: at.cursor }) } })
  const filter = (change: Partial<typeof defaults>) => setAt({ ...change, cursor: '' })
  const items = rows.data?.Items
  const nameOf = (id: number, kind: 'Person' | 'Subject'): string =>
    items?.find((row) => row[`${kind}Id`] === id)?.[kind] ?? `#${id}`
  const isSet = Object.keys(filters).length > 0

  const people = usePeopleSearch()

  const columns = useMemo(
    (): GridColumn<AuditRow>[] => [
      {
        id: 'Date',
        header: words('audit.date'),
        width: 150,
        cell: (row) => formatInstant(row.Date, zone),
        text: (row) => formatInstant(row.Date, zone),
      },
      {
        id: 'Person',
        header: words('audit.who'),
        minWidth: 150,
        cell: (row) => row.Person || words('audit.product'),
        text: (row) => row.Person || words('audit.product'),
        detail: (row) =>
          (row.Key && words('audit.byKey', { name: row.Key })) ||
          (row.Link && words('audit.byLink', { recipient: row.Link })),
      },
      {
        id: 'Summary',
        header: words('audit.what'),
        identity: true,
        grow: 3,
        minWidth: 240,
        detail: (row) => lineOf(words, zone, row),
      },
      { id: 'Subject', header: words('audit.about'), minWidth: 140 },
      { id: 'Address', header: words('audit.address'), width: 140 },
    ],
    [words, zone],
  )
  const next = rows.data?.NextCursor
  const person = (id: number, kind: 'person' | 'subject') => (
    <SelectChip
      name={words(kind === 'person' ? 'audit.who' : 'audit.about')}
      none={words('audit.anybody')}
      search={people.search}
      chosenLabels={{ [id]: people.nameOf(id) ?? nameOf(id, kind === 'person' ? 'Person' : 'Subject') }}
      value={id > 0 ? String(id) : null}
      onChange={(value) => filter({ [kind]: Number(value ?? 0) })}
    />
  )
  return (
    <Page
      title={words('audit.title')}
      actions={
        <ExportMenu
          address={(Format) => callAddress(exportAudit, { params, query: { ...filters, Format } })}
        />
      }
      filters={
        <FilterBar isSet={isSet} onReset={() => setAt(defaults)}>
          <SelectChip
            name={words('audit.kind')}
            options={[
              { value: 'change', label: words('audit.change') },
              { value: 'view', label: words('audit.view') },
              { value: 'sign-in', label: words('audit.signIn') },
            ]}
            value={at.kind || null}
            onChange={(kind) => filter({ kind: kind ?? '' })}
          />
          <DateRangeChip
            name={words('audit.days')}
            presets={presetsOf(words, today)}
            value={{ from: at.from || null, to: at.through || null }}
            onChange={({ from, to }) => filter({ from: from ?? '', through: to ?? '' })}
          />
          <SelectChip
            name={words('audit.source')}
            options={[
              { value: 'keys', label: words('audit.keys') },
              { value: 'links', label: words('audit.links') },
            ]}
            value={at.source || null}
            onChange={(source) => filter({ source: source ?? '' })}
          />
          {person(at.person, 'person')}
          {person(at.subject, 'subject')}
        </FilterBar>
      }
      footerEnd={
        next && (
          <Button variant="default" size="xs" onClick={() => setAt({ cursor: next })}>
            {words('audit.more')}
          </Button>
        )
      }
    >
      <Grid
        id="audit"
        label={words('audit.title')}
        columns={columns}
        {...fromList({ ...rows, data: items })}
        rowKey={({ Id }) => Id}
        error={rows.error && words('audit.loadFailed', { reason: rows.error.message })}
        onRetry={() => void rows.refetch()}
        onOpen={setOpened}
        actions={(row) => [
          {
            label: words('audit.detailsTitle', { date: formatInstant(row.Date, zone) }),
            icon: <IconListDetails {...icon} />,
            onRun: () => setOpened(row),
          },
          ...(row.PersonId
            ? [
                {
                  label: words('audit.byThem', { name: row.Person }),
                  icon: <IconUser {...icon} />,
                  onRun: () => filter({ person: row.PersonId ?? 0 }),
                },
              ]
            : []),
          ...(row.SubjectId
            ? [
                {
                  label: words('audit.aboutThem', { name: row.Subject ?? `#${row.SubjectId}` }),
                  icon: <IconUserSearch {...icon} />,
                  onRun: () => filter({ subject: row.SubjectId ?? 0 }),
                },
              ]
            : []),
        ]}
        empty={{
          text: words('audit.empty'),
          filters: { isFiltered: isSet, reset: () => setAt(defaults) },
        }}
      />
      {opened && <EntryDialog row={opened} onClose={() => setOpened(undefined)} />}
    </Page>
  )
}
