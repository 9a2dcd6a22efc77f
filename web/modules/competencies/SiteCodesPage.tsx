import { IconPrinter } from '@tabler/icons-react'
import {
  endSiteSupervisionLink,
  getSiteSupervisionLink,
  renewSiteSupervisionLink,
} from '#contract/competencies/supervision.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { ChoiceChip } from '#web/shared/ChoiceChip.tsx'
import { QrCode } from '#web/shared/QrCode.tsx'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { attempt } from '#web/ui/attempt.ts'
import { attemptWhenSure } from '#web/ui/attempt-when-sure.ts'
import { Button } from '#web/ui/buttons.ts'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './exams.module.css'

/** The QR code of a site, to be printed: it opens what today's students there may do under indirect supervision. */
export function SiteCodesPage() {
  const words = useWords()
  const programId = useProgramId()
  const [at, setAt] = useAddress({ site: null as number | null })
  const site = at.site
  return (
    <Page
      inset
      title={words('exams.supervisionTitle')}
      intro={words('exams.siteCodesIntro')}
      filters={
        <FilterBar>
          <ChoiceChip
            fixed
            kind="site"
            name={words('exams.site')}
            none={words('exams.choose')}
            value={site}
            onChange={(id) => setAt({ site: id })}
          />
        </FilterBar>
      }
    >
      {site === null ? (
        <PageMessage kind="empty" text={words('exams.chooseSite')} />
      ) : (
        <SiteCode key={site} programId={programId} siteId={site} />
      )}
    </Page>
  )
}

function SiteCode({ programId, siteId }: { programId: number; siteId: number }) {
  const words = useWords()
  const mayRenew = useMay()('examiners.manage')
  const params = { programId, siteId }
  const link = useRead(getSiteSupervisionLink, { params }, { keepsLast: false })
  const refresh = { refresh: [getSiteSupervisionLink] }
  const renew = useSave(renewSiteSupervisionLink, refresh)
  const end = useSave(endSiteSupervisionLink, refresh)
  if (link.error && !link.data) return <ReadProblem read={link} />
  if (!link.data) return null
  const { Site, Url } = link.data
  return (
    <section className={classes.poster} aria-label={Site}>
      <h2 className={classes.title}>{Site}</h2>
      <p>{words('exams.posterLine')}</p>
      {Url ? <QrCode url={Url} title={Site} /> : <p className={classes.quiet}>{words('exams.noCode')}</p>}
      <div className={`${classes.codeVerbs} ${classes.unprinted}`}>
        {Url && (
          <Button
            leftSection={<IconPrinter size={16} stroke={1.75} aria-hidden />}
            onClick={() => window.print()}
          >
            {words('exams.print')}
          </Button>
        )}
        {mayRenew && (
          <Button
            variant={Url ? 'default' : 'filled'}
            loading={renew.isRunning}
            onClick={() => void attempt(() => renew.run({ params }))}
          >
            {words(Url ? 'exams.newCodeOfSite' : 'exams.makeCode')}
          </Button>
        )}
        {mayRenew && Url && (
          <Button
            variant="default"
            loading={end.isRunning}
            onClick={() =>
              void attemptWhenSure(
                { text: words('exams.endCodeQuestion'), verb: words('exams.endCode') },
                async () => {
                  await end.run({ params })
                  toast.done(words('exams.didEndCode'))
                },
              )
            }
          >
            {words('exams.endCode')}
          </Button>
        )}
      </div>
      {Url && mayRenew && (
        <p className={`${classes.quiet} ${classes.unprinted}`}>{words('exams.newCodeHint')}</p>
      )}
    </section>
  )
}
