import { createPrivateKey, createPublicKey, generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { makeCertificate } from '#server/core/auth/certificates.ts'
import { seal, unseal } from '#server/core/auth/seal.ts'
import { transaction } from '#server/core/database/pool.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { addSamlKey } from '../saml/providers.commands.ts'
import { nobody } from './college-answers.service.ts'
import type { Signer } from './college-logout.rules.ts'

/** What the private key is sealed for. */
export const samlKeyContext = 'saml key'

interface Kept {
  sealed_private: string
  certificate: string
}

/** The first asking makes it. */
const keptKey = async (services: Services): Promise<Kept> => {
  const read = () =>
    transaction(services.transactions, nobody, (db) =>
      db.selectFrom('saml_key').select(['sealed_private', 'certificate']).executeTakeFirst(),
    )
  const known = await read()
  if (known) return known
  const { privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  const key = createPrivateKey(privateKey)
  const row = {
    sealed_private: seal(services.config.secretKey, samlKeyContext, privateKey),
    certificate: makeCertificate({ privateKey: key, publicKey: createPublicKey(key) }),
  }
  // Of two that make one at the same time the first counts.
  await transaction(services.transactions, nobody, (db) => addSamlKey(db, row))
  return (await read()) ?? row
}

/** The certificate that providers read in, to prove requests to sign out. */
export const samlCertificateOf = async (services: Services): Promise<string> =>
  (await keptKey(services)).certificate

/** By what this installation signs requests to sign out. */
export const samlSignerOf = async (services: Services): Promise<Signer> => ({
  privateKey: unseal(services.config.secretKey, samlKeyContext, (await keptKey(services)).sealed_private),
})
