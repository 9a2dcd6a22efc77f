import {
  createEmployee,
  type Employee,
  getEmployee,
  listEmployees,
  maxCredential,
  searchEmployees,
  updateEmployee,
} from '#contract/people/employees.ts'
import { listSites } from '#contract/sites/sites.ts'
import { logFailure } from '#web/api/call.ts'
import { leaveTo } from '#web/api/navigate.ts'
import { useParams } from '#web/api/place.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useProgramId, useProgramOptions } from '#web/api/use-state.ts'
import { PageProblem } from '#web/shell/PageProblem.tsx'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { DateField } from '#web/ui/form/DateField.tsx'
import { Form, FormActions, FormSection } from '#web/ui/form/Form.tsx'
import { all, required, validEmail } from '#web/ui/form/rules.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { Page } from '#web/ui/Page.tsx'
import { toast, useToastSettings } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { employeeToasts } from './employee-toasts.ts'

/** Update Employee Data: a new employee, or one that is there. */
export function EmployeePage() {
  const { employeeId: given } = useParams()
  const programId = useProgramId()
  const employeeId = Number(given ?? 0)
  useToastSettings(employeeToasts)
  const employee = useRead(
    getEmployee,
    { params: { programId, employeeId } },
    { isEnabled: employeeId > 0, keepsLast: false },
  )
  if (employee.error) return <ReadProblem read={employee} />
  if (given !== undefined && !(employeeId > 0)) return <PageProblem kind="not-found" />
  if (employeeId > 0 && !employee.data) return null
  return <EmployeeForm key={employeeId} programId={programId} employee={employee.data} />
}

function EmployeeForm({ programId, employee }: { programId: number; employee: Employee | undefined }) {
  const words = useWords()
  const options = useProgramOptions()
  const sites = useRead(listSites, { params: { programId } })
  const refresh = { refresh: [searchEmployees, listEmployees, getEmployee] }
  const create = useSave(createEmployee, refresh)
  const update = useSave(updateEmployee, refresh)
  // Text that is no date leaves the field without a value; saving must not take it for an empty one.
  const form = useEditForm({
    initialValues: {
      SiteId: (employee ? String(employee.SiteId) : null) as string | null,
      FirstName: employee?.FirstName ?? '',
      LastName: employee?.LastName ?? '',
      Email: employee?.Email ?? '',
      Dob: employee?.Dob ?? null,
      RegistryNumber: employee?.RegistryNumber ?? '',
      NumSdms: employee?.NumSdms ?? '',
      NumArdms: employee?.NumArdms ?? '',
      NumArrt: employee?.NumArrt ?? '',
      NumCci: employee?.NumCci ?? '',
      NumCardUp: employee?.NumCardUp ?? '',
    },
    rules: {
      SiteId: required(),
      FirstName: required(),
      LastName: required(),
      Email: all(required(), validEmail()),
    },
    draftKey: `employee-${programId}-${employee?.Id ?? 0}`,
    save: async (values) => {
      const body = { ...values, SiteId: Number(values.SiteId) }
      try {
        if (employee)
          await update.run({ params: { programId, employeeId: employee.Id }, body }, { basedOn: employee })
        else await create.run({ params: { programId }, body })
      } catch (error) {
        logFailure(employee ? 'Error updating employee' : 'Error creating employee', error)
        toast.error(words(employee ? 'people.employeeNotUpdated' : 'people.employeeNotCreated'))
        throw error
      }
    },
  })
  const leave = () => leaveTo('/admin/employees')
  const saved = () => {
    toast.done(words(employee ? 'people.employeeUpdated' : 'people.employeeCreated'))
    leave()
  }
  const credential = (name: 'NumSdms' | 'NumArdms' | 'NumArrt' | 'NumCci' | 'NumCardUp', most: number) => (
    <TextField label={words(`people.${name}`)} maxLength={most} {...form.field(name)} />
  )
  return (
    <Page
      title={words('people.employeeTitle')}
      breadcrumb={words('people.employees')}
      actions={<FormActions form={form} onCancel={leave} onSaved={saved} always={!employee} />}
      inset
    >
      <Form form={form} onCancel={leave} onSaved={saved}>
        <FormSection name={words('people.employee')} purpose={words('people.employeePurpose')}>
          <SelectField
            label={words('people.site')}
            required
            options={(sites.data ?? []).map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
            chosenLabel={employee?.SiteName}
            {...form.field('SiteId')}
          />
          <TextField
            label={words('people.email')}
            type="email"
            required
            maxLength={255}
            {...form.field('Email')}
          />
          <TextField
            label={words('people.firstName')}
            required
            maxLength={255}
            {...form.field('FirstName')}
          />
          <TextField label={words('people.lastName')} required maxLength={255} {...form.field('LastName')} />
          <DateField label={words('people.dob')} {...form.field('Dob')} />
          {options.EmployeeRegistryNumberEnabled && (
            <TextField
              label={options.EmployeeRegistryNumberName}
              maxLength={50}
              {...form.field('RegistryNumber')}
            />
          )}
        </FormSection>
        {!options.HideDMSFields && (
          <FormSection name={words('people.credentials')} purpose={words('people.credentialsPurpose')}>
            {credential('NumSdms', 50)}
            {credential('NumArdms', 50)}
            {credential('NumArrt', maxCredential)}
            {credential('NumCci', maxCredential)}
            {credential('NumCardUp', maxCredential)}
          </FormSection>
        )}
      </Form>
    </Page>
  )
}
