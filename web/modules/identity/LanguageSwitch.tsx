import { languageNames, languages } from '#contract/language/language.ts'
import { chooseLanguage, language } from '#web/words/language.ts'
import classes from './identity.module.css'

/** The way to the other language, in its own words: whoever needs it reads no other. For a browser, before anybody signs in. */
export function LanguageSwitch() {
  return languages
    .filter((other) => other !== language)
    .map((other) => (
      <button
        key={other}
        type="button"
        lang={other}
        className={classes.language}
        onClick={() => chooseLanguage(other)}
      >
        {languageNames[other]}
      </button>
    ))
}
