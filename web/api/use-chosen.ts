import { useCallback, useRef, useState } from 'react'

/**
 * What somebody has just chosen and the server has not confirmed yet: it shows at once. Two choices of the same thing are sent
 * one after the other, and the answer of the first does not put the second one back.
 */
export const useChosen = <Key extends string | number, Value>(): {
  /** What to show for the thing: the choice that is being saved, or what is saved. */
  shown: <Saved>(key: Key, saved: Saved) => Value | Saved
  /** Shows the choice while `save` runs, whichever way that ends. */
  choose: (key: Key, value: Value, save: () => Promise<unknown>) => Promise<void>
  /** Waits until what is being saved of the thing has arrived, or failed: for what the server does only after it. */
  settled: (key: Key) => Promise<void>
} => {
  const [choices, setChoices] = useState<ReadonlyMap<Key, { value: Value }>>(new Map())
  const running = useRef(new Map<Key, Promise<unknown>>())
  const settled = useCallback(async (key: Key) => {
    await running.current.get(key)?.catch(() => {})
  }, [])
  const choose = useCallback(
    async (key: Key, value: Value, save: () => Promise<unknown>) => {
      const mine = { value }
      setChoices((all) => new Map([...all, [key, mine]]))
      const saving = settled(key).then(save)
      running.current.set(key, saving)
      try {
        await saving
      } finally {
        setChoices((all) =>
          all.get(key) === mine ? new Map([...all].filter(([each]) => each !== key)) : all,
        )
      }
    },
    [settled],
  )
  const shown = <Saved>(key: Key, saved: Saved) => {
    const choice = choices.get(key)
    return choice ? choice.value : saved
  }
  return { shown, choose, settled }
}
