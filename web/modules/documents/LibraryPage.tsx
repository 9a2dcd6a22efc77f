import { IconDownload, IconFileText, IconPhoto, IconSettings, IconTable } from '@tabler/icons-react'
import { type LibraryDocument, listLibrary } from '#contract/documents/documents.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useRead } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { useMay, useProgramId, useTimeZone } from '#web/api/use-state.ts'
import { Button } from '#web/ui/buttons.ts'
import { dateOfInstant, formatDate } from '#web/ui/dates.ts'
import { EmptyList } from '#web/ui/EmptyList.tsx'
import { fileKind, fileSize } from '#web/ui/file-size.ts'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { Section } from '#web/ui/Section.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './documents.module.css'

const pageSize = 50
const start = { search: '', category: null as number | null, page: 1 }

/** The reader's side of documents: what is for them, by category, for a phone first. */
export function LibraryPage() {
  const words = useWords()
  const navigate = usePageNavigate()
  const programId = useProgramId()
  const mayManage = useMay()('documents.manage')
  const { at, filter, reset, isFiltered, paging, pager } = useListAddress(listLibrary, start, pageSize)
  const library = useRead(listLibrary, {
    params: { programId },
    query: {
      search: at.search,
      ...(at.category !== null && { CategoryId: at.category }),
      ...paging,
    },
  })
  const { Items = [], Categories = [], Total } = library.data ?? {}
  const total = Total ?? 0
  const shown = Categories.map((category) => ({
    ...category,
    documents: Items.filter(({ CategoryId }) => CategoryId === category.Id),
  })).filter(({ documents }) => documents.length > 0)
  return (
    <Page
      title={words('documents.library')}
      count={library.data && words('documents.count', { count: total })}
      actions={
        mayManage && (
          <Button
            variant="default"
            leftSection={<IconSettings size={17} stroke={1.75} aria-hidden />}
            onClick={() => navigate('/admin/documents')}
          >
            {words('documents.manage')}
          </Button>
        )
      }
      filters={
        (Categories.length > 0 || isFiltered) && (
          <FilterBar isSet={isFiltered} onReset={reset}>
            <SelectChip
              name={words('documents.category')}
              options={Categories.map(({ Id, Name, Count }) => ({
                value: String(Id),
                label: Name || words('documents.noName'),
                detail: Count.toLocaleString('en-US'),
              }))}
              value={at.category === null ? null : String(at.category)}
              onChange={(value) => filter({ category: value === null ? null : Number(value) })}
            />
            <SearchBox
              label={words('documents.librarySearch')}
              value={at.search}
              maxLength={100}
              onChange={(search) => filter({ search })}
            />
          </FilterBar>
        )
      }
      {...(total > pageSize && {
        footer: words('documents.count', { count: total }),
        footerEnd: <Pager {...pager} total={total} />,
      })}
      inset
    >
      {library.error && (
        <PageMessage kind="error" text={library.error.message} onRetry={() => void library.refetch()} />
      )}
      {library.data && Items.length === 0 && (
        <EmptyList text={words('documents.libraryEmpty')} filters={{ isFiltered, reset }} />
      )}
      {shown.map(({ Id, Name, documents }) => (
        <Section key={Id} title={Name || words('documents.noName')}>
          <ul className={classes.library}>
            {documents.map((document) => (
              <li key={document.Id}>
                <DocumentLink document={document} />
              </li>
            ))}
          </ul>
        </Section>
      ))}
    </Page>
  )
}

/** The whole row is the link: a thumb finds it. */
function DocumentLink({ document }: { document: LibraryDocument }) {
  const words = useWords()
  const zone = useTimeZone()
  const { MediaType, ByteCount, FileDate } = document
  const Icon = /^image\//.test(MediaType)
    ? IconPhoto
    : /spreadsheet/.test(MediaType)
      ? IconTable
      : IconFileText
  return (
    <a href={document.Url} download className={classes.document} title={document.Filename}>
      <Icon size={22} stroke={1.75} aria-hidden />
      <span>
        <b>{document.Name}</b>
        {document.Description && <span className={classes.description}>{document.Description}</span>}
        <small>
          {fileKind(MediaType)} · {fileSize(ByteCount)} ·{' '}
          {words('documents.addedOn', { date: formatDate(dateOfInstant(FileDate, zone)) })}
        </small>
      </span>
      <IconDownload size={18} stroke={1.75} aria-hidden />
    </a>
  )
}
