import { IconEye, IconFileImport } from '@tabler/icons-react'
import { useState } from 'react'
import {
  type CollegeRow,
  deleteCollege,
  listColleges,
  restoreCollege,
  searchColleges,
} from '#contract/programs/programs.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { AddNew } from '#web/ui/AddNew.tsx'
import { deleteWithUndo } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { deleteAction, editAction } from '#web/ui/grid/edit-and-delete.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Page } from '#web/ui/Page.tsx'
import { useWords } from '#web/words/use-words.ts'
import { CollegeDialog } from './CollegeDialog.tsx'

const pageSize = 50

/** Manage Colleges: view, edit and delete; thousands of them by page. */
export function CollegesPage() {
  const words = useWords()
  const navigate = usePageNavigate()
  const { at, filter, reset, isFiltered, paging, sorting, pager } = useListAddress(
    searchColleges,
    { search: '', sort: 'Name', page: 1 },
    pageSize,
  )
  const colleges = useRead(searchColleges, { query: { search: at.search, ...paging } })
  const remove = useSave(deleteCollege, { refresh: [searchColleges, listColleges] })
  const restore = useSave(restoreCollege, { refresh: [searchColleges, listColleges] })
  const open = (row?: CollegeRow) =>
    navigate('/admin/manage-colleges/edit', { search: row ? { id: row.Id } : {} })
  const deleteIt = (row: CollegeRow) => {
    const at = { params: { collegeId: row.Id } }
    return deleteWithUndo({
      remove: () => remove.run(at),
      restore: () => restore.run(at),
      deleted: words('programs.deletedCollege', { name: row.Name }),
    })
  }
  const [viewed, setViewed] = useState<CollegeRow>()
  const total = colleges.data?.Total ?? 0
  const add = <AddNew onClick={() => open()} />
  return (
    <Page
      title={words('programs.colleges')}
      count={colleges.data && words('programs.collegeCount', { count: total })}
      actions={
        <>
          <Button
            variant="subtle"
            color="gray"
            leftSection={<IconFileImport size={17} stroke={1.75} aria-hidden />}
            onClick={() => navigate('/admin/imports', { search: { kind: 'colleges' } })}
          >
            {words('programs.import')}
          </Button>
          {add}
        </>
      }
      filters={
        <FilterBar>
          <SearchBox
            label={words('programs.searchColleges')}
            value={at.search}
            onChange={(text) => filter({ search: text })}
            width={320}
          />
        </FilterBar>
      }
      footer={colleges.data && words('programs.collegeCount', { count: total })}
      footerEnd={<Pager {...pager} total={total} />}
    >
      <Grid
        id="colleges"
        label={words('programs.colleges')}
        {...fromList(colleges)}
        rowKey={(row) => row.Id}
        {...sorting}
        empty={{
          text: words('programs.firstCollege'),
          next: add,
          filters: { isFiltered, reset },
        }}
        onOpen={open}
        actionsWidth={152}
        columns={[
          { id: 'Name', header: words('programs.name'), identity: true, sortable: true, grow: 3 },
          { id: 'City', header: words('programs.city') },
          { id: 'State', header: words('programs.state'), width: 100, sortable: true },
          {
            id: 'ProgramCount',
            header: words('programs.programsOf'),
            width: 130,
            align: 'end',
            sortable: true,
            cell: (row) => (row.ProgramCount > 0 ? row.ProgramCount : '–'),
          },
        ]}
        actions={(row) => [
          {
            label: words('programs.view'),
            icon: <IconEye size={16} stroke={1.75} />,
            quick: true,
            onRun: () => setViewed(row),
          },
          editAction(() => open(row)),
          deleteAction(() => void deleteIt(row), {
            reason: row.ProgramCount > 0 && words('programs.hasPrograms'),
          }),
        ]}
      />
      {viewed && <CollegeDialog college={viewed} onClose={() => setViewed(undefined)} />}
    </Page>
  )
}
