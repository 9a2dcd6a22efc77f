import { Button } from '@mantine/core'
import { IconFileImport, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import {
  deleteEmployee,
  type Employee,
  exportEmployees,
  listEmployees,
  searchEmployees,
} from '#contract/employees.ts'
import { listSites } from '#contract/sites.ts'
import { callAddress, logFailure } from '#web/api/call.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useProgramId, useProgramOptions } from '#web/api/use-state.ts'
import { ExportMenu } from '#web/shell/ExportMenu.tsx'
import { confirm } from '#web/ui/confirm.ts'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Page } from '#web/ui/Page.tsx'
import { toast, useToastManner } from '#web/ui/toast.tsx'
import { useIsPhone } from '#web/ui/use-is-phone.ts'
import { useWords } from '#web/words/use-words.ts'
import { employeeManner } from './employee-manner.ts'
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
  const [address, setAddress] = useAddress(defaults)
  useToastManner(employeeManner)
  const filter = {
    search: address.search,
    ...(address.site !== null && { SiteId: address.site }),
    sort: address.sort as 'Name',
  }
  const employees = useRead(searchEmployees, {
    params: { programId },
    query: { ...filter, page: address.page, pageSize },
  })
  const sites = useRead(listSites, { params: { programId } }, { staleMs: 300_000 })
  const remove = useSave(deleteEmployee, { refresh: [searchEmployees, listEmployees] })
  const total = employees.data?.Total ?? 0
  const open = (id: number | 'new') => navigate(`/admin/employees/${id}`)
  const nameOf = ({ FirstName, LastName }: Employee) => `${LastName}, ${FirstName}`
  const deleteIt = async (employee: Employee) => {
    const isSure = await confirm({
      text: words('people.deleteEmployeeQuestion', { name: nameOf(employee) }),
      verb: words('people.delete'),
      danger: true,
    })
    if (!isSure) return
    try {
      await remove.run({ params: { programId, employeeId: employee.Id } })
      toast.done(words('people.employeeDeleted'))
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
      text: nameOf,
      cell: (row) => (
        <>
          {nameOf(row)}
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
  const add = (
    <Button leftSection={<IconPlus size={17} stroke={1.75} aria-hidden />} onClick={() => open('new')}>
      {words('people.addNew')}
    </Button>
  )
  const isFiltered = address.search !== '' || address.site !== null
  return (
    <Page
      title={words('people.employees')}
      count={employees.data && words('people.employeeCount', { count: total })}
      actions={
        <>
          <ExportMenu
            address={(Format) =>
              callAddress(exportEmployees, { params: { programId }, query: { ...filter, Format } })
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
        <FilterBar {...(isFiltered && { onReset: () => setAddress({ ...defaults }) })}>
          <SearchBox
            label={words('people.searchEmployees')}
            value={address.search}
            onChange={(search) => setAddress({ search, page: 1 })}
            width={280}
          />
          <SelectChip
            name={words('people.site')}
            options={(sites.data ?? []).map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
            value={address.site === null ? null : String(address.site)}
            onChange={(id) => setAddress({ site: id === null ? null : Number(id), page: 1 })}
          />
        </FilterBar>
      }
      footer={employees.data && words('people.employeeCount', { count: total })}
      footerEnd={
        <Pager
          page={address.page}
          pageSize={pageSize}
          total={total}
          onPage={(page) => setAddress({ page })}
        />
      }
    >
      <Grid
        id="employees"
        label={words('people.employees')}
        columns={columns}
        {...fromList(employees)}
        rowKey={(row) => row.Id}
        sort={address.sort}
        onSort={(sort) => setAddress({ sort, page: 1 })}
        empty={
          isFiltered
            ? { text: words('people.noEmployeesMatch') }
            : { text: words('people.noEmployees'), next: add }
        }
        onOpen={(row) => open(row.Id)}
        actions={(row) => [
          {
            label: words('people.edit'),
            icon: <IconPencil size={16} stroke={1.75} />,
            quick: true,
            onRun: () => open(row.Id),
          },
          {
            label: words('people.delete'),
            icon: <IconTrash size={16} stroke={1.75} />,
            quick: true,
            tone: 'danger',
            onRun: () => void deleteIt(row),
          },
        ]}
      />
    </Page>
  )
}
