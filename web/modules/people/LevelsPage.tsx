import { useMemo, useState } from 'react'
import type { AnswerOf } from '#contract/core/endpoint.ts'
import { listStudentLevels } from '#contract/people/people.ts'
import {
  commaText,
  findLevelTemplates,
  levelWithComma,
  listLevelAssignments,
  maxLevels,
  saveStudentLevels,
} from '#contract/people/student-levels.ts'
import { call } from '#web/api/call.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { Form, FormActions, FormSection } from '#web/ui/form/Form.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './people.module.css'

type Level = AnswerOf<typeof listStudentLevels>[number]
type Labels = Record<string, string>

/** Manage levels: 20 numbered labels; clearing one that a template names is refused with links. */
export function LevelsPage() {
  const words = useWords()
  const programId = useProgramId()
  const levels = useRead(listStudentLevels, { params: { programId } })
  if (levels.data) return <Levels programId={programId} levels={levels.data} />
  return (
    <Page title={words('people.levels')} inset>
      {levels.error && (
        <PageMessage kind="error" text={levels.error.message} onRetry={() => void levels.refetch()} />
      )}
    </Page>
  )
}

const numbers = Array.from({ length: maxLevels }, (_, index) => index + 1)

/** Templates use a level that would be cleared. */
class TemplatesInTheWay extends Error {}

function Levels({ programId, levels }: { programId: number; levels: Level[] }) {
  const words = useWords()
  const params = { programId }
  const save = useSave(saveStudentLevels, { refresh: [listStudentLevels, listLevelAssignments] })
  const students = useRead(listLevelAssignments, { params })
  const [templates, setTemplates] = useState<AnswerOf<typeof findLevelTemplates>>([])
  const initialValues = useMemo(
    () => Object.fromEntries(numbers.map((n) => [String(n), levels.find(({ Id }) => Id === n)?.Name ?? ''])),
    [levels],
  )
  const form = useEditForm<Labels>({
    initialValues,
    draftKey: `student-levels-${programId}`,
    save: async (values) => {
      setTemplates([])
      const changed = numbers
        .map((n) => ({ Id: n, ProgId: programId, Name: values[n]!.trim() }))
        .filter(({ Id, Name }) => Name !== initialValues[Id])
      const wrong = levelWithComma(changed)
      if (wrong !== undefined)
        return [{ Field: String(wrong), Message: commaText.replace('{Level}', `${wrong}`) }]
      const cleared = changed.filter(({ Name }) => Name === '').map(({ Id }) => Id)
      if (cleared.length > 0) {
        const found = await call(findLevelTemplates, { params, body: cleared })
        setTemplates(found)
        if (found.length > 0) throw new TemplatesInTheWay()
        const count =
          students.data?.filter(({ StudentLevelId }) => cleared.includes(StudentLevelId ?? 0)).length ?? 0
        if (count > 0) throw new Error(words('people.levelsHeld', { count }))
      }
      return save.run({ params, body: changed }, { basedOn: levels })
    },
    // The box above the form names the templates.
    onFailure: (error) => error instanceof TemplatesInTheWay,
  })
  const saved = () => toast.done(words('people.levelsSaved'))
  return (
    <Page
      title={words('people.levels')}
      count={words('people.levelCount', { count: levels.length })}
      beside={<PageLink href="/new/admin/set-levels">{words('people.setLevels')}</PageLink>}
      actions={<FormActions form={form} onSaved={saved} saveLabel={words('people.save')} />}
      inset
    >
      {templates.length > 0 && (
        <div role="alert" className={classes.blocked}>
          <b>{words('people.levelsNotSaved')}</b>
          <p>{words('people.levelsBlocked')}</p>
          <ul>
            {templates.map(({ Id, Title }) => (
              <li key={Id}>
                <PageLink href={`/new/admin/evaluations/templates/edit?id=${Id}`}>{Title}</PageLink>
              </li>
            ))}
          </ul>
        </div>
      )}
      <Form form={form} onSaved={saved}>
        <FormSection name={words('people.labels')} purpose={words('people.labelsPurpose')}>
          {numbers.map((n) => (
            <TextField
              key={n}
              label={words('people.levelNumber', { number: n })}
              maxLength={50}
              {...form.field(String(n))}
            />
          ))}
        </FormSection>
      </Form>
    </Page>
  )
}
