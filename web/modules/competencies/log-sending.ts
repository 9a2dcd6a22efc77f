import {
  getLogContext,
  getOwnStanding,
  type LogLine,
  listOwnLog,
  saveProcedures,
} from '#contract/competencies/procedure-logs.ts'
import { call } from '#web/api/call.ts'
import { newKey } from '#web/api/new-key.ts'
import { askToStay, drop, keepAndHold, type Owner } from '#web/api/queue/queue.ts'
import { isUndecided } from '#web/api/queue/undecided.ts'
import { queryClient, readKey } from '#web/api/use-call.ts'
import { procedureKind } from './procedure-kind.ts'

/** A line with the key that it keeps on this device until the server has answered. */
export type KeyedLine = LogLine & { Key: string }

export interface LinesToSend {
  Date: string
  SiteId: number | null
  SupervisorId: number | null
  Lines: readonly KeyedLine[]
}

/** Everything of the student's that a change of the log makes old. */
export const logReads = [getLogContext, getOwnStanding, listOwnLog]

const answerMs = 15_000

/**
 * The one way by which lines leave the device: they are kept on it, then sent. Sent again with the same keys they are answered
 * again and never doubled. What nobody answers waits, and is sent when the device is back on line.
 *
 * @returns whether the server has them
 * @throws CallError the server's refusal; nothing is kept then
 */
export const sendLines = async (owner: Owner, { Lines, ...day }: LinesToSend): Promise<boolean> => {
  const input = { body: { ...day, Lines: [...Lines] } }
  const key = newKey()
  let refusal: unknown
  let isSaved = false
  await keepAndHold(procedureKind, owner, input, key, async (item) => {
    try {
      await call(saveProcedures, input, {
        idempotencyKey: key,
        account: owner.account,
        signal: AbortSignal.timeout(answerMs),
      })
      isSaved = true
    } catch (error) {
      if (isUndecided(error)) return askToStay()
      refusal = error
    }
    await drop(item)
  })
  if (refusal) throw refusal
  if (isSaved)
    await Promise.all(logReads.map((read) => queryClient.invalidateQueries({ queryKey: readKey(read) })))
  return isSaved
}
