import type { z } from 'zod'
import type { AnswersInput } from '#contract/evaluations/evaluations.ts'
import { nobody, readDraft, writeDraft } from '#web/api/drafts.ts'
import { newKey } from '#web/api/new-key.ts'
import { wantSending } from '#web/api/queue/changes.ts'
import { alone } from '#web/api/queue/locks.ts'
import {
  askToStay,
  change,
  drop,
  enqueueHeld,
  isWaiting,
  keep,
  lockOf,
  type Owner,
} from '#web/api/queue/queue.ts'
import type { Kept } from '#web/api/queue/stores.ts'
import { answersKind } from './answers-kind.ts'

export interface AnswerState {
  ItemId: number
  ScoreValueId: number | null
  Text: string | null
  Comment: string | null
}

/** Where answers of a form wait on the device until the server has them. */
export interface AnswerStore {
  /** What waited when the form was opened. */
  waiting: readonly AnswerState[]
  /** Keeps what the server does not have, none where it has all. */
  keep: (pending: readonly AnswerState[]) => void
  /** Keeps the form as submitted: it is sent when the device is back on line. */
  submit?: (pending: readonly AnswerState[], signedName: string) => Promise<void>
  /** The form is closed: what still waits is sent without it. */
  leave: () => void
}

export interface KeptAnswers {
  evaluationId: number
  answers: readonly AnswerState[]
  isSubmitted: boolean
}

/** What an item of the queue holds; nothing else is kept under this kind. */
export const answersOf = ({ input }: Kept): KeptAnswers => {
  const { Answers = [], Submit = false } = input.body as Partial<z.infer<typeof AnswersInput>>
  const { evaluationId } = input.params ?? {}
  return {
    evaluationId: Number(evaluationId),
    answers: Answers,
    isSubmitted: Submit,
  }
}

/**
 * Answers of somebody who is signed in: one item of the queue, which nothing else sends while the form is open. `earlier` are the
 * form's items of before; they become part of the new one.
 */
export const storeInQueue = (owner: Owner, evaluationId: number, earlier: readonly Kept[]): AnswerStore => {
  let held: { item: Kept; free: () => void } | undefined
  let before = [...earlier]
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = (work: () => Promise<unknown>) => {
    last = last.then(work)
    return last
  }
  const inputOf = (answers: readonly AnswerState[]) => ({
    params: { evaluationId },
    body: { Answers: [...answers] },
  })
  const hold = (answers: readonly AnswerState[]) =>
    new Promise<void>((isKept) => {
      void enqueueHeld(answersKind, owner, inputOf(answers), newKey(), (item) => {
        isKept()
        return new Promise<void>((free) => {
          held = { item, free }
        })
      })
    })
  const release = async ({ item, free }: NonNullable<typeof held>) => {
    held = undefined
    await drop(item)
    free()
  }
  const put = async (answers: readonly AnswerState[]) => {
    if (answers.length === 0) {
      if (held) await release(held)
    } else if (held) {
      held.item = { ...held.item, input: inputOf(answers) }
      await change(held.item)
    } else await hold(answers)
    const old = before
    before = []
    for (const item of old) await alone(lockOf(item), () => drop(item))
  }
  return {
    waiting: earlier.flatMap((item) => answersOf(item).answers),
    keep: (answers) => void inTurn(() => put(answers)),
    submit: async (answers, SignedName) => {
      await inTurn(async () => {
        const input = inputOf(answers)
        await keep(answersKind, owner, { ...input, body: { ...input.body, Submit: true, SignedName } })
        await put([])
      })
      void askToStay()
    },
    leave: () =>
      void inTurn(async () => {
        if (!held) return
        held.free()
        held = undefined
        wantSending()
      }),
  }
}

/** The items of an evaluation that a form takes over: what waits, and what was refused and can be put right. */
export const itemsOf = (kept: readonly Kept[], evaluationId: number): Kept[] =>
  kept.filter((item) => answersOf(item).evaluationId === evaluationId)

/** Whether the evaluation waits on this device as submitted. */
export const isWaitingSubmitted = (items: readonly Kept[]): boolean =>
  items.some((item) => isWaiting(item) && answersOf(item).isSubmitted)

const linkDraft = (evaluationId: number): string => `evaluation ${evaluationId}`

/** What was answered behind a link on this device and has not arrived; behind an anonymous one, all that was answered. */
export const readLinkAnswers = async (evaluationId: number): Promise<AnswerState[]> =>
  (await readDraft<AnswerState[]>(nobody, linkDraft(evaluationId))) ?? []

export const forgetLinkAnswers = (evaluationId: number): Promise<void> =>
  writeDraft(nobody, linkDraft(evaluationId), undefined)

/**
 * Answers behind a link: the device keeps them without a name, and the open form alone sends them. The server never shows
 * those of an anonymous form again, so the device keeps them until the form is submitted.
 */
export const storeOfLink = (
  evaluationId: number,
  waiting: readonly AnswerState[],
  { isAnonymous }: { isAnonymous: boolean },
): AnswerStore => {
  const given = new Map(waiting.map((answer) => [answer.ItemId, answer]))
  return {
    waiting,
    keep: (pending) => {
      for (const answer of pending) given.set(answer.ItemId, answer)
      const kept = isAnonymous ? [...given.values()] : [...pending]
      void (kept.length > 0
        ? writeDraft(nobody, linkDraft(evaluationId), kept)
        : forgetLinkAnswers(evaluationId))
    },
    leave: () => {},
  }
}
