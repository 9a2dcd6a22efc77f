/**
 * Access levels and super-admin areas. A person has exactly one level.
 * The numbers are part of the product's outside: they are in addresses, files and answers.
 */
export const Level = {
  SuperAdmin: 100,
  Admin: 89,
  Director: 79,
  Coord: 69,
  Faculty: 59,
  CCUnderHood: 50,
  Supervisor: 49,
  SiteEmployee: 47,
  GenericEmployee: 45,
  Student: 39,
  Registrant: 36,
  Inactive: 33,
  Alumnus: 29,
  Unknown: 0,
} as const
export type Level = (typeof Level)[keyof typeof Level]
export type LevelName = keyof typeof Level

/** All levels, highest first, as the level list of the product shows them. */
export const levels: readonly { Id: Level; Name: LevelName }[] = (Object.keys(Level) as LevelName[]).map(
  (Name) => ({
    Id: Level[Name],
    Name,
  }),
)

/** The level's name as people read it: Unknown is shown as Anonymous. */
export const levelLabel = (level: number): string => {
  const name = levels.find(({ Id }) => Id === level)?.Name ?? 'Unknown'
  return name === 'Unknown' ? 'Anonymous' : name
}

/** Super-admin areas: a bit mask. */
export const AdminArea = {
  Roles: 1,
  Payments: 2,
  CustomReports: 4,
  RolesLimited: 8,
  Email: 16,
  AdminNews: 32,
} as const
export type AdminArea = (typeof AdminArea)[keyof typeof AdminArea]

/** A super admin without a restriction (0 or null) has all areas. */
export const hasAdminArea = (superAdminAreas: number | null, area: AdminArea): boolean =>
  !superAdminAreas || (superAdminAreas & area) !== 0

/** Whether the pages of a level come in every language: those of students, graduates and supervisors, and not those of staff. */
export const readsLanguages = (level: number): boolean => level < Level.Faculty
