import { useState } from 'react'
import {
  confirmMailArrival,
  getSystemStatus,
  type SystemPartKey,
  testSystemPart,
} from '#contract/system/system.ts'
import { CallError } from '#web/api/call.ts'
import { useSave } from '#web/api/use-call.ts'
import { TestDialog } from '#web/shared/TestDialog.tsx'
import { Button } from '#web/ui/buttons.ts'
import { TextInput } from '#web/ui/inputs.ts'
import { Problem } from '#web/ui/Problem.tsx'
import { useAttempt } from '#web/ui/use-attempt.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './system-status.module.css'

const stepNames = [
  'answer',
  'changes',
  'clock',
  'current',
  'address',
  'certificate',
  'room',
  'last',
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
      after={({ Steps }) => Steps.some(({ Name, IsOk }) => Name === 'message' && IsOk) && <Arrival />}
      onClose={onClose}
    />
  )
}

/** That a mail server takes an email does not mean that anybody gets it: the code in it does. */
function Arrival() {
  const words = useWords()
  const [code, setCode] = useState('')
  const confirm = useSave(confirmMailArrival, { refresh: [getSystemStatus] })
  const { attempt, isRunning, problem } = useAttempt()
  const [isDone, setDone] = useState(false)
  if (isDone) return <p role="status">{words('systemStatus.arrivalSaved')}</p>
  return (
    <form
      className={classes.arrival}
      onSubmit={(event) => {
        event.preventDefault()
        void attempt(async () => {
          await confirm.run({ body: { Code: code } })
          setDone(true)
        })
      }}
    >
      <TextInput
        label={words('systemStatus.arrivalCode')}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={20}
      />
      <Button type="submit" loading={isRunning} disabled={!code.trim()}>
        {words('systemStatus.arrivalSave')}
      </Button>
      <Problem text={problem} />
    </form>
  )
}
