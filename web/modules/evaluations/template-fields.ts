import type { TemplateRule } from '#contract/evaluations/evaluations.ts'

/** A template's settings as the form holds them. */
export type TemplateFields = {
  Title: string
  FormTypeId: string | null
  EvaluatorRole: string | null
  SubjectRole: string | null
  Instructions: string
  IsAnonymous: boolean
  IsActive: boolean
  IsShownToSubject: boolean
  DueRule: string | null
  DueDays: number | null
  DueDate: string | null
  StudentLevelIds: string[]
  IsAutomatic: boolean
  AutomaticFrom: string | null
  MakeOn: string | null
  MakeDays: number | null
  MakeDate: string | null
  MakeEach: string | null
  MakePersonIds: string[]
  RemindBefore: number | null
  RemindOnDay: boolean
  RemindEvery: number | null
  RemindMost: number | null
  EscalateAfter: number | null
  MayBeAsked: boolean
}

/** The rule that the fields say, as the server takes it. */
export const ruleOf = (values: TemplateFields): TemplateRule => ({
  EvaluatorRole: (values.IsAnonymous ? 'anonymous' : values.EvaluatorRole) as TemplateRule['EvaluatorRole'],
  SubjectRole: values.SubjectRole as TemplateRule['SubjectRole'],
  IsAnonymous: values.IsAnonymous,
  DueRule: values.DueRule as TemplateRule['DueRule'],
  DueDays: values.DueDays ?? 7,
  DueDate: values.DueDate,
  StudentLevelIds: values.StudentLevelIds.map(Number),
  AutomaticFrom: values.AutomaticFrom,
  MakeOn: values.MakeOn as TemplateRule['MakeOn'],
  MakeDays: values.MakeDays ?? 0,
  MakeDate: values.MakeDate,
  MakeEach: values.MakeEach as TemplateRule['MakeEach'],
  MakePersonIds: values.MakePersonIds.map(Number),
})
