import { useState } from 'react'
import { useWords } from '#web/words/use-words.ts'
import { PlainField } from './PlainField.tsx'

/** A new password, asked for twice. `take` answers it when both are the same, and otherwise marks what is missing. */
export const useNewPassword = ({ autoFocus = false } = {}) => {
  const words = useWords()
  const [password, setPassword] = useState('')
  const [repeat, setRepeat] = useState('')
  const [isTried, setTried] = useState(false)
  const differs = password !== repeat
  return {
    take: (): string | undefined => {
      setTried(true)
      return password && !differs ? password : undefined
    },
    fields: (
      <>
        <PlainField
          label={words('account.newPassword')}
          type="password"
          autoComplete="new-password"
          autoFocus={autoFocus}
          maxLength={50}
          value={password}
          onChange={setPassword}
          hint={words('account.newPasswordHint')}
          error={isTried && !password ? words('identity.required') : undefined}
        />
        <PlainField
          label={words('account.repeat')}
          type="password"
          autoComplete="new-password"
          maxLength={50}
          value={repeat}
          onChange={setRepeat}
          error={isTried && differs ? words('account.mismatch') : undefined}
        />
      </>
    ),
  }
}
