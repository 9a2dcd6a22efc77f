import { IconUserX } from '@tabler/icons-react'
import { useState } from 'react'
import {
  type ExaminerEntry,
  exportExaminers,
  listExaminers,
  removeExaminers,
  restoreExaminers,
  rosterFilters,
} from '#contract/competencies/examiners.ts'
import { listedName } from '#contract/people/person-fields.ts'
import { callAddress } from '#web/api/call.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useFilteredList } from '#web/api/use-filtered-list.ts'
import { useMay, useProgramId, useTimeZone } from '#web/api/use-state.ts'
import { ListFilters } from '#web/shared/ListFilters.tsx'
import { ExportMenu } from '#web/shell/ExportMenu.tsx'
import { AddNew } from '#web/ui/AddNew.tsx'
import { deleteWithUndo } from '#web/ui/attempt.ts'
import { dateOfInstant, formatDate } from '#web/ui/dates.ts'
import { deleteAction, editAction } from '#web/ui/grid/edit-and-delete.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Page } from '#web/ui/Page.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import { ExaminerDialog } from './ExaminerDialog.tsx'
import { ExclusionsDialog } from './ExclusionsDialog.tsx'

const pageSize = 50

const columnsOf = (words: Words, today: string): GridColumn<ExaminerEntry>[] => [
  {
    id: 'Name',
    header: words('exams.name'),
    identity: true,
    grow: 2,
    minWidth: 160,
    cell: listedName,
    text: listedName,
  },
  { id: 'Site', header: words('exams.site'), grow: 2, minWidth: 140 },
  {
    id: 'Credential',
    header: words('exams.credential'),
    width: 140,
    cell: (row) => [row.Credential, row.CredentialNumber].filter(Boolean).join(' '),
  },
  {
    id: 'ExpiresOn',
    header: words('exams.expires'),
    width: 140,
    cell: (row) =>
      row.ExpiresOn === null ? (
        words('exams.never')
      ) : row.ExpiresOn < today ? (
        <StatusTag status="rejected">{formatDate(row.ExpiresOn)}</StatusTag>
      ) : (
        formatDate(row.ExpiresOn)
      ),
  },
  {
    id: 'Examines',
    header: words('exams.examines'),
    width: 130,
    cell: (row) => words(row.Examines === 'all' ? 'exams.examinesAll' : 'exams.examinesCare'),
  },
  { id: 'EmailAddress', header: words('exams.email'), grow: 2, minWidth: 150 },
  {
    id: 'Account',
    header: words('exams.account'),
    grow: 1,
    minWidth: 120,
    cell: (row) => row.Account ?? words('exams.noAccount'),
  },
  {
    id: 'Exclusions',
    header: words('exams.exclusions'),
    width: 120,
    align: 'end',
    cell: (row) => row.Exclusions.length || '',
  },
]

/** Who may examine at the sites, with credential and expiry, and whom each never examines. */
export function ExaminersPage() {
  const words = useWords()
  const programId = useProgramId()
  const mayManage = useMay()('examiners.manage')
  const today = dateOfInstant(new Date(), useTimeZone())
  const [editing, setEditing] = useState<ExaminerEntry | 'new'>()
  const [excludingId, setExcludingId] = useState<number>()
  const list = useFilteredList(listExaminers, rosterFilters, { page: 1 }, pageSize)
  const { asked, paging, pager, reset, isFiltered } = list
  const examiners = useRead(listExaminers, {
    params: { programId },
    query: { ...asked, ...paging },
  })
  const remove = useSave(removeExaminers, { refresh: [listExaminers] })
  const restore = useSave(restoreExaminers, { refresh: [listExaminers] })
  const total = examiners.data?.Total ?? 0
  const excluding = examiners.data?.Items.find(({ Id }) => Id === excludingId)
  const deleteIt = (row: ExaminerEntry) => {
    const input = { params: { programId }, body: { Ids: [row.Id] } }
    return deleteWithUndo({
      remove: () => remove.run(input),
      restore: () => restore.run(input),
      deleted: words('exams.didRemove', { name: listedName(row) }),
    })
  }
  return (
    <Page
      title={words('exams.examinersTitle')}
      count={examiners.data && words('exams.total', { count: total.toLocaleString('en-US') })}
      actions={
        <>
          <ExportMenu
            address={(Format) =>
              callAddress(exportExaminers, { params: { programId }, query: { ...asked, Format } })
            }
          />
          {mayManage && <AddNew onClick={() => setEditing('new')} />}
        </>
      }
      filters={<ListFilters filters={rosterFilters} list={list} />}
      footer={words('exams.rosterHint')}
      footerEnd={<Pager {...pager} total={total} />}
    >
      <Grid
        id="examiners"
        label={words('exams.examinersTitle')}
        columns={columnsOf(words, today)}
        {...fromList(examiners)}
        rowKey={({ Id }) => Id}
        empty={{ text: words('exams.noExaminers'), filters: { isFiltered, reset } }}
        {...(mayManage && {
          actions: (row: ExaminerEntry) => [
            editAction(() => setEditing(row)),
            {
              label: words('exams.neverExamines'),
              icon: <IconUserX size={16} stroke={1.75} />,
              onRun: () => setExcludingId(row.Id),
            },
            deleteAction(() => void deleteIt(row)),
          ],
          onOpen: (row: ExaminerEntry) => setEditing(row),
        })}
      />
      {editing && (
        <ExaminerDialog
          entry={editing === 'new' ? undefined : editing}
          onClose={() => setEditing(undefined)}
        />
      )}
      {excluding && <ExclusionsDialog entry={excluding} onClose={() => setExcludingId(undefined)} />}
    </Page>
  )
}
