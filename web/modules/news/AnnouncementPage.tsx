import { toBase64 } from '#contract/core/fields.ts'
import {
  type Announcement,
  type AnnouncementCategory,
  announcementCategories,
  createAnnouncement,
  getAnnouncement,
  listAnnouncements,
  updateAnnouncement,
} from '#contract/news/announcements.ts'
import { getHome } from '#contract/reports/reports.ts'
import { leaveTo } from '#web/api/navigate.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { usePictureUpload } from '#web/api/use-picture-upload.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { RedirectHome } from '#web/shell/RedirectHome.tsx'
import { CheckField } from '#web/ui/form/CheckField.tsx'
import { Form, FormActions, FormSection, FullWidth } from '#web/ui/form/Form.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { textOfHtml } from '#web/ui/html-text.ts'
import { Page } from '#web/ui/Page.tsx'
import { RichText } from '#web/ui/RichText.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { categoryWord } from './announcement-words.ts'

/** Adds an announcement, or edits the one whose id is in the address. */
export function AnnouncementPage() {
  return useMay()('announcements.manage') ? <Editor /> : <RedirectHome />
}

function Editor() {
  const programId = useProgramId()
  const [{ id }] = useAddress({ id: null as number | null })
  const item = useRead(
    getAnnouncement,
    { params: { programId, announcementId: id ?? 0 } },
    { isEnabled: id !== null, keepsLast: false, staleMs: 0 },
  )
  if (id === null) return <AnnouncementForm key="new" programId={programId} />
  if (item.error) return <ReadProblem read={item} />
  return item.data ? <AnnouncementForm key={id} programId={programId} item={item.data} /> : null
}

function AnnouncementForm({ programId, item }: { programId: number; item?: Announcement }) {
  const words = useWords()
  const refresh = [listAnnouncements, getAnnouncement, getHome]
  const create = useSave(createAnnouncement, { refresh })
  const update = useSave(updateAnnouncement, { refresh })
  const upload = usePictureUpload(programId)
  const form = useEditForm({
    initialValues: {
      Category: (item?.Category ?? 'All') as string | null,
      IsActive: item?.IsActive ?? true,
      HideAcknowledged: item?.HideAcknowledged ?? false,
      ShowAllActive: item?.ShowAllActive ?? true,
      Text: item?.Text ?? '',
    },
    rules: {
      Text: (value: string) =>
        textOfHtml(value).trim() || /<img\b/.test(value) ? null : words('announcements.required'),
    },
    labels: { Text: words('announcements.announcement') },
    draftKey: `announcement-${programId}-${item?.Id ?? 0}`,
    save: ({ Category, Text, ...options }) => {
      const body = { ...options, Category: Category as AnnouncementCategory, Text: toBase64(Text) }
      return item
        ? update.run({ params: { programId, announcementId: item.Id }, body }, { basedOn: item })
        : create.run({ params: { programId }, body })
    },
  })
  const leave = () => leaveTo('/admin/announcements')
  const saved = () => {
    toast.done(words('announcements.saved'))
    leave()
  }
  return (
    <Page
      title={words('announcements.one')}
      breadcrumb={words('announcements.title')}
      actions={<FormActions form={form} onCancel={leave} onSaved={saved} always={!item} />}
      inset
    >
      <Form form={form} onCancel={leave} onSaved={saved}>
        <FormSection name={words('announcements.where')} purpose={words('announcements.wherePurpose')}>
          <SelectField
            label={words('announcements.displayTo')}
            required
            options={announcementCategories.map((value) => ({ value, label: words(categoryWord[value]) }))}
            {...form.field('Category')}
          />
          <FullWidth>
            <CheckField label={words('announcements.active')} {...form.field('IsActive')} />
          </FullWidth>
          <FullWidth>
            <CheckField
              label={words('announcements.hideAcknowledged')}
              description={words('announcements.hideAcknowledgedDetail')}
              {...form.field('HideAcknowledged')}
            />
          </FullWidth>
          <FullWidth>
            <CheckField
              label={words('announcements.showAllActive')}
              description={words('announcements.showAllActiveDetail')}
              {...form.field('ShowAllActive')}
            />
          </FullWidth>
        </FormSection>
        <FormSection
          name={words('announcements.announcement')}
          purpose={
            <>
              {words('announcements.announcementPurpose')}
              {item && item.Acknowledged > 0 && (
                <> {words('announcements.keptAcknowledged', { count: item.Acknowledged })}</>
              )}
            </>
          }
          wide
        >
          <RichText
            label={words('announcements.announcement')}
            hideLabel
            value={form.values.Text}
            onChange={(html) => form.set('Text', html)}
            onUploadImage={upload}
            {...(form.errors.Text && { error: form.errors.Text })}
          />
        </FormSection>
      </Form>
    </Page>
  )
}
