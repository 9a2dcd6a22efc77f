import type { RecordContent } from '#contract/clinical-records/clinical-records.ts'
import { exceptionBesides, numberMark } from '#contract/clinical-records/record-rules.ts'
import { formatDate } from '#contract/core/calendar.ts'
import { hoursText } from '#contract/core/hours.ts'
import type { PdfDocument, PdfPart } from '#server/core/files/pdf.ts'
import { competencyTable } from './competency-table.rules.ts'

const hoursPart = (
  { Rotations, ApprovedMinutes }: RecordContent,
  words: Record<string, string>,
): PdfPart => ({
  heading: 'Clinical hours',
  ...(Rotations.length === 0 && { lines: ['No approved hours.'] }),
  columns: [
    { title: 'Rotation', width: '*' },
    { title: 'Dates', width: 112 },
    // Every program has its word for it.
    { title: words.Site!, width: '*' },
    { title: 'Hours', isFigure: true },
  ],
  rows: Rotations.flatMap(({ Name, StartDate, EndDate, Sites }) =>
    Sites.map((site, at) => [
      at === 0 ? Name || 'Outside rotations' : '',
      at === 0 && StartDate ? `${formatDate(StartDate)} – ${formatDate(EndDate)}` : '',
      site.Name,
      hoursText(site.ApprovedMinutes),
    ]),
  ),
  totals: ['Total approved', '', '', hoursText(ApprovedMinutes)],
})

const competenciesPart = ({ Competencies }: RecordContent): PdfPart => ({
  heading: 'Competencies',
  lines: [
    Competencies.length === 0
      ? 'None passed yet.'
      : `${Competencies.length} passed, of them ${Competencies.filter(({ IsMandatory }) => IsMandatory).length} mandatory`,
  ],
  ...competencyTable(Competencies),
})

const evaluationsPart = ({ Evaluations }: RecordContent): PdfPart[] =>
  Evaluations
    ? [
        {
          heading: 'Evaluations',
          ...(Evaluations.length === 0 && { lines: ['None completed.'] }),
          columns: [
            { title: 'Form', width: '*' },
            { title: 'Completed', isFigure: true },
            { title: 'Mean of the scale', isFigure: true },
          ],
          rows: Evaluations.map(({ Form, Count, Percent }) => [
            Form,
            String(Count),
            `${Percent.toFixed(1)} %`,
          ]),
        },
      ]
    : []

const requirementsPart = ({ Requirements }: RecordContent): PdfPart[] =>
  Requirements
    ? [
        {
          heading: 'Requirements met on the day of issue',
          ...(Requirements.length === 0 && { lines: ['None.'] }),
          columns: [
            { title: 'Requirement', width: '*' },
            { title: 'Valid to', width: 'auto' },
          ],
          rows: Requirements.map(({ Name, ValidUntil }) => [
            Name,
            ValidUntil ? formatDate(ValidUntil) : 'No end',
          ]),
        },
      ]
    : []

/** A record as a document: in the program's words, with the address at which anybody can verify it. */
export const recordDocument = (
  content: RecordContent,
  {
    number,
    issuedBy,
    issuedOn,
    verifyPage,
    words,
  }: {
    number: string
    issuedBy: string
    issuedOn: string
    verifyPage: string
    words: Record<string, string>
  },
): PdfDocument => {
  const { Clearance, GraduatedOn } = content
  return {
    title: Clearance ? 'Clinical record' : 'Interim clinical record',
    lines: [
      `${content.FirstName} ${content.LastName}`,
      `${content.Program} · ${content.College}`,
      [content.StudentNumber && `ID ${content.StudentNumber}`, content.Cohort && `Cohort ${content.Cohort}`]
        .filter(Boolean)
        .join(' · '),
      ...(GraduatedOn ? [`Graduated ${formatDate(GraduatedOn)}`] : []),
      `Issued ${formatDate(issuedOn)}`,
    ].filter((line) => line !== ''),
    seal: {
      address: verifyPage,
      lines: [number, 'Verify at', verifyPage.replace(/^https?:\/\/|\?.*$/g, '')],
    },
    parts: [
      hoursPart(content, words),
      competenciesPart(content),
      ...evaluationsPart(content),
      ...requirementsPart(content),
    ],
    certifying: Clearance
      ? [
          Clearance.Text,
          ...exceptionBesides(Clearance),
          `Signed by ${Clearance.Director}, program director, on ${formatDate(Clearance.SignedOn)}`,
        ]
      : ['This is an interim record: the program has not cleared the student for graduation.'],
    by: issuedBy,
    at: `${number} · ${formatDate(issuedOn)}`,
    keywords: `${numberMark}${number}`,
  }
}
