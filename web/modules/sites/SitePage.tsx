import { IconTrash } from '@tabler/icons-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { listAreas } from '#contract/areas/areas.ts'
import { getGlobals } from '#contract/session/session.ts'
import { undoRemovedParts } from '#contract/sites/removed-parts.ts'
import {
  createSite,
  deleteSite,
  getSite,
  listSiteChoices,
  mapSites,
  pageSites,
  restoreSite,
  type SiteDetail,
  type SiteInput,
  updateSite,
} from '#contract/sites/sites.ts'
import { plainSiteFields } from '#contract/sites/sites-fields.ts'
import { isTimeZone, readNetwork, siteTag } from '#contract/sites/sites-rules.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { usePlace } from '#web/api/place.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useMay, useProgramId, useTimeZone } from '#web/api/use-state.ts'
import { timeZoneOptions } from '#web/shared/time-zones.ts'
import { EditPage } from '#web/shell/EditPage.tsx'
import { PageLink } from '#web/shell/PageLink.tsx'
import { deleteWithUndo, offerUndo } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { dateOfInstant, formatInstant } from '#web/ui/dates.ts'
import { Form, FormActions, FormSection, FullWidth } from '#web/ui/form/Form.tsx'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { PlainFields, plainValuesOf } from '#web/ui/form/PlainFields.tsx'
import { required } from '#web/ui/form/rules.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { SwitchField } from '#web/ui/form/SwitchField.tsx'
import { TextAreaField } from '#web/ui/form/TextAreaField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { type FieldError, useEditForm } from '#web/ui/form/use-edit-form.ts'
import { MapView } from '#web/ui/MapView.tsx'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { PlaceField } from './PlaceField.tsx'
import { SiteAgreements } from './SiteAgreements.tsx'
import { SiteContacts } from './SiteContacts.tsx'
import { SiteDepartments } from './SiteDepartments.tsx'
import { SiteDocuments } from './SiteDocuments.tsx'
import { SiteNetworks } from './SiteNetworks.tsx'
import classes from './sites.module.css'

/** Add or edit a site with all its parts. */
export function SitePage() {
  const [{ id }] = useAddress({ id: null as number | null })
  const programId = useProgramId()
  const site = useRead(
    getSite,
    { params: { programId, siteId: id ?? 0 } },
    { isEnabled: id !== null, keepsLast: false },
  )
  return (
    <EditPage id={id} read={site}>
      {(found) => <SiteForm site={found} programId={programId} />}
    </EditPage>
  )
}

const valuesOf = (site: SiteDetail | undefined) => ({
  Name: site?.Name ?? '',
  Code: site?.Code ?? '',
  ContractName: site?.ContractName ?? '',
  AreaId: (site?.AreaId ? String(site.AreaId) : null) as string | null,
  ExternalLocationId: site?.ExternalLocationId ?? '',
  ...plainValuesOf(plainSiteFields, site),
  IsActive: site?.IsActive ?? true,
  Latitude: site?.Latitude ?? null,
  Longitude: site?.Longitude ?? null,
  Precision: (site?.Precision ?? 150) as number | null,
  TimeZone: site?.TimeZone ?? '',
  AllowOvernight: site?.AllowOvernight ?? true,
  AllowMulticlock: site?.AllowMulticlock ?? false,
  RejectInaccuratePins: site?.RejectInaccuratePins ?? false,
  RejectAccuracy: (site?.RejectAccuracy ?? 200) as number | null,
  Lab: site?.Lab ?? false,
  ForbidCsLogclockEditing: site?.ForbidCsLogclockEditing ?? false,
  Reminders: site?.Reminders ?? true,
  Networks: site?.Networks ?? [],
  Contacts: site?.Contacts ?? [],
  Departments: site?.Departments ?? [],
  Agreements: site?.Agreements ?? [],
  Notes: site?.Notes ?? '',
})
type Values = ReturnType<typeof valuesOf>

const coordinateDecimals = 6
const rounded = (value: number): number => Number(value.toFixed(coordinateDecimals))

function SiteForm({ site, programId }: { site: SiteDetail | undefined; programId: number }) {
  const words = useWords()
  const navigate = usePageNavigate()
  const isLocked = !useMay()('sites.write')
  const mayAssign = useMay()('people.write')
  const today = dateOfInstant(new Date(), useTimeZone())
  const hash = usePlace().hash
  const areas = useRead(listAreas, { params: { programId }, query: {} }, { staleMs: 300_000 })
  const globals = useRead(getGlobals, {}, { staleMs: 300_000 })
  const refresh = { refresh: [getSite, pageSites, mapSites, listSiteChoices] }
  const create = useSave(createSite, refresh)
  const update = useSave(updateSite, refresh)
  const remove = useSave(deleteSite, refresh)
  const restore = useSave(restoreSite, refresh)
  const zones = useMemo(timeZoneOptions, [])
  const putBack = useRef<() => Promise<unknown>>(undefined)

  const problemsOf = (values: Values): FieldError[] =>
    values.Networks.flatMap(({ Range }, index) => {
      const read = readNetwork(Range)
      return 'problem' in read
        ? [{ Field: `Networks.${index}.Range`, Message: words('sites.network', { problem: read.problem }) }]
        : []
    })
  const bothOrNone = (value: unknown, other: unknown) =>
    value === null && other !== null ? words('sites.bothCoordinates') : null
  const between = (value: number | null, most: number, message: string) =>
    value !== null && Math.abs(value) > most ? message : null
  const minMeters = (least: number) => (value: number | null) =>
    value === null || value < least ? words('sites.atLeastMeters', { count: least }) : null

  const form = useEditForm<Values>({
    initialValues: valuesOf(site),
    rules: {
      Name: required(),
      Latitude: (value: number | null, values: Values) =>
        between(value, 90, words('sites.latitudeRange')) ?? bothOrNone(value, values.Longitude),
      Longitude: (value: number | null, values: Values) =>
        between(value, 180, words('sites.longitudeRange')) ?? bothOrNone(value, values.Latitude),
      Precision: minMeters(10),
      RejectAccuracy: minMeters(1),
    },
    draftKey: `site-${programId}-${site?.Id ?? 0}`,
    save: async (values) => {
      const problems = problemsOf(values)
      if (problems.length > 0) return problems
      const body: SiteInput = {
        ...values,
        AreaId: values.AreaId === null ? null : Number(values.AreaId),
        ExternalLocationId: values.ExternalLocationId || null,
        // `problemsOf` requires both.
        Precision: values.Precision!,
        RejectAccuracy: values.RejectAccuracy!,
        // A zone that nobody touched is left to the server, which lets it follow the place.
        ...(site && values.TimeZone === site.TimeZone && { TimeZone: undefined }),
      }
      if (!site) return create.run({ params: { programId }, body })
      const params = { programId, siteId: site.Id }
      const after = await update.run({ params, body }, { basedOn: site })
      const removed = undoRemovedParts(site, after)
      putBack.current = removed && (() => update.run({ params, body: removed }, { basedOn: after }))
      return after
    },
  })
  useEffect(() => {
    if (hash) document.getElementById(hash)?.scrollIntoView({ block: 'start' })
  }, [hash])

  const { values } = form
  const [town, setTown] = useState<{ lat: number; lng: number }>()
  const leave = () => navigate('/admin/sites', { ...(site && { search: { site: site.Id } }) })
  const saved = () => {
    const name = form.values.Name.trim()
    const done = words('sites.saved', { name })
    if (putBack.current)
      offerUndo({
        restore: putBack.current,
        deleted: done,
        restored: words('sites.partsRestored', { name }),
        notRestored: words('sites.partsNotRestored'),
      })
    else toast.done(done)
    leave()
  }
  const deleteIt = async () => {
    // Only a site that is there can be deleted.
    const at = { params: { programId, siteId: site!.Id } }
    const name = site!.Name
    const isDeleted = await deleteWithUndo({
      remove: () => remove.run(at),
      restore: () => restore.run(at),
      deleted: words('sites.deleted', { name }),
      restored: words('sites.restored', { name }),
    })
    if (!isDeleted) return
    form.release()
    form.reset()
    navigate('/admin/sites')
  }
  const text = (name: keyof Values & string, most: number) => ({
    maxLength: most,
    ...(isLocked && { lockedBecause: words('sites.readOnly') }),
    ...(form.field(name) as ReturnType<typeof form.field<'Name'>>),
  })
  const lock = isLocked && { lockedBecause: words('sites.readOnly') }
  const plain = (name: string) => ({
    ...form.field(name as (typeof plainSiteFields)[number]['name']),
    ...lock,
  })
  const part = <Field extends 'Networks' | 'Contacts' | 'Departments' | 'Agreements'>(field: Field) => ({
    rows: values[field],
    onChange: (rows: Values[Field]) => form.set(field, rows),
    errors: form.errors,
    isLocked,
  })
  const point =
    values.Latitude !== null && values.Longitude !== null
      ? [
          {
            id: 1,
            lat: values.Latitude,
            lng: values.Longitude,
            tag: siteTag(values.Code, values.Name),
            name: values.Name,
            radiusMeters: values.Precision ?? 150,
          },
        ]
      : []
  return (
    <Page
      title={site?.Name ?? words('sites.newTitle')}
      breadcrumb={<PageLink href="/new/admin/sites">{words('sites.title')}</PageLink>}
      actions={!isLocked && <FormActions form={form} onCancel={leave} onSaved={saved} always={!site} />}
      inset
    >
      <Form
        form={form}
        onCancel={leave}
        onSaved={saved}
        foot={
          site &&
          words(site.ModBy ? 'sites.changedBy' : 'sites.changedOn', {
            user: site.ModBy,
            date: formatInstant(site.ModDate),
          })
        }
        danger={
          site &&
          !isLocked && (
            <Button
              variant="subtle"
              color="red"
              leftSection={<IconTrash size={16} stroke={1.75} aria-hidden />}
              onClick={() => void deleteIt()}
            >
              {words('sites.delete')}
            </Button>
          )
        }
      >
        <FormSection name={words('sites.sectionSite')} purpose={words('sites.sectionSitePurpose')}>
          <FullWidth>
            <TextField label={words('sites.name')} required {...text('Name', 255)} />
          </FullWidth>
          <TextField label={words('sites.code')} hint={words('sites.codeHint')} {...text('Code', 20)} />
          <SelectField
            label={words('sites.area')}
            options={(areas.data ?? []).map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
            {...(site?.AreaName && { chosenLabel: site.AreaName })}
            {...form.field('AreaId')}
            {...lock}
          />
          <TextField label={words('sites.contractName')} {...text('ContractName', 255)} />
          <PlainFields fields={plainSiteFields} section="site" fieldOf={plain} />
          <TextField
            label={words('sites.externalId')}
            hint={words('sites.externalIdHint')}
            {...text('ExternalLocationId', 100)}
          />
          <FullWidth>
            <SwitchField label={words('sites.isActive')} {...form.field('IsActive')} {...lock} />
          </FullWidth>
        </FormSection>

        <FormSection name={words('sites.sectionAddress')} purpose={words('sites.sectionAddressPurpose')}>
          {!isLocked && (
            <FullWidth>
              <PlaceField
                onPick={({ City, State, Zip, County, Latitude, Longitude }) => {
                  setTown({ lat: Latitude, lng: Longitude })
                  form.set('City', City)
                  form.set('State', State)
                  form.set('Zip', Zip)
                  form.set('County', County)
                  form.set('Latitude', Latitude)
                  form.set('Longitude', Longitude)
                }}
              />
            </FullWidth>
          )}
          <PlainFields fields={plainSiteFields} section="address" fieldOf={plain} />
        </FormSection>

        <FormSection name={words('sites.sectionPlace')} purpose={words('sites.sectionPlacePurpose')}>
          <FullWidth>
            <div className={classes.pinMap}>
              <MapView
                label={words('sites.map')}
                points={point}
                selectedId={1}
                {...(town && { lookAt: town })}
                {...(globals.data?.MapTilesUrl && { tileUrl: globals.data.MapTilesUrl })}
                {...(!isLocked && {
                  onPick: ({ lat, lng }: { lat: number; lng: number }) => {
                    form.set('Latitude', rounded(lat))
                    form.set('Longitude', rounded(((((lng + 180) % 360) + 360) % 360) - 180))
                  },
                })}
              />
            </div>
          </FullWidth>
          <NumberField
            label={words('sites.latitude')}
            decimals={9}
            min={-90}
            max={90}
            {...form.field('Latitude')}
            {...lock}
          />
          <NumberField
            label={words('sites.longitude')}
            decimals={9}
            min={-180}
            max={180}
            {...form.field('Longitude')}
            {...lock}
          />
          <NumberField
            label={words('sites.radius')}
            unit=" m"
            required
            min={10}
            {...form.field('Precision')}
            {...lock}
          />
          <SelectField
            label={words('sites.timeZone')}
            hint={words('sites.timeZoneHint')}
            options={zones}
            chosenLabel={isTimeZone(values.TimeZone) ? values.TimeZone.replaceAll('_', ' ') : values.TimeZone}
            {...lock}
            name="TimeZone"
            value={values.TimeZone || null}
            onChange={(zone) => form.set('TimeZone', zone ?? '')}
            {...(form.errors.TimeZone && { error: form.errors.TimeZone })}
          />
        </FormSection>

        <FormSection name={words('sites.sectionClock')} purpose={words('sites.sectionClockPurpose')}>
          <SwitchField label={words('sites.allowOvernight')} {...form.field('AllowOvernight')} {...lock} />
          <SwitchField label={words('sites.allowMulticlock')} {...form.field('AllowMulticlock')} {...lock} />
          <SwitchField label={words('sites.lab')} {...form.field('Lab')} {...lock} />
          <SwitchField label={words('sites.reminders')} {...form.field('Reminders')} {...lock} />
          <SwitchField
            label={words('sites.forbidEditing')}
            {...form.field('ForbidCsLogclockEditing')}
            {...lock}
          />
          <SwitchField
            label={words('sites.rejectInaccurate')}
            {...form.field('RejectInaccuratePins')}
            {...lock}
          />
          <NumberField
            label={words('sites.rejectAccuracy')}
            unit=" m"
            required
            min={1}
            description={words('sites.rejectAccuracyHint')}
            {...form.field('RejectAccuracy')}
            lockedBecause={
              isLocked
                ? words('sites.readOnly')
                : !values.RejectInaccuratePins && words('sites.rejectAccuracyOff')
            }
          />
        </FormSection>

        <SiteNetworks {...part('Networks')} />

        <SiteContacts {...part('Contacts')} />

        <SiteDepartments {...part('Departments')} />

        <SiteAgreements {...part('Agreements')} today={today} />

        <FormSection
          name={words('sites.sectionDocuments')}
          purpose={words('sites.sectionDocumentsPurpose')}
          wide
        >
          {site ? (
            <SiteDocuments site={site} programId={programId} isLocked={isLocked} />
          ) : (
            <p className={classes.noRows}>{words('sites.documentsLater')}</p>
          )}
        </FormSection>

        {site && (
          <FormSection
            name={words('sites.sectionSupervisors')}
            purpose={words('sites.sectionSupervisorsPurpose')}
            wide
          >
            <div>
              <p className={classes.people}>
                {site.Supervisors.length === 0
                  ? words('sites.noRows')
                  : site.Supervisors.map(({ Name }) => Name).join(', ')}
              </p>
              {mayAssign && (
                <Button
                  variant="default"
                  onClick={() =>
                    navigate('/admin/assign-supervisor-sites', { search: { by: 'site', id: site.Id } })
                  }
                >
                  {words('sites.assign')}
                </Button>
              )}
            </div>
          </FormSection>
        )}

        <FormSection name={words('sites.sectionNotes')} purpose={words('sites.sectionNotesPurpose')} wide>
          <TextAreaField
            label={words('sites.notes')}
            rows={4}
            maxLength={10_000}
            {...form.field('Notes')}
            {...lock}
          />
        </FormSection>
      </Form>
    </Page>
  )
}
