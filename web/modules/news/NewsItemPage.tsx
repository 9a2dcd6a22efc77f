import { useState } from 'react'
import { toBase64 } from '#contract/core/fields.ts'
import {
  createNews,
  getNews,
  listNews,
  listNewsModalities,
  type NewsItem,
  updateNews,
} from '#contract/news/news.ts'
import { logFailure } from '#web/api/call.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { usePictureUpload } from '#web/api/use-picture-upload.ts'
import { useMay, useTimeZone } from '#web/api/use-state.ts'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { RedirectHome } from '#web/shell/RedirectHome.tsx'
import { dateOfInstant } from '#web/ui/dates.ts'
import { CheckField } from '#web/ui/form/CheckField.tsx'
import { DateField } from '#web/ui/form/DateField.tsx'
import { Form, FormActions, FormSection } from '#web/ui/form/Form.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { textOfHtml } from '#web/ui/html-text.ts'
import { Page } from '#web/ui/Page.tsx'
import { RichText } from '#web/ui/RichText.tsx'
import { WarningSign } from '#web/ui/WarningSign.tsx'
import { useWords } from '#web/words/use-words.ts'

/** Admin News: add an item, or edit the one whose id is in the address. */
export function NewsItemPage() {
  return useMay()('news.manage') ? <Editor /> : <RedirectHome />
}

function Editor() {
  const [{ id }] = useAddress({ id: null as number | null })
  const item = useRead(
    getNews,
    { params: { newsId: id ?? 0 } },
    { isEnabled: id !== null, keepsLast: false, staleMs: 0 },
  )
  if (id === null) return <ItemForm />
  if (item.error) return <ReadProblem read={item} />
  return item.data ? <ItemForm key={id} item={item.data} /> : null
}

const all = 'all'

function ItemForm({ item }: { item?: NewsItem }) {
  const words = useWords()
  const navigate = usePageNavigate()
  const today = dateOfInstant(Date.now(), useTimeZone())
  const modalities = useRead(listNewsModalities, {}, { staleMs: 60_000 })
  const create = useSave(createNews, { refresh: [listNews] })
  const update = useSave(updateNews, { refresh: [listNews, getNews] })
  const upload = usePictureUpload(null)
  const [hasFailed, setFailed] = useState(false)
  const form = useEditForm({
    initialValues: {
      ModalityId: (item?.ModalityId ? String(item.ModalityId) : all) as string | null,
      Date: (item?.Date ?? today) as string | null,
      IsActive: item?.IsActive ?? true,
      Text: item?.Text ?? '',
    },
    rules: {
      Date: (value: string | null) => (value ? null : words('news.dateRequired')),
      Text: (value: string) =>
        textOfHtml(value).trim() || /<img\b/.test(value) ? null : words('news.required'),
    },
    labels: { Text: words('news.news') },
    draftKey: `news-${item?.Id ?? 0}`,
    save: ({ ModalityId, Date: date, IsActive, Text }) => {
      const body = {
        // The form requires it.
        Date: date!,
        Text: toBase64(Text),
        IsActive,
        ...(ModalityId !== all && ModalityId && { ModalityId: Number(ModalityId) }),
      }
      setFailed(false)
      return item
        ? update.run({ params: { newsId: item.Id }, body }, { basedOn: item })
        : create.run({ body })
    },
    // The specification wants such a failure logged with its status and marked beside the title, nothing else.
    onFailure: (error) => {
      logFailure('Saving news', error)
      setFailed(true)
      return true
    },
  })
  const leave = () => navigate('/admin/admin-news', { search: { whichpage: 'ADMIN_adminnews' } })
  const options = [
    { value: all, label: words('news.allOption') },
    ...(modalities.data ?? []).map(({ Id, Name }) => ({ value: String(Id), label: Name })),
  ]
  return (
    <Page
      title={words('news.formTitle')}
      breadcrumb={words('news.title')}
      beside={hasFailed && <WarningSign text={words('news.saveFailed')} />}
      actions={<FormActions form={form} onCancel={leave} onSaved={leave} always />}
      inset
    >
      <Form form={form} onCancel={leave} onSaved={leave}>
        <FormSection name={words('news.section')} purpose={words('news.sectionPurpose')}>
          <SelectField
            label={words('news.modality')}
            required
            options={options}
            {...(item?.Modality && { chosenLabel: item.Modality })}
            {...form.field('ModalityId')}
          />
          <DateField label={words('news.date')} required {...form.field('Date')} />
          <CheckField label={words('news.active')} {...form.field('IsActive')} />
        </FormSection>
        <FormSection name={words('news.news')} purpose={words('news.newsPurpose')} wide>
          <RichText
            label={words('news.news')}
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
