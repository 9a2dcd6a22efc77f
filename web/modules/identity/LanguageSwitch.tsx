import { language } from '#web/words/language.ts'
import classes from './identity.module.css'

const [other, name] = language === 'es' ? ['en', 'English'] : ['es', 'Español']

/**
 * The way to the other language, in its own words: whoever needs it reads no other. For a browser, before anybody signs in; the server
 * keeps the choice.
 */
export function LanguageSwitch() {
  return (
    <a href={`?language=${other}`} lang={other} hrefLang={other} className={classes.language}>
      {name}
    </a>
  )
}
