import { type LevelName, levels } from '#contract/levels.ts'
import type { TermKey } from '#contract/terminology.ts'

const terms: Partial<Record<LevelName, TermKey>> = {
  Director: 'programDirector',
  Coord: 'clinicalCoordinator',
  Faculty: 'faculty',
  Supervisor: 'supervisor',
  SiteEmployee: 'siteEmployee',
  GenericEmployee: 'genericEmployee',
  Student: 'student',
  Alumnus: 'alumnus',
}
const fixed: Partial<Record<LevelName, string>> = {
  SuperAdmin: 'Super admin',
  CCUnderHood: 'Coordinator (limited)',
  Unknown: 'Anonymous',
}

/** The level in the program's words. */
export const levelName = (level: number, term: (key: TermKey) => { Singular: string }): string => {
  const name = levels.find(({ Id }) => Id === level)?.Name ?? 'Unknown'
  const key = terms[name]
  const text = key ? term(key).Singular : (fixed[name] ?? name)
  return text.charAt(0).toLocaleUpperCase('en') + text.slice(1)
}
