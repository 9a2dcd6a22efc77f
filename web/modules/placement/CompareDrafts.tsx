import { useState } from 'react'
import { type Draft, type DraftShift, getDraft } from '#contract/placement/drafts.ts'
import { useRead } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './draft.module.css'
import { gapText, meanText, milesText } from './placement-words.ts'

const mostDifferences = 200

/** All drafts side by side by their figures, and two of them student by student. */
export function CompareDrafts({ drafts }: { drafts: readonly Draft[] }) {
  const words = useWords()
  const done = drafts.filter(({ Figures }) => Figures !== null)
  const [one, setOne] = useState<string | null>(done[0] ? String(done[0].Id) : null)
  const [other, setOther] = useState<string | null>(done[1] ? String(done[1].Id) : null)
  const rows: { label: string; value: (figures: NonNullable<Draft['Figures']>) => string }[] = [
    {
      label: words('placement.figPlaced'),
      value: ({ Placed, Cells }) => words('placement.placedOf', { placed: Placed, cells: Cells }),
    },
    { label: words('placement.figMean'), value: ({ MeanRank }) => meanText(MeanRank) },
    {
      label: words('placement.figMeanAll'),
      value: ({ MeanRankWithUnranked = null }) => meanText(MeanRankWithUnranked),
    },
    {
      label: words('placement.figRanks'),
      value: ({ Ranks }) => Ranks.map((count) => count.toLocaleString('en-US')).join(' · '),
    },
    {
      label: words('placement.figMiles'),
      value: ({ MedianMiles }) => (MedianMiles === null ? '–' : milesText(MedianMiles)),
    },
    {
      label: words('placement.figFair'),
      value: ({ SpreadBefore, SpreadAfter }) => `${SpreadBefore} → ${SpreadAfter}`,
    },
    { label: words('placement.figMissing'), value: ({ Missing }) => String(Missing) },
    ...(done.some(({ Figures }) => Figures?.Wheel)
      ? [
          {
            label: words('placement.figWheel'),
            value: ({ Wheel }: NonNullable<Draft['Figures']>) =>
              Wheel ? words(Wheel.IsEven ? 'placement.wheelIsEven' : 'placement.wheelIsUneven') : '–',
          },
        ]
      : []),
    {
      label: words('placement.figGap'),
      value: ({ Gap }) => (Gap === 0 ? words('placement.isBest') : gapText(Gap)),
    },
  ]
  const options = done.map(({ Id, Name }) => ({ value: String(Id), label: Name }))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <section className={classes.compare} tabIndex={0} aria-label={words('placement.compare')}>
      <table>
        <thead>
          <tr>
            <th scope="col">
              <span className="p-sr-only">{words('placement.figure')}</span>
            </th>
            {done.map(({ Id, Name }) => (
              <th key={Id} scope="col">
                {Name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, value }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {done.map(({ Id, Figures }) => (
                <td key={Id}>{Figures && value(Figures)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {done.length > 1 && (
        <>
          <h2>{words('placement.differences')}</h2>
          <div className={classes.bar} style={{ paddingInline: 0 }}>
            <SelectField
              name="compare-one"
              label={words('placement.draft')}
              options={options}
              value={one}
              onChange={setOne}
            />
            <SelectField
              name="compare-other"
              label={words('placement.comparedWith')}
              options={options}
              value={other}
              onChange={setOther}
            />
          </div>
          {one !== null && other !== null && one !== other && (
            <Differences planId={done[0]?.PlanId ?? 0} one={Number(one)} other={Number(other)} />
          )}
        </>
      )}
    </section>
  )
}

function Differences({ planId, one, other }: { planId: number; one: number; other: number }) {
  const words = useWords()
  const programId = useProgramId()
  const first = useRead(getDraft, { params: { programId, planId, draftId: one } })
  const second = useRead(getDraft, { params: { programId, planId, draftId: other } })
  if (!first.data || !second.data) {
    const failed = [first, second].find(({ error }) => error)
    return failed ? <ReadProblem read={failed} /> : null
  }
  const shifts = new Map<number, DraftShift>(first.data.Shifts.map((shift) => [shift.SiteShiftId, shift]))
  const code = (id: number | undefined) =>
    (id === undefined ? undefined : shifts.get(id)?.SiteCode) ?? words('placement.noPlace')
  const others = new Map(
    second.data.Rows.flatMap(({ StudentId, Cells }) =>
      Cells.map(({ Block, SiteShiftId }) => [`${StudentId} ${Block}`, SiteShiftId] as const),
    ),
  )
  const blocks = first.data.Blocks
  const changed = first.data.Rows.flatMap(({ StudentId, Student, Cells }) => {
    const own = new Map(Cells.map(({ Block, SiteShiftId }) => [Block, SiteShiftId]))
    const texts = blocks.flatMap((_, block) => {
      const [before, after] = [own.get(block), others.get(`${StudentId} ${block}`)]
      return before === after
        ? []
        : [`${words('placement.block', { number: block + 1 })}: ${code(before)} → ${code(after)}`]
    })
    return texts.length === 0 ? [] : [{ StudentId, Student, text: texts.join(' · ') }]
  })
  if (changed.length === 0) return <p>{words('placement.noDifference')}</p>
  return (
    <>
      <p>{words('placement.differCount', { count: changed.length })}</p>
      <ul className={classes.history}>
        {changed.slice(0, mostDifferences).map(({ StudentId, Student, text }) => (
          <li key={StudentId}>
            <span>
              {Student}
              <small>{text}</small>
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
