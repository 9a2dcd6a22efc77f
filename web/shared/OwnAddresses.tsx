import { Button, TextInput } from '@mantine/core'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './provisioning.module.css'

/** Addresses of this installation, by their paths, that somebody enters elsewhere: each with its label and a button that copies it. */
export function OwnAddresses({
  addresses,
}: {
  addresses: readonly (readonly [label: string, path: string])[]
}) {
  const words = useWords()
  const copy = async (address: string) => {
    const isCopied = await navigator.clipboard?.writeText(address).then(
      () => true,
      () => false,
    )
    if (isCopied) toast.done(words('saml.copied'))
    else toast.error(words('saml.copyFailed'))
  }
  return (
    <div className={classes.addresses}>
      {addresses.map(([label, path]) => {
        const address = `${location.origin}${path}`
        return (
          <div key={path} className={classes.address}>
            <TextInput
              label={label}
              value={address}
              readOnly
              onFocus={(event) => event.currentTarget.select()}
            />
            <Button
              variant="default"
              aria-label={words('saml.copy', { what: label })}
              onClick={() => void copy(address)}
            >
              {words('saml.copy', { what: '' }).trim()}
            </Button>
          </div>
        )
      })}
    </div>
  )
}
