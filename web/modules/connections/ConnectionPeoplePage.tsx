import {
  type ConnectedPerson,
  getConnection,
  listConnectedPeople,
  saveConnectedPerson,
} from '#contract/connections/connections.ts'
import { useParams } from '#web/api/place.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { PageProblem } from '#web/shell/PageProblem.tsx'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { dateOfInstant, formatDate } from '#web/ui/dates.ts'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { InlineGrid, TextCell, useInlineEdit } from '#web/ui/grid/InlineGrid.tsx'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Page } from '#web/ui/Page.tsx'
import { useWords } from '#web/words/use-words.ts'
import { ConnectionCrumbs } from './ConnectionCrumbs.tsx'

const pageSize = 50

/** The people in reach of a connection, and the name by which the provider knows each. */
export function ConnectionPeoplePage() {
  const connectionId = Number(useParams().connectionId)
  const words = useWords()
  const { at, set, paging, pager } = useListAddress(listConnectedPeople, { search: '', page: 1 }, pageSize)
  const connection = useRead(
    getConnection,
    { params: { connectionId } },
    { isEnabled: connectionId > 0, keepsLast: false },
  )
  const people = useRead(
    listConnectedPeople,
    { params: { connectionId }, query: { search: at.search, ...paging } },
    { isEnabled: connectionId > 0 },
  )
  const save = useSave(saveConnectedPerson, { refresh: [listConnectedPeople] })
  const send = async ({ UserId }: ConnectedPerson, Subject: string): Promise<void> => {
    await save.run({ params: { connectionId, userId: UserId }, body: { Subject } })
  }
  const inline = useInlineEdit<ConnectedPerson>({
    rowKey: ({ UserId }) => UserId,
    save: (row) => send(row, (row.Subject ?? '').trim()),
    saveQuestion: (row) => words('connections.saveQuestion', { name: row.UserName }),
    remove: (row) => send(row, ''),
    question: (row) => words('connections.unlinkQuestion', { name: row.UserName }),
    deleted: (row) => words('connections.unlinked', { name: row.UserName }),
    whyNotDelete: (row) => row.Subject === null && words('connections.notLinked'),
    switches: true,
  })
  if (!(connectionId > 0)) return <PageProblem kind="not-found" />
  if (connection.error) return <ReadProblem read={connection} />
  const total = people.data?.Total ?? 0
  const change = (part: Parameters<typeof set>[0]) => {
    inline.stop()
    set(part)
  }
  const count = people.data && words('connections.peopleCount', { count: total })
  return (
    <Page
      title={words('connections.peopleTitle')}
      count={count}
      intro={words('connections.peopleIntro')}
      breadcrumb={<ConnectionCrumbs connection={connection.data} />}
      filters={
        <FilterBar>
          <SearchBox
            label={words('connections.search')}
            value={at.search}
            maxLength={255}
            width={320}
            onChange={(search) => change({ search, page: 1 })}
          />
        </FilterBar>
      }
      footer={count}
      footerEnd={<Pager {...pager} total={total} onPage={(page) => change({ page })} />}
    >
      <InlineGrid
        id="connection-people"
        label={words('connections.peopleTitle')}
        inline={inline}
        framed={false}
        {...fromList(people)}
        empty={{ text: words('connections.nobody') }}
        updateLabel={words('connections.save')}
        columns={[
          { id: 'UserName', header: words('connections.userName'), identity: true },
          {
            id: 'Name',
            header: words('connections.name'),
            text: ({ FirstName, LastName }) => `${LastName}, ${FirstName}`,
            cell: ({ FirstName, LastName }) => `${LastName}, ${FirstName}`,
          },
          { id: 'Email', header: words('connections.email'), grow: 2 },
          { id: 'ProgramName', header: words('connections.program') },
          {
            id: 'Subject',
            header: words('connections.subject'),
            grow: 2,
            edit: (editor) => (
              <TextCell
                editor={editor}
                field="Subject"
                label={words('connections.subject')}
                maxLength={1024}
              />
            ),
          },
          {
            id: 'LinkDate',
            header: words('connections.linked'),
            width: 120,
            cell: ({ LinkDate }) => LinkDate && formatDate(dateOfInstant(LinkDate)),
          },
        ]}
      />
    </Page>
  )
}
