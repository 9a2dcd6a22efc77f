import { IconArrowLeft, IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import type { LoginAccount } from '#contract/identity/passwordless.ts'
import { useWords } from '#web/words/use-words.ts'
import { Entrance } from './Entrance.tsx'
import { EntranceForm } from './EntranceForm.tsx'
import entrance from './identity.module.css'
import { PlainField } from './PlainField.tsx'
import classes from './passwordless.module.css'

/** 'program - username'; accounts of no program have a user name only. */
const accountLabel = ({ ProgramName, UserName }: LoginAccount): string =>
  ProgramName ? `${ProgramName} - ${UserName}` : UserName

/** Which of one's accounts to sign in to. */
export function ChooseAccount(props: {
  accounts: readonly LoginAccount[]
  intro: string
  onChoose: (account: LoginAccount) => void
}) {
  const words = useWords()
  return (
    <Entrance title={words('account.whichAccount')} intro={props.intro}>
      <ul className={classes.accounts}>
        {props.accounts.map((account) => (
          <li key={account.UserId}>
            <button type="button" onClick={() => props.onChoose(account)}>
              <span className={classes.initial} aria-hidden>
                {accountLabel(account).charAt(0).toUpperCase()}
              </span>
              <span className={classes.account}>{accountLabel(account)}</span>
              <IconChevronRight size={18} stroke={1.75} aria-hidden />
            </button>
          </li>
        ))}
      </ul>
      <p className={classes.again}>{words('account.switchLater')}</p>
    </Entrance>
  )
}

/** The code of the account's authenticator, which no way of signing in skips. */
export function AskAuthenticator(props: {
  account: LoginAccount
  failure: string | undefined
  onBack: () => void
  onCode: (code: string) => Promise<void>
}) {
  const words = useWords()
  const [code, setCode] = useState('')
  const [isMissing, setMissing] = useState(false)
  return (
    <Entrance
      title={words('account.authenticatorTitle')}
      intro={accountLabel(props.account)}
      above={<Back onBack={props.onBack} />}
    >
      <EntranceForm
        failure={undefined}
        isRunning={false}
        verb={words('account.logMeIn')}
        onSubmit={() => {
          if (code.trim()) void props.onCode(code)
          else setMissing(true)
        }}
      >
        <PlainField
          label={words('identity.code')}
          hint={words('identity.codeHint')}
          name="code"
          autoComplete="one-time-code"
          autoFocus
          value={code}
          onChange={setCode}
          error={isMissing && !code.trim() ? words('identity.required') : props.failure}
          isTold
        />
      </EntranceForm>
    </Entrance>
  )
}

export function Back({ onBack }: { onBack: () => void }) {
  const words = useWords()
  return (
    <button type="button" className={classes.back} onClick={onBack}>
      <IconArrowLeft size={17} stroke={1.75} aria-hidden />
      {words('account.backOne')}
    </button>
  )
}

/** While the session begins. */
export function Entering() {
  const words = useWords()
  return (
    <Entrance title={words('identity.signIn')}>
      <p role="status" className={entrance.intro}>
        {words('account.entering')}
      </p>
    </Entrance>
  )
}
