import type { ImportKind } from '#contract/imports/import-kinds.ts'
import type { ImportDefinition } from '#server/core/imports/definition.ts'
import { competencyImport } from '../competencies/competencies.import.ts'
import { graduateImport } from '../graduates/graduates.import.ts'
import { employeeImport } from '../people/employees.import.ts'
import { staffImport, studentImport } from '../people/people.import.ts'
import { rankingImport } from '../placement/plan/rankings.import.ts'
import { collegeImport } from '../programs/colleges.import.ts'
import { requirementImport } from '../requirements/requirements.import.ts'
import { resultImport } from '../requirements/results.import.ts'
import { verificationImport } from '../requirements/verifications.import.ts'
import { doseImport } from '../safety/doses.import.ts'
import { assignmentImport } from '../scheduling/assignments.import.ts'
import { siteImport } from '../sites/sites.import.ts'

const definitions: Readonly<Record<ImportKind, ImportDefinition>> = {
  sites: siteImport,
  students: studentImport,
  staff: staffImport,
  graduates: graduateImport,
  employees: employeeImport,
  assignments: assignmentImport,
  verifications: verificationImport,
  competencies: competencyImport,
  requirements: requirementImport,
  'requirement-results': resultImport,
  'dose-readings': doseImport,
  rankings: rankingImport,
  colleges: collegeImport,
}

/** The server's side of what can be imported; the screens' side is `contract/imports/import-kinds.ts`. */
export const definitionOf = (kind: ImportKind): ImportDefinition => definitions[kind]
