import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { getClinicalRecordFile } from '#contract/clinical-records/clinical-records.ts'
import { callAddress } from '#web/api/call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { useWords } from '#web/words/use-words.ts'

/** The PDF of a record as it was issued. */
export function Download({ recordId, number }: { recordId: number; number: string }) {
  const words = useWords()
  const programId = useProgramId()
  return (
    <Button
      component="a"
      variant="subtle"
      href={callAddress(getClinicalRecordFile, { params: { programId, recordId } })}
      download
      aria-label={`${words('clinicalRecords.download')} ${number}`}
      leftSection={<IconDownload size={17} stroke={1.75} aria-hidden />}
    >
      PDF
    </Button>
  )
}
