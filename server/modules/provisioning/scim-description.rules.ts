import { schemas } from './scim-resources.rules.ts'

const list = (resources: readonly unknown[]) => ({
  schemas: [schemas.list],
  totalResults: resources.length,
  startIndex: 1,
  itemsPerPage: resources.length,
  Resources: resources,
})

interface Attribute {
  name: string
  type: 'string' | 'boolean' | 'complex'
  isMany?: true
  isRequired?: true
  isExact?: true
  isReadOnly?: true
  isUnique?: true
  parts?: readonly Attribute[]
}

const described = ({ name, type, parts, ...of }: Attribute): Record<string, unknown> => ({
  name,
  type,
  multiValued: of.isMany ?? false,
  description: '',
  required: of.isRequired ?? false,
  ...(type === 'string' && { caseExact: of.isExact ?? false }),
  mutability: of.isReadOnly ? 'readOnly' : 'readWrite',
  returned: 'default',
  uniqueness: of.isUnique ? 'server' : 'none',
  ...(parts && { subAttributes: parts.map(described) }),
})

const text = (name: string): Attribute => ({ name, type: 'string' })
const valued = [text('value'), text('type'), { name: 'primary', type: 'boolean' }] as const

const attributes: Record<string, { name: string; attributes: readonly Attribute[] }> = {
  [schemas.user]: {
    name: 'User',
    attributes: [
      { ...text('userName'), isRequired: true, isUnique: true },
      { ...text('externalId'), isExact: true },
      {
        name: 'name',
        type: 'complex',
        parts: [
          { ...text('formatted'), isReadOnly: true },
          ...['givenName', 'middleName', 'familyName', 'honorificSuffix'].map(text),
        ],
      },
      { ...text('displayName'), isReadOnly: true },
      { name: 'active', type: 'boolean' },
      { name: 'emails', type: 'complex', isMany: true, parts: valued },
      { name: 'phoneNumbers', type: 'complex', isMany: true, parts: valued },
      {
        name: 'groups',
        type: 'complex',
        isMany: true,
        isReadOnly: true,
        parts: [text('value'), text('display')],
      },
    ],
  },
  [schemas.enterprise]: { name: 'EnterpriseUser', attributes: [text('employeeNumber')] },
  [schemas.group]: {
    name: 'Group',
    attributes: [
      { ...text('displayName'), isRequired: true, isUnique: true },
      { ...text('externalId'), isExact: true },
      { name: 'members', type: 'complex', isMany: true, parts: [text('value'), text('display')] },
    ],
  },
}

const config = (base: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: 200 },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer key',
      description: 'The key of the connection, in the header Authorization',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
})

const kindOf = (base: string, name: 'User' | 'Group') => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
  id: name,
  name,
  endpoint: `/${name}s`,
  schema: name === 'User' ? schemas.user : schemas.group,
  ...(name === 'User' && { schemaExtensions: [{ schema: schemas.enterprise, required: false }] }),
  meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
})

const schemaOf = (base: string, id: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
  id,
  name: attributes[id]?.name,
  attributes: attributes[id]?.attributes.map(described),
  meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
})

/** What the service says of itself at an address: its configuration, its kinds of resources, its schemas. Undefined elsewhere. */
export const description = (path: string, base: string): object | undefined => {
  const kinds = [kindOf(base, 'User'), kindOf(base, 'Group')]
  const all = Object.keys(attributes).map((id) => schemaOf(base, id))
  const [, of = '', one] = path.split('/')
  switch (of.toLowerCase()) {
    case 'serviceproviderconfig':
      return one === undefined ? config(base) : undefined
    case 'resourcetypes':
      return one === undefined ? list(kinds) : kinds.find(({ id }) => id === one)
    case 'schemas':
      return one === undefined ? list(all) : all.find(({ id }) => id === decodeURIComponent(one))
    default:
      return undefined
  }
}
