import { getLogContext, getOwnStanding, listOwnLog } from '#contract/competencies/procedure-logs.ts'
import type { AnswerOf, AnyEndpoint, InputOf } from '#contract/core/endpoint.ts'
import { may } from '#contract/core/permissions.ts'
import { getAnswers, listOwnEvaluations } from '#contract/evaluations/evaluations.ts'
import { listOwnIncidents } from '#contract/safety/incidents.ts'
import { getOwnSchedule } from '#contract/scheduling/own-schedule.ts'
import { getState, type State } from '#contract/session/session.ts'
import { getClock, listOwnRecords } from '#contract/time/clock.ts'
import { aroundPages } from './api/around-pages.ts'
import { CallError, call } from './api/call.ts'
import { readNote } from './api/device.ts'
import { forgetDrafts } from './api/drafts.ts'
import { forgetAnswers, keepAnswers } from './api/kept-answers.ts'
import { onQueueChange } from './api/queue/changes.ts'
import { startSending } from './api/queue/sender.ts'
import { setReadyOffline } from './api/ready-offline.ts'
import { isFromShell } from './api/root.ts'
import { queryClient, readKey } from './api/use-call.ts'
import { queueKinds } from './queue-kinds.ts'
import { ownRecords } from './shared/own-records.ts'
import { ownWeeks } from './shared/own-weeks.ts'
import { startWorker } from './start-worker.ts'
import { dateOfInstant } from './ui/dates.ts'

const mostForms = 10

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

/** One answer for later; what is not for this person is left out. */
const readOne = async <E extends AnyEndpoint>(
  endpoint: E,
  input?: InputOf<E>,
  options?: { gcTime: number },
): Promise<AnswerOf<E> | undefined> => {
  try {
    return await queryClient.fetchQuery({
      queryKey: readKey(endpoint, input ?? {}),
      queryFn: () => call(endpoint, input as InputOf<E>, { isBackground: true }),
      retry: false,
      ...options,
    })
  } catch (error) {
    if (error instanceof CallError && [401, 403, 404].includes(error.status)) return undefined
    throw error
  }
}

/** A form is read anew when it is opened: only the device keeps it. */
const readForms = async (): Promise<void> => {
  const own = await readOne(listOwnEvaluations)
  await Promise.all(
    (own?.Waiting ?? [])
      .slice(0, mostForms)
      .map(({ Id }) => readOne(getAnswers, { params: { evaluationId: Id } }, { gcTime: 0 })),
  )
}

/** Reads what the pages of the day show before anybody opens them, so that each opens without a network. */
const readAhead = async (timeZone: string): Promise<void> => {
  try {
    await Promise.all([
      readOne(getClock),
      readOne(getOwnSchedule, ownWeeks(dateOfInstant(Date.now(), timeZone))),
      readOne(getLogContext, { query: {} }),
      readOne(getOwnStanding),
      readOne(listOwnLog, { query: { days: 1 } }),
      readOne(listOwnIncidents),
      readForms(),
      queryClient.fetchInfiniteQuery({ ...ownRecords('all'), retry: false }),
      navigator.serviceWorker?.ready,
    ])
    setReadyOffline()
  } catch {
    // Without a network the pages show what an earlier day brought.
  }
}

/**
 * What a page does once it is there, so that the next one needs no network: sends what waits, keeps answers, and has the
 * service worker keep the code. The last two for those who clock in, but not on a ward computer; whoever looks through somebody else's eyes leaves nothing.
 */
export const startOffline = async (): Promise<void> => {
  const state = queryClient.getQueryData<State>(readKey(getState, {}))
  if (!state || state.Viewer) return
  const { User } = state
  startSending(queueKinds, User.Id)
  // Only for people who clock in. If the code does not load, what was taken stays until the next visit.
  if (may(User, 'time.clock'))
    void import('./shared/read-clock.ts').then((m) => m.startReadingTaken(User.Id)).catch(() => {})
  // What has just arrived is on many screens.
  onQueueChange(({ account, sent }) => {
    if (sent && account === User.Id) void queryClient.invalidateQueries()
  })
  await Promise.allSettled([forgetAnswers(User.Id), forgetDrafts(User.Id)])
  if (readNote('push') !== null) void tendPush(state.IsShared ? undefined : User.Id)
  if (!may(User, 'time.clock') || state.IsShared) return
  keepAnswers(User.Id, reads)
  startWorker()
  if (!isFromShell) await readAhead(state.TimeZone)
}
