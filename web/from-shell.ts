import { getState, type State } from '#contract/session/session.ts'
import { knownAccount, writeNote } from './api/device.ts'
import { forgetAnswers, takeKeptAnswers } from './api/kept-answers.ts'
import { queryClient, readKey } from './api/use-call.ts'

/**
 * Begins a page that came without the network: with what the device kept of the account that was signed in last. As soon
 * as the server says that it is somebody else by now, everything of the former is gone and the page begins anew.
 */
export const startFromShell = async (): Promise<void> => {
  const account = knownAccount()
  if (account === undefined) return
  await takeKeptAnswers(account).catch(() => {})
  const key = JSON.stringify(readKey(getState, {}))
  queryClient.getQueryCache().subscribe(({ query }) => {
    if (JSON.stringify(query.queryKey) !== key) return
    const state = query.state.data as State | undefined
    if (!state || (state.User.Id === account && !state.Viewer)) return
    writeNote('account', undefined)
    void forgetAnswers()
      .catch(() => {})
      .then(() => location.reload())
  })
}
