import { IconDownload } from '@tabler/icons-react'
import {
  deleteDocument,
  downloadDocument,
  getDocument,
  listDocumentCategories,
  listLibrary,
  type ProgramDocument,
  restoreDocument,
  searchDocuments,
} from '#contract/documents/documents.ts'
import { documentRoles, readAccess } from '#contract/documents/documents-rules.ts'
import { callAddress } from '#web/api/call.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useFailedRows } from '#web/api/use-failed-rows.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { useProgramId, useTimeZone } from '#web/api/use-state.ts'
import { AddNew } from '#web/ui/AddNew.tsx'
import { offerUndo } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { confirm } from '#web/ui/confirm.ts'
import { dateOfInstant, formatDate } from '#web/ui/dates.ts'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { deleteAction, editAction } from '#web/ui/grid/edit-and-delete.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Page } from '#web/ui/Page.tsx'
import { levelName } from '#web/words/level-name.ts'
import { useTerm, useWords } from '#web/words/use-words.ts'

const pageSize = 50
const start = {
  search: '',
  category: null as number | null,
  role: null as number | null,
  sort: 'Category',
  page: 1,
}

/** Manage Document Uploads: every document with its readers. Failed deletes are marked. */
export function DocumentsPage() {
  const words = useWords()
  const term = useTerm()
  const navigate = usePageNavigate()
  const programId = useProgramId()
  const zone = useTimeZone()
  const { at, filter, reset, isFiltered, paging, sorting, pager } = useListAddress(
    searchDocuments,
    start,
    pageSize,
  )
  const categories = useRead(listDocumentCategories, { params: { programId } })
  const documents = useRead(searchDocuments, {
    params: { programId },
    query: {
      search: at.search,
      ...(at.category !== null && { CategoryId: at.category }),
      ...(at.role !== null && { Level: at.role }),
      ...paging,
    },
  })
  const refresh = { refresh: [searchDocuments, listDocumentCategories, getDocument, listLibrary] }
  const remove = useSave(deleteDocument, refresh)
  const restore = useSave(restoreDocument, refresh)
  const { failed, attempt } = useFailedRows<number>()
  const one = ({ Id }: ProgramDocument) => ({ params: { programId, documentId: Id } })

  const deleteIt = async (document: ProgramDocument) => {
    const isSure = await confirm({
      text: words('documents.deleteQuestion'),
      detail: document.Name,
      verb: words('documents.delete'),
      danger: true,
    })
    if (!isSure) return
    if (await attempt(document.Id, 'Deleting a document', () => remove.run(one(document))))
      offerUndo({
        restore: () => restore.run(one(document)),
        deleted: words('documents.deleted', { name: document.Name }),
        restored: words('documents.restored', { name: document.Name }),
      })
  }
  const open = (document?: ProgramDocument) =>
    navigate('/admin/documents/edit', { ...(document && { search: { id: document.Id } }) })

  const readers = ({ Access }: ProgramDocument): string => {
    if (Access === null) return words('documents.everyone')
    const roles = readAccess(Access) ?? []
    return roles.length === 0
      ? words('documents.nobody')
      : documentRoles
          .filter((role) => roles.includes(role))
          .map((role) => levelName(role, term))
          .join(', ')
  }
  const listed = (names: readonly string[]) => names.join(', ') || '–'
  const columns: GridColumn<ProgramDocument>[] = [
    { id: 'Id', header: words('documents.id'), width: 76, sortable: true, offCard: true },
    { id: 'Category', header: words('documents.category'), sortable: true, minWidth: 130 },
    { id: 'Name', header: words('documents.name'), identity: true, sortable: true, grow: 2, minWidth: 170 },
    {
      id: 'Description',
      header: words('documents.description'),
      grow: 2,
      cell: ({ Description }) => Description || '–',
      text: ({ Description }) => Description,
    },
    { id: 'Visible', header: words('documents.visible'), minWidth: 130, cell: readers, text: readers },
    {
      id: 'StudentLevels',
      header: words('documents.studentLevel'),
      width: 130,
      cell: ({ StudentLevels }) => listed(StudentLevels),
      text: ({ StudentLevels }) => listed(StudentLevels),
    },
    {
      id: 'Sites',
      header: words('documents.site'),
      width: 140,
      cell: ({ Sites }) => listed(Sites),
      text: ({ Sites }) => listed(Sites),
    },
    { id: 'Filename', header: words('documents.file'), hidden: true },
    {
      id: 'FileDate',
      header: words('documents.added'),
      width: 110,
      sortable: true,
      hidden: true,
      cell: ({ FileDate }) => formatDate(dateOfInstant(FileDate, zone)),
      text: ({ FileDate }) => formatDate(dateOfInstant(FileDate, zone)),
    },
  ]
  const hasNoCategory = categories.data?.every(({ Name }) => Name === '') ?? false
  const add = <AddNew onClick={() => open()} />
  const toCategories = (
    <Button variant="default" onClick={() => navigate('/admin/document-categories')}>
      {words('documents.categories')}
    </Button>
  )
  const total = documents.data?.Total ?? 0
  return (
    <Page
      title={words('documents.title')}
      count={documents.data && words('documents.count', { count: total })}
      actions={
        <>
          {toCategories}
          {add}
        </>
      }
      filters={
        <FilterBar isSet={isFiltered} onReset={reset}>
          <SelectChip
            name={words('documents.category')}
            options={(categories.data ?? [])
              .filter(({ Name }) => Name !== '')
              .map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
            value={at.category === null ? null : String(at.category)}
            onChange={(value) => filter({ category: value === null ? null : Number(value) })}
          />
          <SelectChip
            name={words('documents.visibleTo')}
            none={words('documents.everyone')}
            options={documentRoles.map((role) => ({ value: String(role), label: levelName(role, term) }))}
            value={at.role === null ? null : String(at.role)}
            onChange={(value) => filter({ role: value === null ? null : Number(value) })}
          />
          <SearchBox
            label={words('documents.search')}
            value={at.search}
            maxLength={100}
            onChange={(search) => filter({ search })}
          />
        </FilterBar>
      }
      footer={documents.data && words('documents.count', { count: total })}
      footerEnd={<Pager {...pager} total={total} />}
    >
      <Grid
        id="documents"
        label={words('documents.title')}
        columns={columns}
        {...fromList(documents)}
        rowKey={({ Id }) => Id}
        {...sorting}
        empty={{
          ...(hasNoCategory
            ? { text: words('documents.emptyCategories'), next: toCategories }
            : { text: words('documents.empty'), next: add }),
          filters: { isFiltered, reset },
        }}
        warning={({ Id }) => failed.has(Id) && words('documents.lastChangeFailed')}
        onOpen={open}
        actions={(document) => [
          editAction(() => open(document)),
          {
            label: words('documents.download'),
            icon: <IconDownload size={16} stroke={1.75} />,
            onRun: () => location.assign(callAddress(downloadDocument, one(document))),
          },
          deleteAction(() => void deleteIt(document)),
        ]}
      />
    </Page>
  )
}
