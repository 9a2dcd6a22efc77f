import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Id, Ids, RequiredLine, Text } from '#contract/core/fields.ts'
import { inList, PassingPercent, Score } from './competency-lists.ts'
import { longestName } from './competency-rules.ts'

/** Major studies, procedures, participation levels and pathologies: what a list is made of. */

/** Pasted lines, one thing each. */
export const Lines = Text(200_000)
const Refused = z.array(
  z.object({
    Line: z.number().int(),
    Text: z.string(),
    Reason: z.enum(['too_long', 'control', 'twice', 'exists', 'full']),
  }),
)
/** What became of pasted lines. */
export const LinesAnswer = z.object({ Ids: z.array(Id), Refused })

const deleted = z.strictObject({ deleted: z.boolean().default(false) })
const Name = RequiredLine(longestName)

export const MajorStudy = z.object({
  Id,
  Name: z.string(),
  IsPatientCare: z.boolean(),
  ElectivesNeeded: z.number().int(),
  ProcedureCount: z.number().int(),
  ElectiveCount: z.number().int(),
})
export type MajorStudy = z.infer<typeof MajorStudy>

export const listMajorStudies = endpoint({
  method: 'GET',
  path: '/programs/:programId/competency-lists/:listId/major-studies',
  may: 'competencies.read',
  summary: 'The major studies of a list in their order, or its deleted ones',
  params: inList,
  query: deleted,
  answer: z.array(MajorStudy),
})

export const createMajorStudies = endpoint({
  method: 'POST',
  path: '/programs/:programId/competency-lists/:listId/major-studies',
  may: 'competencies.design',
  changesGoals: true,
  summary: 'Add major studies, one a line; each gets the participation levels that all others have',
  params: inList,
  body: z.strictObject({
    Lines,
    IsPatientCare: z.boolean().default(false),
    ElectivesNeeded: z.number().int().min(0).max(1_000).default(0),
  }),
  answer: LinesAnswer,
  errors: { 422: 'no line can be taken' },
})

export const updateMajorStudy = endpoint({
  method: 'POST',
  path: '/programs/:programId/competency-lists/:listId/major-studies/:majorStudyId',
  may: 'competencies.design',
  changesGoals: true,
  summary: 'Change a major study',
  params: inList.extend({ majorStudyId: Id }),
  body: z.strictObject({
    Name,
    IsPatientCare: z.boolean(),
    ElectivesNeeded: z.number().int().min(0).max(1_000),
  }),
  answer: MajorStudy,
  errors: { 409: 'the name is taken' },
  basis: { read: listMajorStudies, item: 'majorStudyId' },
})

/** The rules of a procedure that can be set for many at once. */
const procedureRules = {
  MajorStudyId: Id,
  IsMandatory: z.boolean(),
  /** Logs that count before the exam unlocks. */
  LogsNeeded: z.number().int().min(0).max(10_000),
  MayBeSimulated: z.boolean(),
  NeedsLabCheck: z.boolean(),
  IsAlwaysDirect: z.boolean(),
  /** Null takes the list's. */
  CommentBelow: Score.nullable(),
  PassingPercent: PassingPercent.nullable(),
}

const procedureInput = {
  Name,
  ...procedureRules,
  CountedLevelIds: z.array(Id).min(1, 'choose at least one').max(100).nullable(),
}
const manyProcedures = {
  Ids: Ids.min(1).max(3_000),
  Changes: z
    .strictObject(procedureRules)
    .omit({ MajorStudyId: true })
    .partial()
    .refine((changes) => Object.keys(changes).length > 0, 'name at least one'),
}

export const Procedure = z.object({
  Id,
  Name: z.string(),
  ...procedureRules,
  /** Participation levels at which a log counts, where they are not those of the major study. */
  CountedLevelIds: z.array(Id).nullable(),
  ItemCount: z.number().int(),
  PathologyCount: z.number().int(),
})
export type Procedure = z.infer<typeof Procedure>

export const listProcedures = endpoint({
  method: 'GET',
  path: '/programs/:programId/competency-lists/:listId/procedures',
  may: 'competencies.read',
  summary: 'The procedures of a list in the order of its major studies, or its deleted ones',
  params: inList,
  query: deleted,
  answer: z.array(Procedure),
})

export const createProcedures = endpoint({
  method: 'POST',
  path: '/programs/:programId/competency-lists/:listId/procedures',
  may: 'competencies.design',
  changesGoals: true,
  summary: 'Add procedures to a major study, one a line, all with the same rules',
  params: inList,
  body: z.strictObject({ Lines, ...procedureRules }),
  answer: LinesAnswer,
  errors: { 404: 'the major study does not exist', 422: 'no line can be taken' },
})

export const updateProcedure = endpoint({
  method: 'POST',
  path: '/programs/:programId/competency-lists/:listId/procedures/:procedureId',
  may: 'competencies.design',
  changesGoals: true,
  summary: 'Change a procedure. In another major study it counts the levels of the same names',
  params: inList.extend({ procedureId: Id }),
  body: z.strictObject(procedureInput),
  answer: Procedure,
  errors: { 409: 'the name is taken in its major study', 422: 'a level is of another major study' },
  basis: { read: listProcedures, item: 'procedureId' },
})

export const changeProcedures = endpoint({
  method: 'POST',
  path: '/programs/:programId/competency-lists/:listId/procedures/changes',
  may: 'competencies.design',
  changesGoals: true,
  summary: 'Set the same rules for several procedures; what is not named stays',
  params: inList,
  body: z.strictObject(manyProcedures),
  answer: z.object({ Changed: z.number().int() }),
})

/** A level of one name, and the major studies that have it. */
export const ParticipationLevel = z.object({
  /** That of the first major study. */
  Id,
  Name: z.string(),
  IsCounted: z.boolean(),
  In: z.array(z.object({ Id, MajorStudyId: Id })),
})
export type ParticipationLevel = z.infer<typeof ParticipationLevel>

export const listParticipationLevels = endpoint({
  method: 'GET',
  path: '/programs/:programId/competency-lists/:listId/participation-levels',
  may: 'competencies.read',
  summary: 'The participation levels of a list by name, each with the major studies that have it',
  params: inList,
  query: deleted,
  answer: z.array(ParticipationLevel),
})

const LevelRules = {
  IsCounted: z.boolean(),
  /** Null is all of the list. */
  MajorStudyIds: Ids.min(1, 'choose at least one').nullable(),
}

export const createParticipationLevels = endpoint({
  method: 'POST',
  path: '/programs/:programId/competency-lists/:listId/participation-levels',
  may: 'competencies.design',
  summary: 'Add participation levels to major studies, one a line',
  params: inList,
  body: z.strictObject({ Lines, ...LevelRules }),
  answer: LinesAnswer,
  errors: { 422: 'no line can be taken, or the list has no such major study' },
})

export const updateParticipationLevel = endpoint({
  method: 'POST',
  path: '/programs/:programId/competency-lists/:listId/participation-levels/:levelId',
  may: 'competencies.design',
  summary: 'Change a participation level in all its major studies, and which these are',
  params: inList.extend({ levelId: Id }),
  body: z.strictObject({ Name, ...LevelRules }),
  answer: ParticipationLevel,
  errors: { 409: 'the name is taken', 422: 'the list has no such major study' },
  basis: {
    read: listParticipationLevels,
    item: 'levelId',
    elsewhere: { MajorStudyIds: ({ In }: ParticipationLevel) => In.map(({ MajorStudyId }) => MajorStudyId) },
  },
})

/** A change of what a list asks, as the call that saves it takes it. */
export const DesignChange = z.discriminatedUnion('Kind', [
  z.strictObject({ Kind: z.literal('procedure'), ProcedureId: Id, ...procedureInput }),
  z.strictObject({ Kind: z.literal('procedures'), ...manyProcedures }),
  z.strictObject({ Kind: z.literal('level'), LevelId: Id, Name, ...LevelRules }),
  z.strictObject({
    Kind: z.literal('removal'),
    Part: z.enum(['major-study', 'procedure', 'participation-level']),
    Ids: Ids.min(1).max(3_000),
  }),
  z.strictObject({ Kind: z.literal('electives'), ElectivesNeeded: z.number().int().min(0).max(1_000) }),
])
export type DesignChange = z.infer<typeof DesignChange>

const Count = z.number().int()
/** How far somebody is: exams that count, and procedures that are ready for theirs. */
const Progress = z.object({ Done: Count, Ready: Count })
const changed = <T extends z.ZodType>(type: T) => z.object({ Before: type, After: type })

/** What a change of a list does to the students who have it. */
export const DesignEffect = z.object({
  /** Who has the list. */
  Students: Count,
  /** Exams that it asks, electives as far as they are needed. */
  Asked: changed(Count),
  /** Students who stand otherwise in a procedure or in all. */
  Changed: Count,
  /** Those of them whose exams or ready procedures are others, by name: at most 20. */
  People: z.array(changed(Progress).extend({ StudentId: Id, Student: z.string() })),
})
export type DesignEffect = z.infer<typeof DesignEffect>

export const previewDesign = endpoint({
  method: 'POST',
  path: '/programs/:programId/competency-lists/:listId/effects',
  may: 'competencies.design',
  summary: 'What a change of a list would do to the students who have it; nothing is saved',
  params: inList,
  body: z.strictObject({ Change: DesignChange }),
  answer: DesignEffect,
})

export const Pathology = z.object({ Id, ProcedureId: Id, Name: z.string() })
export type Pathology = z.infer<typeof Pathology>

export const listPathologies = endpoint({
  method: 'GET',
  path: '/programs/:programId/competency-lists/:listId/pathologies',
  may: 'competencies.read',
  summary: 'The pathologies of the procedures of a list in their order, or its deleted ones',
  params: inList,
  query: deleted,
  answer: z.array(Pathology),
})

export const createPathologies = endpoint({
  method: 'POST',
  path: '/programs/:programId/competency-lists/:listId/pathologies',
  may: 'competencies.design',
  summary: 'Add pathologies to procedures, one a line; what a procedure has already stays once',
  params: inList,
  body: z.strictObject({ Lines, ProcedureIds: Ids.min(1, 'choose at least one').max(3_000) }),
  answer: LinesAnswer,
  errors: { 422: 'no line can be taken, or the list has no such procedure' },
})

export const updatePathology = endpoint({
  method: 'POST',
  path: '/programs/:programId/competency-lists/:listId/pathologies/:pathologyId',
  may: 'competencies.design',
  summary: 'Rename a pathology',
  params: inList.extend({ pathologyId: Id }),
  body: z.strictObject({ Name }),
  answer: Pathology,
  errors: { 409: 'the name is taken' },
  basis: { read: listPathologies, item: 'pathologyId' },
})

const inProgram = z.strictObject({ programId: Id })
export const PathologySetting = z.strictObject({
  IsAsked: z.enum(['off', 'optional', 'required']),
  AllowsOther: z.boolean(),
})
export type PathologySetting = z.infer<typeof PathologySetting>

export const getPathologySetting = endpoint({
  method: 'GET',
  path: '/programs/:programId/pathology-setting',
  may: 'competencies.read',
  summary: 'Whether a log names the pathology, and whether one outside the list may be written',
  params: inProgram,
  answer: PathologySetting,
})

export const savePathologySetting = endpoint({
  method: 'POST',
  path: '/programs/:programId/pathology-setting',
  may: 'competencies.design',
  summary: 'Change whether logs name the pathology',
  params: inProgram,
  body: PathologySetting,
  answer: PathologySetting,
  basis: { read: getPathologySetting },
})
