import { entranceWords as words } from '#web/words/entrance-words.ts'
import { Entrance } from './Entrance.tsx'
import classes from './identity.module.css'

/** In place of the application where its code could not be loaded. It comes with the login page, which needs no more than that. */
export function StartFailed() {
  return (
    <Entrance title={words('identity.startFailed')} intro={words('identity.startFailedNext')}>
      <button type="button" className={classes.main} onClick={() => location.reload()}>
        {words('identity.tryAgain')}
      </button>
    </Entrance>
  )
}
