import type { MergedField } from '#contract/people/merging.ts'

/** Where a field of a person is kept. */
export const accountColumns: Readonly<Record<MergedField, string>> = {
  FirstName: 'first_name',
  MiddleName: 'middle_name',
  LastName: 'last_name',
  Suffix: 'suffix',
  EmailAddress: 'email',
  PhoneNumber: 'phone',
  ZipCode: 'zip',
  Institution: 'institution',
  StudentNumber: 'student_number',
  StudentLevelId: 'student_level_id',
  Cohort: 'cohort',
  UserName: 'user_name',
}
