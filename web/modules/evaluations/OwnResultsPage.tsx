import { useMemo } from 'react'
import { getOwnResults } from '#contract/evaluations/evaluation-results.ts'
import { useRead } from '#web/api/use-call.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { Section } from '#web/ui/Section.tsx'
import { useWords } from '#web/words/use-words.ts'
import { Comments } from './Comments.tsx'
import { ResultsBand } from './ResultsBand.tsx'
import { resultColumns } from './result-columns.tsx'

/** Results of evaluations about me, where their templates show it. */
export function OwnResultsPage() {
  const words = useWords()
  const own = useRead(getOwnResults)
  const columns = useMemo(() => resultColumns(words, words('evaluations.itemFilter'), false), [words])
  const { data } = own
  return (
    <Page
      title={words('evaluations.ownResults')}
      count={data && words('evaluations.answersCount', { count: data.Totals.Answers })}
      intro={data?.IsHeldBack && words('evaluations.resultsHeldBack')}
      inset
    >
      {own.error ? (
        <PageMessage kind="error" text={own.error.message} onRetry={() => void own.refetch()} />
      ) : data && data.Totals.Answers + data.Comments.length === 0 ? (
        <PageMessage kind="empty" text={words('evaluations.noOwnResults')} />
      ) : (
        data && (
          <>
            <ResultsBand summary={data} name={words('evaluations.mineKey')} isCompared />
            <Section title={words('evaluations.resultItems')}>
              <Grid
                id="own-results"
                label={words('evaluations.resultItems')}
                columns={columns}
                rows={data.Items}
                rowKey={({ Key }) => Key}
                height="auto"
                framed
                noColumnChoice
              />
            </Section>
            {data.Comments.length > 0 && (
              <Section title={words('evaluations.resultComments')}>
                <Comments rows={data.Comments} />
              </Section>
            )}
          </>
        )
      )}
    </Page>
  )
}
