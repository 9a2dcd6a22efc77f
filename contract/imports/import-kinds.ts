import { competencyImport } from '#contract/competencies/competencies-import.ts'
import type { Importable } from '#contract/core/import-fields.ts'
import { graduateImport } from '#contract/graduates/graduates-import.ts'
import { employeeImport } from '#contract/people/employees-import.ts'
import { staffImport, studentImport } from '#contract/people/people-import.ts'
import { rankingImport } from '#contract/placement/rankings-import.ts'
import { collegeImport } from '#contract/programs/colleges-import.ts'
import { requirementImport } from '#contract/requirements/requirements-import.ts'
import { resultImport } from '#contract/requirements/results-import.ts'
import { verificationImport } from '#contract/requirements/verifications-import.ts'
import { doseImport } from '#contract/safety/dose-import.ts'
import { assignmentImport } from '#contract/scheduling/assignments-import.ts'
import { siteImport } from '#contract/sites/sites-fields.ts'

/** What can be imported into a program. */
export const programImportKinds = [
  'sites',
  'students',
  'staff',
  'employees',
  'assignments',
  'verifications',
  'competencies',
  'graduates',
  'requirements',
  'requirement-results',
  'dose-readings',
  'rankings',
] as const

/** All that can be imported; colleges go into the installation. */
export const importKinds = [...programImportKinds, 'colleges'] as const
export type ImportKind = (typeof importKinds)[number]

/** What screens and server know of each kind; the server's side is `server/modules/imports/definitions.rules.ts`. */
export const importables: Readonly<Record<ImportKind, Importable>> = {
  sites: siteImport,
  students: studentImport,
  staff: staffImport,
  employees: employeeImport,
  assignments: assignmentImport,
  verifications: verificationImport,
  competencies: competencyImport,
  graduates: graduateImport,
  requirements: requirementImport,
  'requirement-results': resultImport,
  'dose-readings': doseImport,
  rankings: rankingImport,
  colleges: collegeImport,
}
