import {
  type Basis,
  getSiteRules,
  listSiteRules,
  type SiteRules,
  saveSiteRules,
} from '#contract/requirements/packets.ts'
import { exemptionKinds } from '#contract/requirements/requirement-rules.ts'
import { leaveTo } from '#web/api/navigate.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { EditPage } from '#web/shell/EditPage.tsx'
import { DateField } from '#web/ui/form/DateField.tsx'
import { Form, FormActions, FormSection } from '#web/ui/form/Form.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { Checkbox, NumberInput, TextInput } from '#web/ui/inputs.ts'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './packets.module.css'
import { exemptionWords } from './rule-words.ts'

/** What one site asks besides, and on which legal basis it is told. */
export function SiteRulePage() {
  const [{ id }] = useAddress({ id: 0 })
  const programId = useProgramId()
  const read = useRead(getSiteRules, { params: { programId, siteId: id || 1 } }, { staleMs: 0 })
  return (
    <EditPage id={id || 1} read={read}>
      {(site) => site && <SiteForm key={site.SiteId} site={site} programId={programId} />}
    </EditPage>
  )
}

function SiteForm({ site, programId }: { site: SiteRules; programId: number }) {
  const words = useWords()
  const save = useSave(saveSiteRules, { refresh: [getSiteRules, listSiteRules] })
  const form = useEditForm({
    initialValues: {
      Basis: site.Basis as string | null,
      NoticeOn: site.NoticeOn,
      AgreementOn: site.AgreementOn,
      Purpose: site.Purpose,
      Requirements: site.Requirements,
    },
    draftKey: `site-rules-${programId}-${site.SiteId}`,
    save: (values) =>
      save.run(
        {
          params: { programId, siteId: site.SiteId },
          body: {
            Basis: values.Basis as Basis | null,
            NoticeOn: values.NoticeOn,
            AgreementOn: values.AgreementOn,
            Purpose: values.Purpose.trim(),
            Requirements: values.Requirements.map(({ Name: _n, Kind: _k, Scope: _s, ...row }) => row),
          },
        },
        { basedOn: site },
      ),
  })
  const leave = () => leaveTo('/admin/requirements/sites')
  const saved = () => {
    toast.done(words('packets.saved', { name: site.Site }))
    leave()
  }
  const { Basis: basis, Requirements: rows } = form.values
  const set = (index: number, part: Partial<(typeof rows)[number]>) =>
    form.set(
      'Requirements',
      rows.map((row, at) => (at === index ? { ...row, ...part } : row)),
    )
  return (
    <Page
      title={site.Site}
      breadcrumb={words('packets.rulesTitle')}
      actions={<FormActions form={form} onCancel={leave} onSaved={saved} />}
      inset
    >
      <Form form={form} onCancel={leave} onSaved={saved}>
        <FormSection name={words('packets.sectionBasis')} purpose={words('packets.sectionBasisPurpose')}>
          <SelectField
            label={words('packets.basis')}
            clearable
            placeholder={words('packets.basisNone')}
            options={[
              { value: 'schoolOfficial', label: words('packets.basisSchoolOfficial') },
              { value: 'consent', label: words('packets.basisConsent') },
            ]}
            {...form.field('Basis')}
          />
          {basis === 'schoolOfficial' && (
            <>
              <DateField label={words('packets.noticeOn')} required {...form.field('NoticeOn')} />
              <DateField label={words('packets.agreementOn')} required {...form.field('AgreementOn')} />
            </>
          )}
          {basis === 'consent' && (
            <TextField
              label={words('packets.purpose')}
              hint={words('packets.purposeHint')}
              required
              maxLength={300}
              {...form.field('Purpose')}
            />
          )}
        </FormSection>
        <FormSection name={words('packets.sectionAsks')} purpose={words('packets.sectionAsksPurpose')}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
          <section className={classes.scroll} tabIndex={0} aria-label={words('packets.sectionAsks')}>
            <table className={classes.rules}>
              <thead>
                <tr>
                  <th scope="col">{words('requirements.requirement')}</th>
                  <th scope="col">{words('packets.asked')}</th>
                  <th scope="col">
                    {words('packets.maxAge')} <small>{words('packets.maxAgeHint')}</small>
                  </th>
                  <th scope="col">{words('packets.accepts')}</th>
                  <th scope="col">{words('packets.condition')}</th>
                  <th scope="col">{words('packets.inPacket')}</th>
                </tr>
              </thead>
              <tbody>
                {rows.map((row, index) => {
                  const label = (part: string) => `${row.Name}: ${part}`
                  return (
                    <tr key={row.RequirementId}>
                      <th scope="row">{row.Name}</th>
                      <td>
                        <Checkbox
                          aria-label={label(words('packets.asked'))}
                          checked={row.IsAsked}
                          disabled={row.Scope === 'program'}
                          onChange={(event) => set(index, { IsAsked: event.currentTarget.checked })}
                        />
                      </td>
                      <td>
                        <NumberInput
                          aria-label={label(words('packets.maxAge'))}
                          min={1}
                          max={3660}
                          w={90}
                          value={row.MaxAgeDays ?? ''}
                          onChange={(value) => set(index, { MaxAgeDays: Number(value) || null })}
                        />
                      </td>
                      <td>
                        <div className={classes.accepts}>
                          {exemptionKinds.map((kind) => (
                            <Checkbox
                              key={kind}
                              label={words(exemptionWords[kind])}
                              aria-label={label(`${words('packets.accepts')} ${words(exemptionWords[kind])}`)}
                              checked={row.Accepts.includes(kind)}
                              onChange={(event) =>
                                set(index, {
                                  Accepts: event.currentTarget.checked
                                    ? [...row.Accepts, kind]
                                    : row.Accepts.filter((each) => each !== kind),
                                })
                              }
                            />
                          ))}
                        </div>
                      </td>
                      <td>
                        <TextInput
                          aria-label={label(words('packets.condition'))}
                          maxLength={200}
                          value={row.Condition}
                          onChange={(event) => set(index, { Condition: event.currentTarget.value })}
                        />
                      </td>
                      <td>
                        <Checkbox
                          aria-label={label(words('packets.inPacket'))}
                          checked={row.IsInPacket}
                          onChange={(event) => set(index, { IsInPacket: event.currentTarget.checked })}
                        />
                      </td>
                    </tr>
                  )
                })}
              </tbody>
            </table>
          </section>
        </FormSection>
      </Form>
    </Page>
  )
}
