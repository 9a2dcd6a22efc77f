import { createReadStream, createWriteStream, readFileSync } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { gzipSync } from 'node:zlib'
import { root } from '../lib/process.mjs'
import { type Item, writeTar } from './pack.ts'

const home = 'usr/lib/practicum'
const docs = 'usr/share/doc/practicum'
const folder = join(root, 'scripts/release/debian')
const read = (name: string): string => readFileSync(join(folder, name), 'utf8')

const units = ['practicum-web.service', 'practicum-worker.service']

/** Not below the pages: systems for containers leave those out. */
const samples = ['nginx.conf', 'Caddyfile']

/** What Debian calls this machine. */
const architectures: Record<string, string> = { x64: 'amd64', arm64: 'arm64' }
export const debianArchitecture = architectures[process.arch] ?? process.arch

interface Release {
  version: string
  time: number
  program: readonly Item[]
  licenses: string
  /** The pages of `docs` that belong to whoever runs it. */
  pages: readonly string[]
}

/** Where the program, the units, the settings and the pages lie on a server. */
const itemsOf = ({ program, licenses, pages }: Release): Item[] =>
  [
    ...program.map((item) => ({ ...item, path: `${home}/${item.path}` })),
    { path: 'usr/bin/practicum', target: '../lib/practicum/bin/practicum' },
    ...units.map((unit) => ({
      path: `usr/lib/systemd/system/${unit}`,
      text: read(unit).replace('@hardening@\n', read('hardening.conf')),
    })),
    { path: 'etc/practicum/practicum.env', text: read('practicum.env'), mode: 0o640 },
    { path: `${docs}/copyright`, text: read('copyright') },
    { path: `${docs}/LICENSES.txt.gz`, text: gzipSync(licenses, { level: 9 }) },
    { path: `${docs}/changelog.gz`, text: gzipSync(readFileSync(join(root, 'CHANGELOG.md')), { level: 9 }) },
    ...samples.map((name) => ({
      path: `usr/share/practicum/${name}`,
      file: join(root, 'docs/install', name),
    })),
    ...pages.map((page) => ({ path: `${docs}/${page}`, file: join(root, 'docs', page) })),
  ].map((item) => ({ ...item, path: `./${item.path}` }))

const controlOf = async (version: string, items: readonly Item[]): Promise<string> => {
  const sizes = await Promise.all(
    items.map(async (item) =>
      'file' in item ? (await stat(item.file)).size : 'text' in item ? item.text.length : 0,
    ),
  )
  const kibibytes = Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / 1024)
  return `Package: practicum
Version: ${version}
Architecture: ${debianArchitecture}
Maintainer: Practicum contributors <practicum@localhost>
Installed-Size: ${kibibytes}
Depends: debconf (>= 0.5) | debconf-2.0, libc6 (>= 2.28), libstdc++6, passwd, util-linux
Suggests: clamav-daemon, libheif-examples, nginx
Section: education
Priority: optional
Description: clinical education and student placement
 Programs, sites, shifts, time, evaluations and clinical requirements of colleges
 whose students learn at hospitals and clinics. With Node.js and PostgreSQL inside.
`
}

/** Writes a package that apt installs: an ar of the format, the control files and the files. */
export const writeDeb = async (file: string, release: Release): Promise<void> => {
  const items = itemsOf(release)
  const scripts = ['postinst', 'prerm', 'postrm'].map((name) => ({
    path: `./${name}`,
    text: read(name),
    isProgram: true,
  }))
  const [control, data] = [`${file}.control`, `${file}.data`]
  await writeTar(
    control,
    [
      { path: './control', text: await controlOf(release.version, items) },
      { path: './conffiles', text: '/etc/practicum/practicum.env\n' },
      { path: './templates', text: read('templates') },
      ...scripts,
    ],
    release.time,
  )
  await writeTar(data, items, release.time)
  await pipeline(
    Readable.from(
      membersOf(release.time, [
        ['debian-binary', Buffer.from('2.0\n')],
        ['control.tar.gz', control],
        ['data.tar.gz', data],
      ]),
    ),
    createWriteStream(file),
  )
  await Promise.all([control, data].map((each) => rm(each)))
}

/** An ar: a line in front of each member, whose bytes are even in number. */
async function* membersOf(
  time: number,
  members: [name: string, content: string | Buffer][],
): AsyncGenerator<Buffer> {
  yield Buffer.from('!<arch>\n')
  for (const [name, content] of members) {
    const size = typeof content === 'string' ? (await stat(content)).size : content.length
    const fields = [
      name.padEnd(16),
      `${time}`.padEnd(12),
      '0'.padEnd(6),
      '0'.padEnd(6),
      '100644'.padEnd(8),
      `${size}`.padEnd(10),
    ]
    yield Buffer.from(`${fields.join('')}\`\n`)
    if (typeof content === 'string') yield* createReadStream(content)
    else yield content
    if (size % 2 === 1) yield Buffer.from('\n')
  }
}
