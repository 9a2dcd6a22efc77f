import { IconBan, IconBraces, IconPlus, IconRotate } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { type ApiKey, listApiKeys, revokeApiKey } from '#contract/keys/keys.ts'
import { pageAddress } from '#web/api/root.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useProgramId, useTimeZone } from '#web/api/use-state.ts'
import { attempt } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { confirm } from '#web/ui/confirm.ts'
import { dateOfInstant, formatDate, formatInstant } from '#web/ui/dates.ts'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Page } from '#web/ui/Page.tsx'
import { type Status, StatusTag } from '#web/ui/StatusTag.tsx'
import { toast } from '#web/ui/toast.tsx'
import type { WordKey } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import { KeyDialog } from './KeyDialog.tsx'
import { RotateDialog } from './RotateDialog.tsx'
import { rightName } from './right-words.ts'

const states: Record<ApiKey['State'], { status: Status; word: WordKey }> = {
  active: { status: 'approved', word: 'keys.active' },
  expired: { status: 'rejected', word: 'keys.expired' },
  ended: { status: 'rejected', word: 'keys.ended' },
}

const refusals = {
  network: 'keys.refusedNetwork',
  expired: 'keys.refusedExpired',
  owner: 'keys.refusedOwner',
} as const

/** API Keys: what other systems call with, which rights each has, from where, until when, and when it was used last. */
export function ApiKeysPage() {
  const words = useWords()
  const zone = useTimeZone()
  const programId = useProgramId()
  const keys = useRead(listApiKeys, { params: { programId } })
  const revoke = useSave(revokeApiKey, { refresh: [listApiKeys] })
  const [isMaking, setMaking] = useState(false)
  const [rotating, setRotating] = useState<ApiKey>()

  const columns = useMemo((): GridColumn<ApiKey>[] => {
    const refusal = ({ RefusedDate, RefusedAddress, RefusedReason }: ApiKey) =>
      RefusedReason &&
      words(refusals[RefusedReason], {
        address: RefusedAddress ?? '',
        date: formatInstant(RefusedDate, zone),
      })
    const namesOf = (rights: readonly string[]) => rights.map((right) => rightName(words, right)).join(', ')
    return [
      {
        id: 'Name',
        header: words('keys.name'),
        identity: true,
        minWidth: 160,
        grow: 2,
        detail: (key) =>
          [words('keys.ending', { ending: key.Ending }), key.IsForAllPrograms && words('keys.allPrograms')]
            .filter(Boolean)
            .join(' · '),
      },
      {
        id: 'State',
        header: words('keys.state'),
        width: 130,
        text: (key) => refusal(key) ?? words(states[key.State].word),
        cell: (key) => (
          <StatusTag status={states[key.State].status}>{words(states[key.State].word)}</StatusTag>
        ),
      },
      {
        id: 'Rights',
        header: words('keys.rights'),
        minWidth: 150,
        grow: 2,
        text: ({ Rights, LostRights, CreateBy }) =>
          LostRights.length > 0
            ? words('keys.lostDetail', { name: CreateBy, rights: namesOf(LostRights) })
            : namesOf(Rights),
        cell: ({ Rights }) => namesOf(Rights),
        detail: ({ Rights, LostRights }) =>
          LostRights.length > 0
            ? words('keys.lost', { count: LostRights.length })
            : words('keys.rightsCount', { count: Rights.length }),
      },
      {
        id: 'Networks',
        header: words('keys.networks'),
        minWidth: 130,
        cell: ({ Networks }) => Networks.join(', ') || words('keys.anywhere'),
        text: ({ Networks }) => Networks.join(', ') || words('keys.anywhere'),
      },
      {
        id: 'ExpireDate',
        header: words('keys.expiry'),
        width: 112,
        text: ({ ExpireDate }) => (ExpireDate ? formatInstant(ExpireDate, zone) : words('keys.never')),
        cell: ({ ExpireDate }) =>
          ExpireDate ? formatDate(dateOfInstant(ExpireDate, zone)) : words('keys.never'),
      },
      {
        id: 'LastUsedDate',
        header: words('keys.lastUsed'),
        width: 145,
        text: ({ LastUsedDate }) => (LastUsedDate ? formatInstant(LastUsedDate, zone) : words('keys.unused')),
        cell: ({ LastUsedDate }) => (LastUsedDate ? formatInstant(LastUsedDate, zone) : words('keys.unused')),
        detail: ({ LastUsedAddress }) =>
          LastUsedAddress && words('keys.usedFrom', { address: LastUsedAddress }),
      },
      {
        id: 'CreateBy',
        header: words('keys.createdBy'),
        width: 140,
        detail: ({ CreateDate }) => formatInstant(CreateDate, zone),
      },
      { id: 'CallsPerMinute', header: words('keys.limit'), width: 130, align: 'end', hidden: true },
    ]
  }, [words, zone])

  const end = async ({ Id, Name }: ApiKey) => {
    const isSure = await confirm({
      text: words('keys.revokeQuestion', { name: Name }),
      verb: words('keys.revoke'),
      danger: true,
    })
    if (!isSure) return
    await attempt(async () => {
      await revoke.run({ params: { programId, keyId: Id } })
      toast.done(words('keys.revoked', { name: Name }))
    })
  }
  const makeNew = (
    <Button leftSection={<IconPlus size={17} stroke={1.75} aria-hidden />} onClick={() => setMaking(true)}>
      {words('keys.make')}
    </Button>
  )
  return (
    <Page
      title={words('keys.title')}
      count={keys.data && words('keys.count', { count: keys.data.length })}
      actions={
        <>
          <Button
            variant="default"
            component="a"
            href={pageAddress('/api/docs')}
            leftSection={<IconBraces size={17} stroke={1.75} aria-hidden />}
          >
            {words('keys.apiPage')}
          </Button>
          {makeNew}
        </>
      }
    >
      <Grid
        id="api-keys"
        label={words('keys.title')}
        columns={columns}
        {...fromList(keys)}
        rowKey={({ Id }) => Id}
        error={keys.error && words('keys.loadFailed', { reason: keys.error.message })}
        warning={({ RefusedDate, RefusedAddress, RefusedReason }) =>
          RefusedReason !== null &&
          words(refusals[RefusedReason], {
            address: RefusedAddress ?? '',
            date: formatInstant(RefusedDate, zone),
          })
        }
        actions={(key) => [
          {
            label: words('keys.rotate'),
            icon: <IconRotate size={16} stroke={1.75} />,
            quick: true,
            onRun: () => setRotating(key),
          },
          {
            label: words('keys.revoke'),
            icon: <IconBan size={16} stroke={1.75} />,
            quick: true,
            tone: 'danger',
            onRun: () => void end(key),
          },
        ]}
        empty={{ text: words('keys.empty'), next: makeNew }}
      />
      {isMaking && <KeyDialog onClose={() => setMaking(false)} />}
      {rotating && <RotateDialog apiKey={rotating} onClose={() => setRotating(undefined)} />}
    </Page>
  )
}
