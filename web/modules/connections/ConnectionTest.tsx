import { type ConnectionKind, listConnections, testConnection } from '#contract/connections/connections.ts'
import type { OutsideTest } from '#contract/core/outside-test.ts'
import { CallError } from '#web/api/call.ts'
import { useSave } from '#web/api/use-call.ts'
import { TestDialog } from '#web/shared/TestDialog.tsx'
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
  const run = async () => {
    try {
      return await test.run({ params: { connectionId: connection.Id } })
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      return error.message
    }
  }
  const isLti = connection.Kind === 'lti'
  const okWords = ({ Steps }: OutsideTest) => {
    if (!isLti) return 'connections.testOk'
    return Steps.some(({ Name }) => Name === 'access') ? 'lti.testOkAccess' : 'lti.testOk'
  }
  const nameOf = (name: string): string => {
    const ltiStep = isLti && ltiStepNames.find((each) => each === name)
    if (ltiStep) return words(`lti.step.${ltiStep}`)
    const step = stepNames.find((each) => each === name)
    return step ? words(`connections.step.${step}`) : name
  }
  return (
    <TestDialog
      title={words('connections.testTitle', { name: connection.Name })}
      closeText={words('connections.close')}
      runningText={words('connections.testRunning')}
      run={run}
      sentenceOf={(result) => words(result.IsOk ? okWords(result) : 'connections.testFailed')}
      nameOf={nameOf}
      onClose={onClose}
    />
  )
}
