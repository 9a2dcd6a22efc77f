import { sql } from 'kysely'
import type { z } from 'zod'
import type { AnyEndpoint, Endpoint, Out, Shape } from '#contract/core/endpoint.ts'
import { coreFailures } from '#contract/core/failures.ts'
import type { Language } from '#contract/language/language.ts'
import type { Cookies } from '#server/core/auth/cookies.ts'
import type { Session, User } from '#server/core/auth/session.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { FileAnswer } from '#server/core/files/file-answer.ts'
import type { ReceivedFile } from '#server/core/files/received-file.ts'
import type { AuditNote } from '#server/core/runtime/audit.ts'
import { fail } from '#server/core/runtime/failure.ts'
import type { Services } from '#server/core/runtime/services.ts'
import type { ReadyJson } from './ready-json.ts'

/**
 * A stream of server-sent events. It is started with how to send and how to end, and answers what to do when it is over,
 * whoever ended it.
 */
export type StreamAnswer = (send: (text: string) => void, end: () => void) => () => void

/** What a handler receives: its input, checked, and a database bound to the caller. */
export interface Call<P, Q, B> {
  db: Db
  params: P
  query: Q
  body: B
  user: User
  session: Session
  files: ReceivedFile[]
  services: Services
  /** Where the call comes from. */
  from: {
    address: string
    agent: string
    origin: string | undefined
    isEmbedded: boolean
    /** Somebody passed the call on whom TRUST_PROXY does not name: `address` is that one's. */
    isProxyUnknown: boolean
    /** The call's Idempotency-Key. */
    key: string | undefined
    /** What the browser prefers, whoever uses it. */
    language: Language
  }
  /** Adds to the audit row of this call. */
  audit: AuditNote
  /** Runs once everything of the call is kept; not at all when it is refused or fails. */
  afterCommit: (work: () => void) => void
  cookies: Cookies
  /** In which language the caller reads the answer. Systems with keys, and staff, read English. */
  language: Language
  /** Aborts when whoever waits for a read has left: what works for nobody is ended. Statements of `db` end by themselves. */
  hasLeft?: AbortSignal | undefined
  /** Says how many rows are done, of how many. Only there while the worker does the call for somebody who does not wait. */
  progress?: (done: number, total: number) => void
}

export interface Route {
  endpoint: AnyEndpoint
  // biome-ignore lint/suspicious/noExplicitAny: the pairing is checked where handle() is called
  handler: (call: any) => Promise<any>
  lock: Lock | undefined
}

/**
 * Makes every other change of the same things wait, before what a save starts from is compared. For a handler that reads what others
 * have committed until then; all changes of these things must take it.
 */
export type Lock = (db: Db, programId: number) => Promise<void>

interface Named {
  params: { programId: number }
  user?: User
  session?: Session
  db: Db
}

/**
 * A super admin may name any program; whoever else names one that is not theirs is refused before.
 *
 * @throws Failure 404 for a program that never was
 */
const refuseUnknownProgram = async ({ params: { programId }, user, session, db }: Named): Promise<void> => {
  if (!user?.isSuperAdmin || session?.programId === programId) return
  const { rows } = await sql`select 1 from program where id = ${programId}`.execute(db)
  if (rows.length === 0) throw fail(coreFailures.no_program)
}

/** Pairs a declaration with the code that answers it. Everything around the handler happens in `register` (register.ts). */
export const handle = <
  P extends Shape,
  Q extends Shape,
  B extends Shape,
  A extends Shape,
  const E extends Endpoint<P, Q, B, A>,
>(
  endpoint: E & Endpoint<P, Q, B, A>,
  handler: (
    call: Call<Out<P>, Out<Q>, Out<B>>,
  ) => Promise<
    A extends z.ZodType
      ? z.input<A> | ReadyJson<z.input<A>>
      : E['answers'] extends 'file'
        ? FileAnswer
        : unknown
  >,
  lock?: Lock,
): Route => {
  if (!endpoint.path.includes('/:programId')) return { endpoint, handler, lock }
  const inProgram = async (call: Parameters<typeof handler>[0]) => {
    // The path has it.
    await refuseUnknownProgram(call as unknown as Named)
    return handler(call)
  }
  return { endpoint, handler: inProgram, lock }
}

/** Whether a call changes something, so that it is audited and refused where nothing may be changed. */
export const isChange = (endpoint: AnyEndpoint): boolean => endpoint.changes ?? endpoint.method !== 'GET'
