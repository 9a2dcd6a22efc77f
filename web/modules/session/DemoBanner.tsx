import { useWords } from '#web/words/use-words.ts'
import classes from './session.module.css'

/** Says on every screen of a demo installation that nothing in it is real. */
export function DemoBanner() {
  const words = useWords()
  return (
    <div className={classes.demo} role="note">
      {words('shell.demoBanner')}
    </div>
  )
}
