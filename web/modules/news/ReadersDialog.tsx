import { useState } from 'react'
import {
  type Announcement,
  type AnnouncementReader,
  listAnnouncementReaders,
} from '#contract/news/announcements.ts'
import { listedName } from '#contract/people/person-fields.ts'
import { useRead } from '#web/api/use-call.ts'
import { useTimeZone } from '#web/api/use-state.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { formatInstant } from '#web/ui/dates.ts'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { LeaveButton } from '#web/ui/LeaveButton.tsx'
import { SegmentedCounts } from '#web/ui/SegmentedCounts.tsx'
import { useLevelName } from '#web/words/level-name.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './news.module.css'

const pageSize = 25
type Part = 'all' | 'yes' | 'no'

const emptyWords = {
  all: 'announcements.noReaders',
  yes: 'announcements.noneAcknowledged',
  no: 'announcements.allAcknowledged',
} as const

/** The people an announcement reaches, and who of them has acknowledged it. */
export function ReadersDialog(props: { announcement: Announcement; programId: number; onClose: () => void }) {
  const { announcement, programId, onClose } = props
  const words = useWords()
  const levelOf = useLevelName()
  const timeZone = useTimeZone()
  const [part, setPart] = useState<Part>('all')
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const readers = useRead(listAnnouncementReaders, {
    params: { programId, announcementId: announcement.Id },
    query: { search, ...(part !== 'all' && { IsAcknowledged: part === 'yes' }), page, pageSize },
  })
  const total = readers.data?.Total ?? 0
  const when = ({ AcknowledgedAt }: AnnouncementReader) =>
    AcknowledgedAt ? formatInstant(AcknowledgedAt, timeZone) : words('announcements.notYet')
  const columns: GridColumn<AnnouncementReader>[] = [
    {
      id: 'LastName',
      header: words('announcements.name'),
      identity: true,
      cell: listedName,
      text: listedName,
    },
    {
      id: 'AccessLevel',
      header: words('announcements.level'),
      width: 140,
      cell: ({ AccessLevel }) => levelOf(AccessLevel),
      text: ({ AccessLevel }) => levelOf(AccessLevel),
    },
    { id: 'AcknowledgedAt', header: words('announcements.when'), width: 170, cell: when, text: when },
  ]
  return (
    <Dialog
      opened
      onClose={onClose}
      width={680}
      title={words('announcements.readersTitle')}
      summary={words('announcements.acknowledgedOf', {
        count: announcement.Acknowledged,
        all: announcement.Readers,
      })}
      actions={<LeaveButton onClick={onClose}>{words('announcements.close')}</LeaveButton>}
    >
      <div className={classes.readers}>
        <SegmentedCounts
          label={words('announcements.readersTitle')}
          value={part}
          onChange={(value) => {
            setPart(value)
            setPage(1)
          }}
          segments={[
            { value: 'all', label: words('announcements.all'), count: announcement.Readers },
            { value: 'yes', label: words('announcements.yes'), count: announcement.Acknowledged },
            {
              value: 'no',
              label: words('announcements.no'),
              count: Math.max(0, announcement.Readers - announcement.Acknowledged),
            },
          ]}
        />
        <SearchBox
          label={words('announcements.searchReaders')}
          value={search}
          maxLength={200}
          onChange={(text) => {
            setSearch(text)
            setPage(1)
          }}
        />
      </div>
      <Grid
        id="announcement-readers"
        label={words('announcements.readersTitle')}
        columns={columns}
        {...fromList(readers)}
        rowKey={({ Id }) => Id}
        height="auto"
        framed
        noColumnChoice
        empty={{
          text: words(emptyWords[part]),
          filters: {
            isFiltered: search !== '',
            reset: () => {
              setSearch('')
              setPage(1)
            },
          },
        }}
      />
      <Pager page={page} pageSize={pageSize} total={total} onPage={setPage} />
    </Dialog>
  )
}
