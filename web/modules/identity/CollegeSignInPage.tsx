import '#web/ui/base-styles.ts'
import { IconChevronRight } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { listSignInColleges, maxSignInColleges, type SignInCollege } from '#contract/saml/saml.ts'
import { pageAddress } from '#web/api/root.ts'
import { useRead } from '#web/api/use-call.ts'
import { useWords } from '#web/words/use-words.ts'
import { Back } from './account-steps.tsx'
import { Entrance } from './Entrance.tsx'
import classes from './identity.module.css'
import { PlainField } from './PlainField.tsx'
import choice from './passwordless.module.css'

/** From this many on, the list can be searched. */
const manyColleges = 8
const pauseMs = 250

const signInAddress = ({ Id }: SignInCollege): string => pageAddress(`saml/${Id}/login`)

/** Which college to sign in through; when there is only one, it is chosen already. */
export function CollegeSignInPage() {
  const words = useWords()
  const [text, setText] = useState('')
  const [search, setSearch] = useState('')
  const all = useRead(listSignInColleges)
  const found = useRead(listSignInColleges, { query: { search } }, { isEnabled: search !== '' })
  const colleges = search === '' ? all.data : found.data
  const only = all.data?.length === 1 ? all.data[0] : undefined
  useEffect(() => {
    // Going back from the college must lead past this page.
    if (only) location.replace(signInAddress(only))
  }, [only])
  useEffect(() => {
    const pause = setTimeout(() => setSearch(text.trim()), pauseMs)
    return () => clearTimeout(pause)
  }, [text])
  const failure = all.error ?? found.error
  return (
    <Entrance
      title={words('identity.withCollege')}
      intro={words('account.chooseCollege')}
      above={<Back onBack={() => location.assign(pageAddress('login'))} />}
    >
      {failure && (
        <p role="alert" className={classes.failure}>
          {failure.message}
        </p>
      )}
      {(all.data?.length ?? 0) >= manyColleges && (
        <PlainField
          label={words('account.searchColleges')}
          name="college"
          autoComplete="off"
          autoFocus
          value={text}
          onChange={setText}
        />
      )}
      {!only && colleges && (
        <ul className={choice.accounts}>
          {colleges.map((college) => (
            <li key={college.Id}>
              <a href={signInAddress(college)}>
                <span className={choice.initial} aria-hidden>
                  {college.Name.charAt(0).toUpperCase()}
                </span>
                <span className={choice.account}>{college.Name}</span>
                <IconChevronRight size={18} stroke={1.75} aria-hidden />
              </a>
            </li>
          ))}
        </ul>
      )}
      <p role="status" className={choice.again}>
        {colleges?.length === 0 && words('account.noCollege')}
        {colleges?.length === maxSignInColleges && words('account.moreColleges')}
      </p>
    </Entrance>
  )
}
