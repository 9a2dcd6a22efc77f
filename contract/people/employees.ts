import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import {
  DateOnly,
  Email,
  Id,
  IdOrNew,
  InProgram,
  Instant,
  Line,
  PageOf,
  paging,
  RequiredLine,
  Sort,
  Written,
} from '#contract/core/fields.ts'

/** ARRT, CCI and CARDUP numbers are at most 8 characters. */
export const maxCredential = 8

/** Somebody who works at a site and has no account. */
export const Employee = z.object({
  Id,
  SiteId: Id,
  SiteName: z.string(),
  FirstName: z.string(),
  LastName: z.string(),
  Email: z.string(),
  Dob: DateOnly.nullable(),
  /** Names the employee outside the product. */
  Hash: z.string(),
  ModDate: Instant,
  /** User name of whoever changed it last. */
  ModBy: z.string(),
  DelFlag: z.boolean(),
  NumSdms: z.string(),
  NumArdms: z.string(),
  NumArrt: z.string(),
  NumCci: z.string(),
  NumCardUp: z.string(),
  ProgId: Id,
  CreateDate: Instant,
  RegistryNumber: z.string(),
})
export type Employee = z.infer<typeof Employee>

const fields = {
  SiteId: Id,
  FirstName: Written('name', RequiredLine(255)),
  LastName: Written('name', RequiredLine(255)),
  Email,
  /** A day as ISO text, with or without a time behind it; null when it is not known. */
  Dob: z
    .string()
    .transform((text) => text.replace(/T.*$/, ''))
    .pipe(DateOnly)
    .nullable()
    .default(null),
  NumSdms: Line(50).default(''),
  NumArdms: Line(50).default(''),
  NumArrt: Line(maxCredential).default(''),
  NumCci: Line(maxCredential).default(''),
  NumCardUp: Line(maxCredential).default(''),
  RegistryNumber: Line(50).default(''),
}

/** An employee may be sent whole, as it was read; what the server knows better changes nothing. */
export const EmployeeInput = z.strictObject({
  ...fields,
  Id: IdOrNew.optional(),
  SiteName: z.string().optional(),
  Hash: z.string().nullable().optional(),
  ModDate: z.string().nullable().optional(),
  ModBy: z.union([z.string(), z.number()]).nullable().optional(),
  DelFlag: z.boolean().optional(),
  ProgId: IdOrNew.optional(),
  CreateDate: z.string().nullable().optional(),
})
export type EmployeeInput = z.input<typeof EmployeeInput>
export type EmployeeValues = z.output<typeof EmployeeInput>

const oneEmployee = z.strictObject({ programId: Id, employeeId: Id })

export const listEmployees = endpoint({
  method: 'GET',
  path: '/programs/:programId/employees',
  may: 'employees.manage',
  summary: "The employees of the program's sites by name",
  params: InProgram,
  answer: z.array(Employee),
})

const filter = {
  search: z.string().max(100).default(''),
  SiteId: Id.optional(),
  sort: Sort(['Name', 'Site']).default('Name'),
}

export const searchEmployees = endpoint({
  method: 'GET',
  path: '/programs/:programId/employees/list',
  may: 'employees.manage',
  summary: 'A page of the employees, for managing them; search takes name, email and registry number',
  params: InProgram,
  query: z.strictObject({ ...paging, ...filter }),
  answer: PageOf(Employee),
})

export const exportEmployees = endpoint({
  method: 'GET',
  path: '/programs/:programId/employees/export',
  proof: 'file',
  isHeavy: true,
  mayBePrepared: true,
  mayBeBehind: true,
  may: 'employees.manage',
  summary: 'The filtered employees as a file',
  params: InProgram,
  query: z.strictObject({ ...filter, Format: z.enum(['csv', 'xlsx']).default('xlsx') }),
  answers: 'file',
})

export const getEmployee = endpoint({
  method: 'GET',
  path: '/programs/:programId/employees/:employeeId',
  may: 'employees.manage',
  summary: 'One employee',
  params: oneEmployee,
  answer: Employee,
})

export const createEmployee = endpoint({
  method: 'POST',
  path: '/programs/:programId/employees',
  may: 'employees.manage',
  summary: 'Add an employee to a site',
  params: InProgram,
  body: EmployeeInput,
  answer: Employee,
  errors: { 422: 'the site does not exist' },
})

export const updateEmployee = endpoint({
  method: 'POST',
  path: '/programs/:programId/employees/:employeeId',
  may: 'employees.manage',
  summary: 'Change an employee',
  params: oneEmployee,
  body: EmployeeInput,
  answer: Employee,
  errors: { 422: 'the site does not exist' },
  basis: { read: getEmployee },
})

export const deleteEmployee = endpoint({
  method: 'DELETE',
  path: '/programs/:programId/employees/:employeeId',
  proof: true,
  may: 'employees.manage',
  summary: 'Delete an employee; they can be restored',
  params: oneEmployee,
})

export const restoreEmployee = endpoint({
  method: 'POST',
  path: '/programs/:programId/employees/:employeeId/restoration',
  may: 'employees.manage',
  summary: 'Bring a deleted employee back',
  params: oneEmployee,
  answer: Employee,
  errors: { 409: 'their site is deleted too' },
})
