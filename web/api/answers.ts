import { getState, type State } from '#contract/session/session.ts'
import { writeNote } from './device.ts'
import { queryClient, readKey } from './use-call.ts'

/**
 * Takes over the answers that the server wrote into the page: its words and its person are known before anything is drawn.
 * Whoever looks through somebody else's eyes is nobody that the device should know.
 */
export const takeAnswers = (): void => {
  const text = document.getElementById('answers')?.textContent
  if (!text) return
  for (const [key, answer] of JSON.parse(text) as [readonly unknown[], unknown][])
    queryClient.setQueryData(key, answer)
  const state = queryClient.getQueryData<State>(readKey(getState, {}))
  writeNote('account', state && !state.Viewer ? state.User.Id : undefined)
}
