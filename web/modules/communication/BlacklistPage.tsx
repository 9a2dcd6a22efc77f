import { IconDownload } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import {
  addToBlacklist,
  type BlacklistEntry,
  exportBlacklist,
  listBlacklist,
  maxPasted,
  normalizeBlocked,
  removeFromBlacklist,
  restoreToBlacklist,
  splitPasted,
} from '#contract/communication/email-blacklist.ts'
import { CallError, callAddress } from '#web/api/call.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useFailedRows } from '#web/api/use-failed-rows.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { useMay, useUser } from '#web/api/use-state.ts'
import { RedirectHome } from '#web/shell/RedirectHome.tsx'
import { offerUndo } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { confirm } from '#web/ui/confirm.ts'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { deleteAction } from '#web/ui/grid/edit-and-delete.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn, RowAction } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Textarea } from '#web/ui/inputs.ts'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './communication.module.css'

const pageSize = 100
const start = { search: '', sort: 'Email', page: 1 }

/** Blacklist Emails: who gets no mail. */
export function BlacklistPage() {
  return useMay()('blacklist.manage') ? <List /> : <RedirectHome />
}

function List() {
  const words = useWords()
  const user = useUser()
  const { at, filter, reset, isFiltered, paging, sorting, pager } = useListAddress(
    listBlacklist,
    start,
    pageSize,
  )
  const list = useRead(listBlacklist, {
    query: { search: at.search, ...paging },
  })
  const remove = useSave(removeFromBlacklist, { refresh: [listBlacklist] })
  const restore = useSave(restoreToBlacklist, { refresh: [listBlacklist] })

  const { failed, attempt } = useFailedRows<number>()
  const takeOff = async ({ Id, Email }: BlacklistEntry) => {
    const at = { params: { entryId: Id } }
    if (await attempt(Id, 'Removing from the blacklist', () => remove.run(at)))
      offerUndo({
        restore: () => restore.run(at),
        deleted: words('blacklist.removed', { email: Email }),
        restored: words('blacklist.restored', { email: Email }),
      })
  }
  const columns = useMemo(
    (): GridColumn<BlacklistEntry>[] => [
      { id: 'Id', header: words('blacklist.id'), width: 110, sortable: true },
      { id: 'Email', header: words('blacklist.email'), identity: true, sortable: true },
    ],
    [words],
  )
  const actions = (entry: BlacklistEntry): RowAction[] => [
    deleteAction(() => void takeOff(entry), { label: words('blacklist.remove') }),
  ]
  const total = list.data?.Total ?? 0
  return (
    <Page
      title={words('blacklist.title')}
      count={list.data && words('blacklist.count', { count: total })}
      intro={words(user.isSuperAdmin ? 'blacklist.ofInstallation' : 'blacklist.ofProgram')}
      actions={
        <Button
          variant="default"
          component="a"
          href={callAddress(exportBlacklist, { query: { search: at.search } })}
          download
          leftSection={<IconDownload size={17} stroke={1.75} aria-hidden />}
        >
          {words('blacklist.export')}
        </Button>
      }
      filters={
        <FilterBar isSet={false}>
          <SearchBox
            label={words('blacklist.search')}
            value={at.search}
            maxLength={255}
            onChange={(search) => filter({ search })}
          />
        </FilterBar>
      }
      above={<AddForm />}
      footer={list.data && words('blacklist.count', { count: total })}
      footerEnd={<Pager {...pager} total={total} />}
    >
      <Grid
        id="email-blacklist"
        label={words('blacklist.title')}
        columns={columns}
        {...fromList(list)}
        rowKey={({ Id }) => Id}
        {...sorting}
        actions={actions}
        warning={({ Id }) => failed.has(Id) && words('blacklist.removeFailed')}
        empty={{ text: words('blacklist.empty'), filters: { isFiltered, reset } }}
      />
    </Page>
  )
}

/** One address or a whole paste; what is refused stays in the box. */
function AddForm() {
  const words = useWords()
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  const add = useSave(addToBlacklist, { refresh: [listBlacklist] })

  const submit = async () => {
    const parts = splitPasted(text)
    if (parts.length === 0) return
    if (parts.length > maxPasted) return setError(words('blacklist.tooMany', { count: maxPasted }))
    const refused = (emails: string[]) =>
      words('blacklist.refused', {
        emails: emails.slice(0, 5).join(', ') + (emails.length > 5 ? ` +${emails.length - 5}` : ''),
      })
    if (parts.every((part) => !normalizeBlocked(part))) return setError(refused(parts))
    try {
      const { Added, Known, Refused } = await add.run({ body: { Emails: parts } }).catch(async (failure) => {
        const isOwn = failure instanceof CallError && /^own_(address|domain)$/.test(failure.code ?? '')
        if (!isOwn) throw failure
        const question = {
          text: failure.message,
          title: words('blacklist.ownTitle'),
          verb: words('blacklist.block'),
        }
        if (!(await confirm({ ...question, danger: true }))) throw new Error(words('blacklist.notBlocked'))
        return add.run({ body: { Emails: parts, IsConfirmed: true } })
      })
      setText(Refused.join('\n'))
      setError(Refused.length > 0 ? refused(Refused) : undefined)
      if (Added.length === 0) toast.done(words('blacklist.nothingNew'))
      else
        toast.done({
          title:
            Added.length === 1
              ? words('blacklist.addedOne', { email: Added[0]!.Email })
              : words('blacklist.added', { count: Added.length }),
          ...(Known.length > 0 && { detail: words('blacklist.known', { count: Known.length }) }),
        })
    } catch (failure) {
      setError((failure as Error).message)
    }
  }
  return (
    <form
      className={classes.paste}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <Textarea
        aria-label={words('blacklist.placeholder')}
        placeholder={words('blacklist.placeholder')}
        value={text}
        autosize
        minRows={1}
        maxRows={6}
        error={error}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setError(undefined)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.shiftKey) {
            event.preventDefault()
            void submit()
          }
        }}
      />
      <Button type="submit" loading={add.isRunning}>
        {words('blacklist.add')}
      </Button>
      <p className={classes.hint}>{words('blacklist.hint')}</p>
    </form>
  )
}
