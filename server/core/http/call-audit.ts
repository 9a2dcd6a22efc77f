import type { AnyEndpoint } from '#contract/core/endpoint.ts'
import type { Session, User } from '#server/core/auth/session.ts'
import type { Db, TransactionContext } from '#server/core/database/pool.ts'
import {
  type AuditNote,
  auditable,
  auditEntries,
  auditEntry,
  auditParts,
} from '#server/core/runtime/audit.ts'
import { isChange } from './handle.ts'
import type { parse } from './input.ts'

/** As the audit names the call. */
export const actionOf = ({ method, path }: AnyEndpoint): string => `${method} ${path}`

/** Calls open to everyone write their own audit rows: only they learn whose account it was. */
export const isAudited = (endpoint: AnyEndpoint): boolean =>
  endpoint.may !== 'everyone' &&
  (isChange(endpoint) || endpoint.isAudited === true || (endpoint.answers === 'file' && !endpoint.isPicture))

/** A key acts under its own name; what is done by an inbox link says so. */
const withMeans = (detail: object | undefined, { key, link }: Pick<User, 'key' | 'link'>) =>
  key
    ? { ...detail, ByKey: { Id: key.Id, Name: key.Name } }
    : link
      ? { ...detail, ByLink: { Id: link.Id, Recipient: link.Recipient } }
      : detail

/** What the audit says of a call. */
export interface AuditedCall {
  programId: number | null
  call: ReturnType<typeof parse> & { from: { address: string } }
  signedIn:
    | { user: Pick<User, 'Id' | 'ProgramId' | 'UserName' | 'key' | 'link'>; session?: Session }
    | undefined
  /** Why somebody opens what is private. */
  reason?: string | undefined
}

/**
 * The row of the audit, written with the transaction's last statements. A view of a person's record counts as well; it
 * names the person.
 */
export const audit = (
  { endpoint, action, isAudited }: { endpoint: AnyEndpoint; action: string; isAudited: boolean },
  { call, signedIn, programId, reason }: AuditedCall,
  db: Db,
  context: TransactionContext,
  note: AuditNote,
  seen: readonly number[] = [],
): void => {
  const viewed =
    endpoint.views && call.params ? (call.params as Record<string, number>)[endpoint.views] : undefined
  const own = signedIn?.user.Id
  const subjects = [...new Set([...(note.subjectIds ?? []), ...seen])].filter((id) => id !== own)
  if (!isAudited && viewed === undefined && subjects.length === 0) return
  const input = note.detail
    ? { ...(call.params as object), ...note.detail }
    : auditable({
        ...(call.params as object),
        ...(call.query as object),
        // More people read the audit than what is private.
        ...(endpoint.class ? {} : (call.body as object)),
      })
  const detail = reason === undefined ? input : { ...input, WrittenReason: reason }
  const viewer = signedIn?.session?.viewer
  const entry = {
    programId: note.programId ?? programId ?? signedIn?.user.ProgramId ?? null,
    accountId: viewer?.Id ?? own ?? null,
    action,
    address: call.from.address,
    detail: viewer
      ? { ...detail, ViewingAs: signedIn?.user.UserName }
      : withMeans(detail, signedIn?.user ?? {}),
  }
  const subjectId = note.subjectId ?? viewed
  context.closing.push(
    note.parts && note.parts.length > 0
      ? auditParts(db, entry, note.parts)
      : subjectId === undefined && subjects.length > 0
        ? auditEntries(db, entry, subjects)
        : auditEntry(db, { ...entry, subjectId }),
  )
}
