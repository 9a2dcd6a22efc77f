import { useState } from 'react'
import { connectionLevels } from '#contract/connections/connections.ts'
import { levelLabel } from '#contract/core/levels.ts'
import {
  endProvisioning,
  getProvisioning,
  type Provisioning,
  rotateProvisioningKey,
  saveProvisioning,
} from '#contract/provisioning/provisioning.ts'
import { appRoot } from '#web/api/root.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useTimeZone } from '#web/api/use-state.ts'
import { useRoleOptions } from '#web/shared/role-options.ts'
import { attempt } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { confirm } from '#web/ui/confirm.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { formatInstant } from '#web/ui/dates.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { SwitchField } from '#web/ui/form/SwitchField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { FieldWork } from '#web/ui/form/unsaved.ts'
import { TextInput } from '#web/ui/inputs.ts'
import { LeaveButton } from '#web/ui/LeaveButton.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './college-connection.module.css'
import { NewSecret } from './NewSecret.tsx'

/** Addresses of this installation, by their paths, that somebody enters elsewhere: each with its label and a button that copies it. */
export function OwnAddresses({
  addresses,
  warning,
}: {
  addresses: readonly (readonly [label: string, path: string])[]
  warning?: string | undefined
}) {
  const words = useWords()
  const copy = async (address: string) => {
    const isCopied = await navigator.clipboard?.writeText(address).then(
      () => true,
      () => false,
    )
    if (isCopied) toast.done(words('saml.copied'))
    else toast.error(words('saml.copyFailed'))
  }
  return (
    <div className={classes.addresses}>
      {warning && <p className={classes.warning}>{warning}</p>}
      {addresses.map(([label, path]) => {
        const address = `${location.origin}${path}`
        return (
          <div key={path} className={classes.address}>
            <TextInput
              label={label}
              value={address}
              readOnly
              onFocus={(event) => event.currentTarget.select()}
            />
            <Button
              variant="default"
              aria-label={words('saml.copy', { what: label })}
              onClick={() => void copy(address)}
            >
              {words('saml.copy', { what: '' }).trim()}
            </Button>
          </div>
        )
      })}
    </div>
  )
}

/** While the dialog is open, what the directory sends shows by itself. */
const refreshMs = 3_000

interface ProvisioningDialogProps {
  connectionId: number
  programId: number
  /** Of the program. */
  name: string
  onClose: () => void
}

/** How a college’s directory keeps the people of a program: on and off, key, levels, groups, and how it goes. */
export function ProvisioningDialog(props: ProvisioningDialogProps) {
  const words = useWords()
  const params = { connectionId: props.connectionId, programId: props.programId }
  const read = useRead(getProvisioning, { params }, { keepsLast: false, refetchEveryMs: refreshMs })
  if (read.data) return <Loaded provisioning={read.data} {...props} />
  return (
    <Dialog
      opened
      onClose={props.onClose}
      title={words('provisioning.dialogTitle', { name: props.name })}
      actions={<LeaveButton onClick={props.onClose}>{words('provisioning.cancel')}</LeaveButton>}
    >
      {read.error && (
        <PageMessage
          kind="error"
          text={words('provisioning.loadFailed', { reason: read.error.message })}
          onRetry={() => void read.refetch()}
        />
      )}
    </Dialog>
  )
}

/** Asks the service with a key, as the directory does. */
function KeyTest({ ending, made }: { ending: string; made: string | undefined }) {
  const words = useWords()
  const [typed, setTyped] = useState('')
  const [said, setSaid] = useState('')
  const [isRunning, setRunning] = useState(false)
  const key = typed.trim() || made
  const run = async () => {
    if (!key) return setSaid(words('provisioning.testEmpty'))
    setRunning(true)
    setSaid('')
    const answer = await fetch(`${appRoot}/scim/v2/Users?count=0`, {
      headers: { authorization: `Bearer ${key}` },
      credentials: 'omit',
    }).catch(() => undefined)
    const told = answer?.ok ? ((await answer.json()) as { totalResults: number }) : undefined
    setRunning(false)
    if (told) {
      const isThis = key.endsWith(ending)
      setSaid(words(isThis ? 'provisioning.testOk' : 'provisioning.testOther', { count: told.totalResults }))
    } else if (answer?.status === 401) setSaid(words('provisioning.testWrong'))
    else setSaid(words('provisioning.testFailed', { status: answer?.status ?? '–' }))
  }
  return (
    <div>
      <div className={classes.address}>
        {/* A key that is only tried is no work to lose. */}
        <FieldWork value={undefined}>
          <TextField
            name="TestKey"
            label={words('provisioning.testKey')}
            type="password"
            autoComplete="off"
            maxLength={200}
            value={typed}
            onChange={setTyped}
          />
        </FieldWork>
        <Button variant="default" loading={isRunning} onClick={() => void run()}>
          {words('provisioning.test')}
        </Button>
      </div>
      <p role="status" className={classes.told}>
        {said || words(made ? 'provisioning.testMade' : 'provisioning.testHint')}
      </p>
    </div>
  )
}

function Loaded({
  provisioning,
  connectionId,
  programId,
  name,
  onClose,
}: ProvisioningDialogProps & { provisioning: Provisioning }) {
  const words = useWords()
  const zone = useTimeZone()
  const { IsOn } = provisioning
  const params = { connectionId, programId }
  const refresh = { refresh: [getProvisioning] }
  const save = useSave(saveProvisioning, refresh)
  const rotate = useSave(rotateProvisioningKey, refresh)
  const end = useSave(endProvisioning, refresh)
  const [max, setMax] = useState(provisioning.MaxLevel)
  const [usual, setUsual] = useState(provisioning.DefaultLevel)
  const [adopts, setAdopts] = useState(provisioning.AdoptsByEmail)
  const [levels, setLevels] = useState<Record<number, number | null>>({})
  const rolesOf = useRoleOptions(levelLabel)
  const below = rolesOf(connectionLevels.map(({ Id }) => Id).filter((each) => each <= max))
  const levelOf = ({ Id, Level }: Provisioning['Groups'][number]): number | null => {
    const chosen = levels[Id] === undefined ? Level : levels[Id]
    return chosen === null ? null : Math.min(chosen, max)
  }
  const [key, setKey] = useState<string>()

  const store = () =>
    attempt(async () => {
      const { Key } = await save.run({
        params,
        body: {
          MaxLevel: max,
          DefaultLevel: Math.min(usual, max),
          AdoptsByEmail: adopts,
          Groups: provisioning.Groups.map((group) => ({ Id: group.Id, Level: levelOf(group) })),
        },
      })
      toast.done(words(Key ? 'provisioning.turnedOn' : 'provisioning.saved'))
      if (Key) setKey(Key)
      else onClose()
    })
  const renew = async () => {
    if (!(await confirm({ text: words('provisioning.rotateQuestion'), verb: words('provisioning.rotate') })))
      return
    await attempt(async () => setKey((await rotate.run({ params })).Key))
  }
  const turnOff = async () => {
    const text = words('provisioning.turnOffQuestion', { name })
    if (!(await confirm({ text, verb: words('provisioning.turnOff'), danger: true }))) return
    await attempt(async () => {
      await end.run({ params })
      toast.done(words('provisioning.turnedOff'))
      onClose()
    })
  }
  const date = (instant: string | null) => formatInstant(instant, zone)
  return (
    <Dialog
      opened
      onClose={onClose}
      width={640}
      title={words('provisioning.dialogTitle', { name })}
      subtitle={words('provisioning.purpose')}
      stayOnOutsideClick
      actions={
        <>
          {IsOn && (
            <Button variant="subtle" color="red" onClick={() => void turnOff()}>
              {words('provisioning.turnOff')}
            </Button>
          )}
          {IsOn && (
            <Button variant="default" loading={rotate.isRunning} onClick={() => void renew()}>
              {words('provisioning.rotate')}
            </Button>
          )}
          {!IsOn && <LeaveButton onClick={onClose}>{words('provisioning.cancel')}</LeaveButton>}
          <Button loading={save.isRunning} onClick={() => void store()}>
            {words(IsOn ? 'provisioning.save' : 'provisioning.turnOn')}
          </Button>
        </>
      }
    >
      <div className={classes.parts}>
        {key && (
          <NewSecret label={words('provisioning.key', { name })} secret={key}>
            <p>{words('provisioning.keyUse')}</p>
          </NewSecret>
        )}
        {IsOn && (
          <>
            <p className={classes.told}>
              {[
                words('provisioning.users', { count: provisioning.UserCount }),
                provisioning.LastUsedDate
                  ? words('provisioning.lastUsed', { date: date(provisioning.LastUsedDate) })
                  : words('provisioning.neverUsed'),
                words('provisioning.keyEnding', { ending: provisioning.Ending }),
                provisioning.PreviousUntil &&
                  words('provisioning.previousUntil', { date: date(provisioning.PreviousUntil) }),
              ]
                .filter(Boolean)
                .join(' · ')}
            </p>
            {provisioning.LastError && (
              <p className={classes.error}>
                {words('provisioning.lastError', {
                  date: date(provisioning.LastErrorDate),
                  error: provisioning.LastError,
                })}
              </p>
            )}
          </>
        )}
        <OwnAddresses addresses={[[words('provisioning.address'), `${appRoot}/scim/v2`]]} />
        {IsOn && <KeyTest ending={provisioning.Ending} made={key} />}
        <div className={classes.pair}>
          <SelectField
            name="MaxLevel"
            label={words('provisioning.maxLevel')}
            description={words('provisioning.maxLevelHint')}
            required
            options={rolesOf(connectionLevels.map(({ Id }) => Id))}
            value={String(max)}
            onChange={(level) => level && setMax(Number(level))}
          />
          <SelectField
            name="DefaultLevel"
            label={words('provisioning.defaultLevel')}
            description={words('provisioning.defaultLevelHint')}
            required
            options={below}
            value={String(Math.min(usual, max))}
            onChange={(level) => level && setUsual(Number(level))}
          />
        </div>
        <SwitchField
          name="AdoptsByEmail"
          label={words('provisioning.adopts')}
          description={words('provisioning.adoptsHint')}
          value={adopts}
          onChange={setAdopts}
        />
        {IsOn && (
          <section aria-label={words('provisioning.groups')} className={classes.groups}>
            <h3>{words('provisioning.groups')}</h3>
            <p className={classes.told}>
              {words(provisioning.Groups.length > 0 ? 'provisioning.groupsHint' : 'provisioning.noGroups')}
            </p>
            {provisioning.Groups.map((group) => (
              <div key={group.Id} className={classes.group}>
                <div>
                  <b>{group.Name}</b>
                  <span>{words('provisioning.members', { count: group.MemberCount })}</span>
                </div>
                <SelectField
                  name={`Group${group.Id}`}
                  label={words('provisioning.groupLevel', { name: group.Name })}
                  placeholder={words('provisioning.noLevel')}
                  clearable
                  options={below}
                  value={levelOf(group) === null ? null : String(levelOf(group))}
                  onChange={(level) =>
                    setLevels({ ...levels, [group.Id]: level === null ? null : Number(level) })
                  }
                />
              </div>
            ))}
          </section>
        )}
      </div>
    </Dialog>
  )
}
