import { listNotifications } from '#contract/communication/notifications.ts'
import { getNonAdminData, type State } from '#contract/session/session.ts'
import { listTasks } from '#contract/tasks/tasks.ts'
import { useLiveEvent, useLiveStream } from '#web/api/live.ts'
import { queryClient, readKey, useRead } from '#web/api/use-call.ts'

const pollMs = 300_000
const withinMs = 200

/** How many notifications wait: at once while the server's stream is open, and every five minutes while it is not. */
export const useNoticeCount = (state: State): number => {
  const { isLive } = useLiveStream(`${state.User.Id} ${state.ProgramId}`)
  useLiveEvent(
    'notifications',
    () => {
      for (const read of [getNonAdminData, listNotifications])
        void queryClient.invalidateQueries({ queryKey: readKey(read) })
    },
    withinMs,
  )
  useLiveEvent('tasks', () => void queryClient.invalidateQueries({ queryKey: readKey(listTasks) }), withinMs)
  const { data } = useRead(getNonAdminData, {}, isLive ? {} : { refetchEveryMs: pollMs })
  return data?.NotificationCount ?? 0
}
