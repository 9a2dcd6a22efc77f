import { language } from '#web/words/language.ts'
import classes from './identity.module.css'

/**
 * The way to the other language, in its own words: whoever needs it reads no other. For a browser, before anybody signs in; the server
 * keeps the choice.
 */
export function LanguageSwitch() {
  const other = language === 'es' ? 'en' : 'es'
  return (
    <a href={`?language=${other}`} lang={other} className={classes.language}>
      {other === 'es' ? 'Español' : 'English'}
    </a>
  )
}
