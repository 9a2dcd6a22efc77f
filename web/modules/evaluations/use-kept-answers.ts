import { useCallback, useEffect, useRef, useState } from 'react'
import type { FilledForm } from '#contract/evaluations/evaluations.ts'
import { CallError } from '#web/api/call.ts'

export interface AnswerState {
  ItemId: number
  ScoreValueId: number | null
  Text: string | null
  Comment: string | null
}
/** `untouched`: nothing was ever answered, so there is nothing to say of it. */
export type KeptState = 'untouched' | 'saved' | 'saving' | 'waiting'

const pauseMs = 700
const retryMs = 4_000

const readPending = (key: string | null): AnswerState[] => {
  if (key === null) return []
  try {
    return JSON.parse(localStorage.getItem(key) ?? '[]') as AnswerState[]
  } catch {
    return []
  }
}
const writePending = (key: string | null, pending: Map<number, AnswerState>): void => {
  if (key === null) return
  try {
    if (pending.size === 0) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify([...pending.values()]))
  } catch {
    // Without storage the answers are still on the screen and are sent from there.
  }
}

/**
 * Keeps answers as they are given: on the device at once, on the server a moment later, again and again until it answers.
 * `flush` waits until everything is there. Without a key nothing is kept on the device.
 */
export const useKeptAnswers = (
  key: string | null,
  form: FilledForm,
  save: (answers: AnswerState[]) => Promise<unknown>,
) => {
  const [answers, setAnswers] = useState<ReadonlyMap<number, AnswerState>>(() => {
    const all = new Map(form.Answers.map((answer) => [answer.ItemId, answer]))
    if (form.MayFill) for (const answer of readPending(key)) all.set(answer.ItemId, answer)
    return all
  })
  const [state, setState] = useState<KeptState>(form.Answers.length > 0 ? 'saved' : 'untouched')
  const [problem, setProblem] = useState<string>()
  const pending = useRef(
    new Map<number, AnswerState>(
      form.MayFill ? readPending(key).map((answer) => [answer.ItemId, answer]) : [],
    ),
  )
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const running = useRef<Promise<boolean>>(undefined)

  const send = useCallback(async (): Promise<boolean> => {
    clearTimeout(timer.current)
    if (running.current) await running.current
    if (pending.current.size === 0) return true
    const batch = new Map(pending.current)
    const work = (async () => {
      setState('saving')
      try {
        await save([...batch.values()])
        for (const [item, answer] of batch)
          if (pending.current.get(item) === answer) pending.current.delete(item)
        writePending(key, pending.current)
        setProblem(undefined)
        setState(pending.current.size === 0 ? 'saved' : 'saving')
        return true
      } catch (error) {
        setState('waiting')
        if (error instanceof CallError && error.status >= 400 && error.status < 500 && error.status !== 429) {
          // Trying again would bring the same refusal: the answer waits for a change.
          setProblem(error.message)
        } else timer.current = setTimeout(() => void send(), retryMs)
        return false
      }
    })()
    running.current = work
    const isDone = await work
    running.current = undefined
    return isDone
  }, [key, save])

  useEffect(() => {
    if (pending.current.size > 0) void send()
    const online = () => void send()
    addEventListener('online', online)
    return () => {
      removeEventListener('online', online)
      clearTimeout(timer.current)
      void send()
    }
  }, [send])

  const set = (ItemId: number, change: Partial<AnswerState>) => {
    const before = answers.get(ItemId) ?? { ItemId, ScoreValueId: null, Text: null, Comment: null }
    const answer = { ...before, ...change }
    setAnswers(new Map(answers).set(ItemId, answer))
    pending.current.set(ItemId, answer)
    writePending(key, pending.current)
    setState('saving')
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void send(), pauseMs)
  }
  return { answers, set, state, problem, flush: send }
}
