import {
  createProgramType,
  deleteProgramType,
  listProgramTypes,
  type ProgramType,
  updateProgramType,
} from '#contract/programs/program-kinds.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { AddNew, InlineGrid, TextCell, useInlineEdit } from '#web/ui/grid/InlineGrid.tsx'
import { Page } from '#web/ui/Page.tsx'
import { useWords } from '#web/words/use-words.ts'

/** Manage program types: inline rows, sorted by name; failures are logged and marked. */
export function ProgramTypesPage() {
  const words = useWords()
  const types = useRead(listProgramTypes)
  const refresh = [listProgramTypes]
  const create = useSave(createProgramType, { refresh })
  const update = useSave(updateProgramType, { refresh })
  const remove = useSave(deleteProgramType, { refresh })
  const inline = useInlineEdit<ProgramType>({
    rowKey: (row) => row.Id,
    blank: () => ({ Id: 0, Name: '' }),
    check: ({ Name }): Record<string, string> => (Name.trim() ? {} : { Name: words('programs.nameEmpty') }),
    save: ({ Id, Name }, isNew, basedOn) =>
      isNew
        ? create.run({ body: { Name } })
        : update.run({ params: { typeId: Id }, body: { Name } }, { basedOn }),
    remove: (row) => remove.run({ params: { typeId: row.Id } }),
    question: (row) => words('programs.deleteTypeQuestion', { name: row.Name }),
    deleted: (row) => words('programs.deletedType', { name: row.Name }),
    marks: { log: 'Saving a program type', text: words('programs.lastChangeFailed') },
  })
  return (
    <Page
      title={words('programs.types')}
      count={types.data && words('programs.typeCount', { count: types.data.length })}
      beside={<PageLink href="/new/admin/program-types">{words('programs.categorize')}</PageLink>}
      actions={<AddNew inline={inline} label={words('programs.add')} />}
      inset
    >
      <InlineGrid
        id="program-types"
        label={words('programs.types')}
        inline={inline}
        {...fromList(types)}
        sortHere
        empty={{ text: words('programs.noTypes') }}
        columns={[
          {
            id: 'Name',
            header: words('programs.name'),
            identity: true,
            sortable: true,
            edit: (editor) => (
              <TextCell editor={editor} field="Name" label={words('programs.name')} maxLength={100} />
            ),
          },
        ]}
      />
    </Page>
  )
}
