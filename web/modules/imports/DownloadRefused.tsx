import { IconDownload } from '@tabler/icons-react'
import type { ImportResult } from '#contract/imports/imports.ts'
import { Button } from '#web/ui/buttons.ts'
import { useWords } from '#web/words/use-words.ts'
import { refusedAsCsv } from './errors-file.ts'

const saveText = (name: string, text: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

/** The rows with errors as a file, to be fixed and imported again. */
export function DownloadRefused({ result, file }: { result: ImportResult; file: File }) {
  const words = useWords()
  if (result.Refused.length === 0) return null
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} stroke={1.75} aria-hidden />}
      onClick={() =>
        saveText(
          `${words('imports.download')}-${file.name.replace(/\.csv$/i, '')}.csv`,
          refusedAsCsv(result, words('imports.message')),
        )
      }
    >
      {words('imports.downloadErrors', { count: result.Refused.length })}
    </Button>
  )
}
