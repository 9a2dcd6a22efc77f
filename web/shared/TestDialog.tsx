import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { OutsideTest } from '#contract/core/outside-test.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { TestSteps } from './TestSteps.tsx'

/** Tests something outside at once, and shows how far the test came. */
export function TestDialog(props: {
  title: string
  closeText: string
  /** What is said while it runs. */
  runningText: string
  /** Answers a sentence where the test could not be made. */
  run: () => Promise<OutsideTest | string>
  /** What a result means, in a sentence. */
  sentenceOf: (result: OutsideTest) => string
  /** The name of a step for people; as it came unless given. */
  nameOf?: (step: string) => string
  /** What can be done with a result, below its steps. */
  after?: (result: OutsideTest) => ReactNode
  onClose: () => void
}) {
  const { run, sentenceOf, nameOf = (step) => step } = props
  const [found, setFound] = useState<OutsideTest | string>()
  const isBegun = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: one test, when the dialog opens
  useEffect(() => {
    if (isBegun.current) return
    isBegun.current = true
    void run().then(setFound)
  }, [])
  const result = typeof found === 'object' ? found : undefined
  const failure = typeof found === 'string' ? found : undefined
  return (
    <Dialog
      opened
      onClose={props.onClose}
      title={props.title}
      actions={<Button onClick={props.onClose}>{props.closeText}</Button>}
    >
      <p role="status">{result ? sentenceOf(result) : (failure ?? props.runningText)}</p>
      {result && <TestSteps steps={result.Steps.map((step) => ({ ...step, Name: nameOf(step.Name) }))} />}
      {result && props.after?.(result)}
    </Dialog>
  )
}
