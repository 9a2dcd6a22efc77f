import { IconUsersGroup } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import {
  type Announcement,
  type AnnouncementCategory,
  announcementCategories,
  deleteAnnouncement,
  listAnnouncements,
  restoreAnnouncement,
  setAnnouncementActive,
} from '#contract/news/announcements.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useChosen } from '#web/api/use-chosen.ts'
import { useFailedRows } from '#web/api/use-failed-rows.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { RedirectHome } from '#web/shell/RedirectHome.tsx'
import { AddNew } from '#web/ui/AddNew.tsx'
import { deleteWithUndo } from '#web/ui/attempt.ts'
import { formatDate } from '#web/ui/dates.ts'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { deleteAction, editAction } from '#web/ui/grid/edit-and-delete.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { textOfHtml } from '#web/ui/html-text.ts'
import { Page } from '#web/ui/Page.tsx'
import { useWords } from '#web/words/use-words.ts'
import { categoryWord } from './announcement-words.ts'
import { ReadersDialog } from './ReadersDialog.tsx'

const pageSize = 50
const start = { search: '', category: null as string | null, active: null as string | null, page: 1 }

const textOf = ({ Text }: Announcement): string => textOfHtml(Text).replace(/\s+/g, ' ').trim()
const asCategory = (text: string | null): AnnouncementCategory | undefined =>
  announcementCategories.find((category) => category === text)

/** Home Page Announcements: what the program's people read on their home pages. */
export function AnnouncementsPage() {
  return useMay()('announcements.manage') ? <List /> : <RedirectHome />
}

function List() {
  const words = useWords()
  const navigate = usePageNavigate()
  const programId = useProgramId()
  const { at, filter, reset, isFiltered, paging, pager } = useListAddress(listAnnouncements, start, pageSize)
  const category = asCategory(at.category)
  const list = useRead(listAnnouncements, {
    params: { programId },
    query: {
      search: at.search,
      ...(category && { Category: category }),
      ...(at.active !== null && { IsActive: at.active === 'yes' }),
      ...paging,
    },
  })
  const refresh = [listAnnouncements]
  const setActive = useSave(setAnnouncementActive, { refresh })
  const remove = useSave(deleteAnnouncement, { refresh })
  const restore = useSave(restoreAnnouncement, { refresh })
  const { failed, attempt } = useFailedRows<number>()
  const { shown, choose } = useChosen<number, boolean>()
  const [opened, setOpened] = useState<Announcement>()
  const one = (announcementId: number) => ({ params: { programId, announcementId } })

  const toggle = ({ Id }: Announcement, isActive: boolean) =>
    choose(Id, isActive, () =>
      attempt(Id, 'Switching an announcement on or off', () =>
        setActive.run({ ...one(Id), query: { value: isActive } }),
      ),
    )
  const deleteIt = ({ Id }: Announcement) =>
    deleteWithUndo({
      remove: () => remove.run(one(Id)),
      restore: () => restore.run(one(Id)),
      deleted: words('announcements.deleted'),
      restored: words('announcements.restored'),
    })
  const open = (item?: Announcement) =>
    navigate('/admin/announcements/edit', { ...(item && { search: { id: item.Id } }) })
  const columns = useMemo(
    (): GridColumn<Announcement>[] => [
      {
        id: 'Category',
        header: words('announcements.displayTo'),
        width: 150,
        cell: (item) => words(categoryWord[item.Category]),
        text: (item) => words(categoryWord[item.Category]),
      },
      {
        id: 'Text',
        header: words('announcements.text'),
        identity: true,
        grow: 3,
        cell: textOf,
        text: textOf,
      },
      {
        id: 'Date',
        header: words('announcements.date'),
        width: 110,
        cell: (item) => formatDate(item.Date),
        text: (item) => formatDate(item.Date),
      },
      { id: 'Author', header: words('announcements.author'), width: 150 },
      {
        id: 'Acknowledged',
        header: words('announcements.acknowledgedColumn'),
        align: 'end',
        width: 130,
        cell: (item) =>
          words('announcements.acknowledgedOf', { count: item.Acknowledged, all: item.Readers }),
        text: (item) =>
          words('announcements.acknowledgedOf', { count: item.Acknowledged, all: item.Readers }),
      },
    ],
    [words],
  )
  const active: GridColumn<Announcement> = {
    id: 'IsActive',
    header: words('announcements.active'),
    width: 90,
    cell: (item) => (
      <input
        type="checkbox"
        className="p-tick"
        checked={shown(item.Id, item.IsActive)}
        aria-label={words('announcements.isActive', { text: textOf(item).slice(0, 60) })}
        onClick={(event) => event.stopPropagation()}
        onChange={(event) => void toggle(item, event.currentTarget.checked)}
      />
    ),
  }
  const add = <AddNew onClick={() => open()} />
  const total = list.data?.Total ?? 0
  return (
    <Page
      title={words('announcements.title')}
      count={list.data && words('announcements.count', { count: total })}
      actions={add}
      filters={
        <FilterBar isSet={isFiltered} onReset={reset}>
          <SelectChip
            name={words('announcements.displayTo')}
            options={announcementCategories.map((value) => ({ value, label: words(categoryWord[value]) }))}
            value={category ?? null}
            onChange={(value) => filter({ category: value })}
          />
          <SelectChip
            name={words('announcements.state')}
            options={[
              { value: 'yes', label: words('announcements.activeOnly') },
              { value: 'no', label: words('announcements.inactiveOnly') },
            ]}
            value={at.active}
            onChange={(value) => filter({ active: value })}
          />
          <SearchBox
            label={words('announcements.search')}
            value={at.search}
            maxLength={200}
            onChange={(search) => filter({ search })}
          />
        </FilterBar>
      }
      footer={list.data && words('announcements.count', { count: total })}
      footerEnd={<Pager {...pager} total={total} />}
    >
      <Grid
        id="announcements"
        label={words('announcements.title')}
        columns={[...columns, active]}
        {...fromList(list)}
        rowKey={({ Id }) => Id}
        empty={{ text: words('announcements.empty'), next: add, filters: { isFiltered, reset } }}
        warning={({ Id }) => failed.has(Id) && words('announcements.changeFailed')}
        onOpen={open}
        actions={(item) => [
          editAction(() => open(item)),
          {
            label: words('announcements.whoAcknowledged'),
            icon: <IconUsersGroup size={16} stroke={1.75} />,
            onRun: () => setOpened(item),
            quick: true,
          },
          deleteAction(() => void deleteIt(item)),
        ]}
      />
      {opened && (
        <ReadersDialog announcement={opened} programId={programId} onClose={() => setOpened(undefined)} />
      )}
    </Page>
  )
}
