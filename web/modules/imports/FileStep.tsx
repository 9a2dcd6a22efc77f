import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { type ImportKind, importables } from '#contract/imports/import-kinds.ts'
import { maxImportBytes } from '#contract/imports/imports.ts'
import { FileDrop } from '#web/ui/form/FileDrop.tsx'
import { useFilled, useWords } from '#web/words/use-words.ts'
import { sampleAddress } from './import-calls.ts'
import classes from './imports.module.css'

/** Chooses the file; says by what rows are known, and offers samples. */
export function FileStep({
  kind,
  programId,
  isBusy,
  isTold,
  onFile,
}: {
  kind: ImportKind
  programId: number | null
  isBusy: boolean
  /** How far it is, is shown elsewhere. */
  isTold: boolean
  onFile: (file: File) => void
}) {
  const words = useWords()
  const fill = useFilled()
  const [name, setName] = useState('')
  return (
    <>
      <p className={classes.quiet}>{fill(importables[kind].about)}</p>
      <p className={classes.samples}>
        {words('imports.sampleIntro')}
        {(['xlsx', 'csv'] as const).map((format) => (
          <a key={format} href={sampleAddress(kind, programId, format)} download>
            <IconDownload size={15} stroke={1.75} aria-hidden />
            {words(format === 'xlsx' ? 'imports.sampleExcel' : 'imports.sampleCsv')}
          </a>
        ))}
      </p>
      <FileDrop
        label={words('imports.drop')}
        hint={words('imports.dropHint')}
        files={[]}
        maxBytes={maxImportBytes}
        onChange={([file]) => {
          if (!file || isBusy) return
          setName(file.name)
          onFile(file)
        }}
      />
      <p className={classes.quiet} role="status">
        {isBusy && !isTold && words('imports.reading', { name })}
      </p>
    </>
  )
}
