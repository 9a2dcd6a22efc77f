import { IconDownload } from '@tabler/icons-react'
import { type ClinicalRecord, getClinicalRecordFile } from '#contract/clinical-records/clinical-records.ts'
import { callAddress } from '#web/api/call.ts'
import type { RowAction } from '#web/ui/grid/grid-types.ts'
import type { Words } from '#web/words/plain-words.ts'

/** Downloads the PDF of a record as it was issued. */
export const downloadAction = (words: Words, programId: number, { Id }: ClinicalRecord): RowAction => ({
  label: words('clinicalRecords.download'),
  icon: <IconDownload size={16} stroke={1.75} />,
  quick: true,
  onRun: () => location.assign(callAddress(getClinicalRecordFile, { params: { programId, recordId: Id } })),
})
