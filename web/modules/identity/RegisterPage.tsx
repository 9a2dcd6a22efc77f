import '#web/ui/base-styles.ts'
import { useState } from 'react'
import { getRegistration, register } from '#contract/identity/registration.ts'
import { call } from '#web/api/call.ts'
import { useParams } from '#web/api/place.ts'
import { pageAddress } from '#web/api/root.ts'
import { useRead } from '#web/api/use-call.ts'
import { useWords } from '#web/words/use-words.ts'
import { Entrance } from './Entrance.tsx'
import { EntranceForm } from './EntranceForm.tsx'
import classes from './identity.module.css'
import { PlainField } from './PlainField.tsx'
import { useAttempt } from './use-attempt.ts'

const empty = { FirstName: '', LastName: '', EmailAddress: '', PhoneNumber: '', ZipCode: '' }

/** Self-registration by a program's link: the email that follows confirms the address. */
export function RegisterPage() {
  const words = useWords()
  const { token = '' } = useParams()
  const program = useRead(getRegistration, { params: { token } }, { staleMs: 60_000 })
  const [values, setValues] = useState(empty)
  const [isTried, setTried] = useState(false)
  const attempt = useAttempt()
  const title = words('account.registerTitle')

  if (program.error) {
    return (
      <Entrance title={title}>
        <p role="alert" className={classes.failure}>
          {program.error.status === 404 ? words('account.registerClosed') : program.error.message}
        </p>
        <a href={pageAddress('login')}>{words('account.back')}</a>
      </Entrance>
    )
  }
  if (!program.data) return <Entrance title={title}>{null}</Entrance>
  const submit = () => {
    setTried(true)
    if (Object.values(values).some((value) => !value.trim())) return
    void attempt.run(() => call(register, { params: { token }, body: values }))
  }
  const field = (name: keyof typeof empty) => ({
    name,
    value: values[name],
    onChange: (value: string) => setValues({ ...values, [name]: value }),
    maxLength: 255,
    error: isTried && !values[name].trim() ? words('identity.required') : undefined,
  })
  const intro = `${program.data.ProgramName}, ${program.data.CollegeName}`
  return (
    <Entrance title={title} intro={intro}>
      {attempt.isDone ? (
        <p role="status" className={classes.done}>
          {words('account.registered', { email: values.EmailAddress.trim() })}
        </p>
      ) : (
        <EntranceForm
          failure={attempt.failure}
          isRunning={attempt.isRunning}
          verb={words('account.register')}
          onSubmit={submit}
        >
          <PlainField
            label={words('account.firstName')}
            autoComplete="given-name"
            autoFocus
            {...field('FirstName')}
          />
          <PlainField label={words('account.lastName')} autoComplete="family-name" {...field('LastName')} />
          <PlainField
            label={words('account.email')}
            type="email"
            autoComplete="email"
            inputMode="email"
            {...field('EmailAddress')}
          />
          <PlainField
            label={words('account.phone')}
            type="tel"
            autoComplete="tel"
            {...field('PhoneNumber')}
            maxLength={50}
          />
          <PlainField
            label={words('account.zip')}
            autoComplete="postal-code"
            {...field('ZipCode')}
            maxLength={50}
          />
        </EntranceForm>
      )}
      <a href={pageAddress('login')}>{words('account.back')}</a>
    </Entrance>
  )
}
