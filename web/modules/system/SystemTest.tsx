import { getSystemStatus, type SystemPartKey, testSystemPart } from '#contract/system/system.ts'
import { CallError } from '#web/api/call.ts'
import { useSave } from '#web/api/use-call.ts'
import { TestDialog } from '#web/shared/TestDialog.tsx'
import { useWords } from '#web/words/use-words.ts'

const stepNames = [
  'answer',
  'changes',
  'clock',
  'current',
  'write',
  'read',
  'remove',
  'signIn',
  'message',
  'version',
  'queue',
  'done',
] as const

/** Tests a part of the installation at once, and shows how far it came. */
export function SystemTest({ part, onClose }: { part: SystemPartKey; onClose: () => void }) {
  const words = useWords()
  const test = useSave(testSystemPart, { refresh: [getSystemStatus] })
  const run = async () => {
    try {
      return await test.run({ params: { part } })
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      return error.message
    }
  }
  const nameOf = (name: string): string => {
    const step = stepNames.find((each) => each === name)
    return step ? words(`systemStatus.step.${step}`) : name
  }
  return (
    <TestDialog
      title={words('systemStatus.testTitle', { name: words(`systemStatus.part.${part}.name`) })}
      closeText={words('systemStatus.close')}
      runningText={words('systemStatus.testRunning')}
      run={run}
      sentenceOf={({ IsOk }) => words(IsOk ? 'systemStatus.testOk' : 'systemStatus.testFailed')}
      nameOf={nameOf}
      onClose={onClose}
    />
  )
}
