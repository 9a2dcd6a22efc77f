/** Something that was chosen in the finder. */
export interface Recent {
  id: string
  kind: 'page' | 'person' | 'site'
  label: string
  detail?: string
  href: string
}

const most = 5
const keyOf = (userId: number): string => `recent-finds:${userId}`

/** What this person chose last on this machine, the latest first. */
export const readRecents = (userId: number): Recent[] => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(userId)) ?? '[]')
    return Array.isArray(kept) ? (kept as Recent[]) : []
  } catch {
    return []
  }
}

/** Puts a choice first and answers them all. */
export const keepRecent = (userId: number, choice: Recent): Recent[] => {
  const next = [choice, ...readRecents(userId).filter(({ id }) => id !== choice.id)].slice(0, most)
  try {
    localStorage.setItem(keyOf(userId), JSON.stringify(next))
  } catch {
    // Without storage nothing is remembered.
  }
  return next
}
