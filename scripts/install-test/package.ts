import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { copyFileSync, existsSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { root, SetupError } from '../lib/process.mjs'
import { readPage, type Step, stepsOf } from './document.ts'
import { boot, emptyDebian, type Machine, type Said } from './machine.ts'
import { host, largeFile, visitorOf } from './visitor.ts'

const demoPassword = 'Bluebird-42-harbor'
const settings = '/etc/practicum/practicum.env'

/** Something that the page says is not so. */
export class NotTrue extends Error {}

/** Says what is so. @throws NotTrue where it is not */
export const mustBe = (isSo: boolean, sentence: string, why: string | object = ''): void => {
  if (!isSo)
    throw new NotTrue(`${sentence} is not so. ${typeof why === 'string' ? why : JSON.stringify(why)}`)
  console.log(`  ✓ ${sentence}`)
}

/** Lines of a log that are not JSON; the journal itself adds none with `--output cat`. */
const linesThatAreNoJson = (text: string): string[] =>
  text.split('\n').filter((line) => line && !/^\{.*\}$/.test(line))

const must = (said: Said, what: string): string => {
  if (said.status !== 0) throw new NotTrue(`"${what.trim()}" failed:\n${said.text}`)
  return said.text
}

/** The certificate of the example's name, in the machine where the page wants it. */
const certify = (machine: Machine): string => {
  const at = (path: string): string => join(machine.root, 'etc/ssl', path)
  const [certificate, key] = [at('certs/practicum.pem'), at('private/practicum.key')] as const
  machine.run('mkdir -p /etc/ssl/certs /etc/ssl/private')
  const { status, stderr } = spawnSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', `/CN=${host}`],
      ...['-addext', `subjectAltName=DNS:${host}`, '-keyout', key, '-out', certificate],
    ],
    { encoding: 'utf8' },
  )
  if (status !== 0) throw new SetupError(`openssl made no certificate: ${stderr}`)
  return certificate
}

/** Puts what was released on the machine, as its reader would. */
const bring = (machine: Machine, release: string): void => {
  const deb = readdirSync(release).find((name) => name.endsWith('.deb'))
  if (!deb) throw new SetupError('There is no package to install: run "npm run release" first.')
  const tarball = readdirSync(release).filter((name) => /^practicum-[\d.]+-linux-\w+\.tar\.gz$/.test(name))
  for (const name of [deb, ...tarball, 'SHA256SUMS'])
    copyFileSync(join(release, name), join(machine.root, 'root', name))
}

/** Walks the page from an empty Debian to the removal, and looks after each section whether it told the truth. */
export const walkPackage = async (release: string): Promise<void> => {
  const steps = stepsOf(readPage()).filter(({ place }) => place === 'server')
  const machine = await boot(emptyDebian())
  const mails = join(machine.root, 'mails')
  machine.run(`echo '127.0.0.1 localhost ${host} mail.example.edu' > /etc/hosts`)
  const certificate = certify(machine)
  const sink = spawn(
    'nsenter',
    machine.inNetwork([process.execPath, join(root, 'scripts/install-test/mail-sink.ts')]),
    {
      stdio: ['ignore', openSync(mails, 'w'), 'inherit'],
    },
  )
  try {
    bring(machine, release)
    const said = new Map<string, string>()
    for (const section of new Set(steps.map((step) => step.section))) {
      console.log(`\n${section}`)
      const began = Date.now()
      for (const step of steps.filter((each) => each.section === section))
        said.set(section, (said.get(section) ?? '') + take(machine, step))
      console.log(`  ${((Date.now() - began) / 1000).toFixed(1)} s`)
      await checks[section]?.({ machine, certificate, mails, said: said.get(section) ?? '' })
    }
    badInstallations(machine)
    purge(machine, release)
  } finally {
    sink.kill()
    await machine.stop()
  }
}

const take = (machine: Machine, step: Step): string => {
  if (step.kind === 'set') {
    machine.set(step.file, step.lines)
    return ''
  }
  console.log(step.commands.trim().replace(/^/gm, '  $ '))
  return must(machine.run(step.commands), step.commands)
}

interface Walk {
  machine: Machine
  certificate: string
  mails: string
  said: string
}

let password = ''

const checks: Record<string, (walk: Walk) => void | Promise<void>> = {
  '1. Install the package': ({ machine }) => {
    const stat = (path: string): string => machine.run(`stat -c '%U:%G %a' ${path}`).text.trim()
    mustBe(
      stat(settings) === 'root:practicum 640',
      'only root and practicum read the settings',
      stat(settings),
    )
    mustBe(stat('/var/lib/practicum') === 'practicum:practicum 700', 'the data belongs to practicum alone')
    const units = machine.run('systemd-analyze verify /usr/lib/systemd/system/practicum-*.service')
    mustBe(
      units.status === 0 && units.text.trim() === '',
      'systemd finds nothing wrong with the units',
      units.text,
    )
    for (const unit of ['practicum-web', 'practicum-worker']) {
      const level = machine.run(`systemd-analyze security --no-pager ${unit}.service | tail -1`).text.trim()
      mustBe(
        / OK /.test(level),
        `systemd's security check of ${unit} says OK (${/[\d.]+ OK/.exec(level)?.[0]})`,
        level,
      )
    }
    mustBe(machine.run('systemctl is-active practicum-web').status !== 0, 'nothing runs yet')
  },
  '3. Start it': ({ machine, said }) => {
    const log = machine.run('journalctl _SYSTEMD_UNIT=practicum-web.service --output cat --no-pager').text
    mustBe(said.includes('is ready'), 'the log says that it is ready')
    mustBe(
      log.length > 0 && linesThatAreNoJson(log).length === 0,
      'every line of the log is JSON',
      linesThatAreNoJson(log),
    )
    const worker = machine.run(
      'systemctl show practicum-worker --property ActiveState --property Result',
    ).text
    mustBe(/Result=exec-condition|ActiveState=inactive/.test(worker), 'practicum-worker is skipped', worker)
    mustBe(
      machine.run("systemctl list-units --failed --no-legend 'practicum*'").text.trim() === '',
      'no unit failed',
    )
    const environment = machine.run(
      "tr '\\0' '\\n' < /proc/$(systemctl show -p MainPID --value practicum-web)/environ",
    ).text
    mustBe(/^ROLE=all$/m.test(environment), 'practicum-web does everything', environment)
    const owner = machine
      .run('stat -c %U /proc/$(systemctl show -p MainPID --value practicum-web)')
      .text.trim()
    mustBe(owner === 'practicum', 'it runs as practicum', owner)
    const memory = Number(
      /VmRSS:\s+(\d+)/.exec(
        machine.run('cat /proc/$(systemctl show -p MainPID --value practicum-web)/status').text,
      )?.[1],
    )
    console.log(`  web process right after the start: ${Math.round(memory / 1024)} MiB`)
  },
  '4. Put https in front': ({ machine, certificate }) => {
    const visitor = visitorOf(machine, certificate)
    mustBe(
      visitor.page(`http://${host}/`).location?.startsWith(`https://${host}/`) === true,
      'http leads to https',
    )
    mustBe(
      visitor.page(`https://${host}/new/login`).location?.endsWith('/new/first-account') === true &&
        visitor.page(`https://${host}/new/first-account`).status === 200,
      'the page of the first account comes by https',
    )
    mustBe(visitor.page(`https://${host}/metrics`).status >= 400, 'figures stay on the machine')
  },
  '5. Make the first account and the first program': async ({ machine, certificate, mails, said }) => {
    password = /Password: (\S+)/.exec(said)?.[1] ?? ''
    const visitor = visitorOf(machine, certificate)
    visitor.signIn('anna', password)
    const { Id: CollegeId } = visitor.call<{ Id: number }>('POST', '/colleges', {
      Name: 'Example College',
      State: 'MA',
    })
    visitor.call('POST', '/programs', {
      CollegeId,
      Name: 'Radiography',
      ...{
        ModalityId: null,
        ProgramClassId: null,
        ProgramTypeId: null,
        LanguageProfileId: null,
        State: 'MA',
      },
      ...{ TimeZone: 'America/New_York', HasCredit: false, RequiresTotp: false, HasPayments: false },
      ...{ ActiveFrom: null, ActiveThrough: null },
    })
    mustBe(true, 'the first super admin signs in and makes the first program')
    const test = visitor.call<object>('POST', '/system-status/mail/tests')
    for (let tries = 0; tries < 50 && !readFileSync(mails, 'utf8').includes('anna@example.edu'); tries++)
      await pause(200)
    const mail = readFileSync(mails, 'utf8')
    mustBe(
      mail.includes('anna@example.edu') && mail.includes('practicum@example.edu'),
      'the test of the mail server arrives',
      test,
    )
  },
  '6. Back it up': ({ said }) => {
    mustBe(
      /Backed up and read back/.test(said) && /practicum-\d{8}T\d+Z\.tar/.test(said),
      'both backups are there',
      said,
    )
  },
  Restore: ({ machine, certificate }) =>
    isAsBefore(machine, certificate, 'the restored installation has the account and the program'),
  Upgrade: ({ machine, certificate }) => isAsBefore(machine, certificate, 'after the upgrade all is there'),
  'A PostgreSQL of your own': async ({ machine, certificate, said }) => {
    mustBe(
      (said.match(/^active$/gm) ?? []).length === 2,
      'practicum-web and practicum-worker run apart',
      said,
    )
    const roles = machine.run(
      "for unit in web worker; do tr '\\0' '\\n' < /proc/$(systemctl show -p MainPID --value practicum-$unit)/environ | grep ^ROLE; done",
    ).text
    mustBe(roles === 'ROLE=web\nROLE=worker\n', 'one answers, the other sends mail and runs jobs', roles)
    machine.set(settings, ['DEMO=1'])
    must(
      machine.run(
        'systemctl restart practicum-web practicum-worker; until practicum check; do sleep 2; done',
      ),
      'restart with the demo',
    )
    throughProxy(machine, certificate)
    rooted(machine, certificate)
    machine.set(settings, ['DEMO=0'])
  },
  Remove: ({ machine }) => {
    mustBe(
      machine.run('test -e /var/lib/practicum/practicum.json && test -e /var/backups/practicum/first.tar')
        .status === 0,
      'data and backups stay',
    )
    mustBe(machine.run(`test -e ${settings}`).status === 0, 'settings stay')
    mustBe(
      machine.run('test -e /usr/bin/practicum || ls -l /proc | grep " practicum "').status !== 0,
      'the program is gone, and nothing of it runs',
    )
    // What follows is another machine to its reader.
    machine.run(`mv ${settings} ${settings}.kept`)
  },
  'From the tarball': ({ machine }) => {
    const log = machine.run('cat practicum.log').text
    mustBe(
      log.includes('is ready') && linesThatAreNoJson(log).length === 0,
      'it runs as it was unpacked',
      log,
    )
    const written = 'find practicum-1*/ -newer practicum-1*/bin/practicum -newermt "-10 minutes" -type f'
    mustBe(
      machine.run(written).text.trim() === '',
      'it writes nothing into its own folder',
      machine.run(written).text,
    )
    machine.run(`mv ${settings}.kept ${settings}`)
  },
}

const isAsBefore = (machine: Machine, certificate: string, sentence: string): void => {
  const visitor = visitorOf(machine, certificate)
  visitor.signIn('anna', password)
  const programs = JSON.stringify(visitor.call('GET', '/colleges'))
  mustBe(programs.includes('Example College'), sentence, programs)
}

/** What people do all day, through the proxy. */
const throughProxy = (machine: Machine, certificate: string, at = ''): void => {
  const coordinator = visitorOf(machine, certificate, at)
  coordinator.signIn('coordinator', demoPassword)
  mustBe(coordinator.hears(), `live updates come through the proxy${at && ` below ${at}`}`)
  const { ProgramId } = coordinator.call<{ ProgramId: number }>('GET', '/state')
  const [{ Id: CategoryId }] = coordinator.call<[{ Id: number }]>(
    'GET',
    `/programs/${ProgramId}/document-categories`,
  )
  coordinator.upload(
    `/programs/${ProgramId}/documents`,
    'document',
    { CategoryId, Name: `Handbook ${randomUUID()}`, Access: null },
    largeFile(join(machine.root, 'root')),
  )
  mustBe(true, `a file of 20 MB comes through the proxy${at && ` below ${at}`}`)
  const student = visitorOf(machine, certificate, at)
  student.signIn('student', demoPassword)
  const place = { Latitude: 41.6362, Longitude: -70.9342, Accuracy: 12 }
  for (const Kind of ['in', 'out'])
    student.call('POST', '/clock/punches', { Kind, ...place }, { 'idempotency-key': randomUUID() })
  mustBe(true, `a student punches through the proxy${at && ` below ${at}`}`)
}

/** The same below a path, with what the sample says about it. */
const rooted = (machine: Machine, certificate: string): void => {
  machine.set(settings, ['APP_ROOT=/practicum'])
  const change =
    "sed -i 's#location /new#location /practicum/new#; s#location / {#location /practicum/ {#' /etc/nginx/conf.d/practicum.conf"
  must(
    machine.run(
      `${change}; nginx -t; systemctl restart nginx; systemctl restart practicum-web; until practicum check; do sleep 1; done`,
    ),
    change,
  )
  throughProxy(machine, certificate, '/practicum')
  machine.set(settings, ['APP_ROOT='])
}

/** What lines of the log say, as somebody reads them. */
const plain = (log: string): string =>
  log.replace(/^\{.*\}$/gm, (line) => (JSON.parse(line) as { msg: string }).msg) // As the log writes its lines.

/** What the page says about a start that fails: each time one sentence with the way out, and then the way out. */
const badInstallations = (machine: Machine): void => {
  console.log('\nBad installations')
  must(machine.run('apt-get install -y ./practicum_*.deb'), 'install')
  const caddy = machine.run(
    'apt-get install -y caddy >/dev/null 2>&1; caddy validate --adapter caddyfile --config /usr/share/practicum/Caddyfile 2>&1',
  )
  mustBe(caddy.status === 0, 'Caddy finds nothing wrong with its sample (it does not run here)', caddy.text)
  machine.set(settings, ['DATABASE_URL=', 'SECRET_KEY='])
  const start = 'timeout 60 practicum start web 2>&1'
  const listen = "require('node:net').createServer().listen(8080, '127.0.0.1')"
  const taken = plain(
    machine.run(`/usr/lib/practicum/bin/node -e "${listen}" & sleep 1; ${start} || true; kill $!`).text,
  )
  mustBe(
    /^PORT 8080 is in use by another program: [^\n]+\.$/m.test(taken),
    'a port that is taken is said',
    taken,
  )
  const owned = plain(
    machine.run(`chown root:root /var/lib/practicum; ${start} || true; chown practicum: /var/lib/practicum`)
      .text,
  )
  mustBe(
    /^DATA_DIR \(\/var\/lib\/practicum\) cannot be used because the user who runs Practicum may not [^\n]+\.$/m.test(
      owned,
    ),
    'a folder of another owner is said',
    owned,
  )
  const inside = plain(
    machine.run(
      `chown -R root:root /var/lib/practicum/*; ${start} || true; chown -R practicum: /var/lib/practicum`,
    ).text,
  )
  mustBe(
    /^The file \/var\/lib\/practicum\/\S+ may not be used by this account: [^\n]+\.$/m.test(inside),
    'contents of another owner are said',
    inside,
  )
  machine.set(settings, ['DATABASE_URL=postgresql://practicum@127.0.0.1/practicum'])
  const keyless = plain(machine.run(`${start} || true`).text)
  mustBe(/^SECRET_KEY is missing[^\n]+\.$/m.test(keyless), 'a missing secret key is said', keyless)
  machine.set(settings, ['DATABASE_URL='])
  must(machine.run('apt-get remove -y practicum'), 'remove')
}

const purge = (machine: Machine, release: string): void => {
  console.log('\nPurge')
  const deb = readdirSync(release).find((name) => name.endsWith('.deb'))
  must(machine.run(`apt-get install -y ./${basename(deb ?? '')}; apt-get purge -y practicum`), 'purge')
  mustBe(
    machine.run('test -e /var/lib/practicum/practicum.json').status === 0,
    'where nobody can be asked, the data stays',
  )
  mustBe(!existsSync(join(machine.root, settings)), 'the settings are gone')
  const answer = 'echo practicum practicum/purge-data boolean true | debconf-set-selections'
  must(
    machine.run(`apt-get install -y ./${basename(deb ?? '')}; ${answer}; apt-get purge -y practicum`),
    'purge',
  )
  mustBe(machine.run('test -e /var/lib/practicum').status !== 0, 'told so, it takes all data away')
}
