import { useCallback } from 'react'
import { Level, type LevelName, levels } from '#contract/core/levels.ts'
import type { TermKey } from '#contract/terminology/terminology.ts'
import { locale } from './language.ts'
import { useTerm } from './use-words.ts'

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
/** What no term says, as people read it. */
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
  return text.charAt(0).toLocaleUpperCase(locale) + text.slice(1)
}

/** Names levels in the words of the program. */
export const useLevelName = (): ((level: number) => string) => {
  const term = useTerm()
  return useCallback((level) => levelName(level, term), [term])
}

/** The role as it is beside a person's name: short, and for coordinators as everybody calls them. */
export const useRoleLabel = (): ((level: number) => string) => {
  const name = useLevelName()
  return (level) => (level === Level.Coord ? 'Coordinator' : name(level))
}
