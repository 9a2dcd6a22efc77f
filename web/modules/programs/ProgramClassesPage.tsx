import {
  createProgramClass,
  deleteProgramClass,
  listProgramClasses,
  type ProgramClass,
  updateProgramClass,
} from '#contract/programs/program-kinds.ts'
import { CallError } from '#web/api/call.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { fromList } from '#web/ui/grid/from-list.ts'
import { AddNew, InlineGrid, TextCell, useInlineEdit } from '#web/ui/grid/InlineGrid.tsx'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'

/** Manage Program Classes: inline rows; the default class keeps its name and stays. */
export function ProgramClassesPage() {
  const words = useWords()
  const classes = useRead(listProgramClasses)
  const refresh = [listProgramClasses]
  const create = useSave(createProgramClass, { refresh })
  const update = useSave(updateProgramClass, { refresh })
  const remove = useSave(deleteProgramClass, { refresh })
  const inline = useInlineEdit<ProgramClass>({
    rowKey: (row) => row.Id,
    blank: () => ({ Id: 0, Name: '', Value: '', IsDefault: false, DelFlag: false }),
    check: ({ Id, Name }): Record<string, string> => {
      const wanted = Name.trim().toLowerCase()
      if (!wanted) return { Name: words('programs.nameEmpty') }
      return classes.data?.some((other) => other.Id !== Id && other.Name.toLowerCase() === wanted)
        ? { Name: words('programs.classTaken') }
        : {}
    },
    save: async ({ Id, Name, Value }, isNew, basedOn) => {
      const body = { Name, Value }
      await (isNew ? create.run({ body }) : update.run({ params: { classId: Id }, body }, { basedOn }))
      toast.done(words('programs.classUpdated'))
    },
    remove: (row) => remove.run({ params: { classId: row.Id } }),
    question: (row) => words('programs.deleteClassQuestion', { name: row.Name }),
    deleted: (row) => words('programs.deletedClass', { name: row.Name }),
    whyNotDelete: (row) => row.IsDefault && words('programs.defaultClass'),
    onFailure: (error) => {
      const status = error instanceof CallError ? error.status : 0
      toast.error(words('programs.classFailed', { status }))
      return true
    },
  })
  return (
    <Page
      title={words('programs.classes')}
      count={classes.data && words('programs.classCount', { count: classes.data.length })}
      actions={<AddNew inline={inline} label={words('programs.add')} />}
      inset
    >
      <InlineGrid
        id="program-classes"
        label={words('programs.classes')}
        inline={inline}
        {...fromList(classes)}
        sortHere
        empty={{ text: words('programs.noClasses') }}
        columns={[
          {
            id: 'Name',
            header: words('programs.className'),
            identity: true,
            sortable: true,
            edit: (editor) =>
              editor.draft.IsDefault ? (
                editor.draft.Name
              ) : (
                <TextCell editor={editor} field="Name" label={words('programs.className')} maxLength={100} />
              ),
          },
          {
            id: 'Value',
            header: words('programs.classValue'),
            sortable: true,
            edit: (editor) => (
              <TextCell editor={editor} field="Value" label={words('programs.classValue')} maxLength={255} />
            ),
          },
        ]}
      />
    </Page>
  )
}
