import { useContext, useState } from 'react'
import type { AnswerOf } from '#contract/core/endpoint.ts'
import { getProofKinds, mailProofCode, prove } from '#contract/identity/proofs.ts'
import { type Asking, keepProof } from '#web/api/assurance.ts'
import { CallError, call } from '#web/api/call.ts'
import { StateContext } from '#web/api/KnownState.tsx'
import { useRead } from '#web/api/use-call.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { PasswordInput, TextInput } from '#web/ui/inputs.ts'
import { LeaveButton } from '#web/ui/LeaveButton.tsx'
import { useWords } from '#web/words/use-words.ts'

/** Asks whoever sits here to prove who it is; the call that was refused is made again then. */
export function ProofDialog({ asking }: { asking: Asking }) {
  const words = useWords()
  const kinds = useRead(getProofKinds, {}, { keepsLast: false })
  const kind = kinds.data?.Kinds[0]
  const close = () => asking.answer(false)
  return (
    <Dialog
      opened
      onClose={close}
      title={words('shell.proofTitle')}
      width={440}
      actions={
        <>
          <LeaveButton onClick={close} />
          {kind && (
            <Button type="submit" form="proof">
              {words('shell.proofGive')}
            </Button>
          )}
        </>
      }
    >
      {kinds.error && <p role="alert">{kinds.error.message}</p>}
      {kinds.data && !kind && <p>{words('shell.proofNone')}</p>}
      {kinds.data && kind && <ProofForm kinds={kinds.data} kind={kind} onGiven={() => asking.answer(true)} />}
    </Dialog>
  )
}

interface ProofFormProps {
  kinds: AnswerOf<typeof getProofKinds>
  kind: AnswerOf<typeof getProofKinds>['Kinds'][number]
  onGiven: () => void
}

function ProofForm({ kinds, kind, onGiven }: ProofFormProps) {
  const words = useWords()
  // Pages that open without signing in do not know who it is.
  const EmailAddress = useContext(StateContext)?.User.EmailAddress
  const [typed, setTyped] = useState('')
  const [code, setCode] = useState('')
  const [failure, setFailure] = useState<{ field: string; message: string }>()
  const [isMailed, setMailed] = useState(false)
  const [isRunning, setRunning] = useState(false)

  const run = async <T,>(work: () => Promise<T>, onDone: (answer: T) => void) => {
    if (isRunning) return
    setRunning(true)
    setFailure(undefined)
    try {
      onDone(await work())
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setFailure({ field: error.Errors?.[0]?.Field ?? '', message: error.message })
    } finally {
      setRunning(false)
    }
  }
  const Code = kinds.NeedsCode ? code : undefined
  const submit = () =>
    void run(
      () =>
        call(prove, {
          body:
            kind === 'password'
              ? { Kind: kind, Password: typed, Code }
              : kind === 'email'
                ? { Kind: kind, MailedCode: typed, Code }
                : { Kind: kind, Code },
        }),
      ({ Proof }) => {
        keepProof(Proof)
        onGiven()
      },
    )
  const failureOf = (field: string) => (failure?.field === field ? failure.message : undefined)
  const isOther = failure && !['Password', 'MailedCode', 'Code'].includes(failure.field)
  return (
    <form
      id="proof"
      method="post"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <p style={{ marginTop: 0 }}>
        {words('shell.proofWhy')} {EmailAddress && words('shell.proofTold', { email: EmailAddress })}
      </p>
      {isOther && <p role="alert">{failure.message}</p>}
      {kind === 'password' && (
        <PasswordInput
          label={words('identity.password')}
          autoComplete="current-password"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          error={failureOf('Password')}
          data-autofocus
        />
      )}
      {kind === 'email' && (
        <>
          <Button
            variant="default"
            mb="sm"
            onClick={() =>
              void run(
                () => call(mailProofCode),
                () => setMailed(true),
              )
            }
          >
            {words('shell.proofMail', { email: kinds.EmailAddress ?? '' })}
          </Button>
          {isMailed && <p role="status">{words('shell.proofMailed')}</p>}
          <TextInput
            label={words('account.sixDigits')}
            autoComplete="one-time-code"
            inputMode="numeric"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            error={failureOf('MailedCode')}
          />
        </>
      )}
      {kinds.NeedsCode && (
        <TextInput
          mt="sm"
          label={words('identity.code')}
          description={words('identity.codeHint')}
          autoComplete="one-time-code"
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          error={failureOf('Code')}
        />
      )}
    </form>
  )
}
