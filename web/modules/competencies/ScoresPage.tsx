import { IconRestore } from '@tabler/icons-react'
import { type CompetencyScore, listCompetencyScores } from '#contract/competencies/exam-items.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead } from '#web/api/use-call.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { AddNew } from '#web/ui/AddNew.tsx'
import { attempt, offerUndo } from '#web/ui/attempt.ts'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { deleteAction, editAction } from '#web/ui/grid/edit-and-delete.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import { Page } from '#web/ui/Page.tsx'
import { PlainTag } from '#web/ui/StatusTag.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './competencies.module.css'
import { DeletedTick } from './DeletedTick.tsx'
import { useParts } from './use-lists.ts'

/** The scores by which exams are graded. One that items use is deactivated in place of being deleted. */
export function ScoresPage() {
  const words = useWords()
  const navigate = usePageNavigate()
  const programId = useProgramId()
  const mayDesign = useMay()('competencies.design')
  const [{ deleted }, setAddress] = useAddress({ deleted: false })
  const scores = useRead(
    listCompetencyScores,
    { params: { programId }, query: { deleted } },
    { keepsLast: false },
  )
  const parts = useParts('score')
  const open = (row?: CompetencyScore) =>
    navigate('/admin/competencies/scores/edit', { search: { id: row?.Id } })
  const remove = ({ Id, Name, ItemCount }: CompetencyScore) =>
    attempt(async () => {
      const { Deactivated } = await parts.remove([Id])
      offerUndo({
        deleted:
          Deactivated > 0
            ? words('competencies.deactivated', { name: Name, count: ItemCount })
            : words('competencies.deleted', { name: Name }),
        restore: () => parts.restore([Id]),
      })
    })
  const restore = ({ Id, Name }: CompetencyScore) =>
    attempt(async () => {
      await parts.restore([Id])
      toast.done(words('competencies.restored', { name: Name }))
    })
  const valuesOf = ({ Values }: CompetencyScore) =>
    Values.map(({ Label, Value }) => (Value === null ? Label : `${Value} ${Label}`)).join(' · ')
  const add = mayDesign && <AddNew onClick={() => open()} />
  return (
    <Page
      title={words('competencies.scoresTitle')}
      breadcrumb={
        <PageLink href="/new/admin/competencies/exam-items">{words('competencies.examItems')}</PageLink>
      }
      actions={add}
      filters={
        mayDesign && (
          <FilterBar>
            <DeletedTick value={deleted} onChange={(next) => setAddress({ deleted: next })} />
          </FilterBar>
        )
      }
      footer={scores.data && words('competencies.scoreCount', { count: scores.data.length })}
    >
      <Grid
        id="competency-scores"
        label={words('competencies.scoresTitle')}
        {...fromList(scores)}
        rowKey={({ Id }) => Id}
        sortHere
        empty={{
          text: words(deleted ? 'competencies.noneDeleted' : 'competencies.noScores'),
          ...(!deleted && { next: add }),
        }}
        columns={[
          {
            id: 'Name',
            header: words('competencies.name'),
            identity: true,
            sortable: true,
            minWidth: 180,
            text: ({ Name }) => Name,
            cell: ({ Name, IsActive }) =>
              IsActive ? (
                Name
              ) : (
                <span className={classes.setting}>
                  {Name} <PlainTag>{words('competencies.inactive')}</PlainTag>
                </span>
              ),
          },
          {
            id: 'Values',
            header: words('competencies.values'),
            grow: 3,
            minWidth: 220,
            cell: valuesOf,
            text: valuesOf,
          },
          {
            id: 'ItemCount',
            header: words('competencies.examItems'),
            width: 110,
            align: 'end',
            sortable: true,
          },
        ]}
        {...(mayDesign && {
          onOpen: (row: CompetencyScore) => !deleted && open(row),
          actions: (row: CompetencyScore) =>
            deleted
              ? [
                  {
                    label: words('competencies.restore'),
                    icon: <IconRestore size={16} stroke={1.75} />,
                    quick: true,
                    onRun: () => void restore(row),
                  },
                ]
              : [editAction(() => open(row)), deleteAction(() => void remove(row))],
        })}
      />
    </Page>
  )
}
