import { IconPlus, IconTrash } from '@tabler/icons-react'
import {
  type Effectiveness,
  getEffectiveness,
  type MeasureInput,
  maxMeasures,
  saveEffectiveness,
  startFromProfile,
} from '#contract/graduates/effectiveness.ts'
import { profileKeys, profiles } from '#contract/graduates/measure-profiles.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { pageAddress } from '#web/api/root.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { Button } from '#web/ui/buttons.ts'
import { confirm } from '#web/ui/confirm.ts'
import { CheckField } from '#web/ui/form/CheckField.tsx'
import { Form, FormActions, FormSection, FullWidth } from '#web/ui/form/Form.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextAreaField } from '#web/ui/form/TextAreaField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './graduates.module.css'
import { MeasureFields, measureProblem } from './MeasureFields.tsx'
import { measured } from './measured.ts'

/** What the program measures, totals that are entered, and the public page. */
export function MeasuresPage() {
  const programId = useProgramId()
  const read = useRead(getEffectiveness, { params: { programId } }, { keepsLast: false })
  if (read.error) return <ReadProblem read={read} />
  if (!read.data) return null
  return (
    <MeasuresForm
      key={read.data.Measures.map(({ Id }) => Id).join()}
      programId={programId}
      effectiveness={read.data}
    />
  )
}

const inputOf = (measures: Effectiveness['Measures']): MeasureInput[] =>
  measures.map(({ Id: _, Result: _result, ...measure }) => measure)

const [firstMeasure] = profiles.jrcert.measures

function MeasuresForm({ programId, effectiveness }: { programId: number; effectiveness: Effectiveness }) {
  const words = useWords()
  const navigate = usePageNavigate()
  const save = useSave(saveEffectiveness, measured)
  const start = useSave(startFromProfile, measured)
  const form = useEditForm({
    initialValues: {
      IsPublic: effectiveness.IsPublic,
      Introduction: effectiveness.Introduction,
      Measures: inputOf(effectiveness.Measures),
    },
    rules: {
      Measures: (measures) =>
        measures.map((each) => measureProblem(words, each)).find((problem) => problem !== undefined) ?? null,
    },
    draftKey: `measures-${programId}`,
    labels: { Measures: words('effectiveness.measures') },
    save: (body) => save.run({ params: { programId }, body }, { basedOn: effectiveness }),
  })
  const { Measures } = form.values
  const setMeasures = (next: MeasureInput[]) => form.set('Measures', next)
  const leave = () => navigate('/admin/effectiveness')
  const saved = () => {
    toast.done(words('effectiveness.saved'))
    leave()
  }
  const replace = async (value: string | null) => {
    const Profile = profileKeys.find((each) => each === value)
    if (!Profile) return
    const { name } = profiles[Profile]
    const isSure = await confirm({
      text: words('effectiveness.replaceTitle'),
      detail: words('effectiveness.replaceDetail', { name }),
      verb: words('effectiveness.replace'),
      danger: true,
    })
    if (!isSure) return
    form.release()
    await start.run({ params: { programId }, body: { Profile } }, { basedOn: effectiveness })
    toast.done(words('effectiveness.started', { name }))
  }
  const add = () =>
    setMeasures([
      ...Measures,
      {
        ...firstMeasure,
        Name: words('effectiveness.newMeasure'),
        IsPublished: true,
        Entered: [],
      },
    ])
  return (
    <Page
      title={words('effectiveness.measures')}
      breadcrumb={<PageLink href="/new/admin/effectiveness">{words('effectiveness.title')}</PageLink>}
      actions={<FormActions form={form} onCancel={leave} onSaved={saved} />}
      inset
    >
      <Form form={form} onCancel={leave} onSaved={saved}>
        {Measures.map((measure, index) => (
          <FormSection
            // A measure has no name of its own before it is saved.
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            key={index}
            name={measure.Name || words('effectiveness.measure', { number: index + 1 })}
          >
            <MeasureFields
              measure={measure}
              number={index + 1}
              onChange={(next) => setMeasures(Measures.with(index, next))}
            />
            <FullWidth>
              <div className={classes.end}>
                <Button
                  variant="subtle"
                  color="red"
                  leftSection={<IconTrash size={16} aria-hidden />}
                  onClick={() => setMeasures(Measures.toSpliced(index, 1))}
                >
                  {words('effectiveness.removeMeasure', {
                    name: measure.Name || words('effectiveness.measure', { number: index + 1 }),
                  })}
                </Button>
              </div>
            </FullWidth>
          </FormSection>
        ))}
        <FullWidth>
          <div className={classes.end}>
            <Button
              variant="default"
              leftSection={<IconPlus size={16} aria-hidden />}
              disabled={Measures.length >= maxMeasures}
              onClick={add}
            >
              {words('effectiveness.addMeasure')}
            </Button>
            <SelectField
              name="profile"
              label={words('effectiveness.otherProfile')}
              options={profileKeys.map((key) => ({ value: key, label: profiles[key].name }))}
              value={null}
              onChange={(value) => void replace(value)}
            />
          </div>
        </FullWidth>
        <FormSection
          name={words('effectiveness.publication')}
          purpose={words('effectiveness.publicationPurpose')}
        >
          <FullWidth>
            <CheckField
              label={words('effectiveness.isPublic')}
              description={words('effectiveness.address', {
                address: `${location.origin}${pageAddress('outcomes')}/${programId}`,
              })}
              {...form.field('IsPublic')}
            />
          </FullWidth>
          <FullWidth>
            <TextAreaField
              label={words('effectiveness.introduction')}
              maxLength={4000}
              {...form.field('Introduction')}
            />
          </FullWidth>
        </FormSection>
      </Form>
    </Page>
  )
}
