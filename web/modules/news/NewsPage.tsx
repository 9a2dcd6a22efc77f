import { useMemo } from 'react'
import { finder } from '#contract/core/search.ts'
import { deleteNews, listNews, type NewsItem, setNewsActive } from '#contract/news/news.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useChosen } from '#web/api/use-chosen.ts'
import { useFailedRows } from '#web/api/use-failed-rows.ts'
import { useMay, useTimeZone } from '#web/api/use-state.ts'
import { RedirectHome } from '#web/shell/RedirectHome.tsx'
import { AddNew } from '#web/ui/AddNew.tsx'
import { confirm } from '#web/ui/confirm.ts'
import { dateOfInstant, formatDate } from '#web/ui/dates.ts'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { deleteAction, editAction } from '#web/ui/grid/edit-and-delete.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { textOfHtml } from '#web/ui/html-text.ts'
import { Page } from '#web/ui/Page.tsx'
import { useWords } from '#web/words/use-words.ts'

/** The first words of an item, to name it by: of its text, or what its pictures show. */
const wordsOfItem = ({ Text }: NewsItem): string => {
  const text = textOfHtml(Text).replace(/\s+/g, ' ').trim()
  if (text) return text
  const { body } = new DOMParser().parseFromString(Text, 'text/html')
  return [...body.querySelectorAll('img')].map(({ alt }) => alt).join(', ')
}

/** News: what staff read on their home page, by modality. */
export function NewsPage() {
  return useMay()('news.manage') ? <List /> : <RedirectHome />
}

function List() {
  const words = useWords()
  const navigate = usePageNavigate()
  const today = dateOfInstant(new Date(), useTimeZone())
  const [{ search }, setAddress] = useAddress({ search: '' })
  const news = useRead(listNews)
  const setActive = useSave(setNewsActive, { refresh: [listNews] })
  const remove = useSave(deleteNews, { refresh: [listNews] })
  const { failed, attempt } = useFailedRows<number>()
  const { shown, choose } = useChosen<number, boolean>()

  const toggle = (item: NewsItem, isActive: boolean) =>
    choose(item.Id, isActive, () =>
      attempt(item.Id, 'Switching news on or off', () =>
        setActive.run({ params: { newsId: item.Id }, query: { value: isActive ? 1 : 0 } }),
      ),
    )
  const deleteIt = async (item: NewsItem) => {
    const question = { text: words('news.deleteQuestion'), verb: words('news.delete'), danger: true }
    if (await confirm(question))
      await attempt(item.Id, 'Deleting news', () => remove.run({ params: { newsId: item.Id } }))
  }
  const open = (item?: NewsItem) =>
    navigate('/admin/admin-news/edit', { ...(item && { search: { id: item.Id } }) })
  const columns = useMemo(
    (): GridColumn<NewsItem>[] => [
      {
        id: 'Modality',
        header: words('news.modality'),
        width: 190,
        sortable: true,
        sortBy: ({ Modality }) => Modality ?? words('news.all'),
        cell: ({ Modality }) => Modality ?? words('news.all'),
        text: ({ Modality }) => Modality ?? words('news.all'),
      },
      {
        id: 'Text',
        header: words('news.text'),
        identity: true,
        sortable: true,
        grow: 3,
        sortBy: wordsOfItem,
        cell: (item) => wordsOfItem(item) || words('news.picture'),
        text: (item) => wordsOfItem(item) || words('news.picture'),
      },
      {
        id: 'Date',
        header: words('news.date'),
        width: 120,
        sortable: true,
        cell: (item) => formatDate(item.Date),
        text: (item) => formatDate(item.Date),
        detail: (item) => item.IsActive && item.Date > today && words('news.later'),
      },
    ],
    [words, today],
  )
  const active: GridColumn<NewsItem> = {
    id: 'IsActive',
    header: words('news.active'),
    width: 100,
    sortable: true,
    sortBy: ({ IsActive }) => (IsActive ? 0 : 1),
    cell: (item) => (
      <input
        type="checkbox"
        className="p-tick"
        checked={shown(item.Id, item.IsActive)}
        aria-label={words('news.isActive', { text: wordsOfItem(item).slice(0, 60) })}
        onClick={(event) => event.stopPropagation()}
        onChange={(event) => void toggle(item, event.currentTarget.checked)}
      />
    ),
  }
  const add = <AddNew label={words('news.add')} onClick={() => open()} />
  const isFound = finder(search)
  const found = news.data?.filter((item) =>
    isFound(`${item.Modality ?? words('news.all')} ${wordsOfItem(item)} ${formatDate(item.Date)}`),
  )
  return (
    <Page
      title={words('news.title')}
      count={found && words('news.count', { count: found.length })}
      actions={add}
      filters={
        <FilterBar>
          <SearchBox
            label={words('news.search')}
            value={search}
            onChange={(text) => setAddress({ search: text })}
          />
        </FilterBar>
      }
    >
      <Grid
        id="admin-news"
        label={words('news.title')}
        columns={[...columns, active]}
        {...fromList(news)}
        rows={found}
        rowKey={({ Id }) => Id}
        sortHere
        empty={{
          text: words('news.empty'),
          next: add,
          filters: { isFiltered: search !== '', reset: () => setAddress({ search: '' }) },
        }}
        warning={({ Id }) => failed.has(Id) && words('news.changeFailed')}
        onOpen={open}
        actions={(item) => [editAction(() => open(item)), deleteAction(() => void deleteIt(item))]}
      />
    </Page>
  )
}
