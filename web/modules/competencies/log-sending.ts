import {
  getLogContext,
  getOwnStanding,
  type LogLine,
  listOwnLog,
} from '#contract/competencies/procedure-logs.ts'
import type { Owner } from '#web/api/queue/queue.ts'
import { sendOrKeep } from '#web/api/queue/send-or-keep.ts'
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

/**
 * The one way by which lines leave the device. Sent again with the same keys they are answered again and never doubled.
 *
 * @returns whether the server has them
 * @throws CallError the server's refusal; nothing is kept then
 */
export const sendLines = async (owner: Owner, { Lines, ...day }: LinesToSend): Promise<boolean> => {
  const isSaved = await sendOrKeep(procedureKind, owner, { body: { ...day, Lines: [...Lines] } })
  if (isSaved)
    await Promise.all(logReads.map((read) => queryClient.invalidateQueries({ queryKey: readKey(read) })))
  return isSaved
}
