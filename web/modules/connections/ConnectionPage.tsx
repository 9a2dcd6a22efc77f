import {
  type Connection,
  createConnection,
  getConnection,
  listConnections,
  subjectClaims,
  updateConnection,
} from '#contract/connections/connections.ts'
import { useParams } from '#web/api/place.ts'
import { pageAddress } from '#web/api/root.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { OwnAddresses } from '#web/shared/college-connection.tsx'
import { PageProblem } from '#web/shell/PageProblem.tsx'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { CheckField } from '#web/ui/form/CheckField.tsx'
import { FormSection, FullWidth } from '#web/ui/form/Form.tsx'
import { required } from '#web/ui/form/rules.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { useWords } from '#web/words/use-words.ts'
import { AccessSection } from './AccessSection.tsx'
import { ConnectionFrame } from './ConnectionFrame.tsx'
import { LmsForm } from './LmsForm.tsx'
import { ClientIdField, IssuerField, NameField } from './name-fields.tsx'
import { RegistrationForm } from './RegistrationForm.tsx'
import { RegistrationPage } from './RegistrationPage.tsx'

/** The form of a connection, new or there, by its kind. */
export function ConnectionPage() {
  const { connectionId: given } = useParams()
  const isNew = given === 'new' || given === 'new-lms' || given === 'register'
  const connectionId = isNew ? 0 : Number(given)
  const connection = useRead(
    getConnection,
    { params: { connectionId } },
    { isEnabled: connectionId > 0, keepsLast: false },
  )
  if (connection.error) return <ReadProblem read={connection} />
  if (!isNew && !(connectionId > 0)) return <PageProblem kind="not-found" />
  if (connectionId > 0 && !connection.data) return null
  if (given === 'register') return <RegistrationForm />
  if (connection.data?.Stage === 'awaits_lms') return <RegistrationPage connection={connection.data} />
  if (given === 'new-lms' || connection.data?.Kind === 'lti')
    return <LmsForm key={given} connection={connection.data} />
  return <ConnectionForm key={connectionId} connection={connection.data} />
}

function ConnectionForm({ connection }: { connection: Connection | undefined }) {
  const words = useWords()
  const refresh = { refresh: [listConnections, getConnection] }
  const create = useSave(createConnection, refresh)
  const update = useSave(updateConnection, refresh)
  const form = useEditForm({
    initialValues: {
      Name: connection?.Name ?? '',
      Issuer: connection?.Issuer ?? '',
      ClientId: connection?.ClientId ?? '',
      ClientSecret: '',
      RemoveSecret: false,
      HasOwnAnswer: connection?.HasOwnAnswer ?? true,
      SubjectClaim: (connection?.SubjectClaim ?? 'sub') as string | null,
      ProgramId: null as string | null,
      AccessLevel: null as string | null,
    },
    rules: {
      Name: required(),
      Issuer: required(),
      ClientId: required(),
      SubjectClaim: required(),
      ...(!connection && { ProgramId: required(), AccessLevel: required() }),
    },
    save: async ({ Name, Issuer, ClientId, ClientSecret, RemoveSecret, HasOwnAnswer, ...values }) => {
      const SubjectClaim = subjectClaims.find((claim) => claim === values.SubjectClaim) ?? 'sub'
      const body = { Name, ClientId, ClientSecret, SubjectClaim }
      if (connection)
        await update.run(
          { params: { connectionId: connection.Id }, body: { ...body, RemoveSecret, HasOwnAnswer } },
          { basedOn: connection },
        )
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
  return (
    <ConnectionFrame connection={connection} newTitle={words('connections.newTitle')} form={form}>
      <FormSection name={words('connections.section')} purpose={words('connections.purpose')}>
        <NameField hint={words('connections.nameHint')} {...form.field('Name')} />
        <FullWidth>
          <IssuerField
            hint={words('connections.issuerHint')}
            isFixed={connection !== undefined}
            {...form.field('Issuer')}
          />
        </FullWidth>
        <ClientIdField {...form.field('ClientId')} />
        <TextField
          label={words('connections.clientSecret')}
          type="password"
          autoComplete="off"
          description={words(connection?.HasSecret ? 'connections.secretKept' : 'connections.secretNone')}
          maxLength={1000}
          {...form.field('ClientSecret')}
        />
        <SelectField
          label={words('connections.subjectClaim')}
          required
          options={subjectClaims.map((claim) => ({
            value: claim,
            label: words(`connections.claim.${claim}`),
          }))}
          {...form.field('SubjectClaim')}
        />
        {connection?.HasSecret && (
          <CheckField label={words('connections.removeSecret')} {...form.field('RemoveSecret')} />
        )}
      </FormSection>
      {!connection && <AccessSection program={form.field('ProgramId')} level={form.field('AccessLevel')} />}
      <FormSection name={words('connections.ownSection')} purpose={words('connections.ownPurpose')}>
        <FullWidth>
          <OwnAddresses
            warning={location.protocol === 'https:' ? undefined : words('connections.insecure')}
            addresses={[
              ...(connection
                ? ([
                    [words('connections.redirectAddress'), pageAddress(`oidc/${connection.Id}/answer`)],
                    [words('connections.signInAddress'), pageAddress(`oidc/${connection.Id}/login`)],
                  ] as const)
                : []),
            ]}
          />
        </FullWidth>
        {!connection && <p>{words('connections.redirectLater')}</p>}
        {connection && !connection.HasOwnAnswer && (
          <CheckField
            label={words('connections.ownAnswer')}
            description={words('connections.ownAnswerHint', { address: pageAddress('oidc/answer') })}
            {...form.field('HasOwnAnswer')}
          />
        )}
      </FormSection>
    </ConnectionFrame>
  )
}
