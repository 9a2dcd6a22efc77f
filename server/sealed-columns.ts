import { firstCodeContext } from '#server/core/auth/first-account.ts'
import { webhookContext } from '#server/core/auth/seal.ts'
import { answerContext } from '#server/core/http/idempotency.ts'
import { signingKeyContext } from './modules/clinical-records/signing.commands.ts'
import { supervisionContext } from './modules/competencies/supervision.queries.ts'
import { evaluationLinkContext } from './modules/evaluations/links.queries.ts'
import { totpContext } from './modules/identity/authenticator.rules.ts'
import { ltiKeyContext } from './modules/identity/lti.service.ts'
import { secretContext, verifierContext } from './modules/identity/openid.service.ts'
import { samlKeyContext } from './modules/identity/saml-key.service.ts'
import { pushContext } from './modules/push/installation.queries.ts'

/** A column of texts that are sealed under `SECRET_KEY`, and for what each of them is. */
export interface SealedColumn {
  table: string
  column: string
  /** Columns that say whose it is, in the order in which `context` takes them. */
  of: readonly string[]
  context: (...values: string[]) => string
  /** The column is `jsonb`, and sealed where it is a text that begins as sealed ones do. */
  isJson?: true
}

const numbers = (...values: string[]): [number, number] => [Number(values[0]), Number(values[1])]

/** Everything in the database that opens with `SECRET_KEY` alone. What is new here is resealed by `npm run admin -- rotate-secret`. */
export const sealedColumns: readonly SealedColumn[] = [
  ...['secret', 'previous_secret'].map((column) => ({
    table: 'webhook_endpoint',
    column,
    of: ['program_id', 'id'],
    context: (...values: string[]) => webhookContext(...numbers(...values)),
  })),
  { table: 'account', column: 'totp_secret', of: ['id'], context: (id) => totpContext(Number(id)) },
  { table: 'session', column: 'totp_draft', of: ['account_id'], context: (id) => totpContext(Number(id)) },
  { table: 'saml_provider', column: 'client_secret', of: ['id'], context: (id) => secretContext(Number(id)) },
  { table: 'saml_request', column: 'verifier', of: ['id'], context: verifierContext },
  { table: 'saml_key', column: 'sealed_private', of: [], context: () => samlKeyContext },
  { table: 'first_code', column: 'sealed', of: [], context: () => firstCodeContext },
  { table: 'lti_key', column: 'sealed_private', of: ['kid'], context: ltiKeyContext },
  { table: 'signing_key', column: 'sealed_private', of: ['kid'], context: signingKeyContext },
  { table: 'push_service', column: 'private_key', of: ['public_key'], context: pushContext },
  {
    table: 'evaluation_link',
    column: 'sealed_token',
    of: ['program_id', 'evaluation_id'],
    context: (...values) => evaluationLinkContext(...numbers(...values)),
  },
  {
    table: 'supervision_link',
    column: 'sealed_token',
    of: ['program_id', 'site_id', 'student_id'],
    context: (programId, siteId, studentId) =>
      supervisionContext({
        programId: Number(programId),
        siteId: siteId === null ? null : Number(siteId),
        studentId: studentId === null ? null : Number(studentId),
      }),
  },
  {
    table: 'idempotency_key',
    column: 'answer',
    of: ['account_id', 'key'],
    context: (accountId, key) => answerContext(Number(accountId), key),
    isJson: true,
  },
]
