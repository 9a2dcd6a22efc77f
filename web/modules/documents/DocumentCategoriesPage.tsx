import { useMemo } from 'react'
import { finder } from '#contract/core/search.ts'
import {
  createDocumentCategory,
  type DocumentCategory,
  deleteDocumentCategory,
  listDocumentCategories,
  restoreDocumentCategory,
  searchDocuments,
  updateDocumentCategory,
} from '#contract/documents/documents.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { attempt } from '#web/ui/attempt.ts'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { AddNew, InlineGrid, TextCell, useInlineEdit } from '#web/ui/grid/InlineGrid.tsx'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './documents.module.css'

/** Manage Document Categories: an inline-edit list. Failures are logged and marked. */
export function DocumentCategoriesPage() {
  const words = useWords()
  const navigate = usePageNavigate()
  const programId = useProgramId()
  const [{ search }, setAddress] = useAddress({ search: '' })
  const categories = useRead(listDocumentCategories, { params: { programId } })
  const refresh = { refresh: [listDocumentCategories, searchDocuments] }
  const create = useSave(createDocumentCategory, refresh)
  const update = useSave(updateDocumentCategory, refresh)
  const remove = useSave(deleteDocumentCategory, refresh)
  const restore = useSave(restoreDocumentCategory, refresh)
  const at = (categoryId: number) => ({ params: { programId, categoryId } })
  const shownName = ({ Name }: DocumentCategory) => Name || words('documents.noName')

  const inline = useInlineEdit<DocumentCategory>({
    rowKey: ({ Id }) => Id,
    blank: () => ({ Id: 0, Name: '', DocumentCount: 0 }),
    check: ({ Id, Name }): Record<string, string> => {
      const name = Name.trim().toLowerCase()
      if (name === '') return { Name: words('documents.required') }
      const isTaken = categories.data?.some((other) => other.Id !== Id && other.Name.toLowerCase() === name)
      return isTaken ? { Name: words('documents.categoryExists') } : {}
    },
    save: async ({ Id, Name }, isNew, basedOn) => {
      const body = { Name: Name.trim() }
      await (isNew
        ? create.run({ params: { programId }, body })
        : update.run({ ...at(Id), body }, { basedOn }))
      toast.done(words('documents.updated'))
    },
    remove: ({ Id }) => remove.run(at(Id)),
    question: () => words('documents.deleteCategoryQuestion'),
    undo: (row) =>
      attempt(async () => {
        await restore.run(at(row.Id))
        toast.done(words('documents.restored', { name: shownName(row) }))
      }),
    deleted: (row) => words('documents.deleted', { name: shownName(row) }),
    marks: { log: 'Changing a document category', text: words('documents.lastChangeFailed'), tells: [] },
  })
  const rows = useMemo(() => {
    const isFound = finder(search)
    return categories.data?.filter(({ Name }) => isFound(Name))
  }, [categories.data, search])
  return (
    <Page
      title={words('documents.categories')}
      count={categories.data && words('documents.categoryCount', { count: categories.data.length })}
      actions={<AddNew inline={inline} label={words('documents.add')} />}
      filters={
        <FilterBar end={<span role="status">{inline.isEditing && words('documents.editHint')}</span>}>
          <SearchBox
            label={words('documents.searchCategories')}
            value={search}
            maxLength={100}
            onChange={(text) => setAddress({ search: text })}
          />
        </FilterBar>
      }
      inset
    >
      <InlineGrid
        id="document-categories"
        label={words('documents.categories')}
        inline={inline}
        rows={rows}
        sortHere
        isLoading={categories.isFetching}
        error={categories.error?.message}
        onRetry={() => void categories.refetch()}
        empty={{
          text: words('documents.noCategories'),
          next: <AddNew inline={inline} label={words('documents.add')} />,
          filters: { isFiltered: search !== '', reset: () => setAddress({ search: '' }) },
        }}
        columns={[
          {
            id: 'Name',
            header: words('documents.name'),
            identity: true,
            sortable: true,
            grow: 2,
            cell: (row) => (row.Name ? row.Name : <span className={classes.quiet}>{shownName(row)}</span>),
            text: shownName,
            edit: (editor) => (
              <TextCell editor={editor} field="Name" label={words('documents.name')} maxLength={100} />
            ),
          },
          {
            id: 'DocumentCount',
            header: words('documents.documents'),
            width: 160,
            sortable: true,
            cell: (row) =>
              row.Id > 0 && (
                <button
                  type="button"
                  className={classes.link}
                  onClick={() => navigate('/admin/documents', { search: { category: row.Id } })}
                >
                  {words('documents.count', { count: row.DocumentCount })}
                </button>
              ),
            text: (row) => words('documents.count', { count: row.DocumentCount }),
          },
        ]}
      />
    </Page>
  )
}
