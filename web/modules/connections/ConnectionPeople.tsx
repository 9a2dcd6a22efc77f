import {
  type ConnectedPerson,
  listConnectedPeople,
  saveConnectedPerson,
} from '#contract/connections/connections.ts'
import { listedName } from '#contract/people/person-fields.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { dateOfInstant, formatDate } from '#web/ui/dates.ts'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { InlineGrid, TextCell, useInlineEdit } from '#web/ui/grid/InlineGrid.tsx'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Section } from '#web/ui/Section.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './connections.module.css'

const pageSize = 50

/** The people in reach of a connection, and the name by which the provider knows each. */
export function ConnectionPeople({ connectionId }: { connectionId: number }) {
  const words = useWords()
  const { at, set, reset, isFiltered, paging, pager } = useListAddress(
    listConnectedPeople,
    { search: '', page: 1 },
    pageSize,
  )
  const people = useRead(listConnectedPeople, {
    params: { connectionId },
    query: { search: at.search, ...paging },
  })
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
  const total = people.data?.Total ?? 0
  const change = (part: Parameters<typeof set>[0]) => {
    inline.stop()
    set(part)
  }
  const count = people.data && words('connections.peopleCount', { count: total })
  return (
    <Section title={words('connections.peopleTitle')} end={count}>
      <p className={classes.said}>{words('connections.peopleIntro')}</p>
      <FilterBar>
        <SearchBox
          label={words('connections.search')}
          value={at.search}
          maxLength={255}
          width={320}
          onChange={(search) => change({ search, page: 1 })}
        />
      </FilterBar>
      <InlineGrid
        id="connection-people"
        label={words('connections.peopleTitle')}
        inline={inline}
        framed={false}
        {...fromList(people)}
        empty={{ text: words('connections.nobody'), filters: { isFiltered, reset } }}
        updateLabel={words('connections.save')}
        columns={[
          { id: 'UserName', header: words('connections.userName'), identity: true },
          {
            id: 'Name',
            header: words('connections.name'),
            text: listedName,
            cell: listedName,
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
      <Pager {...pager} total={total} onPage={(page) => change({ page })} />
    </Section>
  )
}
