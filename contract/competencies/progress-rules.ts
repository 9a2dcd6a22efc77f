/** What a student's list comes to, by major study and in all. */

import { type CellFacts, type GridState, gridStateOf } from './grid-states.ts'

interface ListedProcedure extends CellFacts {
  MajorStudyId: number
  IsMandatory: boolean
}

interface ListedStudy {
  Id: number
  Name: string
  IsPatientCare: boolean
  ElectivesNeeded: number
}

/** How far a share of what is needed has come: never further than needed. */
export interface Share {
  Needed: number
  Passed: number
  /** The exam is open. */
  Ready: number
  /** Begun, but neither passed nor open. */
  Begun: number
}

export interface StudyProgress extends Share {
  Id: number
  Name: string
}

export interface Progress {
  /** In the order of the list; those of which nothing is needed are left out. */
  Studies: StudyProgress[]
  Mandatory: Share
  PatientCare: Share
  Electives: Share
  /** What the list still asks and no procedure of the student's is on the way to. */
  Lacking: { Study: string | null; Electives: number }[]
}

const shareOf: Readonly<Record<GridState, keyof Omit<Share, 'Needed'> | undefined>> = {
  passed: 'Passed',
  simulated: 'Passed',
  ready: 'Ready',
  failed: 'Begun',
  lab: 'Begun',
  waiting: 'Begun',
  more: 'Begun',
  'not-begun': undefined,
}

const share = (procedures: readonly ListedProcedure[], needed: number): Share => {
  const parts = procedures.map((procedure) => shareOf[gridStateOf(procedure)])
  const count = (part: keyof Share, most: number) =>
    Math.min(most, parts.filter((each) => each === part).length)
  const Passed = count('Passed', needed)
  const Ready = count('Ready', needed - Passed)
  return { Needed: needed, Passed, Ready, Begun: count('Begun', needed - Passed - Ready) }
}

/** What is needed of a list, never what is listed: of eight electives of the head of which one is asked, one. */
export const progressOf = (
  electivesNeeded: number,
  studies: readonly ListedStudy[],
  procedures: readonly ListedProcedure[],
): Progress => {
  const electives = procedures.filter(({ IsMandatory }) => !IsMandatory)
  const care = new Set(studies.filter(({ IsPatientCare }) => IsPatientCare).map(({ Id }) => Id))
  const mandatory = procedures.filter(({ IsMandatory }) => IsMandatory)
  const imaging = mandatory.filter(({ MajorStudyId }) => !care.has(MajorStudyId))
  const patientCare = mandatory.filter(({ MajorStudyId }) => care.has(MajorStudyId))
  const ofStudy = (study: ListedStudy) => {
    const own = electives.filter(({ MajorStudyId }) => MajorStudyId === study.Id)
    return { study, electives: share(own, study.ElectivesNeeded) }
  }
  const asked = studies.map(ofStudy)
  const all = share(electives, electivesNeeded)
  const lacks = ({ Needed, Passed, Ready, Begun }: Share): number => Needed - Passed - Ready - Begun
  return {
    Studies: asked.flatMap(({ study, electives: own }) => {
      const must = mandatory.filter(({ MajorStudyId }) => MajorStudyId === study.Id)
      const of = share(must, must.length)
      const needed = of.Needed + own.Needed
      return needed === 0
        ? []
        : [
            {
              Id: study.Id,
              Name: study.Name,
              Needed: needed,
              Passed: of.Passed + own.Passed,
              Ready: of.Ready + own.Ready,
              Begun: of.Begun + own.Begun,
            },
          ]
    }),
    Mandatory: share(imaging, imaging.length),
    PatientCare: share(patientCare, patientCare.length),
    Electives: all,
    Lacking: [
      ...asked.flatMap(({ study, electives: own }) =>
        lacks(own) > 0 ? [{ Study: study.Name, Electives: lacks(own) }] : [],
      ),
      ...(lacks(all) > 0 ? [{ Study: null, Electives: lacks(all) }] : []),
    ],
  }
}
