import { useState } from 'react'
import { listedName } from '#contract/people/person-fields.ts'
import { programLabel } from '#contract/programs/programs.ts'
import { listSamlProviders, listSamlUsers, type SamlUser, saveSamlUser } from '#contract/saml/saml.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { Button } from '#web/ui/buttons.ts'
import { dateOfInstant, formatDate } from '#web/ui/dates.ts'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { InlineGrid, TextCell, useInlineEdit } from '#web/ui/grid/InlineGrid.tsx'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Page } from '#web/ui/Page.tsx'
import { useToastSettings } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './saml.module.css'
import { samlToasts, showFailure } from './saml-toasts.ts'

const pageSize = 50
const defaults = {
  provider: null as number | null,
  program: null as number | null,
  search: '',
  sort: 'UserName',
  page: 1,
}

const programOf = ({ CollegeName, ProgramName }: Pick<SamlUser, 'CollegeName' | 'ProgramName'>): string =>
  programLabel({ CollegeName, Name: ProgramName })
/** SAML Users: which name each person of the linked programs has at a provider. */
export function SamlUsersPage() {
  const words = useWords()
  const navigate = usePageNavigate()
  useToastSettings(samlToasts)
  const { at, set, paging, pager } = useListAddress(listSamlUsers, defaults, pageSize)
  const [isMissing, setMissing] = useState(false)
  const providers = useRead(listSamlProviders)
  const samlId = at.provider ?? 0
  const provider = providers.data?.find(({ Id }) => Id === samlId)
  const users = useRead(
    listSamlUsers,
    {
      params: { samlId },
      query: {
        ...(at.program !== null && { ProgramId: at.program }),
        search: at.search,
        ...paging,
      },
    },
    { isEnabled: samlId > 0 },
  )
  const save = useSave(saveSamlUser, { refresh: [listSamlUsers] })
  const send = async (row: SamlUser, SamlNameId: string, Delete: boolean) => {
    const { UserId } = row
    try {
      await save.run({ params: { samlId, userId: UserId }, body: { SamlNameId, Delete } })
    } catch (error) {
      showFailure(error, words('saml.userFailed'))
      throw error
    }
  }
  const inline = useInlineEdit<SamlUser>({
    rowKey: (row) => row.UserId,
    save: (row) => {
      const name = (row.SamlNameId ?? '').trim()
      return send(row, name, name === '')
    },
    saveQuestion: () => words('saml.saveUserQuestion'),
    remove: (row) => send(row, '', true),
    question: () => words('saml.deleteUserQuestion'),
    deleted: (row) => words('saml.userDeleted', { name: row.UserName }),
    whyNotDelete: (row) => row.SamlNameId === null && words('saml.noName'),
    switches: true,
    onFailure: () => true,
  })
  const total = users.data?.Total ?? 0
  const label = words('saml.provider')
  const hasProviders = (providers.data?.length ?? 1) > 0
  const change = (part: Parameters<typeof set>[0]) => {
    inline.stop()
    set(part)
  }
  return (
    <Page
      title={words('saml.usersTitle')}
      count={provider && users.data && words('saml.peopleCount', { count: total })}
      filters={
        <>
          <div className={classes.pickers}>
            <SelectField
              name="SamlId"
              label={label}
              required
              clearable
              options={(providers.data ?? []).map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
              value={provider ? String(provider.Id) : null}
              error={isMissing ? words('saml.isRequired', { label }) : undefined}
              onChange={(id) => {
                setMissing(id === null)
                change({ ...defaults, provider: id === null ? null : Number(id) })
              }}
            />
            <SelectField
              name="ProgramId"
              label={words('saml.program')}
              placeholder={words('saml.anyProgram')}
              clearable
              options={(provider?.Programs ?? []).map((program) => ({
                value: String(program.ProgramId),
                label: programOf(program),
              }))}
              value={at.program === null ? null : String(at.program)}
              lockedBecause={!provider && words('saml.chooseProvider')}
              onChange={(id) => change({ program: id === null ? null : Number(id), page: 1 })}
            />
          </div>
          {provider && (
            <FilterBar>
              <SearchBox
                label={words('saml.search')}
                value={at.search}
                maxLength={255}
                width={320}
                onChange={(search) => change({ search, page: 1 })}
              />
            </FilterBar>
          )}
        </>
      }
      footer={provider && users.data && words('saml.peopleCount', { count: total })}
      footerEnd={provider && <Pager {...pager} total={total} onPage={(page) => change({ page })} />}
    >
      <InlineGrid
        id="saml-users"
        label={words('saml.usersTitle')}
        inline={inline}
        framed={false}
        noColumnChoice={false}
        rows={provider ? users.data?.Items : providers.data && []}
        sort={at.sort}
        onSort={(sort) => change({ sort, page: 1 })}
        isLoading={users.isFetching || providers.isFetching}
        error={(provider && users.error?.message) ?? providers.error?.message}
        onRetry={() => void Promise.all([providers.refetch(), provider && users.refetch()])}
        empty={
          provider
            ? {
                text: words('saml.nobody'),
                filters: {
                  isFiltered: at.search !== '' || at.program !== null,
                  reset: () => change({ search: '', program: null, page: 1 }),
                },
              }
            : hasProviders
              ? { text: words('saml.chooseProvider') }
              : {
                  text: words('saml.noProviders'),
                  next: (
                    <Button onClick={() => navigate('/admin/saml/admin')}>{words('saml.toSettings')}</Button>
                  ),
                }
        }
        updateLabel={words('saml.save')}
        columns={[
          { id: 'ProgramId', header: words('saml.programId'), width: 110, hidden: true },
          {
            id: 'ProgramName',
            header: words('saml.program'),
            sortable: true,
            grow: 2,
            text: programOf,
            cell: programOf,
          },
          { id: 'UserId', header: words('saml.userId'), width: 110, sortable: true, hidden: true },
          { id: 'Email', header: words('saml.email'), sortable: true, grow: 2 },
          {
            id: 'Name',
            header: words('saml.name'),
            sortable: true,
            hidden: true,
            text: listedName,
            cell: listedName,
          },
          { id: 'UserName', header: words('saml.userName'), identity: true, sortable: true },
          {
            id: 'SamlNameId',
            header: words('saml.nameId'),
            sortable: true,
            grow: 2,
            edit: (editor) => (
              <TextCell editor={editor} field="SamlNameId" label={words('saml.nameId')} maxLength={1024} />
            ),
          },
          {
            id: 'ModDate',
            header: words('saml.updated'),
            width: 120,
            sortable: true,
            hidden: true,
            cell: ({ ModDate }) => ModDate && formatDate(dateOfInstant(ModDate)),
          },
        ]}
      />
    </Page>
  )
}
