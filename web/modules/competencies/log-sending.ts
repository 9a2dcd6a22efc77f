import {
  getLogContext,
  getOwnStanding,
  type LogLine,
  listOwnLog,
  saveProcedures,
} from '#contract/competencies/procedure-logs.ts'
import { call } from '#web/api/call.ts'
import { queryClient, readKey } from '#web/api/use-call.ts'

/** A line with the key that it keeps on this device until the server has answered. */
export type KeyedLine = LogLine & { Key: string }

export interface LinesToSend {
  Date: string
  SiteId: number | null
  SupervisorId: number | null
  Lines: readonly KeyedLine[]
}

/** A random UUID; `crypto.randomUUID` is not there on plain http. */
export const newLineKey = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Everything of the student's that a change of the log makes old. */
export const logReads = [getLogContext, getOwnStanding, listOwnLog]

/** The one way by which lines leave the device. Sent again with the same keys they are answered again and never doubled. */
export const sendLines = async ({ Lines, ...day }: LinesToSend): Promise<void> => {
  await call(saveProcedures, { body: { ...day, Lines: [...Lines] } })
  await Promise.all(logReads.map((read) => queryClient.invalidateQueries({ queryKey: readKey(read) })))
}
