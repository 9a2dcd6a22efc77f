import {
  createLanguageProfile,
  deleteLanguageProfile,
  type LanguageProfile,
  listLanguageProfiles,
  updateLanguageProfile,
} from '#contract/terminology/terminology.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { AddNew, InlineGrid, TextCell, useInlineEdit } from '#web/ui/grid/InlineGrid.tsx'
import { Page } from '#web/ui/Page.tsx'
import { useWords } from '#web/words/use-words.ts'

/** Language profiles: inline rows; failures are logged and marked. */
export function LanguageProfilesPage() {
  const words = useWords()
  const profiles = useRead(listLanguageProfiles)
  const refresh = [listLanguageProfiles]
  const create = useSave(createLanguageProfile, { refresh })
  const update = useSave(updateLanguageProfile, { refresh })
  const remove = useSave(deleteLanguageProfile, { refresh })
  const inline = useInlineEdit<LanguageProfile>({
    rowKey: (row) => row.Id,
    blank: () => ({ Id: 0, Name: '' }),
    check: ({ Name }) =>
      Name.trim() ? ({} as Record<string, string>) : { Name: words('terminology.required') },
    save: (draft, isNew, basedOn) =>
      isNew
        ? create.run({ body: draft })
        : update.run({ params: { profileId: draft.Id }, body: draft }, { basedOn }),
    remove: (row) => remove.run({ params: { profileId: row.Id } }),
    question: (row) => words('terminology.deleteQuestion', { name: row.Name }),
    deleted: (row) => words('terminology.deleted', { name: row.Name }),
    marks: { log: 'Saving a language profile', text: words('terminology.lastChangeFailed') },
  })
  return (
    <Page
      title={words('terminology.profiles')}
      count={profiles.data && words('terminology.count', { count: profiles.data.length })}
      actions={<AddNew inline={inline} label={words('terminology.add')} />}
      inset
    >
      <InlineGrid
        id="language-profiles"
        label={words('terminology.profiles')}
        inline={inline}
        {...fromList(profiles)}
        sortHere
        empty={{ text: words('terminology.empty') }}
        more={(row) => (
          <PageLink href={`/new/admin/language-entries?profile=${row.Id}`}>
            {words('terminology.openEntries')}
          </PageLink>
        )}
        columns={[
          {
            id: 'Name',
            header: words('terminology.name'),
            identity: true,
            sortable: true,
            edit: (editor) => (
              <TextCell editor={editor} field="Name" label={words('terminology.name')} maxLength={50} />
            ),
          },
        ]}
      />
    </Page>
  )
}
