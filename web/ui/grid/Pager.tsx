import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import classes from './Pager.module.css'

export type PagerProps = {
  /** From 1. */
  page: number
  pageSize: number
  total: number
  onPage: (page: number) => void
  /** Its name where the screen has another pager. */
  label?: string
}

/** "51–100 of 1,204" with previous and next, for a page's `footerEnd`. */
export function Pager({ page, pageSize, total, onPage, label = 'Pages' }: PagerProps) {
  const first = total === 0 ? 0 : (page - 1) * pageSize + 1
  const last = Math.min(page * pageSize, total)
  const figure = (value: number) => value.toLocaleString('en-US')
  return (
    <nav className={classes.pager} aria-label={label}>
      <span>
        {figure(first)}–{figure(last)} of {figure(total)}
      </span>
      <button type="button" aria-label="Previous page" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <IconChevronLeft size={16} aria-hidden />
      </button>
      <button type="button" aria-label="Next page" disabled={last >= total} onClick={() => onPage(page + 1)}>
        <IconChevronRight size={16} aria-hidden />
      </button>
    </nav>
  )
}
