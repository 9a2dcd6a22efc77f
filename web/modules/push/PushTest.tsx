import { getPushState, testPush } from '#contract/push/push.ts'
import { askForPush, pushHindrance } from '#web/api/push-device.ts'
import { useSave } from '#web/api/use-call.ts'
import { TestDialog } from '#web/shared/TestDialog.tsx'
import { useWords } from '#web/words/use-words.ts'

/** Sends a test to this very browser, and shows what its push service said. Opened by a press: the browser may ask for permission. */
export function PushTest({ publicKey, onClose }: { publicKey: string; onClose: () => void }) {
  const words = useWords()
  const test = useSave(testPush, { refresh: [getPushState] })
  const run = async () => {
    const hindrance = pushHindrance()
    if (hindrance)
      return words(hindrance === 'denied' ? 'pushService.testDenied' : 'pushService.testUnsupported')
    try {
      const address = await askForPush(publicKey)
      if (!address) return words('pushService.testDenied')
      return await test.run({ body: { Address: address } })
    } catch (error) {
      return (error as Error).message
    }
  }
  return (
    <TestDialog
      title={words('pushService.testTitle')}
      closeText={words('pushService.close')}
      runningText={words('pushService.testRunning')}
      run={run}
      sentenceOf={({ IsOk }) => words(IsOk ? 'pushService.testOk' : 'pushService.testFailed')}
      onClose={onClose}
    />
  )
}
