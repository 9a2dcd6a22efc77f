import { useState } from 'react'
import {
  assignCohort,
  type CohortRow,
  previewCohort,
  undoCohort,
} from '#contract/evaluations/evaluation-making.ts'
import { isAboutStudents, isMadeByRule, needsPeople } from '#contract/evaluations/evaluation-making-rules.ts'
import { searchEvaluations, searchEvaluationTemplates } from '#contract/evaluations/evaluations.ts'
import { listStudentLevels, listUsers } from '#contract/people/people.ts'
import { listSites } from '#contract/sites/sites.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useTimeZone } from '#web/api/use-state.ts'
import { attempt } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DisabledReason } from '#web/ui/DisabledReason.tsx'
import { dateOfInstant } from '#web/ui/dates.ts'
import { DateField } from '#web/ui/form/DateField.tsx'
import { Form } from '#web/ui/form/Form.tsx'
import { MultiSelectField } from '#web/ui/form/MultiSelectField.tsx'
import { required } from '#web/ui/form/rules.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { useDebouncedValue } from '#web/ui/hooks.ts'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './evaluations.module.css'
import { optionsOf } from './item-choices.ts'
import { peopleOf } from './people-of.ts'

const pageSize = 10
const typingMs = 300

/** Assigns a template to all students of some levels, or found by a text, at once; says first how many that would be. */
export function CohortDialog({ programId, onClose }: { programId: number; onClose: () => void }) {
  const words = useWords()
  const timeZone = useTimeZone()
  const inProgram = { params: { programId } }
  const templates = useRead(searchEvaluationTemplates, inProgram)
  const levels = useRead(listStudentLevels, inProgram)
  const people = useRead(listUsers, { ...inProgram, query: {} })
  const sites = useRead(listSites, inProgram)
  const refresh = { refresh: [searchEvaluations] }
  const assign = useSave(assignCohort, refresh)
  const undo = useSave(undoCohort, refresh)
  const [page, setPage] = useState(1)
  const form = useEditForm({
    initialValues: {
      TemplateId: null as string | null,
      StudentLevelIds: [] as string[],
      Search: '',
      PersonIds: [] as string[],
      SiteId: null as string | null,
      Date: dateOfInstant(Date.now(), timeZone) as string | null,
      EndDate: null as string | null,
    },
    rules: { TemplateId: required(), Date: required() },
    save: async () => {
      const { Made, BatchId } = await assign.run({ ...inProgram, body })
      toast.done({
        title: words('evaluations.assignedMany', { count: Made }),
        undo: () => void takeBack(BatchId),
      })
      onClose()
    },
  })
  const takeBack = (BatchId: string) =>
    attempt(async () => {
      const { Removed, Started } = await undo.run({ ...inProgram, body: { BatchId } })
      toast.done({
        title: words('evaluations.takenBack', { count: Removed }),
        ...(Started > 0 && { detail: words('evaluations.takenBackExcept', { count: Started }) }),
      })
    })
  const { values } = form
  const [Search] = useDebouncedValue(values.Search, typingMs)
  const offered = (templates.data ?? []).filter(
    (row) => row.IsOffered && !row.IsAnonymous && isMadeByRule(row) && isAboutStudents(row),
  )
  const template = offered.find(({ Id }) => String(Id) === values.TemplateId)
  const isSupervised = template && [template.EvaluatorRole, template.SubjectRole].includes('supervisor')
  const asksPeople = template && (needsPeople(template) || isSupervised)
  const body = {
    TemplateId: Number(values.TemplateId ?? 0),
    StudentLevelIds: values.StudentLevelIds.map(Number),
    Search,
    PersonIds: asksPeople ? values.PersonIds.map(Number) : [],
    SiteId: values.SiteId ? Number(values.SiteId) : null,
    Date: values.Date ?? '',
    EndDate: values.EndDate,
  }
  const isWhole = template && values.Date && !(needsPeople(template) && body.PersonIds.length === 0)
  const preview = useRead(
    previewCohort,
    { ...inProgram, query: { page, pageSize }, body },
    { isEnabled: Boolean(isWhole) },
  )
  const seen = isWhole ? preview.data : undefined
  const set = <Value,>(field: { onChange: (value: Value) => void }) => ({
    onChange: (value: Value) => {
      setPage(1)
      field.onChange(value)
    },
  })
  const levelField = form.field('StudentLevelIds')
  const searchField = form.field('Search')
  const reason =
    !template || !values.Date
      ? words('evaluations.noTemplate')
      : needsPeople(template) && body.PersonIds.length === 0
        ? words('evaluations.choosePeople')
        : (preview.error?.message ?? (seen?.New === 0 && words('evaluations.nothingToAssign')))
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('evaluations.cohortTitle')}
      stayOnOutsideClick
      width={860}
      summary={seen && words('evaluations.willAssign', { count: seen.New })}
      refusal={
        seen &&
        [
          seen.Existing > 0 && words('evaluations.willSkip', { count: seen.Existing }),
          seen.Missing > 0 && words('evaluations.willMiss', { count: seen.Missing }),
        ]
          .filter(Boolean)
          .join(' · ')
      }
      actions={
        <DisabledReason reason={reason}>
          <Button loading={form.isSaving} onClick={() => void form.submit()}>
            {words('evaluations.ask')}
          </Button>
        </DisabledReason>
      }
    >
      <Form form={form} onCancel={onClose}>
        <div className={classes.chosen}>
          <SelectField
            label={words('evaluations.template')}
            required
            options={optionsOf(offered)}
            {...form.field('TemplateId')}
          />
          <MultiSelectField
            label={words('evaluations.levels')}
            placeholder={words('evaluations.allLevels')}
            options={(levels.data ?? []).map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
            {...levelField}
            {...set(levelField)}
          />
          <TextField
            label={words('evaluations.findStudents')}
            maxLength={100}
            {...searchField}
            {...set(searchField)}
          />
          <SelectField
            label={words('evaluations.site')}
            placeholder={words('evaluations.theirSite')}
            description={words('evaluations.theirSiteHint')}
            options={(sites.data ?? []).map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
            {...form.field('SiteId')}
          />
          {asksPeople && (
            <MultiSelectField
              label={words('evaluations.chosenPeople')}
              required={needsPeople(template)}
              {...(isSupervised && {
                placeholder: words('evaluations.theirSupervisors'),
                description: words('evaluations.supervisorsHint'),
              })}
              options={peopleOf(people.data, [template.EvaluatorRole, template.SubjectRole])}
              {...form.field('PersonIds')}
            />
          )}
          <DateField label={words('evaluations.date')} required {...form.field('Date')} />
          <DateField
            label={words('evaluations.endDate')}
            hint={words('evaluations.byTemplate')}
            {...form.field('EndDate')}
          />
        </div>
        {isWhole && (
          <div className={classes.chosenList}>
            <Grid
              id="cohort-preview"
              label={words('evaluations.cohortTitle')}
              {...fromList(preview)}
              rowKey={(row) => preview.data?.Items.indexOf(row) ?? 0}
              height="auto"
              noColumnChoice
              framed
              empty={{
                text: words('evaluations.noStudents'),
                filters: {
                  isFiltered: values.StudentLevelIds.length > 0 || values.Search !== '',
                  reset: () => {
                    set(levelField).onChange([])
                    set(searchField).onChange('')
                  },
                },
              }}
              columns={[
                { id: 'Student', header: words('evaluations.student'), identity: true, grow: 2 },
                {
                  id: 'Evaluator',
                  header: words('evaluations.evaluator'),
                  grow: 2,
                  cell: (row) => row.Evaluator || '–',
                },
                { id: 'Site', header: words('evaluations.site'), grow: 2, cell: (row) => row.Site || '–' },
                {
                  id: 'State',
                  header: words('evaluations.status'),
                  width: 110,
                  cell: (row) => <State row={row} />,
                },
              ]}
            />
            <Pager
              page={page}
              pageSize={pageSize}
              total={seen?.Total ?? 0}
              onPage={setPage}
              label={words('evaluations.cohortPages')}
            />
          </div>
        )}
      </Form>
    </Dialog>
  )
}

function State({ row }: { row: CohortRow }) {
  const words = useWords()
  return (
    <StatusTag status={({ new: 'approved', exists: 'pending', missing: 'rejected' } as const)[row.State]}>
      {words(`evaluations.state_${row.State}`)}
    </StatusTag>
  )
}
