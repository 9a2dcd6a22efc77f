/** What logs come to: by procedure, by major study, and for the list as a whole. Exams that were passed come with exams. */

/** What was logged of a procedure at one participation level, in this version of the list or an earlier one. */
export interface LoggedAt {
  Lineage: string
  /** In small letters; null without a level. */
  Level: string | null
  Verified: number
  Waiting: number
}

/** What decides which logs of a procedure count. */
export interface Counting {
  Lineage: string
  /** Whether its major study has participation levels; without them every log counts. */
  hasLevels: boolean
  /** The levels at which a log counts, in small letters. */
  counted: readonly string[]
}

/** The logs of a procedure that count toward its exam, verified and waiting. */
export const countLogs = (
  { Lineage, hasLevels, counted }: Counting,
  logged: readonly LoggedAt[],
): { Counted: number; CountedWaiting: number } => {
  let Counted = 0
  let CountedWaiting = 0
  for (const row of logged) {
    if (row.Lineage !== Lineage) continue
    if (hasLevels && (row.Level === null || !counted.includes(row.Level))) continue
    Counted += row.Verified
    CountedWaiting += row.Waiting
  }
  return { Counted, CountedWaiting }
}

/** `waiting`: enough is logged, and once it is verified the exam is open. `done` comes with exams. */
export const competencyStates = ['not-begun', 'more', 'waiting', 'ready'] as const
export type CompetencyState = (typeof competencyStates)[number]

export interface ProcedureCounts {
  LogsNeeded: number
  Counted: number
  CountedWaiting: number
  /** All that is logged, counted or not. */
  Logged: number
}

export const stateOf = ({
  LogsNeeded,
  Counted,
  CountedWaiting,
  Logged,
}: ProcedureCounts): CompetencyState => {
  if (Counted >= LogsNeeded) return 'ready'
  if (Counted + CountedWaiting >= LogsNeeded) return 'waiting'
  return Logged === 0 ? 'not-begun' : 'more'
}

/** Logs that must still be made before the exam opens; those that wait for verification are made already. */
export const logsMissing = ({
  LogsNeeded,
  Counted,
  CountedWaiting,
}: Omit<ProcedureCounts, 'Logged'>): number => Math.max(0, LogsNeeded - Counted - CountedWaiting)

interface ListedProcedure extends ProcedureCounts {
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
  Ready: number
  /** Begun, but not ready. */
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

const share = (procedures: readonly ListedProcedure[], needed: number): Share => {
  const states = procedures.map(stateOf)
  const ready = Math.min(needed, states.filter((state) => state === 'ready').length)
  const begun = states.filter((state) => state === 'more' || state === 'waiting').length
  return { Needed: needed, Ready: ready, Begun: Math.min(needed - ready, begun) }
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
  const lacks = ({ Needed, Ready, Begun }: Share): number => Needed - Ready - Begun
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
