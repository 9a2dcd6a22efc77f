import type { ReactNode } from 'react'
import { Button } from '#web/ui/buttons.ts'
import { TextInput } from '#web/ui/inputs.ts'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './NewSecret.module.css'

/** A secret that is shown this once, ready to be copied, with how it is used below. */
export function NewSecret({
  label,
  secret,
  once,
  children,
}: {
  label: string
  secret: string
  /** That it is shown this once, where the usual words for keys do not fit. */
  once?: string
  children?: ReactNode
}) {
  const words = useWords()
  const copy = async () => {
    const isCopied = await navigator.clipboard?.writeText(secret).then(
      () => true,
      () => false,
    )
    if (isCopied) toast.done(words('keys.copied'))
    else toast.error(words('keys.copyFailed'))
  }
  return (
    <section className={classes.made} aria-label={label}>
      <div className={classes.line}>
        <TextInput
          label={label}
          description={once ?? words('keys.once')}
          inputWrapperOrder={['label', 'input', 'description']}
          value={secret}
          readOnly
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button variant="default" onClick={() => void copy()}>
          {words('keys.copy')}
        </Button>
      </div>
      {children}
    </section>
  )
}

/** How the secret is used, in lines that scroll. */
export function SecretUse({ text, lines }: { text: string; lines: string }) {
  return (
    <>
      <p>{text}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the lines scroll by keyboard too */}
      <pre className={classes.lines} tabIndex={0}>
        {lines}
      </pre>
    </>
  )
}
