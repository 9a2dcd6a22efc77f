import { Level } from '#contract/core/levels.ts'

/** The roles a document can be shown to, highest first. */
export const documentRoles: readonly number[] = [
  Level.Admin,
  Level.Director,
  Level.Coord,
  Level.Faculty,
  Level.CCUnderHood,
  Level.Supervisor,
  Level.SiteEmployee,
  Level.GenericEmployee,
  Level.Student,
  Level.Registrant,
  Level.Alumnus,
]

/** The roles whose readers can be narrowed to those of some sites. */
export const siteRoles: readonly number[] = [Level.GenericEmployee, Level.SiteEmployee, Level.Supervisor]

/** What `Access` says when nobody may read a document but staff who manage documents. */
export const nobody = 'NONE'

/** Most bytes of a document's file: 20 MiB. */
export const maxDocumentFileBytes = 20 * 1024 * 1024

/**
 * The levels of an `Access` text: '39,49', null for everyone, NONE for nobody.
 *
 * @returns undefined for any other text, and for a level that is no role of documents
 */
export const readAccess = (access: string | null): number[] | undefined => {
  if (access === null) return [...documentRoles]
  if (access === nobody) return []
  const levels = access.split(',').map((part) => (/^\s*\d{1,3}\s*$/.test(part) ? Number(part) : -1))
  return levels.every((level) => documentRoles.includes(level)) ? [...new Set(levels)] : undefined
}

/** The `Access` of levels: null when it is every role, so that a role to come is among them. */
export const writeAccess = (levels: readonly number[]): string | null => {
  const chosen = documentRoles.filter((role) => levels.includes(role))
  if (chosen.length === documentRoles.length) return null
  return chosen.length === 0 ? nobody : chosen.toSorted((one, other) => one - other).join(',')
}

export const asksForSites = (levels: readonly number[]): boolean =>
  siteRoles.some((role) => levels.includes(role))

export const asksForStudentLevels = (levels: readonly number[]): boolean => levels.includes(Level.Student)

/** Who reads a document, as its form holds it. Without sites or student levels it is for all of them. */
export interface Readers {
  Roles: readonly number[]
  SiteIds: readonly number[]
  StudentLevelIds: readonly number[]
}

/** The readers without sites or student levels that no role is left for. */
export const tidyReaders = ({ Roles, SiteIds, StudentLevelIds }: Readers) => ({
  Roles: [...Roles],
  SiteIds: asksForSites(Roles) ? [...SiteIds] : [],
  StudentLevelIds: asksForStudentLevels(Roles) ? [...StudentLevelIds] : [],
})

/** The readers after a role was checked or unchecked. */
export const withRole = (readers: Readers, role: number, isChecked: boolean) =>
  tidyReaders({
    ...readers,
    Roles: documentRoles.filter((each) => (each === role ? isChecked : readers.Roles.includes(each))),
  })
