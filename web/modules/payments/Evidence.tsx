import { useState } from 'react'
import { maxDocumentFileBytes } from '#contract/documents/documents-rules.ts'
import {
  type Arrangement,
  deleteEvidence,
  getArrangement,
  listArrangements,
  saveEvidence,
} from '#contract/payments/payments.ts'
import { searchPrograms } from '#contract/programs/programs.ts'
import { getAdminData } from '#contract/session/session.ts'
import { useSave } from '#web/api/use-call.ts'
import { useMay } from '#web/api/use-state.ts'
import { attemptWhenSure } from '#web/ui/attempt-when-sure.ts'
import { FileField } from '#web/ui/form/FileField.tsx'
import { Section } from '#web/ui/Section.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './payments.module.css'

/** The evidence of a tax exemption; a file that is chosen is kept at once. */
export function Evidence({ arrangement }: { arrangement: Arrangement }) {
  const words = useWords()
  const mayManage = useMay()('payments.manage')
  const refresh = { refresh: [getArrangement, listArrangements, searchPrograms, getAdminData] }
  const save = useSave(saveEvidence, refresh)
  const remove = useSave(deleteEvidence, refresh)
  const [error, setError] = useState<string>()
  const at = { params: { programId: arrangement.ProgramId, arrangementId: arrangement.Id } }
  const kept = arrangement.Evidence
  const upload = async (file: File | undefined) => {
    if (!file) return
    setError(undefined)
    try {
      await save.run(at, { files: { file } })
      toast.done(words('payments.evidenceSaved', { name: file.name }))
    } catch (failure) {
      setError((failure as Error).message)
    }
  }
  const takeAway = () =>
    attemptWhenSure(
      { text: words('payments.removeEvidenceQuestion'), verb: words('payments.removeEvidence') },
      async () => {
        await remove.run(at)
        toast.done(words('payments.evidenceRemoved'))
      },
    )
  return (
    <Section title={words('payments.evidence')}>
      <p className={classes.purpose}>{words('payments.evidencePurpose')}</p>
      <FileField
        name="Evidence"
        label={words(kept ? 'payments.otherEvidence' : 'payments.chooseEvidence')}
        hint={words('payments.fileHint')}
        maxBytes={maxDocumentFileBytes}
        kept={kept ? { name: kept.Name, url: kept.Url, bytes: kept.ByteCount } : undefined}
        file={undefined}
        onChange={(file) => void upload(file)}
        removeLabel={words('payments.removeEvidence')}
        {...(mayManage && { onRemove: () => void takeAway() })}
        error={error}
      />
    </Section>
  )
}
