import { IconDownload } from '@tabler/icons-react'
import { type ClinicalRecord, getClinicalRecordFile } from '#contract/clinical-records/clinical-records.ts'
import { callAddress } from '#web/api/call.ts'
import type { RowAction } from '#web/ui/grid/grid-types.ts'
import type { Words } from '#web/words/plain-words.ts'

/** Downloads a record as it was issued: its PDF or its credential. */
export const downloadActions = (words: Words, programId: number, { Id }: ClinicalRecord): RowAction[] => {
  const get = (Format: 'pdf' | 'credential') => () =>
    location.assign(
      callAddress(getClinicalRecordFile, { params: { programId, recordId: Id }, query: { Format } }),
    )
  return [
    {
      label: words('clinicalRecords.download'),
      icon: <IconDownload size={16} stroke={1.75} />,
      quick: true,
      onRun: get('pdf'),
    },
    { label: words('clinicalRecords.downloadCredential'), onRun: get('credential') },
  ]
}
