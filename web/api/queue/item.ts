import type { AnyEndpoint, InputOf } from '#contract/core/endpoint.ts'

/** A change that waits on the device until the server has answered it. */
export interface Item {
  /** Its Idempotency-Key: one that arrived after all counts once. */
  key: string
  kind: string
  /** The version of the input's shape (`keptOffline` of the call). */
  version: number
  /** The account that made it: no other one sends it. */
  account: number
  program: number | null
  /** When it was made, by the device's clock. */
  madeAt: string
  /** Grows from item to item. */
  order: number
  /** Items of one group are sent one after the other, oldest first; groups do not wait for each other. */
  group: string
  input: { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown }
  /** Parts of a multipart body beside the input's. */
  files?: Record<string, File[]>
  /** When the server took it, where it stays until a screen has read what became of it. */
  takenAt?: number
  /** What the server said when it refused it; it stays until somebody has seen it. */
  refusal?: string
  /** Its kind, where what is missing can be said afterwards. */
  refusalCode?: string
}

/** A kind of change that may wait. `docs/adding-an-endpoint.md` tells how a module adds one. */
export interface QueueKind<E extends AnyEndpoint = AnyEndpoint> {
  name: string
  /** Its declaration says `keptOffline`, and its handler keeps the key with what it makes. */
  call: E
  /** The group of an item; the kind is one group unless given. */
  groupOf?: (input: InputOf<E>) => string
  /** What the server has taken stays until a screen has read what it made: in between the screen would say what was before. */
  staysUntilRead?: true
  /** What the input says at the moment of sending only. */
  atSending?: (input: InputOf<E>) => InputOf<E>
}

/** Declares a kind: its input is that of the call. */
export const queueKind = <E extends AnyEndpoint>(kind: QueueKind<E>): QueueKind<E> => kind

/** Any kind, for what handles all of them. */
export interface AnyQueueKind {
  name: string
  call: AnyEndpoint
  staysUntilRead?: true
  // biome-ignore lint/suspicious/noExplicitAny: the input of a kind is checked where its items are made
  atSending?: (input: any) => Item['input']
}
