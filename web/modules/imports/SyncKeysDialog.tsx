import { useState } from 'react'
import { createSyncKey, listSyncKeys, revokeSyncKey, type SyncKey } from '#contract/imports/sync.ts'
import { callAddress } from '#web/api/call.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useTimeZone } from '#web/api/use-state.ts'
import { NewSecret, SecretUse } from '#web/shared/NewSecret.tsx'
import { Button } from '#web/ui/buttons.ts'
import { confirm } from '#web/ui/confirm.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { formatInstant } from '#web/ui/dates.ts'
import { TextInput } from '#web/ui/inputs.ts'
import { LeaveButton } from '#web/ui/LeaveButton.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './sync.module.css'

/** The keys by which other systems send rows: made, shown once, revoked. */
export function SyncKeysDialog({ programId, onClose }: { programId: number; onClose: () => void }) {
  const words = useWords()
  const zone = useTimeZone()
  const at = { params: { programId } }
  const keys = useRead(listSyncKeys, at)
  const refresh = { refresh: [listSyncKeys] }
  const create = useSave(createSyncKey, refresh)
  const revoke = useSave(revokeSyncKey, refresh)
  const [name, setName] = useState('')
  const [error, setError] = useState<string>()
  const [made, setMade] = useState<{ Name: string; Key: string }>()

  const make = async () => {
    try {
      setMade(await create.run({ ...at, body: { Name: name } }))
      setName('')
      setError(undefined)
    } catch (failure) {
      setError((failure as Error).message)
    }
  }
  const end = async ({ Id, Name }: SyncKey) => {
    const isSure = await confirm({
      text: words('sync.revokeQuestion', { name: Name }),
      verb: words('sync.revoke'),
      danger: true,
    })
    if (!isSure) return
    try {
      await revoke.run({ params: { programId, keyId: Id } })
      if (made?.Name === Name) setMade(undefined)
      toast.done(words('sync.revoked', { name: Name }))
    } catch (failure) {
      toast.error((failure as Error).message)
    }
  }
  const address = new URL(callAddress(listSyncKeys, at), globalThis.location.href).href.replace(
    /\/programs\/.*$/,
    '/v1/sync/students',
  )
  return (
    <Dialog
      opened
      onClose={onClose}
      width={640}
      title={words('sync.keysTitle')}
      subtitle={words('sync.keysPurpose')}
      actions={<LeaveButton onClick={onClose}>{words('sync.close')}</LeaveButton>}
    >
      <form
        className={classes.make}
        onSubmit={(event) => {
          event.preventDefault()
          void make()
        }}
      >
        <TextInput
          label={words('sync.keyName')}
          placeholder={words('sync.keyExample')}
          value={name}
          maxLength={100}
          required
          withAsterisk={false}
          error={error}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" loading={create.isRunning}>
          {words('sync.makeKey')}
        </Button>
      </form>
      {made && (
        <NewSecret label={words('sync.keyMade', { name: made.Name })} secret={made.Key}>
          <SecretUse
            text={words('sync.keyUse')}
            lines={`POST ${address}\nAuthorization: Bearer ${made.Key.slice(0, 8)}…\n\n{"Rows": [{"FirstName": "Ada", "LastName": "Lind", "EmailAddress": "ada@example.org"}]}`}
          />
        </NewSecret>
      )}
      {keys.error && (
        <PageMessage
          kind="error"
          text={words('sync.keysFailed', { reason: keys.error.message })}
          onRetry={() => void keys.refetch()}
        />
      )}
      {keys.data?.length === 0 && <p className={classes.quiet}>{words('sync.keysEmpty')}</p>}
      {keys.data && keys.data.length > 0 && (
        <ul className={classes.keys}>
          {keys.data.map((key) => (
            <li key={key.Id}>
              <div>
                <b>{key.Name}</b>
                <span>
                  {words('sync.keyLine', {
                    ending: key.Ending,
                    name: key.CreateBy,
                    date: formatInstant(key.CreateDate, zone),
                  })}
                  {' · '}
                  {key.LastUsedDate
                    ? words('sync.keyUsed', { date: formatInstant(key.LastUsedDate, zone) })
                    : words('sync.keyUnused')}
                </span>
              </div>
              <Button
                variant="default"
                size="xs"
                aria-label={words('sync.revokeNamed', { name: key.Name })}
                onClick={() => void end(key)}
              >
                {words('sync.revoke')}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
