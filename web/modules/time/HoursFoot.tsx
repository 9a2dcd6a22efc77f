import { formatHours } from '#web/ui/dates.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'

/** The end of a list of hours: its sums, and its pages when there is more than one. */
export function HoursFoot(props: {
  /** Name and minutes. */
  figures: readonly (readonly [name: string, minutes: number])[]
  total: number
  page: number
  pageSize: number
  onPage: (page: number) => void
}) {
  const { figures, total, page, pageSize, onPage } = props
  return (
    <>
      {figures.map(([name, minutes]) => (
        <span key={name}>
          {name} <b>{formatHours(minutes)}</b>
        </span>
      ))}
      <Pager page={page} pageSize={pageSize} total={total} onPage={onPage} />
    </>
  )
}
