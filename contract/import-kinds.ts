import { assignmentImport } from './assignments-import.ts'
import { collegeImport } from './colleges-import.ts'
import { employeeImport } from './employees-import.ts'
import type { Importable } from './import-fields.ts'
import { staffImport, studentImport } from './people-import.ts'
import { siteImport } from './sites-fields.ts'
import { verificationImport } from './verifications-import.ts'

/** What can be imported into a program. */
export const programImportKinds = [
  'sites',
  'students',
  'staff',
  'employees',
  'assignments',
  'verifications',
] as const
export type ProgramImportKind = (typeof programImportKinds)[number]

/** All that can be imported; colleges go into the installation. */
export const importKinds = [...programImportKinds, 'colleges'] as const
export type ImportKind = (typeof importKinds)[number]

/** What screens and server know of each kind; the server's side is `server/modules/imports/definitions.ts`. */
export const importables: Readonly<Record<ImportKind, Importable>> = {
  sites: siteImport,
  students: studentImport,
  staff: staffImport,
  employees: employeeImport,
  assignments: assignmentImport,
  verifications: verificationImport,
  colleges: collegeImport,
}
