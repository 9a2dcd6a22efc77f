import {
  getRegistrationLink,
  makeRegistrationLink,
  removeRegistrationLink,
} from '#contract/identity/registration.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { attempt } from '#web/ui/attempt.ts'
import { attemptWhenSure } from '#web/ui/attempt-when-sure.ts'
import { Group } from '#web/ui/base.ts'
import { Button } from '#web/ui/buttons.ts'
import { confirm } from '#web/ui/confirm.ts'
import { FormSection, FullWidth } from '#web/ui/form/Form.tsx'
import { TextInput } from '#web/ui/inputs.ts'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'

/** The program's registration link: made, shown, renewed and switched off at once, apart from the form around it. */
export function RegistrationLinkSection({ programId }: { programId: number }) {
  const words = useWords()
  const at = { params: { programId } }
  const link = useRead(getRegistrationLink, at)
  const refresh = { refresh: [getRegistrationLink] }
  const make = useSave(makeRegistrationLink, refresh)
  const remove = useSave(removeRegistrationLink, refresh)
  const end = async () => {
    const question = {
      text: words('programs.registrationEndQuestion'),
      verb: words('programs.registrationEnd'),
    }
    if (await attemptWhenSure(question, () => remove.run(at))) toast.done(words('programs.registrationEnded'))
  }
  const renew = async () => {
    const isSure = await confirm({
      text: words('programs.registrationRenewQuestion'),
      verb: words('programs.registrationRenew'),
    })
    if (isSure && (await attempt(() => make.run(at)))) toast.done(words('programs.registrationRenewed'))
  }
  const copy = async (address: string) => {
    const isCopied = await navigator.clipboard?.writeText(address).then(
      () => true,
      () => false,
    )
    if (isCopied) toast.done(words('programs.registrationCopied'))
    else toast.error(words('programs.registrationCopyFailed'))
  }
  const address = link.data?.Link
  return (
    <FormSection name={words('programs.registrationSection')} purpose={words('programs.registrationPurpose')}>
      <FullWidth>
        {address ? (
          <>
            <TextInput
              label={words('programs.registrationLink')}
              value={address}
              readOnly
              onFocus={(event) => event.currentTarget.select()}
            />
            <Group gap={8} mt={12}>
              <Button variant="default" onClick={() => void copy(address)}>
                {words('programs.registrationCopy')}
              </Button>
              <Button variant="default" onClick={() => void renew()} loading={make.isRunning}>
                {words('programs.registrationRenew')}
              </Button>
              <Button variant="default" onClick={() => void end()} loading={remove.isRunning}>
                {words('programs.registrationEnd')}
              </Button>
            </Group>
          </>
        ) : (
          link.data && (
            <>
              <p style={{ margin: '0 0 12px' }}>{words('programs.registrationOff')}</p>
              <Button
                variant="default"
                onClick={() => void attempt(() => make.run(at))}
                loading={make.isRunning}
              >
                {words('programs.registrationOn')}
              </Button>
            </>
          )
        )}
        {link.error && <p role="alert">{link.error.message}</p>}
      </FullWidth>
    </FormSection>
  )
}
