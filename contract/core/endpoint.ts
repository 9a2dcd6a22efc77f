import { z } from 'zod'
import './no-eval.ts'
import type { Permission } from './permissions.ts'
import type { SensitiveClass } from './sensitive.ts'

/** What needs a proof and changes nothing of the account itself, by the message in which its owner is told of it. */
export const confirmedActs = ['file', 'view', 'provider', 'webhook', 'calendar'] as const
export type ConfirmedAct = (typeof confirmedActs)[number]

export type Method = 'GET' | 'POST' | 'DELETE'

/** Who may call: a permission, any signed-in person, or everyone (sign-in itself, public pages). */
export type Who = Permission | 'signed-in' | 'everyone'

type Shape = z.ZodType | undefined

const mediaTypes = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pdf: 'application/pdf',
  zip: 'application/zip',
  ics: 'text/calendar',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  credential: 'application/vc+jwt',
} as const

/** A kind of file that a call answers. */
export type FileType = keyof typeof mediaTypes

/** The read that an edit starts from, so that a save can tell what has changed since it was read. */
export interface Basis {
  read: AnyEndpoint
  /** The query of that read; its defaults unless given. */
  query?: Record<string, unknown>
  /** Of a list: the path parameter of the change that holds the row's `Id`. */
  item?: string
  /** Of an answer that is no list itself: the list in it that has the row. */
  within?: string
  /** A field of the body that says when what it starts from was changed, for callers who send no `If-Match`: another date refuses it. */
  date?: string
  /** Of a body that is a list of rows, which replaces none but those that it names: the field that tells which row is which. */
  key?: string
  /** What the read tells under another name, or in another form, than the body has it: how to get it from there. */
  elsewhere?: Readonly<Record<string, (read: never) => unknown>>
  /**
   * Lists of the body whose rows belong to what is changed, with the fields that tell which row is which: `Values: ['Id']`, in another
   * list `Measures.Entered: ['Year']`. A row goes only when the caller shows to have seen it, in `Seen` or by the fingerprint of the whole.
   */
  rows?: Readonly<Record<string, readonly string[]>>
}

export interface Declaration<P extends Shape, Q extends Shape, B extends Shape, A extends Shape> {
  method: Method
  /** Below `{root}/new/api`, with `:name` for path parameters. `:programId` is always the program of the data. */
  path: string
  /** Where the call was before; who calls it there is answered as ever. */
  formerly?: string
  may: Who
  summary: string
  params?: P
  query?: Q
  body?: B
  /** Absent: the answer is 204 without a body, or a file where `answers` says so. */
  answer?: A
  /** The status of a successful answer; 200 with a body and 204 without one unless given. */
  status?: 200 | 201 | 202 | 204
  /** What else may be answered, for the description page: status → when. */
  errors?: Partial<Record<400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503, string>>
  /** `file`: streamed download. `stream`: server-sent events until one side ends it, without a transaction. */
  answers?: 'file' | 'stream'
  /** The kinds of the file, unless its query has a `Format` that names them; any kind unless given. */
  fileTypes?: readonly FileType[]
  /** A file that is in the middle of pages: kept by the browser, and not worth an audit row each time it is shown. */
  isPicture?: true
  /** `multipart`: the body holds files besides the declared parts. */
  takes?: 'multipart' | 'octets'
  /** A view of a person's record is audited; the value names the path parameter that holds the person. */
  views?: string
  /** A read that is audited although it names no person: who has looked at all of them. */
  isAudited?: true
  /** A GET that must not open a transaction for its handler's sake, or a POST that changes nothing. */
  changes?: boolean
  /**
   * The call must carry an Idempotency-Key, and the key alone names it: a repeat may tell more or less, as a punch
   * does that was tried on line first and is sent from the device's queue later, but nothing else. Its handler keeps the key with
   * what it makes, and answers a repeat from there.
   */
  needsKey?: true
  /**
   * A change that a device keeps while it is off line and sends later (`web/api/queue/`). `version` is that of the input's
   * shape: it grows with every change that a release before this one would not have sent, and the call goes on taking the
   * version before (`docs/decisions/without-a-network.md`).
   */
  keptOffline?: { version: number }
  /** A save that says in `If-Match` what it started from is refused with 409 `stale` where it would undo what somebody else has done since. */
  basis?: Basis
  /** Changes what is asked of the students of its program, so that how far they are is counted anew. */
  changesGoals?: true
  /** Ends people of its program, or makes one of two: nothing else is written there meanwhile (`server/core/runtime/people-lock.ts`). */
  endsPeople?: true
  /** The answer holds a secret: what is kept of it for a repeat with the same Idempotency-Key is sealed. */
  answersSecret?: true
  /** Open also while the person has something to do before anything else, such as setting up an authenticator. */
  duringStep?: true
  /** A change that is open also to an administrator who views the product as somebody else. */
  whileViewing?: true
  /**
   * Done with it, an open session would become a lasting takeover, or everybody's data a file: whoever is signed in proves within
   * the last five minutes who it is (`POST auth/proofs`). Keys have their rights by name and prove nothing. By a word the owner of
   * the account is told of it afterwards; other changes tell in words of their own.
   */
  proof?: true | ConfirmedAct
  /**
   * What it does lasts longer than the session, so that a proof at sign-in is not enough: the page asks in the act itself, and the call
   * carries in `X-Proof` what `POST auth/proofs` has answered to that page.
   */
  lasts?: true
  /**
   * What is read or written is of a class that is closed to whoever views as somebody else, to keys unless they name it, and to
   * those above the program without a written reason; every look is in the audit about the person. A field of a class beside others:
   * `sensitive` in `contract/core/sensitive.ts`.
   */
  class?: SensitiveClass
  /** The answer may repeat words of such records: the handler names in `audit.subjectIds` whose, so that the look is in the audit. */
  mayRepeatPrivate?: true
  /** Numbers of the body are cells of another system's table, such as telephone numbers: they may be of any size. */
  anyNumbers?: true
  /** Takes the database or this process long: few such calls run at a time, and the others wait their turn. */
  isHeavy?: true
  /**
   * A file or an import that may be large: the answer is then 202 with the task that does it in the worker (`TaskAnswer` in
   * contract/tasks). Its path names the program.
   */
  mayBePrepared?: true
  /** A report: what others changed in the last seconds may be missing, so a replica can answer it. */
  mayBeBehind?: true
  /**
   * Whether an API key opens it. Unless given, calls with a permission are open to keys with that right, and calls for every
   * signed-in person are not: they are about the person. `never`: calls of identity, and those that make keys. `always`: any key.
   * `only`: a key with the right, and nobody else.
   */
  byKey?: 'never' | 'always' | { only: Permission }
  /** Open to an inbox link (contract/inbox) as the account that it names, while that account has the permission. */
  byInbox?: true
  /** Most bytes of the body; 1 MiB unless given. */
  bodyLimit?: number
}

export interface Endpoint<
  P extends Shape = Shape,
  Q extends Shape = Shape,
  B extends Shape = Shape,
  A extends Shape = Shape,
> extends Declaration<P, Q, B, A> {
  readonly kind: 'endpoint'
}

type In<T extends Shape> = T extends z.ZodType ? z.input<T> : undefined
type Out<T extends Shape> = T extends z.ZodType ? z.output<T> : undefined

type Part<K extends string, T extends Shape> = T extends z.ZodType
  ? Record<never, never> extends z.input<T>
    ? { [key in K]?: z.input<T> }
    : { [key in K]: z.input<T> }
  : { [key in K]?: undefined }

/** What a caller of the endpoint passes: only the parts that it declares. */
// biome-ignore lint/suspicious/noExplicitAny: any endpoint at all
export type InputOf<E extends Endpoint<any, any, any, any>> =
  E extends Endpoint<infer P, infer Q, infer B, Shape>
    ? Part<'params', P> & Part<'query', Q> & Part<'body', B>
    : never
/** What a handler of the endpoint gets as its body. */
// biome-ignore lint/suspicious/noExplicitAny: any endpoint at all
export type BodyOf<E extends Endpoint<any, any, any, any>> =
  E extends Endpoint<Shape, Shape, infer B, Shape> ? Out<B> : never
// biome-ignore lint/suspicious/noExplicitAny: any endpoint at all
export type AnswerOf<E extends Endpoint<any, any, any, any>> =
  E extends Endpoint<Shape, Shape, Shape, infer A> ? Out<A> : never
// biome-ignore lint/suspicious/noExplicitAny: any endpoint at all
export type AnyEndpoint = Endpoint<any, any, any, any>
export type { In, Out, Shape }

/**
 * Declares one call of the product, once. Server, client, description page and the tests that loop over all calls
 * read the same object. Objects are strict: a name that is not declared is refused with 400.
 */
export const endpoint = <
  P extends Shape = undefined,
  Q extends Shape = undefined,
  B extends Shape = undefined,
  A extends Shape = undefined,
>(
  declaration: Declaration<P, Q, B, A>,
): Endpoint<P, Q, B, A> => ({ kind: 'endpoint', ...declaration })

/** The right that a key needs for the call, or `any`; undefined where no key opens it. */
export const keyRightOf = ({ may, byKey }: AnyEndpoint): Permission | 'any' | undefined => {
  if (byKey === 'never') return undefined
  if (byKey === 'always') return 'any'
  if (byKey) return byKey.only
  return may === 'signed-in' || may === 'everyone' ? undefined : may
}

/** The media types of the file that a call answers, as far as they are known. */
export const fileTypesOf = ({ fileTypes, query }: AnyEndpoint): string[] => {
  const format = query instanceof z.ZodObject ? query.shape.Format : undefined
  const named = format instanceof z.ZodDefault ? format.unwrap() : format
  const types = fileTypes ?? (named instanceof z.ZodEnum ? (named.options as FileType[]) : [])
  return types.length > 0 ? types.map((type) => mediaTypes[type]) : ['application/octet-stream']
}

/** The error body of every refused call. */
export const ErrorBody = z.object({
  Message: z.string(),
  Code: z.string().optional(),
  Errors: z.array(z.object({ Field: z.string(), Message: z.string() })).optional(),
  /** What the message is filled with, by name: names and numbers as they are in it. */
  Values: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  /** With 404 for a list: the ids that were not found. */
  Missing: z.array(z.number()).optional(),
  /** Of a fault of the server (500): the log has it under this. */
  Reference: z.string().optional(),
})
export type ErrorBody = z.infer<typeof ErrorBody>
