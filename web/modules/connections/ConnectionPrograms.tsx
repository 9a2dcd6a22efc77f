import { IconPlus, IconRefresh, IconUnlink, IconUserShield } from '@tabler/icons-react'
import { useState } from 'react'
import {
  type ConnectedProgram,
  type Connection,
  connectionLevels,
  connectProgram,
  disconnectProgram,
  getConnection,
  listConnectedPeople,
  listConnections,
} from '#contract/connections/connections.ts'
import { levelLabel } from '#contract/core/levels.ts'
import { listPrograms, programLabel } from '#contract/programs/programs.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { ProvisioningDialog } from '#web/shared/college-connection.tsx'
import { useRoleOptions } from '#web/shared/role-options.ts'
import { attempt } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { confirm } from '#web/ui/confirm.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DisabledReason } from '#web/ui/DisabledReason.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { Grid } from '#web/ui/grid/Grid.tsx'
import { LeaveButton } from '#web/ui/LeaveButton.tsx'
import { Section } from '#web/ui/Section.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './connections.module.css'
import { RosterDialog } from './RosterDialog.tsx'

const nameOf = ({ CollegeName, ProgramName }: ConnectedProgram): string =>
  programLabel({ CollegeName, Name: ProgramName })

/** The programs that a connection reaches, each with the highest level there and its provisioning or roster. */
export function ConnectionPrograms({ connection }: { connection: Connection }) {
  const { Id: connectionId, Programs: connected } = connection
  const isLti = connection.Kind === 'lti'
  const words = useWords()
  const levelOptions = useRoleOptions(levelLabel)(connectionLevels.map(({ Id }) => Id))
  const params = { connectionId }
  const programs = useRead(listPrograms)
  const refresh = { refresh: [getConnection, listConnections, listConnectedPeople] }
  const connect = useSave(connectProgram, refresh)
  const disconnect = useSave(disconnectProgram, refresh)
  const [chosen, setChosen] = useState<string | null>(null)
  const [level, setLevel] = useState<string | null>(null)
  const [provisioned, setProvisioned] = useState<ConnectedProgram>()
  const [changed, setChanged] = useState<{ program: ConnectedProgram; level: string }>()
  const options = (programs.data ?? []).map((program) => ({
    value: String(program.Id),
    label: programLabel(program),
    ...(connected.some(({ ProgramId }) => ProgramId === program.Id) && {
      reason: words('connections.alreadyConnected'),
    }),
  }))
  const add = () =>
    attempt(async () => {
      const name = options.find(({ value }) => value === chosen)?.label ?? ''
      await connect.run({ params, body: { ProgramId: Number(chosen), AccessLevel: Number(level) } })
      setChosen(null)
      setLevel(null)
      toast.done(words('connections.connected', { name }))
    })
  const saveLevel = (of: { program: ConnectedProgram; level: string }) =>
    attempt(async () => {
      const { ProgramId } = of.program
      await connect.run({ params, body: { ProgramId, AccessLevel: Number(of.level) } })
      setChanged(undefined)
      toast.done(words('connections.levelSaved', { name: nameOf(of.program) }))
    })
  const end = async (program: ConnectedProgram) => {
    const name = nameOf(program)
    const text = words('connections.disconnectQuestion', { name, connection: connection.Name })
    if (!(await confirm({ text, verb: words('connections.disconnect'), danger: true }))) return
    await attempt(async () => {
      await disconnect.run({ params: { connectionId, programId: program.ProgramId } })
      toast.done(words('connections.disconnected', { name }))
    })
  }
  return (
    <Section title={words('connections.programsTitle')}>
      <div className={classes.choice}>
        <SelectField
          name="ProgramId"
          label={words('connections.program')}
          options={options}
          value={chosen}
          onChange={setChosen}
          clearable
        />
        <SelectField
          name="AccessLevel"
          label={words('connections.level')}
          options={levelOptions}
          value={level}
          onChange={setLevel}
          clearable
        />
        <DisabledReason reason={(!chosen || !level) && words('connections.chooseFirst')}>
          <Button
            leftSection={<IconPlus size={17} stroke={1.75} aria-hidden />}
            loading={connect.isRunning}
            onClick={() => void add()}
          >
            {words('connections.addProgram')}
          </Button>
        </DisabledReason>
      </div>
      <Grid
        id="connection-programs"
        label={words('connections.programsTitle')}
        rows={connected}
        rowKey={(row) => row.ProgramId}
        sortHere
        noColumnChoice
        empty={{ text: words('connections.chooseFirst') }}
        columns={[
          { id: 'CollegeName', header: words('connections.college'), sortable: true },
          { id: 'ProgramName', header: words('connections.program'), identity: true, sortable: true },
          {
            id: 'AccessLevel',
            header: words('connections.level'),
            width: 200,
            sortable: true,
            text: (row) => levelLabel(row.AccessLevel),
            cell: (row) => levelLabel(row.AccessLevel),
          },
        ]}
        actions={(row) => [
          {
            label: words('connections.changeLevel'),
            icon: <IconUserShield size={16} stroke={1.75} />,
            quick: true,
            onRun: () => setChanged({ program: row, level: String(row.AccessLevel) }),
          },
          // No roster before the LMS is connected.
          ...(connection.Stage === 'on'
            ? [
                {
                  label: words(isLti ? 'lti.roster' : 'provisioning.title'),
                  icon: <IconRefresh size={16} stroke={1.75} />,
                  quick: true,
                  onRun: () => setProvisioned(row),
                },
              ]
            : []),
          {
            label: words('connections.disconnect'),
            icon: <IconUnlink size={16} stroke={1.75} />,
            tone: 'danger',
            reason: connected.length < 2 && words('connections.lastProgram'),
            onRun: () => void end(row),
          },
        ]}
      />
      {provisioned && isLti && (
        <RosterDialog
          connection={connection}
          programId={provisioned.ProgramId}
          name={nameOf(provisioned)}
          onClose={() => setProvisioned(undefined)}
        />
      )}
      {provisioned && !isLti && (
        <ProvisioningDialog
          connectionId={connectionId}
          programId={provisioned.ProgramId}
          name={nameOf(provisioned)}
          onClose={() => setProvisioned(undefined)}
        />
      )}
      {changed && (
        <Dialog
          opened
          onClose={() => setChanged(undefined)}
          title={words('connections.levelTitle', { name: nameOf(changed.program) })}
          actions={
            <>
              <LeaveButton onClick={() => setChanged(undefined)} />
              <Button loading={connect.isRunning} onClick={() => void saveLevel(changed)}>
                {words('connections.save')}
              </Button>
            </>
          }
        >
          <SelectField
            name="NewLevel"
            label={words('connections.level')}
            description={words('connections.levelHint')}
            required
            options={levelOptions}
            value={changed.level}
            onChange={(next) => next && setChanged({ ...changed, level: next })}
          />
        </Dialog>
      )}
    </Section>
  )
}
