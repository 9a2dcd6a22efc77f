/** What a college's directory (SCIM) may say of a person. */
export const directoryFields = [
  'FirstName',
  'MiddleName',
  'LastName',
  'Suffix',
  'EmailAddress',
  'PhoneNumber',
  'StudentNumber',
] as const
export type DirectoryField = (typeof directoryFields)[number]
