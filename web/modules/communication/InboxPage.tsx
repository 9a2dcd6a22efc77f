import {
  listNotifications,
  type Notification,
  readNotifications,
} from '#contract/communication/notifications.ts'
import { getNonAdminData, getState } from '#contract/session/session.ts'
import { appRoot } from '#web/api/root.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useTimeZone } from '#web/api/use-state.ts'
import { RouterLink } from '#web/shell/RouterLink.tsx'
import { useFile } from '#web/shell/use-file.ts'
import { Button } from '#web/ui/buttons.ts'
import { formatInstant } from '#web/ui/dates.ts'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './communication.module.css'
import { TaskList } from './TaskList.tsx'

/** Addresses of files, which are no pages. */
const filesBelow = '/new/api/'

/** The notifications of a person, newest first; opening one marks it as read. */
export function InboxPage() {
  const words = useWords()
  const timeZone = useTimeZone()
  const file = useFile()
  const list = useRead(listNotifications)
  const read = useSave(readNotifications, { refresh: [listNotifications, getNonAdminData, getState] })
  const unread = list.data?.filter(({ IsRead }) => !IsRead).length ?? 0
  const mark = (Ids?: number[]) =>
    void read.run({ body: Ids ? { Ids } : {} }).catch((error: Error) => toast.error(error.message))
  const line = (item: Notification) => (
    <>
      <span className={classes.dot} data-unread={!item.IsRead || undefined}>
        {!item.IsRead && <span className="p-sr-only">{words('communication.unreadMark')}</span>}
      </span>
      <span className={classes.text}>{item.Text}</span>
      <span className={classes.when}>{formatInstant(item.CreatedAt, timeZone)}</span>
    </>
  )
  return (
    <Page
      title={words('communication.inbox')}
      count={unread > 0 ? words('communication.unread', { count: unread }) : undefined}
      actions={
        unread > 0 && (
          <Button variant="default" loading={read.isRunning} onClick={() => mark()}>
            {words('communication.readAll')}
          </Button>
        )
      }
      inset
    >
      {list.error && (
        <PageMessage kind="error" text={list.error.message} onRetry={() => void list.refetch()} />
      )}
      <TaskList />
      {list.data?.length === 0 && <PageMessage kind="empty" text={words('communication.nothing')} />}
      {list.data && list.data.length > 0 && (
        <ul className={classes.list}>
          {list.data.map((item) => (
            <li key={item.Id}>
              {item.Link.startsWith(filesBelow) ? (
                <a
                  href={`${appRoot}${item.Link}`}
                  className={classes.row}
                  onClick={(event) => {
                    file.onClick(event)
                    if (!item.IsRead) mark([item.Id])
                  }}
                >
                  {line(item)}
                </a>
              ) : item.Link ? (
                <RouterLink
                  href={item.Link}
                  className={classes.row}
                  onClick={() => !item.IsRead && mark([item.Id])}
                >
                  {line(item)}
                </RouterLink>
              ) : (
                <button type="button" className={classes.row} onClick={() => !item.IsRead && mark([item.Id])}>
                  {line(item)}
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
    </Page>
  )
}
