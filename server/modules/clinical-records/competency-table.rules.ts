import type { RecordContent } from '#contract/clinical-records/clinical-records.ts'
import { formatDate } from '#contract/core/calendar.ts'
import type { PdfPart } from '#server/core/files/pdf.ts'

type Competency = RecordContent['Competencies'][number]

const patientText: Record<Competency['Patient'], string> = {
  adult: 'Adult',
  pediatric: 'Pediatric',
  geriatric: 'Geriatric',
}

/** Competencies as documents list them: each with its day, patient and examiner. */
export const competencyTable = (competencies: readonly Competency[]): Pick<PdfPart, 'columns' | 'rows'> => ({
  columns: [
    { title: 'Procedure', width: '*' },
    { title: 'Section', width: 'auto' },
    { title: 'Date', width: 'auto' },
    { title: 'Patient', width: 'auto' },
    { title: 'Examiner', width: '*' },
  ],
  rows: competencies.map((each) => [
    each.IsMandatory ? each.Procedure : `${each.Procedure} (elective)`,
    each.Study,
    formatDate(each.PassedOn),
    each.IsSimulated ? 'Simulated' : patientText[each.Patient],
    [each.Examiner, each.Credential].filter(Boolean).join(', '),
  ]),
})
