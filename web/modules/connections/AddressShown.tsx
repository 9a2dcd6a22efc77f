import type { LtiRegistration } from '#contract/connections/lti.ts'
import { useTimeZone } from '#web/api/use-state.ts'
import { NewSecret } from '#web/shared/NewSecret.tsx'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { formatInstant } from '#web/ui/dates.ts'
import { useWords } from '#web/words/use-words.ts'

/** A registration address that was just made, this once, with what is done with it. */
export function AddressShown({ made, onClose }: { made: LtiRegistration; onClose: () => void }) {
  const words = useWords()
  const zone = useTimeZone()
  return (
    <Dialog
      opened
      onClose={onClose}
      width={640}
      title={words('lti.registration.made')}
      stayOnOutsideClick
      actions={<Button onClick={onClose}>{words('lti.registration.done')}</Button>}
    >
      <NewSecret
        label={words('lti.registration.address')}
        secret={made.Address}
        once={words('lti.registration.once')}
      >
        <p>{words('lti.registration.use', { date: formatInstant(made.ExpireDate, zone) })}</p>
        <p>{words('lti.registration.after')}</p>
        {location.protocol !== 'https:' && <p>{words('lti.insecure')}</p>}
      </NewSecret>
    </Dialog>
  )
}
