import { IconCopy, IconDownload, IconFileImport, IconListDetails, IconRestore } from '@tabler/icons-react'
import { useState } from 'react'
import {
  type CompetencyList,
  exportCompetencyList,
  listCompetencyLists,
} from '#contract/competencies/competency-lists.ts'
import { summaryOfList } from '#contract/competencies/competency-rules.ts'
import { callAddress } from '#web/api/call.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead } from '#web/api/use-call.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { AddNew } from '#web/ui/AddNew.tsx'
import { attempt, deleteWithUndo } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { formatDate } from '#web/ui/dates.ts'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { deleteAction, editAction } from '#web/ui/grid/edit-and-delete.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { RowAction } from '#web/ui/grid/grid-types.ts'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { DeletedTick } from './DeletedTick.tsx'
import { NewListDialog } from './NewListDialog.tsx'
import { askedText } from './summary-text.ts'
import { useParts } from './use-lists.ts'

/** The competency lists of the program: whose each is, what it asks, and new versions. */
export function ListsPage() {
  const words = useWords()
  const navigate = usePageNavigate()
  const programId = useProgramId()
  const may = useMay()
  const mayDesign = may('competencies.design')
  const [{ deleted }, setAddress] = useAddress({ deleted: false })
  const lists = useRead(
    listCompetencyLists,
    { params: { programId }, query: { deleted } },
    { keepsLast: false },
  )
  const parts = useParts('list')
  const [adding, setAdding] = useState<{ source?: CompetencyList }>()
  const open = ({ Id }: CompetencyList, page: 'rules' | 'procedures') =>
    navigate(`/admin/competencies/${page}`, { search: { list: Id } })
  const whoseIs = ({ Cohorts, IsForOthers }: CompetencyList): string =>
    [
      ...Cohorts,
      ...(IsForOthers
        ? [words(Cohorts.length > 0 ? 'competencies.allOthers' : 'competencies.allStudents')]
        : []),
    ].join(', ') || words('competencies.nobodyYet')
  const remove = ({ Id, Name }: CompetencyList) =>
    deleteWithUndo({
      remove: () => parts.remove([Id]),
      restore: () => parts.restore([Id]),
      deleted: words('competencies.deleted', { name: Name }),
      notDeleted: words('competencies.notDeleted', { name: Name }),
    })
  const restore = ({ Id, Name }: CompetencyList) =>
    attempt(async () => {
      await parts.restore([Id])
      toast.done(words('competencies.restored', { name: Name }))
    })
  const actionsOf = (row: CompetencyList): RowAction[] =>
    deleted
      ? [
          {
            label: words('competencies.restore'),
            icon: <IconRestore size={16} stroke={1.75} />,
            quick: true,
            onRun: () => void restore(row),
          },
        ]
      : [
          editAction(() => open(row, 'rules')),
          {
            label: words('competencies.procedures'),
            icon: <IconListDetails size={16} stroke={1.75} />,
            onRun: () => open(row, 'procedures'),
          },
          {
            label: words('competencies.newVersion'),
            icon: <IconCopy size={16} stroke={1.75} />,
            quick: true,
            onRun: () => setAdding({ source: row }),
          },
          {
            label: words('shell.excel'),
            icon: <IconDownload size={16} stroke={1.75} />,
            onRun: () => {
              location.href = callAddress(exportCompetencyList, {
                params: { programId, listId: row.Id },
                query: {},
              })
            },
          },
          deleteAction(() => void remove(row)),
        ]
  const add = mayDesign && <AddNew onClick={() => setAdding({})} />
  const importButton = may('imports.run') && (
    <Button
      variant="default"
      leftSection={<IconFileImport size={17} stroke={1.75} aria-hidden />}
      onClick={() => navigate('/admin/imports', { search: { kind: 'competencies' } })}
    >
      {words('competencies.import')}
    </Button>
  )
  return (
    <Page
      title={words('competencies.lists')}
      intro={words('competencies.listsIntro')}
      actions={
        <>
          {importButton}
          {add}
        </>
      }
      filters={
        mayDesign && (
          <FilterBar>
            <DeletedTick value={deleted} onChange={(next) => setAddress({ deleted: next })} />
          </FilterBar>
        )
      }
      footer={lists.data && words('competencies.listCount', { count: lists.data.length })}
    >
      <Grid
        id="competency-lists"
        label={words('competencies.lists')}
        {...fromList(lists)}
        rowKey={({ Id }) => Id}
        sortHere
        empty={{
          text: words(deleted ? 'competencies.noneDeleted' : 'competencies.noLists'),
          ...(!deleted && {
            next: (
              <>
                {importButton}
                {add}
              </>
            ),
          }),
        }}
        warning={(row) =>
          summaryOfList(row).Problems.length > 0 &&
          words('competencies.problemCount', { count: summaryOfList(row).Problems.length })
        }
        onOpen={(row) => !deleted && open(row, mayDesign ? 'rules' : 'procedures')}
        columns={[
          {
            id: 'Name',
            header: words('competencies.name'),
            identity: true,
            sortable: true,
            minWidth: 180,
            grow: 2,
            detail: ({ Registry }) => Registry,
          },
          {
            id: 'EffectiveOn',
            header: words('competencies.effective'),
            width: 112,
            sortable: true,
            cell: ({ EffectiveOn }) => formatDate(EffectiveOn),
          },
          {
            id: 'Cohorts',
            header: words('competencies.cohorts'),
            minWidth: 130,
            grow: 1.4,
            cell: whoseIs,
            text: whoseIs,
          },
          {
            id: 'StudentCount',
            header: words('competencies.students'),
            width: 92,
            align: 'end',
            sortable: true,
          },
          {
            id: 'Asks',
            header: words('competencies.asks'),
            minWidth: 240,
            grow: 5,
            cell: (row) => askedText(words, row),
            text: (row) => askedText(words, row),
          },
        ]}
        {...(mayDesign && { actions: actionsOf })}
      />
      {adding && <NewListDialog source={adding.source} onClose={() => setAdding(undefined)} />}
    </Page>
  )
}
