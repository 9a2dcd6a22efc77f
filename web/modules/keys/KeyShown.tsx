import { listApiKeys } from '#contract/keys/keys.ts'
import { callAddress } from '#web/api/call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { NewSecret, SecretUse } from '#web/shared/NewSecret.tsx'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { useWords } from '#web/words/use-words.ts'

/** A key that was just made, this once. */
export function KeyShown({ made, onClose }: { made: { Name: string; Key: string }; onClose: () => void }) {
  const words = useWords()
  const programId = useProgramId()
  const address = new URL(
    callAddress(listApiKeys, { params: { programId } }),
    globalThis.location.href,
  ).href.replace(/\/programs\/.*$/, '/openapi.json')
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('keys.made', { name: made.Name })}
      stayOnOutsideClick
      actions={<Button onClick={onClose}>{words('keys.done')}</Button>}
    >
      <NewSecret label={words('keys.made', { name: made.Name })} secret={made.Key}>
        <SecretUse
          text={words('keys.use')}
          lines={`curl -H 'Authorization: Bearer ${made.Key.slice(0, 8)}…' \\\n  '${address}'`}
        />
      </NewSecret>
    </Dialog>
  )
}
