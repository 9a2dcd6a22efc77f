import { type Connection, getConnection, listConnections } from '#contract/connections/connections.ts'
import { approveLtiConnection } from '#contract/connections/lti.ts'
import { useSave } from '#web/api/use-call.ts'
import { attempt } from '#web/ui/attempt.ts'
import { confirm } from '#web/ui/confirm.ts'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'

/** Turns on the connection of an LMS that registered by itself, after a question that names the LMS. */
export const useTurnOn = () => {
  const words = useWords()
  const approve = useSave(approveLtiConnection, { refresh: [listConnections, getConnection] })
  return async ({ Id, Name, Issuer }: Pick<Connection, 'Id' | 'Name' | 'Issuer'>): Promise<void> => {
    const text = words('lti.registration.turnOnQuestion', { name: Name, issuer: Issuer })
    if (!(await confirm({ text, verb: words('lti.registration.turnOn') }))) return
    await attempt(async () => {
      await approve.run({ params: { connectionId: Id } })
      toast.done(words('lti.registration.turnedOn', { name: Name }))
    })
  }
}
