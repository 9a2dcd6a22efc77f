import { useEffect, useRef } from 'react'
import { answerEvidenceQuestion } from '#contract/payments/payments.ts'
import { getAdminData } from '#contract/session/session.ts'
import { logFailure } from '#web/api/call.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useSave } from '#web/api/use-call.ts'
import { confirm } from '#web/ui/confirm.ts'
import { useWords } from '#web/words/use-words.ts'

/**
 * Asks for the evidence of a new arrangement's tax exemption and leads to its page. Either answer is kept, so that
 * nobody is asked twice.
 */
export const useEvidenceQuestion = (
  programId: number | null,
  arrangementId: number | null | undefined,
): void => {
  const words = useWords()
  const navigate = usePageNavigate()
  const answer = useSave(answerEvidenceQuestion, { refresh: [getAdminData] })
  const asked = useRef<number>(undefined)
  const ask = async (program: number, id: number) => {
    const isNow = await confirm({ text: words('payments.evidenceQuestion') })
    try {
      await answer.run({ params: { programId: program, arrangementId: id } })
    } catch (error) {
      logFailure('Keeping that the evidence was asked for', error)
    }
    if (isNow) navigate('/admin/payments/edit', { search: { program: program, id: id } })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new arrangement alone asks
  useEffect(() => {
    if (programId === null || !arrangementId || asked.current === arrangementId) return
    asked.current = arrangementId
    void ask(programId, arrangementId)
  }, [programId, arrangementId])
}
