import '#web/ui/base-styles.ts'
import { useEffect, useRef, useState } from 'react'
import type { LoginAccount } from '#contract/identity/passwordless.ts'
import { listCollegeAccounts, loginByCollege } from '#contract/saml/saml.ts'
import { CallError, call, forgetToken } from '#web/api/call.ts'
import { pageAddress } from '#web/api/root.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useWords } from '#web/words/use-words.ts'
import { AskAuthenticator, ChooseAccount, Entering } from './account-steps.tsx'
import { Entrance } from './Entrance.tsx'
import classes from './identity.module.css'
import { LinkAccount } from './LinkAccount.tsx'
import choice from './passwordless.module.css'

const problems = [
  'unknown',
  'ambiguous',
  'expired',
  'declined',
  'invalid',
  'unavailable',
  'throttled',
  'unreachable',
  'sign-out',
] as const
type Problem = (typeof problems)[number] | 'fault'

type Stage =
  | { name: 'refused'; problem: Problem }
  | { name: 'choose'; accounts: LoginAccount[] }
  | { name: 'authenticator'; account: LoginAccount; failure?: string }
  | { name: 'entering' }
  | { name: 'link' }

const problemOf = (code: string): Problem => problems.find((problem) => problem === code) ?? 'fault'

/** Comes back from the college: the choice of an account, the authenticator and the way in, or why there is none. */
export function CollegeAnswerPage() {
  const words = useWords()
  const [{ id, problem, provider, link, lms }] = useAddress({
    id: '',
    problem: '',
    provider: null as number | null,
    link: false,
    lms: false,
  })
  const [stage, setStage] = useState<Stage>(() => {
    if (!id || problem) return { name: 'refused', problem: problemOf(problem) }
    return link ? { name: 'link' } : { name: 'entering' }
  })
  const refuse = (error: unknown) => {
    if (!(error instanceof CallError)) throw error
    const isSpent = [404, 422].includes(error.status)
    const isThrottled = error.status === 429
    setStage({ name: 'refused', problem: isSpent ? 'expired' : isThrottled ? 'throttled' : 'fault' })
  }
  const enter = async (account: LoginAccount, code?: string) => {
    setStage({ name: 'entering' })
    try {
      const address = await call(loginByCollege, {
        body: { UserId: account.UserId, Guid: id, ...(code && { Code: code }) },
      })
      forgetToken()
      location.replace(address)
    } catch (error) {
      if (error instanceof CallError && error.body.TotpRequired)
        setStage({ name: 'authenticator', account, ...(code && { failure: error.message }) })
      else refuse(error)
    }
  }
  const open = async () => {
    try {
      const accounts = await call(listCollegeAccounts, { params: { guid: id } })
      if (accounts.length === 1) await enter(accounts[0]!)
      else setStage({ name: 'choose', accounts })
    } catch (error) {
      refuse(error)
    }
  }
  const isOpened = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: an answer is opened once, when the page comes with it
  useEffect(() => {
    if (stage.name !== 'entering' || isOpened.current) return
    isOpened.current = true
    void open()
  }, [])

  switch (stage.name) {
    case 'entering':
      return <Entering />
    case 'choose':
      return (
        <ChooseAccount
          accounts={stage.accounts}
          intro={words('account.accountsOfName', { count: stage.accounts.length })}
          onChoose={(account) => void enter(account)}
        />
      )
    case 'link':
      return <LinkAccount guid={id} onEnd={refuse} />
    case 'authenticator':
      return (
        <AskAuthenticator
          account={stage.account}
          failure={stage.failure}
          onBack={() => location.assign(pageAddress('login'))}
          onCode={(code) => enter(stage.account, code)}
        />
      )
    case 'refused':
      return (
        <Entrance title={words('account.collegeRefused')}>
          <p role="alert" className={classes.failure}>
            {words(`account.collegeProblem.${stage.problem}`)}
          </p>
          {lms ? (
            <p className={choice.again}>{words('account.lmsAgain')}</p>
          ) : (
            <a
              href={pageAddress(provider === null ? 'auth/college' : `saml/${provider}/login`)}
              className={classes.other}
            >
              {words('account.collegeAgain')}
            </a>
          )}
          <p className={choice.again}>
            <a href={pageAddress('login')}>{words('account.withPassword')}</a>
          </p>
        </Entrance>
      )
  }
}
