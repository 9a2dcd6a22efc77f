import { IconFileImport } from '@tabler/icons-react'
import {
  deleteEmployee,
  type Employee,
  exportEmployees,
  listEmployees,
  restoreEmployee,
  searchEmployees,
} from '#contract/people/employees.ts'
import { listedName } from '#contract/people/person-fields.ts'
import { listSites } from '#contract/sites/sites.ts'
import { callAddress, logFailure } from '#web/api/call.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { useProgramId, useProgramOptions } from '#web/api/use-state.ts'
import { ExportMenu } from '#web/shell/ExportMenu.tsx'
import { AddNew } from '#web/ui/AddNew.tsx'
import { offerUndo } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { confirm } from '#web/ui/confirm.ts'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { deleteAction, editAction } from '#web/ui/grid/edit-and-delete.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Page } from '#web/ui/Page.tsx'
import { toast, useToastSettings } from '#web/ui/toast.tsx'
import { useIsPhone } from '#web/ui/use-is-phone.ts'
import { useWords } from '#web/words/use-words.ts'
import { employeeToasts } from './employee-toasts.ts'
import classes from './people.module.css'

const pageSize = 50
const defaults = { search: '', site: null as number | null, sort: 'Name', page: 1 }

/** Manage employees: the people of sites, by name and site. */
export function EmployeesPage() {
  const words = useWords()
  const navigate = usePageNavigate()
  const isPhone = useIsPhone()
  const programId = useProgramId()
  const options = useProgramOptions()
  const { at, filter, reset, isFiltered, sort, paging, sorting, pager } = useListAddress(
    searchEmployees,
    defaults,
    pageSize,
  )
  useToastSettings(employeeToasts)
  const filters = {
    search: at.search,
    ...(at.site !== null && { SiteId: at.site }),
    sort,
  }
  const employees = useRead(searchEmployees, {
    params: { programId },
    query: { ...filters, ...paging },
  })
  const sites = useRead(listSites, { params: { programId } }, { staleMs: 300_000 })
  const remove = useSave(deleteEmployee, { refresh: [searchEmployees, listEmployees] })
  const restore = useSave(restoreEmployee, { refresh: [searchEmployees, listEmployees] })
  const total = employees.data?.Total ?? 0
  const open = (id: number | 'new') => navigate(`/admin/employees/${id}`)
  const deleteIt = async (employee: Employee) => {
    const isSure = await confirm({
      text: words('people.deleteEmployeeQuestion', { name: listedName(employee) }),
      verb: words('people.delete'),
      danger: true,
    })
    if (!isSure) return
    try {
      const params = { programId, employeeId: employee.Id }
      await remove.run({ params })
      offerUndo({ restore: () => restore.run({ params }), deleted: words('people.employeeDeleted') })
    } catch (error) {
      logFailure('Error deleting employee', error)
      toast.error(words('people.employeeNotDeleted'))
    }
  }
  const columns: GridColumn<Employee>[] = [
    {
      id: 'Name',
      header: words('people.name'),
      identity: true,
      sortable: true,
      grow: 2,
      text: listedName,
      cell: (row) => (
        <>
          {listedName(row)}
          {options.EmployeeRegistryNumberEnabled && row.RegistryNumber && (
            <span className={classes.registry} title={options.EmployeeRegistryNumberName}>
              {row.RegistryNumber}
            </span>
          )}
        </>
      ),
    },
    { id: 'Site', header: words('people.site'), sortable: true, grow: 2, cell: (row) => row.SiteName },
  ]
  const add = <AddNew onClick={() => open('new')} />
  return (
    <Page
      title={words('people.employees')}
      count={employees.data && words('people.employeeCount', { count: total })}
      actions={
        <>
          <ExportMenu
            address={(Format) =>
              callAddress(exportEmployees, { params: { programId }, query: { ...filters, Format } })
            }
          />
          {!isPhone && (
            <Button
              variant="default"
              leftSection={<IconFileImport size={17} stroke={1.75} aria-hidden />}
              onClick={() => navigate('/admin/imports', { search: { kind: 'employees' } })}
            >
              {words('people.import')}
            </Button>
          )}
          {add}
        </>
      }
      filters={
        <FilterBar {...(isFiltered && { onReset: reset })}>
          <SearchBox
            label={words('people.searchEmployees')}
            value={at.search}
            onChange={(search) => filter({ search })}
            width={280}
          />
          <SelectChip
            name={words('people.site')}
            options={(sites.data ?? []).map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
            value={at.site === null ? null : String(at.site)}
            onChange={(id) => filter({ site: id === null ? null : Number(id) })}
          />
        </FilterBar>
      }
      footer={employees.data && words('people.employeeCount', { count: total })}
      footerEnd={<Pager {...pager} total={total} />}
    >
      <Grid
        id="employees"
        label={words('people.employees')}
        columns={columns}
        {...fromList(employees)}
        rowKey={(row) => row.Id}
        {...sorting}
        empty={{ text: words('people.noEmployees'), next: add, filters: { isFiltered, reset } }}
        onOpen={(row) => open(row.Id)}
        actions={(row) => [editAction(() => open(row.Id)), deleteAction(() => void deleteIt(row))]}
      />
    </Page>
  )
}
