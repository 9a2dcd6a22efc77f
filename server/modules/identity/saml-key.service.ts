import { createPrivateKey, createPublicKey, generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { makeCertificate } from '#server/core/auth/certificates.ts'
import { seal, unseal } from '#server/core/auth/seal.ts'
import { transaction } from '#server/core/database/pool.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { nobody } from './college-answers.service.ts'

const context = 'saml key'

/** By what this installation signs requests to sign out, and the certificate that providers read in. The first asking makes it. */
export const samlKeyOf = async (services: Services): Promise<{ privateKey: string; certificate: string }> => {
  const { secretKey } = services.config
  const read = () =>
    transaction(services.transactions, nobody, (db) =>
      db.selectFrom('saml_key').select(['sealed_private', 'certificate']).executeTakeFirst(),
    )
  const opened = ({ sealed_private, certificate }: { sealed_private: string; certificate: string }) => ({
    privateKey: unseal(secretKey, context, sealed_private),
    certificate,
  })
  const known = await read()
  if (known) return opened(known)
  const { privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  const key = createPrivateKey(privateKey)
  const row = {
    sealed_private: seal(secretKey, context, privateKey),
    certificate: makeCertificate({ privateKey: key, publicKey: createPublicKey(key) }),
  }
  // Of two that make one at the same time the first counts.
  await transaction(services.transactions, nobody, (db) =>
    db
      .insertInto('saml_key')
      .values(row)
      .onConflict((taken) => taken.doNothing())
      .execute(),
  )
  return opened((await read()) ?? row)
}
