import { getMailServer } from '#contract/communication/emails.ts'
import { useRead } from '#web/api/use-call.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './emails.module.css'

/** Whether one is set; it changes with a restart only. */
export const useMailServer = (isEnabled = true) => useRead(getMailServer, {}, { isEnabled, staleMs: 300_000 })

/** Says that nothing is sent because no mail server is set; nothing where one is. */
export function MailServerNote({ detail }: { detail?: string }) {
  const words = useWords()
  const server = useMailServer()
  if (!server.data || server.data.IsSet) return null
  return (
    <p className={classes.noServer} role="note">
      <b>{words('emails.noMailServer')}</b> {detail ?? words('emails.noMailServerDetail')}
    </p>
  )
}
