import { useCallback, useEffect, useRef, useState } from 'react'
import type { FilledForm } from '#contract/evaluations/evaluations.ts'
import type { CallError } from '#web/api/call.ts'
import { isUndecided } from '#web/api/queue/undecided.ts'
import type { AnswerState, AnswerStore } from './answer-store.ts'

/** `untouched`: nothing was ever answered, so there is nothing to say of it. */
export type KeptState = 'untouched' | 'saved' | 'saving' | 'waiting'

/** How an attempt to send ended. */
export type Flushed = 'done' | 'refused' | 'unanswered'

const pauseMs = 700
const retryMs = 4_000

/**
 * Keeps answers as they are given: on the device at once, on the server a moment later, again and again until it answers.
 * `flush` waits until everything is there. Without a store nothing is kept on the device.
 */
export const useKeptAnswers = (
  store: AnswerStore | null,
  form: FilledForm,
  save: (answers: AnswerState[]) => Promise<unknown>,
) => {
  const early = store && form.MayFill ? store.waiting : []
  const [answers, setAnswers] = useState<ReadonlyMap<number, AnswerState>>(
    () => new Map([...form.Answers, ...early].map((answer) => [answer.ItemId, answer])),
  )
  const [state, setState] = useState<KeptState>(form.Answers.length > 0 ? 'saved' : 'untouched')
  const [problem, setProblem] = useState<string>()
  const pending = useRef(new Map<number, AnswerState>(early.map((answer) => [answer.ItemId, answer])))
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const running = useRef<Promise<Flushed>>(undefined)
  const keepPending = useCallback(() => store?.keep([...pending.current.values()]), [store])

  const send = useCallback(async (): Promise<Flushed> => {
    clearTimeout(timer.current)
    if (running.current) await running.current
    if (pending.current.size === 0) return 'done'
    const batch = new Map(pending.current)
    const work = (async (): Promise<Flushed> => {
      setState('saving')
      try {
        await save([...batch.values()])
        for (const [item, answer] of batch)
          if (pending.current.get(item) === answer) pending.current.delete(item)
        keepPending()
        setProblem(undefined)
        setState(pending.current.size === 0 ? 'saved' : 'saving')
        return 'done'
      } catch (error) {
        setState('waiting')
        if (!isUndecided(error)) {
          // Trying again would bring the same refusal: the answer waits for a change.
          setProblem((error as CallError).message)
          return 'refused'
        }
        timer.current = setTimeout(() => void send(), retryMs)
        return 'unanswered'
      }
    })()
    running.current = work
    const ended = await work
    running.current = undefined
    return ended
  }, [keepPending, save])

  useEffect(() => {
    if (pending.current.size > 0) {
      keepPending()
      void send()
    }
    const online = () => void send()
    addEventListener('online', online)
    return () => {
      removeEventListener('online', online)
      clearTimeout(timer.current)
      void send().then(() => store?.leave())
    }
  }, [send, keepPending, store])

  const set = (ItemId: number, change: Partial<AnswerState>) => {
    const before = answers.get(ItemId) ?? { ItemId, ScoreValueId: null, Text: null, Comment: null }
    const answer = { ...before, ...change }
    setAnswers(new Map(answers).set(ItemId, answer))
    pending.current.set(ItemId, answer)
    keepPending()
    setState('saving')
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void send(), pauseMs)
  }
  /** Leaves the form on the device as submitted. */
  const submitLater = async (signedName: string) => {
    clearTimeout(timer.current)
    const left = [...pending.current.values()]
    pending.current.clear()
    await store?.submit?.(left, signedName)
  }
  return { answers, set, state, problem, flush: send, submitLater }
}
