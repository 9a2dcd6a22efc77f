import {
  type CollegeDetail,
  createCollege,
  getCollege,
  listColleges,
  listProgramsOfCollege,
  searchColleges,
  updateCollege,
} from '#contract/programs/programs.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { EditPage } from '#web/shell/EditPage.tsx'
import { PageLink } from '#web/shell/PageLink.tsx'
import { Form, FormActions, FormSection, FullWidth } from '#web/ui/form/Form.tsx'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { required } from '#web/ui/form/rules.ts'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'

/** Add, view or edit a college, with the programs it has. */
export function CollegePage() {
  const [{ id }] = useAddress({ id: null as number | null })
  const college = useRead(
    getCollege,
    { params: { collegeId: id ?? 0 } },
    { isEnabled: id !== null, keepsLast: false },
  )
  return (
    <EditPage id={id} read={college}>
      {(found) => <CollegeForm college={found} />}
    </EditPage>
  )
}

function CollegeForm({ college }: { college: CollegeDetail | undefined }) {
  const words = useWords()
  const navigate = usePageNavigate()
  const create = useSave(createCollege, { refresh: [searchColleges, listColleges] })
  const update = useSave(updateCollege, { refresh: [searchColleges, listColleges, getCollege] })
  const programs = useRead(
    listProgramsOfCollege,
    { params: { collegeId: college?.Id ?? 0 } },
    { isEnabled: Boolean(college) },
  )
  const form = useEditForm({
    initialValues: {
      Name: college?.Name ?? '',
      Website: college?.Website ?? '',
      Phone: college?.Phone ?? '',
      Address: college?.Address ?? '',
      City: college?.City ?? '',
      State: college?.State ?? '',
      Zip: college?.Zip ?? '',
      Latitude: college?.Latitude ?? null,
      Longitude: college?.Longitude ?? null,
    },
    rules: { Name: required() },
    draftKey: `college-${college?.Id ?? 0}`,
    save: (body) =>
      college
        ? update.run({ params: { collegeId: college.Id }, body }, { basedOn: college })
        : create.run({ body }),
  })
  const leave = () => navigate('/admin/manage-colleges')
  const saved = () => {
    toast.done(words('programs.saved', { name: form.values.Name.trim() }))
    leave()
  }
  return (
    <Page
      title={college?.Name ?? words('programs.newCollege')}
      breadcrumb={<PageLink href="/new/admin/manage-colleges">{words('programs.colleges')}</PageLink>}
      actions={<FormActions form={form} onCancel={leave} onSaved={saved} always={!college} />}
      inset
    >
      <Form form={form} onCancel={leave} onSaved={saved}>
        <FormSection name={words('programs.collegeSection')} purpose={words('programs.collegePurpose')}>
          <FullWidth>
            <TextField label={words('programs.name')} required maxLength={255} {...form.field('Name')} />
          </FullWidth>
          <TextField label={words('programs.website')} maxLength={255} {...form.field('Website')} />
          <TextField label={words('programs.phone')} maxLength={50} {...form.field('Phone')} />
        </FormSection>
        <FormSection name={words('programs.placeSection')} purpose={words('programs.placePurpose')}>
          <TextField label={words('programs.address')} maxLength={255} {...form.field('Address')} />
          <TextField label={words('programs.city')} maxLength={100} {...form.field('City')} />
          <TextField label={words('programs.state')} maxLength={50} {...form.field('State')} />
          <TextField label={words('programs.zip')} maxLength={50} {...form.field('Zip')} />
          <NumberField
            label={words('programs.latitude')}
            decimals={9}
            min={-90}
            max={90}
            {...form.field('Latitude')}
          />
          <NumberField
            label={words('programs.longitude')}
            decimals={9}
            min={-180}
            max={180}
            {...form.field('Longitude')}
          />
        </FormSection>
        {college && (
          <FormSection name={words('programs.programsOf')} wide>
            <ul>
              {(programs.data ?? []).map(({ Id, Name }) => (
                <li key={Id}>
                  <PageLink href={`/new/admin/manage-programs/edit?id=${Id}`}>{Name}</PageLink>
                </li>
              ))}
            </ul>
            <PageLink href={`/new/admin/manage-programs/edit?college=${college.Id}`}>
              {words('programs.newProgram')}
            </PageLink>
          </FormSection>
        )}
      </Form>
    </Page>
  )
}
