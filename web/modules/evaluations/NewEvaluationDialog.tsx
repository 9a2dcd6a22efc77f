import { useState } from 'react'
import { Level } from '#contract/core/levels.ts'
import {
  assignEvaluation,
  getEvaluationTemplate,
  isForLevel,
  searchEvaluations,
  searchEvaluationTemplates,
} from '#contract/evaluations/evaluations.ts'
import { listUsers } from '#contract/people/people.ts'
import { listedName } from '#contract/people/person-fields.ts'
import { listSites } from '#contract/sites/sites.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useTimeZone } from '#web/api/use-state.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DateField } from '#web/ui/form/DateField.tsx'
import { Form } from '#web/ui/form/Form.tsx'
import { required } from '#web/ui/form/rules.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { optionsOf } from './item-choices.ts'
import { CopyLink } from './LinksDialog.tsx'

/** Asks somebody for an evaluation; an anonymous form answers with its link. */
export function NewEvaluationDialog({
  programId,
  subjectId,
  templateId: chosenTemplate,
  onClose,
}: {
  programId: number
  /** Whom it is about, where that is known already. */
  subjectId?: number | null
  /** What is asked, where that is known already. */
  templateId?: number | undefined
  onClose: () => void
}) {
  const words = useWords()
  const timeZone = useTimeZone()
  const inProgram = { params: { programId } }
  const templates = useRead(searchEvaluationTemplates, inProgram)
  const people = useRead(listUsers, { ...inProgram, query: {} })
  const sites = useRead(listSites, inProgram)
  const assign = useSave(assignEvaluation, { refresh: [searchEvaluations, searchEvaluationTemplates] })
  const [link, setLink] = useState('')
  const form = useEditForm({
    initialValues: {
      TemplateId: (chosenTemplate ? String(chosenTemplate) : null) as string | null,
      EvaluatorId: null as string | null,
      SubjectId: (subjectId ? String(subjectId) : null) as string | null,
      SiteId: null as string | null,
      Date: new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date()) as string | null,
      EndDate: null as string | null,
    },
    rules: { TemplateId: required(), Date: required() },
    save: async (values) => {
      const idOf = (text: string | null) => (text ? Number(text) : null)
      const made = await assign.run({
        ...inProgram,
        body: {
          TemplateId: Number(values.TemplateId),
          EvaluatorId: template.data?.IsAnonymous ? null : idOf(values.EvaluatorId),
          SubjectId: idOf(values.SubjectId),
          SiteId: idOf(values.SiteId),
          Date: values.Date ?? '',
          EndDate: values.EndDate,
        },
      })
      if (made.HasLink) setLink(made.Link)
      else {
        toast.done(words('evaluations.asked', { name: made.Evaluator }))
        onClose()
      }
    },
  })
  const templateId = Number(form.values.TemplateId ?? 0)
  const template = useRead(
    getEvaluationTemplate,
    { params: { programId, templateId } },
    { isEnabled: templateId > 0 },
  )
  const persons = (people.data ?? []).map((person) => ({
    value: String(person.Id),
    label: listedName(person),
    ...(person.AccessLevel === Level.Student &&
      template.data &&
      !isForLevel(template.data, person.StudentLevelId) && { reason: words('evaluations.notForLevel') }),
  }))
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('evaluations.newEvaluation')}
      stayOnOutsideClick
      actions={
        !link && (
          <Button loading={form.isSaving} onClick={() => void form.submit()}>
            {words('evaluations.ask')}
          </Button>
        )
      }
    >
      {link ? (
        <>
          <p>{words('evaluations.linkText')}</p>
          <CopyLink link={link} />
        </>
      ) : (
        <Form form={form} onCancel={onClose}>
          <SelectField
            label={words('evaluations.template')}
            required
            options={optionsOf((templates.data ?? []).filter(({ IsOffered }) => IsOffered))}
            description={
              templates.data?.every(({ IsOffered }) => !IsOffered) && words('evaluations.noneOffered')
            }
            {...form.field('TemplateId')}
          />
          {!template.data?.IsAnonymous && (
            <SelectField
              label={words('evaluations.evaluator')}
              options={persons}
              {...form.field('EvaluatorId')}
            />
          )}
          {template.data?.SubjectRole !== 'site' && (
            <SelectField
              label={words('evaluations.subject')}
              options={persons}
              {...form.field('SubjectId')}
            />
          )}
          <SelectField
            label={words('evaluations.site')}
            options={(sites.data ?? []).map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
            {...form.field('SiteId')}
          />
          <DateField label={words('evaluations.date')} required {...form.field('Date')} />
          <DateField label={words('evaluations.endDate')} {...form.field('EndDate')} />
        </Form>
      )}
    </Dialog>
  )
}
