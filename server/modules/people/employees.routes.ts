import * as contract from '#contract/people/employees.ts'
import { peopleFailures } from '#contract/people/failures.ts'
import { type ProgramOptions, readOptions } from '#contract/programs/program-options.ts'
import type { Db } from '#server/core/database/pool.ts'
import { type ExportColumn, tableFile } from '#server/core/files/table.ts'
import { handle } from '#server/core/http/handle.ts'
import { refuseDeletedParent } from '#server/core/runtime/deleted-parent.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { addEmployee, changeEmployee, setEmployeeDeleted } from './employees.commands.ts'
import { findEmployee, listEmployees, searchEmployees, streamEmployees } from './employees.queries.ts'

const getEmployee = async (db: Db, programId: number, employeeId: number): Promise<contract.Employee> => {
  const employee = await findEmployee(db, programId, employeeId)
  if (!employee) throw fail(peopleFailures.no_employee)
  return employee
}

const expectSite = async (db: Db, programId: number, siteId: number): Promise<void> => {
  const site = await db
    .selectFrom('site')
    .select('id')
    .where('program_id', '=', programId)
    .where('id', '=', siteId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!site) throw fail(peopleFailures.site_gone, 'SiteId')
}

type EmployeeColumn = ExportColumn<contract.Employee>
const credentials: readonly EmployeeColumn[] = [
  { title: 'SDMS', value: (row) => row.NumSdms },
  { title: 'ARDMS', value: (row) => row.NumArdms },
  { title: 'ARRT', value: (row) => row.NumArrt },
  { title: 'CCI', value: (row) => row.NumCci },
  { title: 'CARDUP', value: (row) => row.NumCardUp },
]

/** The columns of the form: what the program hides there stays out of the file too. */
const exportColumns = (options: ProgramOptions): EmployeeColumn[] => [
  { title: 'Last name', width: 22, value: (row) => row.LastName },
  { title: 'First name', width: 22, value: (row) => row.FirstName },
  { title: 'Site', width: 34, value: (row) => row.SiteName },
  { title: 'Email', width: 30, value: (row) => row.Email },
  {
    title: 'Date of birth',
    width: 14,
    value: (row) => row.Dob?.replace(/(\d+)-(\d+)-(\d+)/, '$2/$3/$1') ?? '',
  },
  ...(options.EmployeeRegistryNumberEnabled
    ? [{ title: options.EmployeeRegistryNumberName, value: (row: contract.Employee) => row.RegistryNumber }]
    : []),
  ...(options.HideDMSFields ? [] : credentials),
]

export const employeeRoutes = [
  handle(contract.listEmployees, ({ db, params }) => listEmployees(db, params.programId)),
  handle(contract.searchEmployees, ({ db, params, query }) => searchEmployees(db, params.programId, query)),

  handle(contract.exportEmployees, async ({ db, params: { programId }, query: { Format, ...filter } }) => {
    const program = await db
      .selectFrom('program')
      .select('options')
      .where('id', '=', programId)
      .executeTakeFirst()
    const options = readOptions(program?.options)
    return tableFile(Format, 'Employees', exportColumns(options), streamEmployees(db, programId, filter))
  }),

  handle(contract.getEmployee, ({ db, params }) => getEmployee(db, params.programId, params.employeeId)),

  handle(contract.createEmployee, async ({ db, params: { programId }, body, user, audit }) => {
    await expectSite(db, programId, body.SiteId)
    const id = await addEmployee(db, programId, user.Id, body)
    audit.detail = { EmployeeId: id, SiteId: body.SiteId, Name: `${body.FirstName} ${body.LastName}` }
    return getEmployee(db, programId, id)
  }),

  handle(contract.updateEmployee, async ({ db, params: { programId, employeeId }, body, audit }) => {
    const before = await getEmployee(db, programId, employeeId)
    // A site that was deleted since may stay; a new one must be there.
    if (body.SiteId !== before.SiteId) await expectSite(db, programId, body.SiteId)
    await changeEmployee(db, { programId, id: employeeId }, body)
    const after = await getEmployee(db, programId, employeeId)
    const names = (Object.keys(after) as (keyof typeof after)[]).filter(
      (name) => name !== 'ModDate' && name !== 'ModBy' && before[name] !== after[name],
    )
    audit.detail = {
      EmployeeId: employeeId,
      Before: Object.fromEntries(names.map((name) => [name, before[name]])),
      After: Object.fromEntries(names.map((name) => [name, after[name]])),
    }
    return after
  }),

  handle(contract.deleteEmployee, async ({ db, params: { programId, employeeId }, audit }) => {
    const employee = await getEmployee(db, programId, employeeId)
    audit.detail = { EmployeeId: employeeId, Name: `${employee.FirstName} ${employee.LastName}` }
    await setEmployeeDeleted(db, { programId, id: employeeId }, true)
  }),

  handle(contract.restoreEmployee, async ({ db, params: { programId, employeeId }, audit }) => {
    await refuseDeletedParent(db, programId, {
      table: 'employee',
      ids: [employeeId],
      parent: 'site',
      by: 'site_id',
    })
    if (!(await setEmployeeDeleted(db, { programId, id: employeeId }, false)))
      throw fail(peopleFailures.no_employee)
    const employee = await getEmployee(db, programId, employeeId)
    audit.detail = { EmployeeId: employeeId, Name: `${employee.FirstName} ${employee.LastName}` }
    return employee
  }),
]
