import { useState } from 'react'

/**
 * What is chosen in the filters but not applied yet. It starts over when what is applied changes by itself: by Back, by a link, or
 * by Reset.
 */
export const useDraft = <T extends object>(applied: T): readonly [T, (draft: T) => void] => {
  const key = JSON.stringify(applied)
  const [kept, setKept] = useState({ key, draft: applied })
  const draft = kept.key === key ? kept.draft : applied
  return [draft, (next) => setKept({ key, draft: next })]
}
