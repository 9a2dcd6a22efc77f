import { useMemo } from 'react'
import {
  createFormType,
  deleteFormType,
  type FormType,
  listFormTypes,
  restoreFormType,
  updateFormType,
} from '#contract/evaluations/form-types.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { fromList } from '#web/ui/grid/from-list.ts'
import { CheckCell } from '#web/ui/grid/InlineCells.tsx'
import { AddNew, type InlineColumn, InlineGrid, TextCell, useInlineEdit } from '#web/ui/grid/InlineGrid.tsx'
import { Page } from '#web/ui/Page.tsx'
import { useWords } from '#web/words/use-words.ts'
import { designed } from './use-design.ts'

/** Form types: which kinds of forms there are, and whether they are offered. */
export function FormTypesPage() {
  const words = useWords()
  const programId = useProgramId()
  const types = useRead(listFormTypes, { params: { programId } })
  const refresh = { refresh: [listFormTypes, ...designed.refresh] }
  const create = useSave(createFormType, refresh)
  const update = useSave(updateFormType, refresh)
  const remove = useSave(deleteFormType, refresh)
  const restore = useSave(restoreFormType, refresh)
  const at = ({ Id }: FormType) => ({ params: { programId, formTypeId: Id } })
  const inline = useInlineEdit<FormType>({
    rowKey: ({ Id }) => Id,
    blank: () => ({ Id: 0, Name: '', ViewOnForm: true, TemplateCount: 0 }),
    check: ({ Name }): Record<string, string> =>
      Name.trim() ? {} : { Name: words('evaluations.nameMissing') },
    save: (draft, isNew, basedOn) => {
      const body = { Name: draft.Name, ViewOnForm: draft.ViewOnForm }
      return isNew
        ? create.run({ params: { programId }, body })
        : update.run({ ...at(draft), body }, { basedOn })
    },
    remove: (row) => remove.run(at(row)),
    undo: (row) => restore.run(at(row)),
    deleted: ({ Name }) => words('evaluations.deleted', { name: Name }),
    whyNotDelete: ({ TemplateCount }) =>
      TemplateCount > 0 && words('evaluations.formTypeInUse', { count: TemplateCount }),
  })
  const columns = useMemo(
    (): InlineColumn<FormType>[] => [
      {
        id: 'Name',
        header: words('evaluations.name'),
        identity: true,
        sortable: true,
        grow: 2,
        edit: (editor) => (
          <TextCell editor={editor} field="Name" label={words('evaluations.name')} maxLength={100} />
        ),
      },
      {
        id: 'ViewOnForm',
        header: words('evaluations.viewOnForm'),
        width: 150,
        cell: (row) => words(row.ViewOnForm ? 'evaluations.yes' : 'evaluations.no'),
        edit: (editor) => (
          <CheckCell editor={editor} field="ViewOnForm" label={words('evaluations.viewOnForm')} />
        ),
      },
      {
        id: 'TemplateCount',
        header: words('evaluations.templates'),
        sortable: true,
        cell: ({ TemplateCount }) => words('evaluations.templateCount', { count: TemplateCount }),
      },
    ],
    [words],
  )
  return (
    <Page
      title={words('evaluations.formTypes')}
      intro={words('evaluations.formTypesIntro')}
      actions={<AddNew inline={inline} label={words('evaluations.addNew')} />}
      footer={types.data && words('evaluations.formTypeCount', { count: types.data.length })}
      inset
    >
      <InlineGrid
        id="form-types"
        label={words('evaluations.formTypes')}
        inline={inline}
        columns={columns}
        {...fromList(types)}
        sortHere
        empty={{ text: words('evaluations.noFormTypes') }}
      />
    </Page>
  )
}
