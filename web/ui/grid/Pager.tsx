import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useWords } from '#web/words/use-words.ts'
import classes from './Pager.module.css'

export type PagerProps = {
  /** From 1. */
  page: number
  pageSize: number
  /** 0 while it is not known. */
  total: number
  onPage: (page: number) => void
  /** Its name where the screen has another pager. */
  label?: string
}

/**
 * "51–100 of 1,204" with previous and next, for a page's `footerEnd`; nothing where all rows fit on one page. A page that does
 * not exist, from an old link or after rows were deleted, becomes the nearest one that does.
 */
export function Pager({ page, pageSize, total, onPage, label }: PagerProps) {
  const words = useWords()
  const lastPage = Math.max(1, Math.ceil(total / pageSize))
  const nearest = page < 1 ? 1 : total > 0 ? Math.min(page, lastPage) : page
  const go = useRef(onPage)
  go.current = onPage
  useEffect(() => {
    if (nearest !== page) go.current(nearest)
  }, [nearest, page])
  if (total <= pageSize) return null
  const figure = (value: number) => value.toLocaleString('en-US')
  return (
    <nav className={classes.pager} aria-label={label ?? words('ui.pages')}>
      <span>
        {words('ui.pageRange', {
          first: figure((nearest - 1) * pageSize + 1),
          last: figure(Math.min(nearest * pageSize, total)),
          total: figure(total),
        })}
      </span>
      <button
        type="button"
        aria-label={words('ui.previousPage')}
        disabled={nearest <= 1}
        onClick={() => onPage(nearest - 1)}
      >
        <IconChevronLeft size={16} aria-hidden />
      </button>
      <button
        type="button"
        aria-label={words('ui.nextPage')}
        disabled={nearest >= lastPage}
        onClick={() => onPage(nearest + 1)}
      >
        <IconChevronRight size={16} aria-hidden />
      </button>
    </nav>
  )
}
