import { IconPlus, IconRefresh, IconUnlink } from '@tabler/icons-react'
import { useState } from 'react'
import { listPrograms, programLabel } from '#contract/programs/programs.ts'
import {
  getSamlProvider,
  linkSamlProgram,
  listSamlProviders,
  listSamlUsers,
  noLevelGranted,
  type SamlProgram,
  unlinkSamlProgram,
} from '#contract/saml/saml.ts'
import { useParams } from '#web/api/place.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { ProvisioningDialog } from '#web/shared/college-connection.tsx'
import { PageLink } from '#web/shell/PageLink.tsx'
import { PageProblem } from '#web/shell/PageProblem.tsx'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { Button } from '#web/ui/buttons.ts'
import { confirm } from '#web/ui/confirm.ts'
import { DisabledReason } from '#web/ui/DisabledReason.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { Grid } from '#web/ui/grid/Grid.tsx'
import { Page } from '#web/ui/Page.tsx'
import { toast, useToastSettings } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './saml.module.css'
import { samlToasts, showFailure } from './saml-toasts.ts'

const nameOf = ({ CollegeName, ProgramName }: SamlProgram): string =>
  programLabel({ CollegeName, Name: ProgramName })

/** The programs whose people a provider signs in. */
export function SamlLinkPage() {
  const samlId = Number(useParams().samlId)
  const words = useWords()
  useToastSettings(samlToasts)
  const provider = useRead(
    getSamlProvider,
    { params: { samlId } },
    { isEnabled: samlId > 0, keepsLast: false },
  )
  const programs = useRead(listPrograms)
  const refresh = { refresh: [getSamlProvider, listSamlProviders, listSamlUsers] }
  const link = useSave(linkSamlProgram, refresh)
  const unlink = useSave(unlinkSamlProgram, refresh)
  const [provisioned, setProvisioned] = useState<SamlProgram>()
  const [chosen, setChosen] = useState<string | null>(null)
  if (!(samlId > 0)) return <PageProblem kind="not-found" />
  if (provider.error) return <ReadProblem read={provider} />
  const linked = provider.data?.Programs
  const options = (programs.data ?? []).map((program) => ({
    value: String(program.Id),
    label: programLabel(program),
    ...(linked?.some(({ ProgramId }) => ProgramId === program.Id) && { reason: words('saml.alreadyLinked') }),
  }))
  const add = async () => {
    const name = options.find(({ value }) => value === chosen)?.label ?? ''
    try {
      await link.run({
        params: { samlId },
        body: { ProgramId: Number(chosen), AccessLevel: noLevelGranted },
      })
      setChosen(null)
      toast.done(words('saml.linked', { name }))
    } catch (error) {
      showFailure(error, words('saml.linkFailed'))
    }
  }
  const remove = async (program: SamlProgram) => {
    const name = nameOf(program)
    const isSure = await confirm({
      text: words('saml.unlinkQuestion', { name, provider: provider.data?.Name ?? '' }),
      verb: words('saml.unlink'),
      danger: true,
    })
    if (!isSure) return
    try {
      await unlink.run({ params: { samlId, programId: program.ProgramId } })
      toast.done(words('saml.unlinked', { name }))
    } catch (error) {
      showFailure(error, words('saml.unlinkFailed'))
    }
  }
  return (
    <Page
      title={words('saml.linkTitle')}
      count={linked && words('saml.linkedCount', { count: linked.length })}
      breadcrumb={
        <>
          <PageLink href="/new/admin/saml/admin">{words('saml.title')}</PageLink>
          {provider.data && (
            <>
              {' / '}
              <PageLink href={`/new/admin/saml/admin/${samlId}`}>{provider.data.Name}</PageLink>
            </>
          )}
        </>
      }
      above={
        <div className={classes.choice}>
          <SelectField
            name="ProgramId"
            label={words('saml.program')}
            options={options}
            value={chosen}
            onChange={setChosen}
            clearable
          />
          <DisabledReason reason={!chosen && words('saml.chooseFirst')}>
            <Button
              leftSection={<IconPlus size={17} stroke={1.75} aria-hidden />}
              loading={link.isRunning}
              onClick={() => void add()}
            >
              {words('saml.addLink')}
            </Button>
          </DisabledReason>
        </div>
      }
    >
      <Grid
        id="saml-programs"
        label={words('saml.linkTitle')}
        rows={linked}
        rowKey={(row) => row.ProgramId}
        sortHere
        noColumnChoice
        isLoading={provider.isFetching}
        empty={{ text: words('saml.noPrograms') }}
        columns={[
          { id: 'CollegeName', header: words('saml.college'), sortable: true },
          { id: 'ProgramName', header: words('saml.program'), identity: true, sortable: true },
          { id: 'AccessLevelVerbose', header: words('saml.level'), width: 180, sortable: true },
        ]}
        actions={(row) => [
          {
            label: words('provisioning.title'),
            icon: <IconRefresh size={16} stroke={1.75} />,
            quick: true,
            onRun: () => setProvisioned(row),
          },
          {
            label: words('saml.unlink'),
            icon: <IconUnlink size={16} stroke={1.75} />,
            quick: true,
            tone: 'danger',
            reason: (linked?.length ?? 0) < 2 && words('saml.lastProgram'),
            onRun: () => void remove(row),
          },
        ]}
      />
      {provisioned && (
        <ProvisioningDialog
          connectionId={samlId}
          programId={provisioned.ProgramId}
          name={nameOf(provisioned)}
          onClose={() => setProvisioned(undefined)}
        />
      )}
    </Page>
  )
}
