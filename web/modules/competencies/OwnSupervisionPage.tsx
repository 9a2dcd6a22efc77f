import { getOwnSupervisionLink, renewOwnSupervisionLink } from '#contract/competencies/supervision.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { QrCode } from '#web/shared/QrCode.tsx'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { attempt } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './exams.module.css'
import { SupervisedList } from './SupervisedList.tsx'

/** What the student may do under indirect supervision, and the code by which others read it from their phone. */
export function OwnSupervisionPage() {
  const words = useWords()
  const link = useRead(getOwnSupervisionLink)
  const renew = useSave(renewOwnSupervisionLink, { refresh: [getOwnSupervisionLink] })
  if (link.error && !link.data) return <ReadProblem read={link} />
  return (
    <div className={classes.screen}>
      <title>{`${words('exams.supervisionTitle')} · Practicum`}</title>
      <h1 className={classes.title}>{words('exams.supervisionTitle')}</h1>
      {link.data && (
        <>
          <section className={`${classes.card} ${classes.padded}`} aria-label={link.data.Supervised.Name}>
            <SupervisedList Studies={link.data.Supervised.Studies} />
          </section>
          <section className={`${classes.card} ${classes.padded}`} aria-label={words('exams.showCode')}>
            <b>{words('exams.showCode')}</b>
            <p className={classes.quiet}>{words('exams.showCodeHint')}</p>
            {link.data.Url && <QrCode url={link.data.Url} title={words('exams.supervisionTitle')} />}
            <Button
              size="lg"
              variant="default"
              loading={renew.isRunning}
              onClick={() => void attempt(() => renew.run())}
            >
              {words(link.data.Url ? 'exams.newLink' : 'exams.makeLink')}
            </Button>
            {link.data.Url && <p className={classes.quiet}>{words('exams.newLinkHint')}</p>}
          </section>
        </>
      )}
    </div>
  )
}
