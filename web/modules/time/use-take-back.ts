import { getClock, listOwnRecords, type OwnRecord, takeBackOwn } from '#contract/time/clock.ts'
import { useSave } from '#web/api/use-call.ts'
import { attempt } from '#web/ui/attempt.ts'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { typeName } from './record-words.tsx'

type Sent = Pick<OwnRecord, 'Id' | 'Type'>

/** Takes back what a student has reported or asked for and nobody has decided, with its undo. */
export const useTakeBack = () => {
  const words = useWords()
  const save = useSave(takeBackOwn, { refresh: [listOwnRecords, getClock] })
  const send = (record: Sent, IsTakenBack: boolean, done: () => void) =>
    attempt(async () => {
      await save.run({ params: { recordId: record.Id }, body: { IsTakenBack } })
      done()
    }, words('time.failed'))
  const sendAgain = (record: Sent) => send(record, false, () => toast.done(words('time.sentAgain')))
  return {
    isRunning: save.isRunning,
    sendAgain,
    run: (record: Sent) =>
      send(record, true, () =>
        toast.done({
          title:
            record.Type === 'in' || record.Type === 'out'
              ? words('time.requestIsBack')
              : words('time.reportIsBack', { what: typeName(words, record.Type) }),
          undo: () => void sendAgain(record),
        }),
      ),
  }
}
