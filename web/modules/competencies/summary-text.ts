import type { CompetencyList } from '#contract/competencies/competency-lists.ts'
import { type ListProblem, summaryOfList } from '#contract/competencies/competency-rules.ts'
import type { Words } from '#web/words/plain-words.ts'

type Asked = Pick<CompetencyList, 'ElectivesNeeded' | 'Sections'>

/** What a list asks in all: "10 patient care · 36 mandatory · 15 of 34 electives, Head 1, Fluoroscopy 2". */
export const askedText = (words: Words, list: Asked): string => {
  const { PatientCare, Mandatory, ElectivesListed, ElectivesNeeded, Minimums } = summaryOfList(list)
  const electives = [
    words('competencies.asksElectives', { needed: ElectivesNeeded, listed: ElectivesListed }),
    ...Minimums.map(({ Section, Needed }) => `${Section} ${Needed}`),
  ].join(', ')
  return [
    ...(PatientCare > 0 ? [words('competencies.asksPatientCare', { count: PatientCare })] : []),
    words('competencies.asksMandatory', { count: Mandatory }),
    ...(ElectivesListed > 0 || ElectivesNeeded > 0 ? [electives] : []),
  ].join(' · ')
}

export const problemText = (words: Words, problem: ListProblem): string => {
  switch (problem.Kind) {
    case 'electives':
      return words('competencies.problemElectives', { needed: problem.Needed, listed: problem.Listed })
    case 'minimums':
      return words('competencies.problemMinimums', { needed: problem.Needed, sections: problem.Sections })
    case 'section':
      return words('competencies.problemSection', {
        section: problem.Section,
        needed: problem.Needed,
        listed: problem.Listed,
      })
    case 'unreachable':
      return words('competencies.problemUnreachable', {
        section: problem.Section,
        count: problem.Procedures,
      })
  }
}
