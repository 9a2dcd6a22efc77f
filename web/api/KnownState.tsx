import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { getState, type State } from '#contract/session/session.ts'
import { getTerms } from '#contract/terminology/terminology.ts'
import { showTimesIn } from '#web/ui/dates.ts'
import { plainWords, wordsOf } from '#web/words/plain-words.ts'
import { TermsContext, WordsContext } from '#web/words/words-context.ts'
import { ActingContext } from './acting.ts'
import { useRead } from './use-call.ts'

export const minute = 60_000

/** The state as it is known; undefined until it is read, and where nobody is signed in. */
export const StateContext = createContext<State | undefined>(undefined)

/**
 * Reads once for everything below what nearly every cell of a screen asks for: the state and the terms of its program. With a reader
 * of its own in each, a list of a thousand cells took a slow phone a second to draw.
 */
export function KnownState({ isSignedIn, children }: { isSignedIn: boolean; children: ReactNode }) {
  const acting = useContext(ActingContext)
  const isOwn = isSignedIn && acting === undefined
  const { data: state } = useRead(getState, {}, { staleMs: minute, isEnabled: isOwn })
  const zone = acting?.timeZone ?? state?.TimeZone
  if (zone) showTimesIn(zone)
  const programId = acting?.programId ?? state?.ProgramId ?? 0
  const { data: terms } = useRead(
    getTerms,
    { params: { programId } },
    { staleMs: 5 * minute, isEnabled: programId > 0 },
  )
  const words = useMemo(() => (terms ? wordsOf(terms) : plainWords), [terms])
  return (
    <StateContext value={state}>
      <TermsContext value={terms}>
        <WordsContext value={words}>{children}</WordsContext>
      </TermsContext>
    </StateContext>
  )
}
