import { chooseLanguage, language } from '#web/words/language.ts'
import classes from './identity.module.css'

const [other, name] = language === 'es' ? (['en', 'English'] as const) : (['es', 'Español'] as const)

/** The way to the other language, in its own words: whoever needs it reads no other. For a browser, before anybody signs in. */
export function LanguageSwitch() {
  return (
    <button type="button" lang={other} className={classes.language} onClick={() => chooseLanguage(other)}>
      {name}
    </button>
  )
}
