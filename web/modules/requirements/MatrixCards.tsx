import { type MatrixRow, stateOfSign } from '#contract/requirements/matrix.ts'
import { isMet } from '#contract/requirements/requirement-rules.ts'
import { requirementLooks } from '#web/shared/RequirementState.tsx'
import { PageLink } from '#web/shell/PageLink.tsx'
import { Grid } from '#web/ui/grid/Grid.tsx'
import { StatusIcon } from '#web/ui/StatusTag.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './matrix.module.css'

interface Props {
  label: string
  columns: readonly { Id: number; Name: string }[]
  rows: readonly MatrixRow[]
  /** A cell in words. */
  tell: (row: MatrixRow, index: number) => string
  ticked?: ReadonlySet<number>
  onTick?: (ids: ReadonlySet<number>) => void
  /** A student's name opens their requirements. */
  opens: boolean
  /** The last of the rows is near. */
  onEnd: () => void
}

/** The students on a phone, each with what they have not met. */
export function MatrixCards({ label, columns, rows, tell, ticked, onTick, opens, onEnd }: Props) {
  const words = useWords()
  return (
    <Grid
      id="requirement-matrix"
      label={label}
      columns={[{ id: 'Student', header: words('requirements.student'), identity: true }]}
      rows={rows}
      rowKey={({ Id }) => Id}
      card={(row) => <StudentCard row={row} columns={columns} tell={tell} opens={opens} />}
      onMore={onEnd}
      {...(ticked &&
        onTick && {
          selection: { selected: ticked, onChange: (ids) => onTick(new Set([...ids].map(Number))) },
        })}
    />
  )
}

/** A student on a phone: how much is met, and by name what is not or soon will not be. */
function StudentCard(props: Pick<Props, 'columns' | 'tell' | 'opens'> & { row: MatrixRow }) {
  const words = useWords()
  const { row, columns, tell, opens } = props
  const asked = columns.flatMap(({ Id, Name }, index) => {
    const state = stateOfSign(row.States[index] ?? '-')
    return state ? [{ Id, Name, state, text: tell(row, index) }] : []
  })
  const told = asked.filter(({ state }) => !isMet(state) || state === 'expiring')
  const missing = row.AtSites.map(({ Name, Site }) =>
    words('requirements.missingAtSite', { name: Name, site: Site }),
  )
  return (
    <div>
      <div className={classes.student}>
        <b>
          {opens ? (
            <PageLink href={`/new/admin/requirements/students/${row.Id}`}>{row.Student}</PageLink>
          ) : (
            row.Student
          )}
        </b>{' '}
        <span className="p-muted">
          {[
            row.StudentLevel,
            words('requirements.metOf', {
              met: asked.filter(({ state }) => isMet(state)).length,
              count: asked.length,
            }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </div>
      <ul className={classes.open}>
        {told.map(({ Id, Name, state, text }) => (
          <li key={Id}>
            <StatusIcon status={opens ? requirementLooks[state][0] : 'rejected'} size={16} />
            {Name}: {text}
          </li>
        ))}
        {missing.map((text) => (
          <li key={text}>
            <StatusIcon status="rejected" size={16} />
            {text}
          </li>
        ))}
      </ul>
    </div>
  )
}
