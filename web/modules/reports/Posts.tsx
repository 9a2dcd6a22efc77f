import type { ShownNews } from '#contract/news/news.ts'
import type { Home } from '#contract/reports/reports.ts'
import { Acknowledgement } from '#web/shell/Announcements.tsx'
import { formatDate } from '#web/ui/dates.ts'
import { Html } from '#web/ui/Html.tsx'
import { Section } from '#web/ui/Section.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './home.module.css'

/** News of the installation and announcements of the program, in one look and in the order of their dates. */
export function Posts(props: {
  news: readonly ShownNews[]
  announcements?: Home['Announcements']
  /** Tells to which modality news goes, for readers of all of them. */
  showsModality?: boolean
}) {
  const words = useWords()
  const newsTitle = ({ Modality }: ShownNews) => {
    if (!props.showsModality) return words('reports.news')
    return Modality ? words('reports.newsTo', { modality: Modality }) : words('reports.newsToAll')
  }
  const posts = [
    ...(props.announcements ?? []).map((post) => ({
      ...post,
      key: `announcement-${post.Id}`,
      title: words('announcements.one'),
      announcement: post,
    })),
    ...props.news.map((post) => ({
      ...post,
      key: `news-${post.Id}`,
      title: newsTitle(post),
      announcement: undefined,
    })),
  ].toSorted((a, b) => b.Date.localeCompare(a.Date))
  return posts.map(({ key, title, Date: date, Html: html, announcement }) => (
    <Section
      key={key}
      title={title}
      as="article"
      end={<span className={classes.quiet}>{formatDate(date)}</span>}
    >
      <Html html={html} className={classes.announcement} />
      {announcement && <Acknowledgement item={announcement} />}
    </Section>
  ))
}
