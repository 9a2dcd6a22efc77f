import { NewSecret, SecretUse } from '#web/shared/NewSecret.tsx'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { useWords } from '#web/words/use-words.ts'
import { hostOf } from './webhook-host.ts'

/** A secret that was just made, this once. */
export function SecretShown({
  made,
  onClose,
}: {
  made: { Url: string; Secret: string }
  onClose: () => void
}) {
  const words = useWords()
  const title = words('webhooks.secret', { host: hostOf(made.Url) })
  return (
    <Dialog
      opened
      onClose={onClose}
      title={title}
      stayOnOutsideClick
      actions={<Button onClick={onClose}>{words('webhooks.done')}</Button>}
    >
      <NewSecret label={title} secret={made.Secret}>
        <SecretUse
          text={words('webhooks.secretUse')}
          lines={`import { Webhook } from 'standardwebhooks'\n\nconst event = new Webhook(secret).verify(body, headers)`}
        />
      </NewSecret>
    </Dialog>
  )
}
