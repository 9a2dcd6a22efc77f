/** Writes small MaxMind DB files (format 2.0) for tests: networks of IPv4 and the record of each. */

type Value = string | number | { [name: string]: Value }

const head = (type: number, size: number): Buffer => {
  if (size >= 29) throw new Error('Too large for a test file.')
  return type < 8 ? Buffer.from([(type << 5) | size]) : Buffer.from([size, type - 7])
}
const encode = (value: Value): Buffer => {
  if (typeof value === 'string') {
    const text = Buffer.from(value)
    return Buffer.concat([head(2, text.length), text])
  }
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value)
    return Buffer.concat([head(6, 4), bytes])
  }
  const entries = Object.entries(value)
  return Buffer.concat([
    head(7, entries.length),
    ...entries.flatMap(([name, each]) => [encode(name), encode(each)]),
  ])
}

interface Node {
  children: [Node | number | undefined, Node | number | undefined]
}

/** `networks`: 198.51.100.0/24 → its record, such as `{ country: { iso_code: 'US' } }`. */
export const writeMmdb = (
  networks: Record<string, Value>,
  { kind = 'Test-Country', builtAt = new Date('2026-11-01T00:00:00Z') } = {},
): Buffer => {
  const root: Node = { children: [undefined, undefined] }
  const records: Buffer[] = []
  let offset = 0
  for (const [network, value] of Object.entries(networks)) {
    const [address = '', prefix = '32'] = network.split('/')
    const bits = address
      .split('.')
      .map((part) => Number(part).toString(2).padStart(8, '0'))
      .join('')
      .slice(0, Number(prefix))
    let node = root
    for (const bit of bits.slice(0, -1)) {
      const next = (node.children[Number(bit)] as Node | undefined) ?? { children: [undefined, undefined] }
      node.children[Number(bit)] = next
      node = next
    }
    const record = encode(value)
    node.children[Number(bits.at(-1))] = offset
    records.push(record)
    offset += record.length
  }
  const nodes: Node[] = []
  const number = (node: Node): void => {
    nodes.push(node)
    for (const child of node.children) if (typeof child === 'object') number(child)
  }
  number(root)
  const tree = Buffer.concat(
    nodes.flatMap(({ children }) =>
      children.map((child) => {
        const bytes = Buffer.alloc(3)
        const target =
          child === undefined
            ? nodes.length
            : typeof child === 'number'
              ? nodes.length + 16 + child
              : nodes.indexOf(child)
        bytes.writeUIntBE(target, 0, 3)
        return bytes
      }),
    ),
  )
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: Math.floor(builtAt.getTime() / 1000),
    database_type: kind,
    description: {},
    ip_version: 4,
    node_count: nodes.length,
    record_size: 24,
  })
  return Buffer.concat([
    tree,
    Buffer.alloc(16),
    ...records,
    Buffer.from('abcdef4d61784d696e642e636f6d', 'hex'),
    metadata,
  ])
}
