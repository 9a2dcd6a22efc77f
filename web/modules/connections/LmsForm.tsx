import {
  type Connection,
  connectionLevels,
  getConnection,
  listConnections,
} from '#contract/connections/connections.ts'
import { createLtiConnection, updateLtiConnection } from '#contract/connections/lti.ts'
import { type LtiRole, ltiRoles, usualRoleLevels } from '#contract/connections/lti-rules.ts'
import { levelLabel } from '#contract/core/levels.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { pageAddress } from '#web/api/root.ts'
import { useSave } from '#web/api/use-call.ts'
import { OwnAddresses } from '#web/shared/college-connection.tsx'
import { useRoleOptions } from '#web/shared/role-options.ts'
import { Button } from '#web/ui/buttons.ts'
import { FormSection, FullWidth } from '#web/ui/form/Form.tsx'
import { required } from '#web/ui/form/rules.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextAreaField } from '#web/ui/form/TextAreaField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { useWords } from '#web/words/use-words.ts'
import { AccessSection } from './AccessSection.tsx'
import { ConnectionFrame } from './ConnectionFrame.tsx'
import classes from './connections.module.css'
import { ClientIdField, IssuerField, NameField } from './name-fields.tsx'
import { useTurnOn } from './use-turn-on.ts'

type RoleField = `Role${LtiRole}`

/** The level of each role as fields of the form; null where it gives none. */
const roleFields = (connection: Connection | undefined): Record<RoleField, string | null> => {
  const given = connection?.Lti
    ? Object.fromEntries(connection.Lti.RoleLevels.map(({ Role, Level }) => [Role, Level]))
    : usualRoleLevels
  const of = (role: LtiRole) => (given[role] === undefined ? null : String(given[role]))
  return {
    RoleLearner: of('Learner'),
    RoleInstructor: of('Instructor'),
    RoleTeachingAssistant: of('TeachingAssistant'),
    RoleContentDeveloper: of('ContentDeveloper'),
    RoleMentor: of('Mentor'),
    RoleAdministrator: of('Administrator'),
  }
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** The form of a learning management system, new or there, with what its administrator enters. */
export function LmsForm({ connection }: { connection: Connection | undefined }) {
  const words = useWords()
  const refresh = { refresh: [listConnections, getConnection] }
  const create = useSave(createLtiConnection, refresh)
  const update = useSave(updateLtiConnection, refresh)
  const navigate = usePageNavigate()
  const turnOn = useTurnOn()
  const { Lti } = connection ?? {}
  const form = useEditForm({
    initialValues: {
      Name: connection?.Name ?? '',
      Issuer: connection?.Issuer ?? '',
      ClientId: connection?.ClientId ?? '',
      AuthUrl: Lti?.AuthUrl ?? '',
      KeysUrl: Lti?.KeysUrl ?? '',
      TokenUrl: Lti?.TokenUrl ?? '',
      TokenAudience: Lti?.TokenAudience ?? '',
      Deployments: (Lti?.Deployments ?? []).join('\n'),
      ...roleFields(connection),
      ProgramId: null as string | null,
      AccessLevel: null as string | null,
    },
    rules: {
      Name: required(),
      Issuer: required(),
      ClientId: required(),
      AuthUrl: required(),
      KeysUrl: required(),
      ...(!connection && { ProgramId: required(), AccessLevel: required() }),
    },
    save: async ({ Name, Issuer, ClientId, AuthUrl, KeysUrl, TokenUrl, TokenAudience, ...values }) => {
      const body = {
        Name,
        ClientId,
        AuthUrl,
        KeysUrl,
        TokenUrl,
        TokenAudience,
        Deployments: linesOf(values.Deployments),
        RoleLevels: ltiRoles.flatMap((Role) => {
          const level = values[`Role${Role}`]
          return level === null ? [] : [{ Role, Level: Number(level) }]
        }),
      }
      if (connection)
        await update.run({ params: { connectionId: connection.Id }, body }, { basedOn: connection })
      else
        await create.run({
          body: {
            ...body,
            Issuer,
            ProgramId: Number(values.ProgramId),
            AccessLevel: Number(values.AccessLevel),
          },
        })
    },
  })
  const levelOptions = useRoleOptions(levelLabel)(connectionLevels.map(({ Id }) => Id))
  return (
    <ConnectionFrame connection={connection} newTitle={words('lti.newTitle')} form={form}>
      {!connection && (
        <FormSection name={words('lti.registration.section')} purpose={words('lti.registration.offer')}>
          <FullWidth>
            <Button variant="default" onClick={() => navigate('/admin/connections/register')}>
              {words('lti.registration.make')}
            </Button>
          </FullWidth>
        </FormSection>
      )}
      {connection?.Stage === 'awaits_approval' && (
        <FormSection name={words('connections.state')} purpose={words('lti.registration.review')}>
          <FullWidth>
            <div className={classes.registration}>
              <StatusTag status="careful">{words('connections.awaits_approval')}</StatusTag>
              {connection.Lti?.Deployments.length === 0 && <p>{words('lti.registration.noDeployment')}</p>}
              <Button onClick={() => void turnOn(connection)}>{words('lti.registration.turnOn')}</Button>
            </div>
          </FullWidth>
        </FormSection>
      )}
      <FormSection name={words('lti.ownSection')} purpose={words('lti.ownPurpose')}>
        <FullWidth>
          <OwnAddresses
            warning={location.protocol === 'https:' ? undefined : words('lti.insecure')}
            addresses={[
              [words('lti.loginAddress'), pageAddress('lti/login')],
              [words('lti.launchAddress'), pageAddress('lti/launch')],
              [words('lti.keysAddress'), pageAddress('lti/jwks')],
              [words('lti.canvasAddress'), pageAddress('lti/canvas.json')],
            ]}
          />
        </FullWidth>
      </FormSection>
      <FormSection name={words('lti.section')} purpose={words('lti.purpose')}>
        <NameField hint={words('lti.nameHint')} {...form.field('Name')} />
        <IssuerField
          hint={words('lti.issuerHint')}
          isFixed={connection !== undefined}
          {...form.field('Issuer')}
        />
        <ClientIdField {...form.field('ClientId')} />
        <TextField
          label={words('lti.authUrl')}
          description={words('lti.authUrlHint')}
          type="url"
          required
          maxLength={2000}
          {...form.field('AuthUrl')}
        />
        <TextField
          label={words('lti.keysUrl')}
          description={words('lti.keysUrlHint')}
          type="url"
          required
          maxLength={2000}
          {...form.field('KeysUrl')}
        />
        <TextField
          label={words('lti.tokenUrl')}
          description={words('lti.tokenUrlHint')}
          type="url"
          maxLength={2000}
          {...form.field('TokenUrl')}
        />
        <TextField
          label={words('lti.tokenAudience')}
          description={words('lti.tokenAudienceHint')}
          maxLength={2000}
          {...form.field('TokenAudience')}
        />
        <FullWidth>
          <TextAreaField
            label={words('lti.deployments')}
            description={words('lti.deploymentsHint')}
            {...form.field('Deployments')}
          />
        </FullWidth>
      </FormSection>
      {!connection && <AccessSection program={form.field('ProgramId')} level={form.field('AccessLevel')} />}
      <FormSection name={words('lti.rolesSection')} purpose={words('lti.rolesPurpose')}>
        {ltiRoles.map((role) => (
          <SelectField
            key={role}
            label={words(`lti.role.${role}`)}
            placeholder={words('lti.noLevel')}
            clearable
            options={levelOptions}
            {...form.field(`Role${role}`)}
          />
        ))}
      </FormSection>
    </ConnectionFrame>
  )
}
