import { IconFileImport, IconRestore } from '@tabler/icons-react'
import { listStudentLevels } from '#contract/people/people.ts'
import {
  deleteRequirement,
  exportRequirements,
  listRequirements,
  type Requirement,
  restoreRequirement,
} from '#contract/requirements/requirement-design.ts'
import { callAddress } from '#web/api/call.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { ExportMenu } from '#web/shell/ExportMenu.tsx'
import { AddNew } from '#web/ui/AddNew.tsx'
import { attempt, deleteWithUndo } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { deleteAction, editAction } from '#web/ui/grid/edit-and-delete.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { kindWords, ruleText } from './rule-words.ts'

const scopeWords = {
  program: 'requirements.forAll',
  site: 'requirements.forSites',
  perSite: 'requirements.forEachSite',
} as const

/** What the program asks, with how long each proof is good. */
export function RequirementsPage() {
  const words = useWords()
  const programId = useProgramId()
  const navigate = usePageNavigate()
  const may = useMay()
  const [{ deleted }, setAddress] = useAddress({ deleted: false })
  const params = { programId }
  const list = useRead(listRequirements, { params, query: { deleted } }, { keepsLast: false })
  const refresh = { refresh: [listRequirements] }
  const remove = useSave(deleteRequirement, refresh)
  const restore = useSave(restoreRequirement, refresh)
  const at = ({ Id }: Requirement) => ({ params: { programId, requirementId: Id } })
  const open = ({ Id }: Requirement) => navigate('/admin/requirements/edit', { search: { id: Id } })
  const levels = useRead(listStudentLevels, { params }, { staleMs: 300_000 })
  const whom = (row: Requirement): string =>
    [
      words(scopeWords[row.Scope]),
      ...(levels.data ?? []).filter(({ Id }) => row.LevelIds.includes(Id)).map(({ Name }) => Name),
      ...row.Cohorts,
    ].join(', ')
  const importButton = may('imports.run') && (
    <Button
      variant="default"
      leftSection={<IconFileImport size={17} stroke={1.75} aria-hidden />}
      onClick={() => navigate('/admin/imports', { search: { kind: 'requirements' } })}
    >
      {words('requirements.import')}
    </Button>
  )
  const add = <AddNew onClick={() => navigate('/admin/requirements/edit')} />
  return (
    <Page
      title={words('requirements.designTitle')}
      intro={words('requirements.designIntro')}
      actions={
        <>
          <ExportMenu address={(Format) => callAddress(exportRequirements, { params, query: { Format } })} />
          {importButton}
          {add}
        </>
      }
      filters={
        <FilterBar>
          <SelectChip
            name={words('requirements.showOnly')}
            none={words('requirements.everyone')}
            options={[{ value: 'deleted', label: words('requirements.showDeleted') }]}
            value={deleted ? 'deleted' : null}
            onChange={(value) => setAddress({ deleted: value !== null })}
          />
        </FilterBar>
      }
      footer={list.data && words('requirements.designCount', { count: list.data.length })}
    >
      <Grid
        id="requirements"
        label={words('requirements.designTitle')}
        {...fromList(list)}
        rowKey={({ Id }) => Id}
        sortHere
        empty={{
          text: words(deleted ? 'requirements.noneDeleted' : 'requirements.noRequirements'),
          ...(!deleted && {
            next: (
              <>
                {importButton}
                {add}
              </>
            ),
          }),
        }}
        onOpen={(row: Requirement) => {
          if (!deleted) open(row)
        }}
        columns={[
          {
            id: 'Name',
            header: words('requirements.name'),
            identity: true,
            sortable: true,
            minWidth: 200,
            grow: 2,
          },
          {
            id: 'Kind',
            header: words('requirements.kind'),
            width: 130,
            sortable: true,
            cell: ({ Kind }) => words(kindWords[Kind]),
            text: ({ Kind }) => words(kindWords[Kind]),
          },
          {
            id: 'Rule',
            header: words('requirements.validity'),
            minWidth: 220,
            grow: 3,
            cell: ({ Rule }) => ruleText(words, Rule),
            text: ({ Rule }) => ruleText(words, Rule),
          },
          { id: 'Scope', header: words('requirements.whom'), minWidth: 140, grow: 1, cell: whom, text: whom },
          {
            id: 'BlocksPlacement',
            header: words('requirements.blocksColumn'),
            width: 110,
            sortable: true,
            cell: ({ BlocksPlacement }) =>
              words(BlocksPlacement ? 'requirements.blocksYes' : 'requirements.blocksNo'),
          },
          {
            id: 'WaitingCount',
            header: words('requirements.waitingColumn'),
            width: 92,
            align: 'end',
            sortable: true,
            cell: ({ WaitingCount }) => WaitingCount || '',
          },
        ]}
        actions={(row: Requirement) =>
          deleted
            ? [
                {
                  label: words('requirements.restore'),
                  icon: <IconRestore size={16} stroke={1.75} />,
                  quick: true,
                  onRun: () =>
                    void attempt(async () => {
                      await restore.run(at(row))
                      toast.done(words('requirements.restored', { name: row.Name }))
                    }),
                },
              ]
            : [
                editAction(() => open(row)),
                deleteAction(
                  () =>
                    void deleteWithUndo({
                      remove: () => remove.run(at(row)),
                      restore: () => restore.run(at(row)),
                      deleted: words('requirements.deleted', { name: row.Name }),
                      restored: words('requirements.restored', { name: row.Name }),
                      notDeleted: words('requirements.notDeleted', { name: row.Name }),
                    }),
                ),
              ]
        }
      />
    </Page>
  )
}
