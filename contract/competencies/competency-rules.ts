import { type ReadLines, readLines } from '#contract/core/lines.ts'
import type { CompetencyList } from './competency-lists.ts'

/** What one section contributes to a list, and what the list asks of it. */
export interface SectionSum {
  Name: string
  IsPatientCare: boolean
  /** The least number of electives from this section. */
  ElectivesNeeded: number
  MandatoryCount: number
  ElectiveCount: number
  /** Procedures whose exam waits for logs, although no participation level counts for them. */
  UnreachableCount: number
  WithoutItemsCount: number
}

/** What no student could meet, or what says less than it seems to. */
export type ListProblem =
  | { Kind: 'electives'; Needed: number; Listed: number }
  | { Kind: 'section'; Section: string; Needed: number; Listed: number }
  | { Kind: 'minimums'; Needed: number; Sections: number }
  | { Kind: 'unreachable'; Section: string; Procedures: number }

export interface ListSummary {
  PatientCare: number
  Mandatory: number
  /** Electives that a student chooses from. */
  ElectivesListed: number
  ElectivesNeeded: number
  /** Sections that ask for electives of their own. */
  Minimums: { Section: string; Needed: number }[]
  /** Exams a student passes in all. */
  InAll: number
  WithoutItems: number
  Problems: ListProblem[]
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** What a list asks in all, and what of it is impossible. */
export const summaryOf = (electivesNeeded: number, sections: readonly SectionSum[]): ListSummary => {
  const patientCare = sections.filter(({ IsPatientCare }) => IsPatientCare)
  const imaging = sections.filter(({ IsPatientCare }) => !IsPatientCare)
  const mandatory = (some: readonly SectionSum[]) => sum(some.map(({ MandatoryCount }) => MandatoryCount))
  const listed = sum(sections.map(({ ElectiveCount }) => ElectiveCount))
  const minimums = sections.filter(({ ElectivesNeeded }) => ElectivesNeeded > 0)
  const ofSections = sum(minimums.map(({ ElectivesNeeded }) => ElectivesNeeded))
  return {
    PatientCare: mandatory(patientCare),
    Mandatory: mandatory(imaging),
    ElectivesListed: listed,
    ElectivesNeeded: electivesNeeded,
    Minimums: minimums.map(({ Name, ElectivesNeeded }) => ({ Section: Name, Needed: ElectivesNeeded })),
    InAll: mandatory(sections) + electivesNeeded,
    WithoutItems: sum(sections.map(({ WithoutItemsCount }) => WithoutItemsCount)),
    Problems: [
      ...(electivesNeeded > listed
        ? [{ Kind: 'electives' as const, Needed: electivesNeeded, Listed: listed }]
        : []),
      ...(ofSections > electivesNeeded
        ? [{ Kind: 'minimums' as const, Needed: electivesNeeded, Sections: ofSections }]
        : []),
      ...minimums
        .filter(({ ElectivesNeeded, ElectiveCount }) => ElectivesNeeded > ElectiveCount)
        .map(({ Name, ElectivesNeeded, ElectiveCount }) => ({
          Kind: 'section' as const,
          Section: Name,
          Needed: ElectivesNeeded,
          Listed: ElectiveCount,
        })),
      ...sections
        .filter(({ UnreachableCount }) => UnreachableCount > 0)
        .map(({ Name, UnreachableCount }) => ({
          Kind: 'unreachable' as const,
          Section: Name,
          Procedures: UnreachableCount,
        })),
    ],
  }
}

export const summaryOfList = ({
  ElectivesNeeded,
  Sections,
}: Pick<CompetencyList, 'ElectivesNeeded' | 'Sections'>): ListSummary => summaryOf(ElectivesNeeded, Sections)

/** Whether students stay under direct supervision for a procedure after they passed it: surgical and mobile ones, C-arm included. */
export const isAlwaysDirectName = (name: string): boolean =>
  /\b(mobile|portable|surgical|c-arm)\b/i.test(name)

/** Most characters of the name of a section, procedure, level or pathology. */
export const longestName = 255
/** Most procedures of a section, and most of whatever else is below one thing. */
export const partLimit = 3_000
/** Most characters of an exam item. */
export const longestItem = 1_000

/** Lines that become procedures and the like, one each. */
export const readNameLines = (pasted: string, existing: readonly string[]): ReadLines =>
  readLines(pasted, existing, { longest: longestName, limit: partLimit })

/** Lines that become exam items. */
export const readItemLines = (pasted: string, existing: readonly string[]): ReadLines =>
  readLines(pasted, existing, { longest: longestItem, limit: 100 })
