import { getLogContext, getOwnStanding, listOwnLog } from '#contract/competencies/procedure-logs.ts'
import { may } from '#contract/core/permissions.ts'
import { getAnswers, listOwnEvaluations } from '#contract/evaluations/evaluations.ts'
import { listOwnIncidents } from '#contract/safety/incidents.ts'
import { getOwnSchedule } from '#contract/scheduling/own-schedule.ts'
import { getState, type State } from '#contract/session/session.ts'
import { getClock, listOwnRecords } from '#contract/time/clock.ts'
import { aroundPages } from './api/around-pages.ts'
import { readNote } from './api/device.ts'
import { forgetDrafts } from './api/drafts.ts'
import { forgetAnswers, keepAnswers } from './api/kept-answers.ts'
import { onQueueChange } from './api/queue/changes.ts'
import { startSending } from './api/queue/sender.ts'
import { queryClient, readKey } from './api/use-call.ts'
import { queueKinds } from './queue-kinds.ts'
import { startWorker } from './start-worker.ts'

/** What opens without a network: seven pages of a student, and what surrounds every page. */
const reads = new Set(
  [
    getClock,
    getOwnSchedule,
    listOwnRecords,
    listOwnEvaluations,
    getAnswers,
    listOwnIncidents,
    getLogContext,
    getOwnStanding,
    listOwnLog,
    ...aroundPages,
  ].map(({ path }) => path),
)

/** For browsers that show notifications: no other ones load it. What cannot be done now is done by the next page. */
const tendPush = async (account: number | undefined): Promise<void> => {
  try {
    await (await import('./api/push-device.ts')).tendPush(account)
  } catch {
    // Without a network, or without the browser's own database, everything stays as it is.
  }
}

/**
 * What a page does once it is there, so that the next one needs no network: sends what waits, keeps answers, and has the
 * service worker keep the code. The last two for those who clock in, but not on a ward computer; whoever looks through somebody else's eyes leaves nothing.
 */
export const startPocket = async (): Promise<void> => {
  const state = queryClient.getQueryData<State>(readKey(getState, {}))
  if (!state || state.Viewer) return
  const { User } = state
  startSending(queueKinds, User.Id)
  // What has just arrived is on many screens.
  onQueueChange(({ account, sent }) => {
    if (sent && account === User.Id) void queryClient.invalidateQueries()
  })
  await Promise.allSettled([forgetAnswers(User.Id), forgetDrafts(User.Id)])
  if (readNote('push') !== null) void tendPush(state.IsShared ? undefined : User.Id)
  if (!may(User, 'time.clock') || state.IsShared) return
  keepAnswers(User.Id, reads)
  startWorker()
}
