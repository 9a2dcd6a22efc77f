import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { type ConnectionKind, listConnections, testConnection } from '#contract/connections/connections.ts'
import { CallError } from '#web/api/call.ts'
import { useSave } from '#web/api/use-call.ts'
import { TestSteps } from '#web/shared/TestSteps.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { useWords } from '#web/words/use-words.ts'

const stepNames = ['description', 'keys', 'client'] as const
const ltiStepNames = ['keys', 'access'] as const

/** Tries a connection at once, and shows how far it came. */
export function ConnectionTest({
  connection,
  onClose,
}: {
  connection: { Id: number; Name: string; Kind: ConnectionKind }
  onClose: () => void
}) {
  const words = useWords()
  const test = useSave(testConnection, { refresh: [listConnections] })
  const [result, setResult] = useState<Awaited<ReturnType<typeof test.run>>>()
  const [failure, setFailure] = useState<string>()
  const isBegun = useRef(false)
  const run = async () => {
    try {
      setResult(await test.run({ params: { connectionId: connection.Id } }))
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setFailure(error.message)
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: one test, when the dialog opens
  useEffect(() => {
    if (isBegun.current) return
    isBegun.current = true
    void run()
  }, [])
  const isLti = connection.Kind === 'lti'
  const okWords = () => {
    if (!isLti) return 'connections.testOk'
    return result?.Steps.some(({ Name }) => Name === 'access') ? 'lti.testOkAccess' : 'lti.testOk'
  }
  const said = result
    ? words(result.IsOk ? okWords() : 'connections.testFailed')
    : (failure ?? words('connections.testRunning'))
  const nameOf = (name: string): string => {
    const ltiStep = isLti && ltiStepNames.find((each) => each === name)
    if (ltiStep) return words(`lti.step.${ltiStep}`)
    const step = stepNames.find((each) => each === name)
    return step ? words(`connections.step.${step}`) : name
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('connections.testTitle', { name: connection.Name })}
      actions={<Button onClick={onClose}>{words('connections.close')}</Button>}
    >
      <p role="status">{said}</p>
      {result && <TestSteps steps={result.Steps.map((step) => ({ ...step, Name: nameOf(step.Name) }))} />}
    </Dialog>
  )
}
