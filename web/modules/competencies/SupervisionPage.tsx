import { getSupervision } from '#contract/competencies/supervision.ts'
import { useParams } from '#web/api/place.ts'
import { useRead } from '#web/api/use-call.ts'
import { LinkFailure } from '#web/shared/LinkFailure.tsx'
import { Logo } from '#web/shell/Logo.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './exams.module.css'
import { SupervisedList } from './SupervisedList.tsx'

/** What the students at a site, or one student, may do under indirect supervision: opened by a QR code, without signing in. */
export function SupervisionPage() {
  const words = useWords()
  const { token = '' } = useParams()
  const page = useRead(getSupervision, { params: { token } })
  const { data } = page
  return (
    <main className={classes.alone}>
      <title>{`${words('exams.supervisionTitle')} · Practicum`}</title>
      <div className={classes.screen}>
        <div className={classes.brand}>
          <Logo size={28} />
          {data?.Program ?? 'Practicum'}
        </div>
        <div>
          <h1 className={classes.title}>{words('exams.supervisionTitle')}</h1>
          {data && <p className={classes.quiet}>{[data.Site, data.Day].filter(Boolean).join(' · ')}</p>}
        </div>
        {page.error && !data ? (
          <LinkFailure
            error={page.error}
            over={words('exams.codeOver')}
            onRetry={() => void page.refetch()}
          />
        ) : (
          data && (
            <>
              <p className={classes.quiet}>{words('exams.supervisionHint')}</p>
              {data.Students.length === 0 && (
                <PageMessage kind="empty" text={words('exams.noStudentsToday')} />
              )}
              {data.Students.map((student, index) => (
                <section
                  // biome-ignore lint/suspicious/noArrayIndexKey: two may have the same name, and nobody is moved
                  key={index}
                  aria-label={student.Name}
                  className={`${classes.card} ${classes.padded}`}
                >
                  <b>{student.Name}</b>
                  <SupervisedList Studies={student.Studies} />
                </section>
              ))}
            </>
          )
        )}
      </div>
    </main>
  )
}
