import { IconClipboardCheck, IconFileImport, IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import {
  type DoseReading,
  doseFilters,
  exportDoseReadings,
  listDoseReadings,
  removeDoseReading,
  restoreDoseReading,
  reviewDoseReading,
} from '#contract/safety/doses.ts'
import { callAddress } from '#web/api/call.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { StudentLink } from '#web/shared/StudentLink.tsx'
import { ExportMenu } from '#web/shell/ExportMenu.tsx'
import { Button } from '#web/ui/buttons.ts'
import { dateOfInstant, formatDate } from '#web/ui/dates.ts'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Page } from '#web/ui/Page.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { DoseDialog } from './DoseDialog.tsx'
import { NoteDialog } from './NoteDialog.tsx'

const pageSize = 50
const showWords = { toReview: 'safety.toReview', unread: 'safety.notRead' } as const

/** Readings of dosimeters, and what came of those above the limit. */
export function DosesPage() {
  const words = useWords()
  const programId = useProgramId()
  const navigate = usePageNavigate()
  const may = useMay()
  const { at, filter, reset, isFiltered, paging, pager } = useListAddress(
    listDoseReadings,
    { page: 1, show: '', search: '' },
    pageSize,
  )
  const Show = doseFilters.find((each) => each === at.show)
  const query = { search: at.search, ...(Show && { Show }) }
  const { page, pageSize: size } = paging
  const readings = useRead(listDoseReadings, {
    params: { programId },
    query: { page, pageSize: size, ...query },
  })
  const review = useSave(reviewDoseReading, { refresh: [listDoseReadings] })
  const [entering, setEntering] = useState<{ reading?: DoseReading }>()
  const [removing, setRemoving] = useState<DoseReading>()
  const remove = useSave(removeDoseReading, { refresh: [listDoseReadings] })
  const restore = useSave(restoreDoseReading, { refresh: [listDoseReadings] })
  const [reviewing, setReviewing] = useState<DoseReading>()
  const total = readings.data?.Total ?? 0
  const importButton = may('imports.run') && (
    <Button
      variant="default"
      leftSection={<IconFileImport size={17} stroke={1.75} aria-hidden />}
      onClick={() => navigate('/admin/imports', { search: { kind: 'dose-readings' } })}
    >
      {words('safety.import')}
    </Button>
  )
  const period = ({ From, Through }: DoseReading): string =>
    words('safety.period', { from: formatDate(From), through: formatDate(Through) })
  const dose = (
    name: 'Deep' | 'Lens' | 'Shallow',
    header: 'safety.deepColumn' | 'safety.lensColumn' | 'safety.shallowColumn',
  ) => ({
    id: name,
    header: words(header),
    width: 84,
    align: 'end' as const,
    cell: (row: DoseReading) => row[name] ?? '',
  })
  const reviewText = (row: DoseReading): string =>
    row.ReviewedAt
      ? words('safety.reviewedBy', {
          name: row.ReviewedBy ?? '',
          date: formatDate(dateOfInstant(row.ReviewedAt)),
          note: row.ReviewNote,
        })
      : row.IsOver
        ? words('safety.needsReview')
        : ''
  return (
    <Page
      title={words('safety.dosesTitle')}
      intro={words('safety.dosesIntro')}
      actions={
        <>
          <ExportMenu
            address={(Format) =>
              callAddress(exportDoseReadings, { params: { programId }, query: { ...query, Format } })
            }
          />
          {importButton}
          <Button onClick={() => setEntering({})}>{words('safety.addReading')}</Button>
        </>
      }
      filters={
        <FilterBar isSet={isFiltered} onReset={reset}>
          <SelectChip
            name={words('safety.show')}
            none={words('safety.all')}
            options={doseFilters.map((value) => ({ value, label: words(showWords[value]) }))}
            value={Show ?? null}
            onChange={(value) => filter({ show: value ?? '' })}
          />
          <SearchBox
            label={words('safety.search')}
            value={at.search}
            maxLength={100}
            onChange={(search) => filter({ search })}
          />
        </FilterBar>
      }
      footer={
        readings.data &&
        (readings.data.IsTotalCapped
          ? words('safety.dosesCapped', { count: total.toLocaleString('en-US') })
          : words('safety.dosesCount', { count: total }))
      }
      footerEnd={<Pager {...pager} total={total} />}
    >
      <Grid
        id="dose-readings"
        label={words('safety.dosesTitle')}
        {...fromList(readings)}
        rowKey={({ Id }) => Id}
        empty={{
          text: `${words('safety.noReadings')} ${words('safety.noReadingsDetail')}`,
          next: importButton,
          filters: { isFiltered, reset },
        }}
        columns={[
          {
            id: 'Student',
            header: words('safety.student'),
            identity: true,
            minWidth: 170,
            grow: 2,
            cell: (row: DoseReading) => <StudentLink id={row.StudentId}>{row.Student}</StudentLink>,
            text: ({ Student }: DoseReading) => Student,
            detail: ({ Badge }: DoseReading) => Badge,
          },
          { id: 'Through', header: words('safety.periodColumn'), width: 200, cell: period, text: period },
          dose('Deep', 'safety.deepColumn'),
          dose('Lens', 'safety.lensColumn'),
          dose('Shallow', 'safety.shallowColumn'),
          { id: 'YearDeep', header: words('safety.yearColumn'), width: 110, align: 'end' },
          {
            id: 'AcknowledgedAt',
            header: words('safety.readColumn'),
            width: 110,
            cell: ({ AcknowledgedAt }: DoseReading) =>
              AcknowledgedAt ? formatDate(dateOfInstant(AcknowledgedAt)) : '',
          },
          {
            id: 'Review',
            header: words('safety.reviewColumn'),
            minWidth: 180,
            grow: 3,
            cell: (row: DoseReading) =>
              row.IsOver && !row.ReviewedAt ? (
                <StatusTag status="careful">{reviewText(row)}</StatusTag>
              ) : (
                reviewText(row)
              ),
            text: reviewText,
          },
        ]}
        actions={(row: DoseReading) => [
          ...(row.IsOver && !row.ReviewedAt
            ? [
                {
                  label: words('safety.review'),
                  icon: <IconClipboardCheck size={16} stroke={1.75} />,
                  quick: true,
                  onRun: () => setReviewing(row),
                },
              ]
            : []),
          {
            label: words('safety.correct'),
            icon: <IconPencil size={16} stroke={1.75} />,
            quick: !(row.IsOver && !row.ReviewedAt),
            onRun: () => setEntering({ reading: row }),
          },
          {
            label: words('safety.remove'),
            icon: <IconTrash size={16} stroke={1.75} />,
            danger: true,
            onRun: () => setRemoving(row),
          },
        ]}
      />
      {entering && <DoseDialog {...entering} onClose={() => setEntering(undefined)} />}
      {removing && (
        <NoteDialog
          title={words('safety.removeTitle', { name: removing.Student })}
          subtitle={period(removing)}
          label={words('safety.reason')}
          verb={words('safety.remove')}
          maxLength={200}
          onClose={() => setRemoving(undefined)}
          onSave={async (Reason) => {
            await remove.run({ params: { programId, readingId: removing.Id }, body: { Reason } })
            const { Id: readingId, Student: name } = removing
            toast.done({
              title: words('safety.didRemove', { name }),
              undo: () =>
                void restore
                  .run({ params: { programId, readingId } })
                  .then(() => toast.done(words('safety.didRestore', { name })))
                  .catch((error: Error) => toast.error(error.message)),
            })
          }}
        />
      )}
      {reviewing && (
        <NoteDialog
          title={words('safety.reviewTitle', { name: reviewing.Student })}
          subtitle={`${period(reviewing)} · ${words('safety.deep', { dose: reviewing.Deep ?? 0 })}`}
          label={words('safety.reviewNote')}
          verb={words('safety.review')}
          maxLength={500}
          onClose={() => setReviewing(undefined)}
          onSave={async (Note) => {
            await review.run({ params: { programId, readingId: reviewing.Id }, body: { Note } })
            toast.done(words('safety.didReview', { name: reviewing.Student }))
          }}
        />
      )}
    </Page>
  )
}
