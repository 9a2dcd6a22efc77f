import { isLanguage, type Language, languageNames, languages } from '#contract/language/language.ts'
import { spanishTerms } from '#contract/terminology/spanish-terms.ts'
import {
  getTerms,
  type LanguageEntry,
  listLanguageEntries,
  listLanguageProfiles,
  maxEndings,
  parsePlural,
  printPlural,
  saveLanguageEntries,
  type TermForms,
  type TermKey,
  termDefaults,
} from '#contract/terminology/terminology.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { Form, FormActions } from '#web/ui/form/Form.tsx'
import { fieldId, useEditForm } from '#web/ui/form/use-edit-form.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import { TextInput } from '#web/ui/inputs.ts'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'

/** The words of a language profile: Key, Text, Plural and Save. */
export function LanguageEntriesPage() {
  const words = useWords()
  const [{ profile, ...address }, setAddress] = useAddress({
    profile: null as number | null,
    // Not `language`, by which an address chooses the language of the screens.
    words: 'en',
  })
  const language = isLanguage(address.words) ? address.words : 'en'
  const profiles = useRead(listLanguageProfiles)
  const entries = useRead(
    listLanguageEntries,
    { params: { profileId: profile ?? 0 }, query: { Language: language } },
    { isEnabled: profile !== null, keepsLast: false },
  )
  const chooser = (
    <FilterBar>
      <SelectChip
        name={words('terminology.profile')}
        fixed
        none={words('terminology.noProfile')}
        options={(profiles.data ?? []).map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
        value={profile === null ? null : String(profile)}
        onChange={(id) => setAddress({ profile: id ? Number(id) : null })}
      />
      <SelectChip
        name={words('terminology.language')}
        fixed
        options={languages.map((each) => ({ value: each, label: languageNames[each] }))}
        value={language}
        onChange={(chosen) => setAddress({ words: isLanguage(chosen) ? chosen : 'en' })}
      />
    </FilterBar>
  )
  if (profile !== null && entries.data)
    return (
      <Entries
        key={`${profile} ${language}`}
        profileId={profile}
        language={language}
        entries={entries.data}
        chooser={chooser}
      />
    )
  return (
    <Page title={words('terminology.entries')} filters={chooser} inset>
      {entries.error ? (
        <PageMessage kind="error" text={entries.error.message} onRetry={() => void entries.refetch()} />
      ) : (
        profile === null && <PageMessage kind="empty" text={words('terminology.chooseProfile')} />
      )}
    </Page>
  )
}

type Row = { Value: string; Endings: string }

function Entries(props: {
  profileId: number
  language: Language
  entries: LanguageEntry[]
  chooser: React.ReactNode
}) {
  const { profileId, language, entries } = props
  const defaults: Readonly<Record<TermKey, TermForms>> = language === 'es' ? spanishTerms : termDefaults
  const words = useWords()
  const save = useSave(saveLanguageEntries, { refresh: [listLanguageEntries, getTerms] })
  const initial = Object.fromEntries(
    entries.map((entry) => [entry.Key, { Value: entry.Value, Endings: printPlural(entry) }]),
  )
  const form = useEditForm<Record<string, Row>>({
    initialValues: initial,
    draftKey: `language-entries-${profileId}-${language}`,
    addressKeys: ['profile', 'words'],
    labels: Object.fromEntries(entries.map(({ Key }) => [Key, Key])),
    rules: Object.fromEntries(
      entries.map(({ Key }) => [
        Key,
        ({ Value, Endings }: Row) =>
          !Value.trim() && Endings.trim() ? words('terminology.pluralWithoutText') : null,
      ]),
    ),
    save: (values) =>
      save.run(
        {
          params: { profileId },
          query: { Language: language },
          body: entries
            .filter(({ Key }) => JSON.stringify(values[Key]) !== JSON.stringify(initial[Key]))
            .map(({ Key, KeyId }) => ({
              KeyId,
              Value: values[Key]!.Value.trim(),
              ...parsePlural(values[Key]!.Endings),
            })),
        },
        { basedOn: entries },
      ),
  })
  const set = (key: string, change: Partial<Row>) => form.set(key, { ...form.values[key]!, ...change })
  const saved = () => toast.done(words('terminology.saved', { name: words('terminology.entries') }))
  const reads = (key: string) => {
    const { Value, Endings } = form.values[key]!
    const fallback = defaults[key as TermKey]
    const { Singular, Plural } = Value.trim()
      ? parsePlural(Endings)
      : { Singular: fallback.singular, Plural: fallback.plural }
    const stem = Value.trim() || fallback.value
    return `${stem}${Singular}, ${stem}${Plural}`
  }
  return (
    <Page
      title={words('terminology.entries')}
      breadcrumb={<PageLink href="/new/admin/language-profiles">{words('terminology.profiles')}</PageLink>}
      filters={props.chooser}
      actions={<FormActions form={form} onSaved={saved} saveLabel={words('terminology.save')} />}
      footer={words('terminology.pluralHint')}
      inset
    >
      <Form form={form} onSaved={saved}>
        <Grid
          id="language-entries"
          label={words('terminology.entries')}
          rows={entries}
          rowKey={(row) => row.KeyId}
          framed
          height="auto"
          noColumnChoice
          columns={[
            { id: 'Key', header: words('terminology.key'), identity: true, width: 200 },
            {
              id: 'Value',
              header: words('terminology.text'),
              cell: (row) => (
                <TextInput
                  size="xs"
                  maxLength={50}
                  id={fieldId(row.Key)}
                  error={form.errors[row.Key]}
                  aria-label={`${words('terminology.text')}: ${row.Key}`}
                  value={form.values[row.Key]!.Value}
                  placeholder={defaults[row.Key as TermKey].value}
                  onChange={(event) => set(row.Key, { Value: event.currentTarget.value })}
                />
              ),
            },
            {
              id: 'Plural',
              header: words('terminology.plural'),
              width: 180,
              cell: (row) => (
                <TextInput
                  size="xs"
                  maxLength={maxEndings[language]}
                  aria-label={`${words('terminology.plural')}: ${row.Key}`}
                  value={form.values[row.Key]!.Endings}
                  onChange={(event) => set(row.Key, { Endings: event.currentTarget.value })}
                />
              ),
            },
            { id: 'Reads', header: words('terminology.preview'), cell: (row) => reads(row.Key) },
          ]}
        />
      </Form>
    </Page>
  )
}
