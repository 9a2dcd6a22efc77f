import { transaction } from '#server/core/database/pool.ts'
import type { OpenAnswer, OpenCall, OpenPage } from '#server/core/http/open-page.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { listEndedRecords } from './clinical-records.across.ts'
import { issuerAddress, keyAddress, revocationsAddress, verifyAddress } from './signing.commands.ts'
import { findPublicKey, findSigningCollege, listPublicKeys } from './signing.queries.ts'

const nobody = { accountId: null, programIds: [] }
const json = (value: unknown, type = 'application/json'): OpenAnswer => ({
  type,
  text: JSON.stringify(value),
})
const missing: OpenAnswer = {
  type: 'application/json',
  text: '{"Message":"This does not exist."}',
  status: 404,
}

const idOf = (text = ''): number => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0)

const read = <T>({ services }: OpenCall, work: Parameters<typeof transaction<T>>[2]): Promise<T> =>
  transaction(services.transactions, nobody, work)

const jwkOf = (services: Services, kid: string, jwk: Record<string, unknown>) => ({
  ...jwk,
  kid: keyAddress(services, kid),
})

/** What verifiers of credentials ask for: keys, who the issuer is, and what was taken back. Open to all, without anybody's name. */
export const publishedPages: readonly OpenPage[] = [
  {
    method: 'GET',
    path: '/.well-known/jwks.json',
    isBelowRoot: true,
    answer: async (call) => ({
      ...json({
        keys: (await read(call, listPublicKeys)).map(({ kid, jwk }) => jwkOf(call.services, kid, jwk)),
      }),
    }),
  },
  {
    method: 'GET',
    path: '/.well-known/keys/:kid',
    isBelowRoot: true,
    answer: async (call) => {
      const { kid = '' } = call.params
      const jwk = await read(call, (db) => findPublicKey(db, kid))
      return jwk ? json(jwkOf(call.services, kid, jwk)) : missing
    },
  },
  {
    method: 'GET',
    path: '/.well-known/issuers/:college',
    isBelowRoot: true,
    answer: async (call) => {
      const college = idOf(call.params.college)
      const name = await read(call, (db) => findSigningCollege(db, college))
      return name === undefined
        ? missing
        : json({ id: issuerAddress(call.services, college), type: ['Profile'], name })
    },
  },
  {
    method: 'GET',
    path: '/.well-known/revocations/:college',
    isBelowRoot: true,
    answer: async (call) => {
      const { services } = call
      const college = idOf(call.params.college)
      const found = await read(call, async (db) => ({
        name: await findSigningCollege(db, college),
        ended: await listEndedRecords(db, college),
      }))
      if (found.name === undefined) return missing
      return json({
        id: revocationsAddress(services, college),
        type: '1EdTechRevocationList',
        issuer: issuerAddress(services, college),
        revokedCredential: found.ended.map(({ number, isReplaced }) => ({
          id: verifyAddress(services, number),
          revoked: true,
          revocationReason: isReplaced ? 'Replaced by a newer record' : 'Revoked by the issuer',
        })),
      })
    },
  },
]
