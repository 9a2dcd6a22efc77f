import type { Clearance, RecordContent } from '#contract/clinical-records/clinical-records.ts'
import { exceptionBesides } from '#contract/clinical-records/record-rules.ts'
import { formatDate } from '#contract/core/calendar.ts'
import { hoursText } from '#contract/core/hours.ts'
import type { PdfTable } from '#server/core/files/pdf.ts'
import { competencyTable } from './competency-table.rules.ts'

/** What a registry asks of a candidate's program: who endorses whom, how many competencies of each kind, and each of them. */
export const endorsement = (
  content: Omit<RecordContent, 'Clearance'>,
  clearance: Clearance,
  { by, at }: { by: string; at: string },
): PdfTable => {
  const { Competencies } = content
  const { Mandatory, Electives } = clearance.Checks
  return {
    title: 'Program endorsement',
    lines: [
      `Candidate: ${content.FirstName} ${content.LastName}${content.StudentNumber && ` · ID ${content.StudentNumber}`}`,
      `Program: ${content.Program} · ${content.College}`,
      ...(content.GraduatedOn ? [`Completed the program on ${formatDate(content.GraduatedOn)}`] : []),
      `Clinical hours: ${hoursText(content.ApprovedMinutes)} of ${hoursText(content.TargetMinutes)}`,
      `Mandatory competencies: ${Mandatory.Done} of ${Mandatory.Needed} · Electives: ${Electives.Done} of ${
        Electives.Needed
      } · Simulated: ${Competencies.filter(({ IsSimulated }) => IsSimulated).length}`,
      clearance.Text,
      ...exceptionBesides(clearance),
      `Signed by ${clearance.Name}, program director, on ${formatDate(clearance.SignedOn)}`,
    ],
    ...competencyTable(Competencies),
    by,
    at,
  }
}
