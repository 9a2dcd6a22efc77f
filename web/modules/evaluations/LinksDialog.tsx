import {
  endEvaluationLink,
  listEvaluationLinks,
  makeEvaluationLink,
} from '#contract/evaluations/evaluation-making.ts'
import { type EvaluationRow, searchEvaluations } from '#contract/evaluations/evaluations.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { attempt } from '#web/ui/attempt.ts'
import { attemptWhenSure } from '#web/ui/attempt-when-sure.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { formatInstant } from '#web/ui/dates.ts'
import { TextInput } from '#web/ui/inputs.ts'
import { PlainTag } from '#web/ui/StatusTag.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './evaluations.module.css'

/** A link to be copied. */
export function CopyLink({ link }: { link: string }) {
  const words = useWords()
  return (
    <div className={classes.copyRow}>
      <TextInput
        aria-label={words('evaluations.linkTitle')}
        readOnly
        value={link}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button
        variant="default"
        onClick={() =>
          void navigator.clipboard.writeText(link).then(() => toast.done(words('evaluations.copiedLink')))
        }
      >
        {words('evaluations.copy')}
      </Button>
    </div>
  )
}

/** The anonymous links of an evaluation: shown again, one more made, each ended by itself. */
export function LinksDialog({
  row,
  programId,
  onClose,
}: {
  row: Pick<EvaluationRow, 'Id' | 'Template' | 'Subject'>
  programId: number
  onClose: () => void
}) {
  const words = useWords()
  const params = { programId, evaluationId: row.Id }
  const links = useRead(listEvaluationLinks, { params }, { keepsLast: false })
  const refresh = { refresh: [listEvaluationLinks, searchEvaluations] }
  const make = useSave(makeEvaluationLink, refresh)
  const end = useSave(endEvaluationLink, refresh)
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('evaluations.linksOf')}
      subtitle={[row.Template, row.Subject].filter(Boolean).join(' · ')}
      actions={
        <Button loading={make.isRunning} onClick={() => void attempt(() => make.run({ params }))}>
          {words('evaluations.newLink')}
        </Button>
      }
    >
      <p>{links.error?.message ?? words('evaluations.linkText')}</p>
      {links.data?.length === 0 && <p className={classes.quiet}>{words('evaluations.noLinks')}</p>}
      <ul className={classes.links}>
        {links.data?.map((each) => (
          <li key={each.Id}>
            <div className={classes.linkState}>
              <span>
                {each.EndedAt
                  ? words('evaluations.linkEndedOn', { date: formatInstant(each.EndedAt) })
                  : each.CreatedBy
                    ? words('evaluations.linkMade', {
                        date: formatInstant(each.CreatedAt),
                        name: each.CreatedBy,
                      })
                    : words('evaluations.linkMadeUnknown', { date: formatInstant(each.CreatedAt) })}
              </span>
              {each.EndedAt ? (
                <PlainTag>{words('evaluations.linkEnded')}</PlainTag>
              ) : (
                <Button
                  size="compact-sm"
                  variant="subtle"
                  color="red"
                  onClick={() =>
                    void attemptWhenSure(
                      { text: words('evaluations.linkEndQuestion'), verb: words('evaluations.linkEnd') },
                      async () => {
                        await end.run({ params: { ...params, linkId: each.Id } })
                        toast.done(words('evaluations.linkEndedNow'))
                      },
                    )
                  }
                >
                  {words('evaluations.linkEnd')}
                </Button>
              )}
            </div>
            {!each.EndedAt &&
              (each.Link ? (
                <CopyLink link={each.Link} />
              ) : (
                <p className={classes.quiet}>{words('evaluations.linkLost')}</p>
              ))}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
