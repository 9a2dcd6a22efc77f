import { getPublishedOutcomes } from '#contract/graduates/effectiveness.ts'
import { useParams } from '#web/api/place.ts'
import { useRead } from '#web/api/use-call.ts'
import { Logo } from '#web/shell/Logo.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './graduates.module.css'
import { MeasureCard } from './MeasureCard.tsx'

/** The results that a program publishes: open to everybody, without anybody's name. */
export function PublishedOutcomesPage() {
  const { program = '' } = useParams()
  const words = useWords()
  const read = useRead(getPublishedOutcomes, { params: { program: Number(program) || 0 } })
  const { data } = read
  return (
    <main className={classes.public}>
      <title>{`${data?.Program ?? words('effectiveness.publicTitle')} · Practicum`}</title>
      {read.error && (
        <>
          <h1 className="p-sr-only">{words('effectiveness.publicTitle')}</h1>
          <PageMessage
            kind="not-found"
            text={words('effectiveness.notPublished')}
            detail={words('effectiveness.notPublishedDetail')}
          />
        </>
      )}
      {data && (
        <>
          <header>
            <Logo size={30} />
            <div>
              <h1>{words('effectiveness.publicTitle')}</h1>
              <p>{[data.Program, data.College].join(' · ')}</p>
            </div>
          </header>
          {data.Introduction && <p className={classes.introduction}>{data.Introduction}</p>}
          <div className={classes.cards}>
            {data.Measures.map((measure) => (
              <MeasureCard
                key={measure.Name}
                measure={measure}
                pooled={measure.Pooled}
                against={measure.Against}
                isShort={false}
                years={measure.Years}
                hidden={words('effectiveness.hidden', { count: measure.FewestShown })}
              />
            ))}
          </div>
          <footer>{words('effectiveness.madeWith')}</footer>
        </>
      )}
    </main>
  )
}
