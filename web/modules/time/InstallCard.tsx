import { askToInstall } from '#web/api/install.ts'
import { Button } from '#web/ui/buttons.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './clock.module.css'
import type { Install } from './use-install.ts'

/** Offers to install the product on the phone. */
export function InstallCard({ isByHand, decline }: Pick<Install, 'isByHand' | 'decline'>) {
  const words = useWords()
  return (
    <section className={classes.card} aria-label={words('shell.installTitle')}>
      <b>{words('shell.installTitle')}</b>
      <p className={classes.after}>{words(isByHand ? 'shell.installIos' : 'shell.installNote')}</p>
      <div className={classes.choices}>
        <Button variant="default" size="md" onClick={decline}>
          {words('shell.notNow')}
        </Button>
        {!isByHand && (
          <Button size="md" onClick={() => void askToInstall()}>
            {words('shell.install')}
          </Button>
        )}
      </div>
    </section>
  )
}
