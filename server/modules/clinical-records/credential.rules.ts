import type { RecordContent } from '#contract/clinical-records/clinical-records.ts'
import { hoursText } from '#contract/core/hours.ts'

/** Who issues a credential, and where what belongs to it is published. */
export interface Issuer {
  /** Its address. */
  id: string
  name: string
  revocations: string
}

const contexts = [
  'https://www.w3.org/ns/credentials/v2',
  'https://purl.imsglobal.org/spec/clr/v2p0/context-2.0.1.json',
  'https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json',
]
const achievementContexts = [contexts[0], contexts[2]]

/**
 * A clinical record as a Comprehensive Learner Record 2.0: a verifiable credential that holds one Open Badges 3.0 achievement
 * credential for the hours and one for each competency. The record is signed as a whole, with `jti`, `iss`, `nbf` and `sub` beside
 * its properties, as the two standards ask of a JWT.
 */
export const recordCredential = (
  content: RecordContent,
  {
    id,
    subject,
    issuer,
    issuedAt,
  }: {
    /** The address at which the record can be verified. */
    id: string
    /** A name for the holder that is used nowhere else. */
    subject: string
    issuer: Issuer
    issuedAt: Date
  },
): Record<string, unknown> => {
  const validFrom = `${issuedAt.toISOString().slice(0, 19)}Z`
  const profile = { id: issuer.id, type: ['Profile'], name: issuer.name }
  const identifier = [
    {
      type: 'IdentityObject',
      hashed: false,
      identityHash: `${content.FirstName} ${content.LastName}`,
      identityType: 'name',
    },
  ]
  const achievement = (
    part: string,
    {
      name,
      description,
      result,
      resultName,
      resultType,
    }: Record<'name' | 'description' | 'result' | 'resultName' | 'resultType', string>,
    achievementType: string,
    on: string,
  ) => ({
    '@context': achievementContexts,
    id: `${id}#${part}`,
    type: ['VerifiableCredential', 'AchievementCredential'],
    name,
    issuer: profile,
    validFrom: on,
    credentialSubject: {
      id: subject,
      type: ['AchievementSubject'],
      identifier,
      achievement: {
        id: `${id}#${part}-achievement`,
        type: ['Achievement'],
        achievementType,
        name,
        description,
        criteria: { narrative: description },
        creator: profile,
        resultDescription: [
          { id: `${id}#${part}-result`, type: ['ResultDescription'], name: resultName, resultType },
        ],
      },
      result: [{ type: ['Result'], resultDescription: `${id}#${part}-result`, value: result }],
    },
  })
  const credentials = [
    achievement(
      'hours',
      {
        name: 'Clinical hours',
        description: `Approved hours of supervised clinical education in ${content.Program}, ${content.College}.`,
        resultName: 'Approved hours',
        resultType: 'RawScore',
        result: hoursText(content.ApprovedMinutes),
      },
      'Fieldwork',
      validFrom,
    ),
    ...content.Competencies.map(({ Procedure, Study, PassedOn, IsSimulated, Examiner, Credential }, at) =>
      achievement(
        `competency-${at + 1}`,
        {
          name: Procedure,
          description: `Passed a competency exam in ${Procedure} (${Study}), ${
            IsSimulated ? 'simulated' : 'on a patient'
          }${Examiner ? `, examined by ${[Examiner, Credential].filter(Boolean).join(', ')}` : ''}.`,
          resultName: 'Competency exam',
          resultType: 'Result',
          result: 'Passed',
        },
        'Competency',
        `${PassedOn}T00:00:00Z`,
      ),
    ),
  ]
  return {
    '@context': contexts,
    id,
    type: ['VerifiableCredential', 'ClrCredential'],
    name: content.Clearance ? 'Clinical record' : 'Interim clinical record',
    description: `${content.Program}, ${content.College}`,
    partial: content.Clearance === null,
    issuer: profile,
    validFrom,
    credentialSubject: { id: subject, type: ['ClrSubject'], identifier, verifiableCredential: credentials },
    credentialSchema: [
      {
        id: 'https://purl.imsglobal.org/spec/clr/v2p0/schema/json/clr_v2p0_clrcredential_schema.json',
        type: '1EdTechJsonSchemaValidator2019',
      },
    ],
    credentialStatus: { id: issuer.revocations, type: '1EdTechRevocationList' },
    iss: issuer.id,
    jti: id,
    sub: subject,
    nbf: Math.floor(issuedAt.getTime() / 1000),
  }
}
