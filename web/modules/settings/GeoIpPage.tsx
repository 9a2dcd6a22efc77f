import { IconAlertTriangle, IconPlus } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { getState } from '#contract/session/session.ts'
import {
  addToWhitelist,
  getDatabaseSettings,
  getIpStatus,
  IpBlockMode,
  type IpNotice,
  type IpStatus,
  listIpNotices,
  listWhitelist,
  maxGeoFileBytes,
  maxIpAddress,
  readIpAddress,
  removeFromWhitelist,
  saveIpCountries,
  setIpBlockMode,
  uploadGeoFile,
  type WhitelistEntry,
} from '#contract/settings/ip-access.ts'
import { logFailure } from '#web/api/call.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useChosen } from '#web/api/use-chosen.ts'
import { useFailedRows } from '#web/api/use-failed-rows.ts'
import { useTimeZone } from '#web/api/use-state.ts'
import { attempt, offerUndo } from '#web/ui/attempt.ts'
import { Tooltip } from '#web/ui/base.ts'
import { Button } from '#web/ui/buttons.ts'
import { formatInstant } from '#web/ui/dates.ts'
import { FileDrop } from '#web/ui/form/FileDrop.tsx'
import { MultiSelectField } from '#web/ui/form/MultiSelectField.tsx'
import { deleteAction } from '#web/ui/grid/edit-and-delete.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Radio, TextInput } from '#web/ui/inputs.ts'
import { Page } from '#web/ui/Page.tsx'
import { Section } from '#web/ui/Section.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { allCountries, countryName } from './countries.ts'
import classes from './settings.module.css'

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`

/** IP Access Management: who may reach the product, and from where. */
export function GeoIpPage() {
  const words = useWords()
  const status = useRead(getIpStatus)
  return (
    <Page title={words('settings.ipTitle')} intro={words('settings.ipIntro')} inset>
      <div className={classes.sections}>
        <Emergency status={status.data} />
        <Whitelist />
        <Database status={status.data} />
        {status.data && <Countries key={status.data.Countries.join()} chosen={status.data.Countries} />}
        <Notices />
      </div>
    </Page>
  )
}

/** The switch takes effect at once; when it is refused it goes back, and the reason is shown. */
function Emergency({ status }: { status: IpStatus | undefined }) {
  const words = useWords()
  const settings = useRead(getDatabaseSettings)
  const set = useSave(setIpBlockMode, { refresh: [getDatabaseSettings, getIpStatus, getState] })
  const { shown, choose } = useChosen<'mode', IpBlockMode>()
  const mode = shown('mode', settings.data?.IPBlockMode)
  const choices = [
    [IpBlockMode.off, words('settings.off'), words('settings.offDetail')],
    [IpBlockMode.warn, words('settings.warn'), words('settings.warnDetail')],
    [
      IpBlockMode.on,
      words('settings.on'),
      status && !status.Database
        ? `${words('settings.onDetail')} ${words('settings.onWithoutDatabase')}`
        : words('settings.onDetail'),
    ],
  ] as const
  const own = status?.Own
  return (
    <Section title={words('settings.emergency')}>
      <p className={classes.purpose}>{words('settings.emergencyPurpose')}</p>
      <Radio.Group
        value={mode === undefined ? null : String(mode)}
        onChange={(value) => {
          const wanted = Number(value) as IpBlockMode
          void choose('mode', wanted, () => attempt(() => set.run({ body: wanted })))
        }}
        aria-label={words('settings.emergency')}
      >
        <div className={classes.choices}>
          {choices.map(([value, label, detail]) => (
            <Radio
              key={value}
              value={String(value)}
              label={label}
              description={detail}
              disabled={mode === undefined}
            />
          ))}
        </div>
      </Radio.Group>
      {own && (
        <p className={own.IsAllowed ? classes.quiet : classes.careful} role="note">
          {words('settings.ownAddress', {
            address: own.Address,
            country: own.Country ? countryName(own.Country) : words('settings.unknownCountry'),
          })}{' '}
          {words(own.IsAllowed ? 'settings.ownAllowed' : 'settings.ownRefused')}
        </p>
      )}
      {status?.IsProxyUnknown && (
        <p className={classes.careful} role="note">
          {words('settings.unknownProxy', { address: status.Own.Address })}
        </p>
      )}
    </Section>
  )
}

/** Failures are logged with their status and marked, nothing else; what cannot be an address is shown at the field. */
function Whitelist() {
  const words = useWords()
  const timeZone = useTimeZone()
  const list = useRead(listWhitelist)
  const refresh = [listWhitelist, getIpStatus]
  const add = useSave(addToWhitelist, { refresh })
  const remove = useSave(removeFromWhitelist, { refresh })
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const [addFailure, setAddFailure] = useState<string>()
  const [failed, setFailed] = useState<ReadonlyMap<string, string>>(new Map())

  const submit = async () => {
    const read = readIpAddress(text)
    if ('problem' in read) return setProblem(read.problem)
    try {
      await add.run({ body: read.address })
      setText('')
      setAddFailure(undefined)
    } catch (error) {
      logFailure('Adding to the whitelist', error)
      setAddFailure((error as Error).message)
    }
  }
  const removeIt = async ({ IPAddress }: WhitelistEntry) => {
    const without = [...failed].filter(([address]) => address !== IPAddress)
    try {
      await remove.run({ params: { ip: IPAddress } })
      setFailed(new Map(without))
      offerUndo({
        deleted: words('settings.removedAddress', { address: IPAddress }),
        restore: () => add.run({ body: IPAddress }),
      })
    } catch (error) {
      logFailure('Deleting from the whitelist', error)
      setFailed(new Map([...without, [IPAddress, (error as Error).message]]))
    }
  }
  const columns = useMemo(
    (): GridColumn<WhitelistEntry>[] => [
      { id: 'IPAddress', header: words('settings.address'), identity: true },
      { id: 'AddedBy', header: words('settings.addedBy'), width: 180 },
      {
        id: 'AddedAt',
        header: words('settings.addedAt'),
        width: 170,
        cell: ({ AddedAt }) => formatInstant(AddedAt, timeZone),
        text: ({ AddedAt }) => formatInstant(AddedAt, timeZone),
      },
    ],
    [words, timeZone],
  )
  return (
    <Section title={words('settings.whitelist')}>
      <p className={classes.purpose}>{words('settings.whitelistPurpose')}</p>
      <form
        className={classes.add}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <TextInput
          label={words('settings.newAddress')}
          {...(!problem && { description: words('settings.newAddressHint') })}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          value={text}
          maxLength={maxIpAddress}
          error={problem}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setProblem(undefined)
          }}
        />
        <Button
          type="submit"
          variant="default"
          leftSection={<IconPlus size={17} stroke={1.75} aria-hidden />}
          loading={add.isRunning}
        >
          {words('settings.add')}
        </Button>
        {addFailure && <Mark text={words('settings.addFailed', { message: addFailure })} />}
      </form>
      <Grid
        id="ip-whitelist"
        label={words('settings.whitelist')}
        columns={columns}
        {...fromList(list)}
        rowKey={({ IPAddress }) => IPAddress}
        height="auto"
        framed
        noColumnChoice
        empty={{ text: words('settings.emptyWhitelist') }}
        warning={({ IPAddress }) => {
          const message = failed.get(IPAddress)
          return message !== undefined && words('settings.deleteFailed', { message })
        }}
        actions={(entry) => [deleteAction(() => void removeIt(entry))]}
      />
    </Section>
  )
}

/** The warning sign of a failure that is shown nowhere else. */
function Mark({ text }: { text: string }) {
  return (
    <Tooltip label={text} multiline maw={320}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the words of the sign must be reachable by keyboard */}
      <span className={classes.mark} role="img" aria-label={text} tabIndex={0}>
        <IconAlertTriangle size={17} stroke={2} aria-hidden />
      </span>
    </Tooltip>
  )
}

function Database({ status }: { status: IpStatus | undefined }) {
  const words = useWords()
  const timeZone = useTimeZone()
  const upload = useSave(uploadGeoFile, { refresh: [getIpStatus] })
  const [files, setFiles] = useState<File[]>([])
  const [error, setError] = useState<string>()
  const update = async () => {
    const [file] = files
    if (!file) return setError(words('settings.fileRequired'))
    try {
      const { Message } = await upload.run({ query: { name: file.name } }, { bytes: file })
      setFiles([])
      toast.done(Message)
    } catch (failure) {
      setError((failure as Error).message)
    }
  }
  const { Database: database } = status ?? {}
  const uploaded = formatInstant(database?.UploadedAt, timeZone)
  return (
    <Section title={words('settings.database')}>
      <p className={classes.purpose}>{words('settings.databasePurpose')}</p>
      {database === null && <p className={classes.quiet}>{words('settings.databaseNone')}</p>}
      {database && (
        <p className={classes.facts}>
          <b>{words('settings.databaseFacts', { name: database.Name, kind: database.Kind })}</b>
          <span>
            {database.BuiltAt
              ? words('settings.databaseBuilt', {
                  built: formatInstant(database.BuiltAt, timeZone),
                  uploaded,
                })
              : words('settings.databaseUploaded', { uploaded })}
            {' · '}
            {megabytes(database.ByteCount)}
          </span>
        </p>
      )}
      <div className={classes.upload}>
        <FileDrop
          label={words('settings.file')}
          hint={words('settings.fileHint')}
          files={files}
          onChange={(chosen) => {
            setFiles(chosen)
            setError(undefined)
          }}
          maxBytes={maxGeoFileBytes}
          {...(error !== undefined && { error })}
        />
        <Button variant="default" onClick={() => void update()} loading={upload.isRunning}>
          {words('settings.update')}
        </Button>
      </div>
    </Section>
  )
}

function Countries({ chosen }: { chosen: string[] }) {
  const words = useWords()
  const save = useSave(saveIpCountries, { refresh: [getIpStatus] })
  const options = useMemo(allCountries, [])
  const [countries, setCountries] = useState(chosen)
  const [error, setError] = useState<string>()
  const submit = async () => {
    try {
      await save.run({ body: { Countries: countries } })
      toast.done(words('settings.saved'))
    } catch (failure) {
      setError((failure as Error).message)
    }
  }
  return (
    <Section title={words('settings.countries')}>
      <p className={classes.purpose}>{words('settings.countriesPurpose')}</p>
      <div className={classes.add}>
        <MultiSelectField
          name="Countries"
          label={words('settings.countriesField')}
          options={options}
          value={countries}
          onChange={(next) => {
            setCountries(next)
            setError(undefined)
          }}
          {...(error !== undefined && { error })}
        />
        <Button variant="default" onClick={() => void submit()} loading={save.isRunning}>
          {words('settings.save')}
        </Button>
      </div>
    </Section>
  )
}

function Notices() {
  const words = useWords()
  const timeZone = useTimeZone()
  const notices = useRead(listIpNotices, {}, { refetchEveryMs: 60_000 })
  const add = useSave(addToWhitelist, { refresh: [listWhitelist, getIpStatus] })
  const { failed, attempt } = useFailedRows<string>()
  const whitelist = useRead(listWhitelist)
  const known = new Set(whitelist.data?.map(({ IPAddress }) => IPAddress))
  const letIn = ({ Address }: IpNotice) =>
    attempt(Address, 'Adding to the whitelist', () => add.run({ body: Address }))
  const columns = useMemo(
    (): GridColumn<IpNotice>[] => [
      { id: 'Address', header: words('settings.address'), identity: true },
      {
        id: 'Country',
        header: words('settings.country'),
        width: 150,
        cell: ({ Country }) => (Country ? countryName(Country) : words('settings.unknownCountry')),
        text: ({ Country }) => (Country ? countryName(Country) : words('settings.unknownCountry')),
      },
      {
        id: 'IsRefused',
        header: words('settings.what'),
        width: 140,
        cell: ({ IsRefused }) => (
          <StatusTag status={IsRefused ? 'rejected' : 'review'}>
            {words(IsRefused ? 'settings.refused' : 'settings.warned')}
          </StatusTag>
        ),
        text: ({ IsRefused }) => words(IsRefused ? 'settings.refused' : 'settings.warned'),
      },
      { id: 'Hits', header: words('settings.calls'), align: 'end', width: 90 },
      {
        id: 'LastAt',
        header: words('settings.lastSeen'),
        width: 170,
        cell: ({ LastAt }) => formatInstant(LastAt, timeZone),
        text: ({ LastAt }) => formatInstant(LastAt, timeZone),
      },
    ],
    [words, timeZone],
  )
  return (
    <Section title={words('settings.notices')}>
      <p className={classes.purpose}>{words('settings.noticesPurpose')}</p>
      <Grid
        id="ip-notices"
        label={words('settings.notices')}
        columns={columns}
        {...fromList(notices)}
        rowKey={({ Address }) => Address}
        height="auto"
        framed
        noColumnChoice
        empty={{ text: words('settings.noNotices') }}
        warning={({ Address }) => failed.has(Address) && words('settings.addFailed', { message: Address })}
        actions={(notice) =>
          known.has(notice.Address)
            ? []
            : [
                {
                  label: words('settings.toWhitelist'),
                  icon: <IconPlus size={16} stroke={1.75} />,
                  quick: true,
                  onRun: () => void letIn(notice),
                },
              ]
        }
      />
    </Section>
  )
}
