import { IconFileText } from '@tabler/icons-react'
import { fileKind, fileSize } from '#web/ui/file-size.ts'
import classes from './homes.module.css'

export type PaperLineProps = {
  document: { Name: string; MediaType: string; ByteCount: number }
  href: string
  /** What the document belongs to: a category, or a site. */
  of: string
}

/** A document of a home page, downloaded by a click on its line. */
export function PaperLine({ document, href, of }: PaperLineProps) {
  return (
    <li>
      <a href={href} download>
        <IconFileText size={20} stroke={1.75} aria-hidden />
        <span className={classes.grow}>
          <b>{document.Name}</b>
          <span className={classes.role}>
            {of} · {fileKind(document.MediaType)}, {fileSize(document.ByteCount)}
          </span>
        </span>
      </a>
    </li>
  )
}
