import { useMemo } from 'react'
import { finder } from '#contract/core/search.ts'
import {
  createModality,
  deleteModality,
  listModalities,
  type Modality,
  updateModality,
} from '#contract/programs/programs.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { AddNew, InlineGrid, TextCell, useInlineEdit } from '#web/ui/grid/InlineGrid.tsx'
import { Page } from '#web/ui/Page.tsx'
import { useWords } from '#web/words/use-words.ts'

/** Modalities: an inline-edit table. Failures are logged and marked at the row. */
export function ModalitiesPage() {
  const words = useWords()
  const [{ search }, setAddress] = useAddress({ search: '' })
  const modalities = useRead(listModalities)
  const refresh = [listModalities]
  const create = useSave(createModality, { refresh })
  const update = useSave(updateModality, { refresh })
  const remove = useSave(deleteModality, { refresh })
  const inline = useInlineEdit<Modality>({
    rowKey: (row) => row.Id,
    blank: () => ({ Id: 0, Name: '', DelFlag: false, ProgramCount: 0 }),
    check: ({ Name }) =>
      Name.trim() ? ({} as Record<string, string>) : { Name: words('programs.nameEmpty') },
    save: (draft, isNew, basedOn) =>
      isNew
        ? create.run({ body: draft })
        : update.run({ params: { modalityId: draft.Id }, body: draft }, { basedOn }),
    remove: (row) => remove.run({ params: { modalityId: row.Id } }),
    undo: (row) => update.run({ params: { modalityId: row.Id }, body: row }),
    deleted: (row) => words('programs.deletedModality', { name: row.Name }),
    whyNotDelete: (row) => row.ProgramCount > 0 && words('programs.inUse'),
    marks: { log: 'Saving a modality', text: words('programs.lastChangeFailed') },
  })
  const rows = useMemo(() => {
    const isFound = finder(search)
    return modalities.data?.filter(({ Id, Name }) => isFound(`${Id} ${Name}`))
  }, [modalities.data, search])
  return (
    <Page
      title={words('programs.modalities')}
      count={modalities.data && `${modalities.data.length} ${words('programs.modalitiesHint')}`}
      actions={<AddNew inline={inline} label={words('programs.add')} />}
      filters={
        <FilterBar end={inline.isEditing && words('programs.oneRow')}>
          <SearchBox
            label={words('programs.searchModalities')}
            value={search}
            onChange={(text) => setAddress({ search: text })}
          />
        </FilterBar>
      }
      footer={rows && words('programs.modalityCount', { count: rows.length })}
      footerEnd={words('programs.inUse')}
      inset
    >
      <InlineGrid
        id="modalities"
        label={words('programs.modalities')}
        inline={inline}
        rows={rows}
        sortHere
        isLoading={modalities.isFetching}
        error={modalities.error?.message}
        onRetry={() => void modalities.refetch()}
        columns={[
          {
            id: 'Id',
            header: words('programs.id'),
            width: 90,
            sortable: true,
            cell: (row) => (row.Id === 0 ? '' : row.Id),
          },
          {
            id: 'Name',
            header: words('programs.name'),
            identity: true,
            sortable: true,
            grow: 2,
            edit: (editor) => (
              <TextCell editor={editor} field="Name" label={words('programs.name')} maxLength={100} />
            ),
          },
          {
            id: 'ProgramCount',
            header: words('programs.usedBy'),
            sortable: true,
            cell: (row) =>
              row.ProgramCount > 0
                ? words('programs.count', { count: row.ProgramCount })
                : words('programs.notUsed'),
          },
        ]}
      />
    </Page>
  )
}
