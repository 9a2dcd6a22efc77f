import type { PagePath } from '#contract/core/pages.ts'
import { listProgramClasses, listProgramTypes } from '#contract/programs/program-kinds.ts'
import {
  createProgram,
  getProgram,
  listColleges,
  listModalities,
  listPrograms,
  type ProgramDetail,
  searchPrograms,
  updateProgram,
} from '#contract/programs/programs.ts'
import { listLanguageProfiles } from '#contract/terminology/terminology.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { pageAddress } from '#web/api/root.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { timeZoneOptions, zoneOfState } from '#web/shared/time-zones.ts'
import { EditPage } from '#web/shell/EditPage.tsx'
import { PageLink } from '#web/shell/PageLink.tsx'
import { CheckField } from '#web/ui/form/CheckField.tsx'
import { DateField } from '#web/ui/form/DateField.tsx'
import { Form, FormActions, FormSection, FullWidth } from '#web/ui/form/Form.tsx'
import { required } from '#web/ui/form/rules.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'

const firstZone = 'America/New_York'
const zones = timeZoneOptions()
const idText = (id: number | null | undefined): string | null => (id ? String(id) : null)
const idOf = (text: string | null): number | null => (text ? Number(text) : null)

/** Add or edit a program. */
export function ProgramPage() {
  const [{ id, college }] = useAddress({ id: null as number | null, college: null as number | null })
  const program = useRead(
    getProgram,
    { params: { programId: id ?? 0 } },
    { isEnabled: id !== null, keepsLast: false },
  )
  return (
    <EditPage id={id} read={program}>
      {(found) => <ProgramForm program={found} collegeId={college} />}
    </EditPage>
  )
}

function ProgramForm({
  program,
  collegeId,
}: {
  program: ProgramDetail | undefined
  collegeId: number | null
}) {
  const words = useWords()
  const navigate = usePageNavigate()
  const refresh = [searchPrograms, listPrograms, getProgram]
  const create = useSave(createProgram, { refresh })
  const update = useSave(updateProgram, { refresh })
  const colleges = useRead(listColleges, {}, { staleMs: 300_000 })
  const modalities = useRead(listModalities, {}, { staleMs: 300_000 })
  const classes = useRead(listProgramClasses, {}, { staleMs: 300_000 })
  const types = useRead(listProgramTypes, {}, { staleMs: 300_000 })
  const profiles = useRead(listLanguageProfiles, {}, { staleMs: 300_000 })
  const options = (list: { Id: number; Name: string }[] | undefined) =>
    (list ?? []).map(({ Id, Name }) => ({ value: String(Id), label: Name }))
  const form = useEditForm({
    initialValues: {
      CollegeId: idText(program?.CollegeId ?? collegeId),
      Name: program?.Name ?? '',
      ModalityId: idText(program?.ModalityId),
      ProgramClassId: idText(program?.ProgramClassId),
      ProgramTypeId: idText(program?.ProgramTypeId),
      LanguageProfileId: idText(program?.LanguageProfileId),
      State: program?.State ?? '',
      TimeZone: (program?.TimeZone ?? firstZone) as string | null,
      HasCredit: program?.HasCredit ?? false,
      RequiresTotp: program?.RequiresTotp ?? false,
      HasPayments: program?.HasPayments ?? false,
      ActiveFrom: program?.ActiveFrom ?? null,
      ActiveThrough: program?.ActiveThrough ?? null,
    },
    rules: { CollegeId: required(), Name: required(), TimeZone: required() },
    draftKey: `program-${program?.Id ?? 0}`,
    save: (values) => {
      const body = {
        ...values,
        CollegeId: Number(values.CollegeId),
        ModalityId: idOf(values.ModalityId),
        ProgramClassId: idOf(values.ProgramClassId),
        ProgramTypeId: idOf(values.ProgramTypeId),
        LanguageProfileId: idOf(values.LanguageProfileId),
        TimeZone: values.TimeZone ?? '',
      }
      return program
        ? update.run({ params: { programId: program.Id }, body }, { basedOn: program })
        : create.run({ body })
    },
  })
  /** A new program is in the zone of its state until somebody chooses one. */
  const setState = (state: string) => {
    const follows = !program && form.values.TimeZone === (zoneOfState(form.values.State) ?? firstZone)
    form.set('State', state)
    if (follows) form.set('TimeZone', zoneOfState(state) ?? firstZone)
  }
  /** What adds the first option of a list, which is kept on a page of its own. */
  const add = (path: PagePath, list: { refetch: () => unknown }) => ({
    label: words('ui.addNew'),
    href: pageAddress(path),
    refresh: () => void list.refetch(),
  })
  const leave = () => navigate('/admin/manage-programs')
  const saved = () => {
    toast.done(words('programs.saved', { name: form.values.Name.trim() }))
    leave()
  }
  return (
    <Page
      title={program?.Name ?? words('programs.newProgram')}
      breadcrumb={<PageLink href="/new/admin/manage-programs">{words('programs.title')}</PageLink>}
      actions={<FormActions form={form} onCancel={leave} onSaved={saved} always={!program} />}
      inset
    >
      <Form form={form} onCancel={leave} onSaved={saved}>
        <FormSection name={words('programs.programSection')} purpose={words('programs.programPurpose')}>
          <FullWidth>
            <SelectField
              label={words('programs.college')}
              required
              options={options(colleges.data)}
              add={add('admin/manage-colleges/edit', colleges)}
              {...form.field('CollegeId')}
            />
          </FullWidth>
          <TextField label={words('programs.name')} required maxLength={255} {...form.field('Name')} />
          <TextField
            label={words('programs.state')}
            maxLength={50}
            {...form.field('State')}
            onChange={setState}
          />
        </FormSection>
        <FormSection name={words('programs.kindSection')} purpose={words('programs.kindPurpose')}>
          <SelectField
            label={words('programs.modality')}
            options={options(modalities.data)}
            add={add('admin/modalities', modalities)}
            {...form.field('ModalityId')}
          />
          <SelectField
            label={words('programs.class')}
            options={options(classes.data)}
            add={add('admin/program-classes', classes)}
            {...form.field('ProgramClassId')}
          />
          <SelectField
            label={words('programs.type')}
            options={options(types.data)}
            add={add('admin/manage-program-types', types)}
            {...form.field('ProgramTypeId')}
          />
          <SelectField
            label={words('programs.profile')}
            options={options(profiles.data)}
            add={add('admin/language-profiles', profiles)}
            {...form.field('LanguageProfileId')}
          />
        </FormSection>
        <FormSection name={words('programs.timeSection')} purpose={words('programs.timePurpose')}>
          <FullWidth>
            <SelectField
              label={words('programs.timeZone')}
              required
              options={zones}
              {...form.field('TimeZone')}
            />
          </FullWidth>
          <DateField label={words('programs.from')} {...form.field('ActiveFrom')} />
          <DateField label={words('programs.through')} {...form.field('ActiveThrough')} />
        </FormSection>
        <FormSection name={words('programs.accessSection')}>
          <CheckField label={words('programs.creditLabel')} {...form.field('HasCredit')} />
          <CheckField label={words('programs.requiresTotp')} {...form.field('RequiresTotp')} />
          <CheckField label={words('programs.paymentsLabel')} {...form.field('HasPayments')} />
        </FormSection>
      </Form>
    </Page>
  )
}
