import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import type { AnswerOf } from '#contract/core/endpoint.ts'
import { getPushState, testPush } from '#contract/push/push.ts'
import { askForPush, pushHindrance } from '#web/api/push-device.ts'
import { useSave } from '#web/api/use-call.ts'
import { TestSteps } from '#web/shared/TestSteps.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { useWords } from '#web/words/use-words.ts'

/** Sends a test to this very browser, and shows what its push service said. Opened by a press: the browser may ask for permission. */
export function PushTest({ publicKey, onClose }: { publicKey: string; onClose: () => void }) {
  const words = useWords()
  const test = useSave(testPush, { refresh: [getPushState] })
  const [result, setResult] = useState<AnswerOf<typeof testPush>>()
  const [failure, setFailure] = useState<string>()
  const isBegun = useRef(false)
  const run = async () => {
    const hindrance = pushHindrance()
    if (hindrance)
      return setFailure(
        words(hindrance === 'denied' ? 'pushService.testDenied' : 'pushService.testUnsupported'),
      )
    try {
      const address = await askForPush(publicKey)
      if (!address) return setFailure(words('pushService.testDenied'))
      setResult(await test.run({ body: { Address: address } }))
    } catch (error) {
      setFailure((error as Error).message)
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: one test, when the dialog opens
  useEffect(() => {
    if (isBegun.current) return
    isBegun.current = true
    void run()
  }, [])
  const said = result
    ? words(result.IsOk ? 'pushService.testOk' : 'pushService.testFailed')
    : (failure ?? words('pushService.testRunning'))
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('pushService.testTitle')}
      actions={<Button onClick={onClose}>{words('pushService.close')}</Button>}
    >
      <p role="status">{said}</p>
      {result && <TestSteps steps={result.Steps} />}
    </Dialog>
  )
}
