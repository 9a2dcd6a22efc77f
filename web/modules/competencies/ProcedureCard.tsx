import type { Procedure } from '#contract/competencies/procedures.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './competencies.module.css'

/** A procedure on a phone: its name, its rules in a line, and the way to its exam. */
export function ProcedureCard(props: {
  procedure: Procedure
  /** Left out where all are of one. */
  section: string | undefined
  listId: number
  onRules?: () => void
}) {
  const { procedure, section, listId, onRules } = props
  const words = useWords()
  const rules = [
    section,
    words(procedure.IsMandatory ? 'competencies.mandatory' : 'competencies.elective'),
    words('competencies.logCount', { count: procedure.LogsNeeded }),
    procedure.MayBeSimulated && words('competencies.simulationLong'),
    procedure.NeedsLabCheck && words('competencies.labCheck'),
    procedure.IsAlwaysDirect && words('competencies.alwaysDirect'),
  ]
  return (
    <>
      <div className={classes.cardName}>{procedure.Name}</div>
      <div className={classes.cardRules}>{rules.filter(Boolean).join(' · ')}</div>
      <div className={classes.cardLinks}>
        <PageLink href={`/new/admin/competencies/exam-items?list=${listId}&procedure=${procedure.Id}`}>
          {words('competencies.itemCount', { count: procedure.ItemCount })}
        </PageLink>
        {onRules && (
          <button
            type="button"
            className={classes.link}
            aria-label={words('competencies.examRulesOf', { name: procedure.Name })}
            onClick={onRules}
          >
            {words('competencies.examRules')}
          </button>
        )}
      </div>
    </>
  )
}
