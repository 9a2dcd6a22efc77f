/** The fields that an email of staff is filled with, for its editor and for the server. */

export interface MergeField {
  /** Written as {{Name}}. */
  Name: string
  /** What it stands for, as the picker says. */
  Note: string
  /** What it says for somebody without a value; '' never happens in a sentence. */
  Without: string
}

export const mergeFields = [
  { Name: 'name', Note: 'Recipient’s name', Without: '' },
  { Name: 'firstName', Note: 'Recipient’s first name', Without: '' },
  { Name: 'lastName', Note: 'Recipient’s last name', Without: '' },
  { Name: 'studentId', Note: 'Student ID', Without: 'no student ID' },
  { Name: 'studentLevel', Note: 'Student level', Without: 'no student level' },
  { Name: 'cohort', Note: 'Cohort', Without: 'no cohort' },
  { Name: 'program', Note: 'Recipient’s program', Without: 'your program' },
  { Name: 'college', Note: 'Recipient’s college', Without: 'your college' },
  { Name: 'approvedHours', Note: 'Approved hours', Without: '0.0' },
  { Name: 'requiredHours', Note: 'Required hours', Without: '0.0' },
  { Name: 'remainingHours', Note: 'Required hours not approved yet', Without: '0.0' },
  { Name: 'nextShift', Note: 'Next shift: date, time and site', Without: 'no shift scheduled' },
  { Name: 'nextShiftDate', Note: 'Date of the next shift', Without: 'not scheduled' },
  { Name: 'nextShiftTime', Note: 'Time of the next shift', Without: 'not scheduled' },
  { Name: 'nextShiftSite', Note: 'Site of the next shift', Without: 'not scheduled' },
  {
    Name: 'openRequirements',
    Note: 'Requirements that are missing, expired or end soon, with dates',
    Without: 'see Requirements',
  },
  { Name: 'sender', Note: 'Your name', Without: '' },
] as const satisfies readonly MergeField[]
export type MergeFieldName = (typeof mergeFields)[number]['Name']

const byName = new Map<string, MergeField>(mergeFields.map((field) => [field.Name, field]))
const placeholder = /\{\{\s*([\w.]*)\s*\}\}/g

/** A text taken apart: what stays, and the fields between. */
export const mergeParts = (text: string): ({ text: string } | { field: MergeFieldName })[] => {
  const parts: ({ text: string } | { field: MergeFieldName })[] = []
  let end = 0
  for (const match of text.matchAll(placeholder)) {
    if (!byName.has(match[1]!)) continue
    if (match.index > end) parts.push({ text: text.slice(end, match.index) })
    parts.push({ field: match[1] as MergeFieldName })
    end = match.index + match[0].length
  }
  if (end < text.length) parts.push({ text: text.slice(end) })
  return parts
}

/** The fields of some texts, each once. */
export const mergeFieldsOf = (...texts: readonly string[]): MergeFieldName[] => [
  ...new Set(texts.flatMap(mergeParts).flatMap((part) => ('field' in part ? [part.field] : []))),
]

/** What a field says for somebody without a value. */
export const withoutValue = (name: MergeFieldName): string => byName.get(name)?.Without ?? ''

/** What is wrong with the fields of a subject or of HTML, in a sentence, or null. */
export const problemOfMerge = (text: string): string | null => {
  // The pattern's only group is part of every match.
  for (const [, name] of text.matchAll(placeholder))
    if (!byName.has(name!)) return `{{${name}}} is not a field. Choose one of the list of fields.`
  for (const [tag] of text.matchAll(/<[^>]*>/g))
    if (tag.search(placeholder) >= 0) return 'A field cannot be the address of a link.'
  return /\{\{|\}\}/.test(text.replace(placeholder, ''))
    ? 'A field is not whole: write it as {{firstName}}, without formatting inside it.'
    : null
}
