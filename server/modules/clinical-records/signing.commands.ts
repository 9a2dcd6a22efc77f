import type { JWK } from 'jose'
import { sql } from 'kysely'
import { seal, unseal } from '#server/core/auth/seal.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { Services } from '#server/core/runtime/services.ts'

/** RSA with SHA-256: what every verifier of Open Badges must know. */
const alg = 'RS256'

/** Whose private key is sealed. */
export const signingKeyContext = (kid: string): string => `signing-key:${kid}`

/** A new pair of keys of a college, the private one sealed. */
export const newSigningKey = async (
  secretKey: string,
): Promise<{ kid: string; publicJwk: JWK; sealedPrivate: string }> => {
  const { calculateJwkThumbprint, exportJWK, exportPKCS8, generateKeyPair } = await import('jose')
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true, modulusLength: 2048 })
  const jwk = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(jwk)
  return {
    kid,
    publicJwk: { ...jwk, alg, use: 'sig' },
    sealedPrivate: seal(secretKey, signingKeyContext(kid), await exportPKCS8(privateKey)),
  }
}

interface CurrentKey {
  kid: string
  sealed_private: string
}

const currentKey = async (db: Db, collegeId: number): Promise<CurrentKey | undefined> =>
  db
    .selectFrom('signing_key')
    .select(['kid', 'sealed_private'])
    .where('college_id', '=', collegeId)
    .where('retired_at', 'is', null)
    .executeTakeFirst()

/** The key of a college, made the first time that something is signed. */
const getSigningKey = async (db: Db, secretKey: string, collegeId: number): Promise<CurrentKey> => {
  const known = await currentKey(db, collegeId)
  if (known) return known
  const { kid, publicJwk, sealedPrivate } = await newSigningKey(secretKey)
  // Two that sign first at once: the key of one of them counts.
  await sql`insert into signing_key (college_id, kid, public_jwk, sealed_private)
    values (${collegeId}, ${kid}, ${JSON.stringify(publicJwk)}::jsonb, ${sealedPrivate})
    on conflict (college_id) where retired_at is null do nothing`.execute(db)
  // Either of the two is there now.
  return (await currentKey(db, collegeId))!
}

/** Signs what is to be taken along, as a compact JWT whose `kid` is the address of the public key. */
export const signForCollege = async (
  db: Db,
  services: Services,
  collegeId: number,
): Promise<(payload: object) => Promise<string>> => {
  const { secretKey } = services.config
  const { kid, sealed_private } = await getSigningKey(db, secretKey, collegeId)
  const { CompactSign, importPKCS8 } = await import('jose')
  const key = await importPKCS8(unseal(secretKey, signingKeyContext(kid), sealed_private), alg)
  return (payload) =>
    new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
      .setProtectedHeader({ alg, typ: 'JWT', kid: keyAddress(services, kid) })
      .sign(key)
}

const below = ({ config, publicUrl }: Services): string => `${publicUrl()}${config.appRoot}/.well-known`

/** Where anybody verifies a record, which is also the name of its credential. */
export const verifyAddress = ({ config, publicUrl }: Services, number: string): string =>
  `${publicUrl()}${config.appRoot}/new/verify?number=${number}`

/** Where a public key, the issuer and what a college took back are published. */
export const keyAddress = (services: Services, kid: string): string => `${below(services)}/keys/${kid}`
export const issuerAddress = (services: Services, collegeId: number): string =>
  `${below(services)}/issuers/${collegeId}`
export const revocationsAddress = (services: Services, collegeId: number): string =>
  `${below(services)}/revocations/${collegeId}`
