import { useState } from 'react'
import {
  createDocument,
  getDocument,
  listDocumentCategories,
  listLibrary,
  type ProgramDocument,
  searchDocuments,
  updateDocument,
} from '#contract/documents/documents.ts'
import {
  asksForSites,
  asksForStudentLevels,
  documentRoles,
  maxDocumentFileBytes,
  readAccess,
  writeAccess,
} from '#contract/documents/documents-rules.ts'
import { listAccessLevels, listStudentLevels } from '#contract/people/people.ts'
import { listSites } from '#contract/sites/sites.ts'
import { CallError, logFailure } from '#web/api/call.ts'
import { leaveTo } from '#web/api/navigate.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { EditPage } from '#web/shell/EditPage.tsx'
import { FileField } from '#web/ui/form/FileField.tsx'
import { Form, FormActions, FormSection, FullWidth } from '#web/ui/form/Form.tsx'
import { MultiSelectField } from '#web/ui/form/MultiSelectField.tsx'
import { all, maxLength, required } from '#web/ui/form/rules.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextAreaField } from '#web/ui/form/TextAreaField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { type FieldError, useEditForm } from '#web/ui/form/use-edit-form.ts'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { WarningSign } from '#web/ui/WarningSign.tsx'
import { useWords } from '#web/words/use-words.ts'
import { RolesField } from './RolesField.tsx'

/** Add/Edit Document: a new one, or the one whose id is in the address. */
export function DocumentPage() {
  const programId = useProgramId()
  const [{ id }] = useAddress({ id: null as number | null })
  const document = useRead(
    getDocument,
    { params: { programId, documentId: id ?? 0 } },
    { isEnabled: id !== null, keepsLast: false, staleMs: 0 },
  )
  return (
    <EditPage id={id} read={document}>
      {(found) => <DocumentForm programId={programId} {...(found && { document: found })} />}
    </EditPage>
  )
}

/** Refusals of the server by the field of the form that is at fault. */
const refusedFields = (error: CallError): FieldError[] =>
  (error.Errors ?? []).map(({ Field, Message }) => {
    const name = Field.replace(/^document\.?/, '').split('.')[0]!
    return { Field: name === 'file' || name === 'Filename' ? 'FileName' : name, Message }
  })

function DocumentForm({ programId, document }: { programId: number; document?: ProgramDocument }) {
  const words = useWords()
  const params = { programId }
  const categories = useRead(listDocumentCategories, { params })
  const levels = useRead(
    listAccessLevels,
    { query: { min: Math.min(...documentRoles), max: Math.max(...documentRoles) } },
    { staleMs: 300_000 },
  )
  const sites = useRead(listSites, { params }, { staleMs: 300_000 })
  const studentLevels = useRead(listStudentLevels, { params }, { staleMs: 300_000 })
  const refresh = { refresh: [searchDocuments, listDocumentCategories, getDocument, listLibrary] }
  const create = useSave(createDocument, refresh)
  const update = useSave(updateDocument, refresh)
  const [file, setFile] = useState<File>()
  const [hasFailed, setFailed] = useState(false)

  /** What a refused save says; all other failures are logged, and marked beside the title. */
  const refusalOf = (error: unknown): FieldError[] => {
    if (!(error instanceof CallError) || error.code === 'stale') throw error
    if (error.status === 409 && file)
      return [{ Field: 'FileName', Message: words('documents.fileExists', { file: file.name }) }]
    if (error.status === 500) throw error
    if ([413, 415].includes(error.status)) return [{ Field: 'FileName', Message: error.message }]
    const fields = refusedFields(error)
    if (fields.length > 0) return fields
    logFailure('Saving a document', error)
    setFailed(true)
    // A refusal of no field keeps the form open without a word.
    return [{ Field: 'FileName', Message: '' }]
  }
  const form = useEditForm({
    initialValues: {
      CategoryId: (document ? String(document.CategoryId) : null) as string | null,
      Name: document?.Name ?? '',
      Description: document?.Description ?? '',
      /** The name of the file that will be sent, so that choosing one counts as a change. */
      FileName: '',
      Readers: {
        Roles: readAccess(document?.Access ?? null) ?? [],
        SiteIds: document?.SiteIds ?? [],
        StudentLevelIds: document?.StudentLevelIds ?? [],
      },
    },
    rules: {
      CategoryId: required(words('documents.required')),
      Name: all(required(words('documents.required')), maxLength(100)),
      FileName: (name: string) => (!document && name === '' ? words('documents.required') : null),
    },
    labels: { FileName: words('documents.file'), Readers: words('documents.roles') },
    save: async ({ CategoryId, Name, Description, Readers: { Roles, SiteIds, StudentLevelIds } }) => {
      setFailed(false)
      const body = {
        document: {
          CategoryId: Number(CategoryId),
          Name: Name.trim(),
          Description,
          ...(file && { Filename: file.name }),
          Access: writeAccess(Roles),
          SiteIds,
          StudentLevelIds,
        },
      }
      const sent = { files: file ? { file } : ({} as Record<string, File>) }
      try {
        await (document
          ? update.run(
              { params: { programId, documentId: document.Id }, body },
              { ...sent, basedOn: document },
            )
          : create.run({ params, body }, sent))
      } catch (error) {
        return refusalOf(error)
      }
    },
  })
  const leave = () => leaveTo('/admin/documents')
  const saved = () => {
    toast.done(words('documents.saved', { name: form.values.Name.trim() }))
    leave()
  }
  const { Readers } = form.values
  const set = (change: Partial<typeof Readers>) => form.set('Readers', { ...Readers, ...change })
  const many = (name: 'SiteIds' | 'StudentLevelIds') => ({
    name,
    value: Readers[name].map(String),
    onChange: (values: string[]) => set({ [name]: values.map(Number) }),
    ...(form.errors[name] && { error: form.errors[name] }),
  })
  const roles = levels.data?.filter(({ Id }) => documentRoles.includes(Id)).map(({ Id }) => Id)
  return (
    <Page
      title={words('documents.formTitle')}
      breadcrumb={words('documents.title')}
      beside={
        <span role="status">{hasFailed && <WarningSign text={words('documents.lastChangeFailed')} />}</span>
      }
      actions={<FormActions form={form} onCancel={leave} onSaved={saved} always={!document} />}
      inset
    >
      <Form form={form} onCancel={leave} onSaved={saved}>
        <FormSection
          name={words('documents.sectionDocument')}
          purpose={words('documents.sectionDocumentPurpose')}
        >
          <SelectField
            label={words('documents.category')}
            required
            options={(categories.data ?? [])
              .filter(({ Name }) => Name.trim() !== '')
              .map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
            chosenLabel={document?.Category}
            {...form.field('CategoryId')}
          />
          <TextField label={words('documents.name')} required maxLength={100} {...form.field('Name')} />
          <FullWidth>
            <TextAreaField
              label={words('documents.description')}
              rows={3}
              maxLength={2000}
              {...form.field('Description')}
            />
          </FullWidth>
        </FormSection>
        <FormSection
          name={words('documents.sectionFile')}
          purpose={words('documents.sectionFilePurpose')}
          wide
        >
          <FileField
            name="FileName"
            label={words(document ? 'documents.chooseOtherFile' : 'documents.chooseFile')}
            hint={words('documents.fileHint')}
            maxBytes={maxDocumentFileBytes}
            kept={document && { name: document.Filename, url: document.Url, bytes: document.ByteCount }}
            file={file}
            onChange={(next) => {
              setFile(next)
              form.set('FileName', next?.name ?? '')
            }}
            error={form.errors.FileName}
          />
        </FormSection>
        <FormSection
          name={words('documents.sectionReaders')}
          purpose={words('documents.sectionReadersPurpose')}
          wide
        >
          <RolesField roles={roles ?? documentRoles} readers={Readers} onChange={set} />
          {asksForSites(Readers.Roles) && (
            <MultiSelectField
              label={words('documents.sites')}
              placeholder={words('documents.allSites')}
              description={words('documents.sitesDetail')}
              options={(sites.data ?? []).map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
              most={5000}
              {...many('SiteIds')}
            />
          )}
          {asksForStudentLevels(Readers.Roles) && (
            <MultiSelectField
              label={words('documents.studentLevels')}
              placeholder={words('documents.allLevels')}
              description={words('documents.studentLevelsDetail')}
              options={(studentLevels.data ?? []).map(({ Id, Name }) => ({
                value: String(Id),
                label: Name,
              }))}
              most={20}
              {...many('StudentLevelIds')}
            />
          )}
        </FormSection>
      </Form>
    </Page>
  )
}
