import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readPage, stepsOf } from './document.ts'
import { mustBe, NotTrue } from './package.ts'

/** What this machine lacks to run containers; nothing when it can. */
const whatIsMissing = (release: string): string | undefined => {
  if (!readdirSync(release).some((name) => name.endsWith('-oci.tar')))
    return 'the release was made without an image'
  return ['podman', 'crun', 'unshare', 'ip'].find((name) => spawnSync('which', [name]).status !== 0)
}

/**
 * `podman` as the page says it, with what a machine without systemd, without bridges and with bounds on its own processes needs
 * besides. The network of the test is not the machine's.
 */
const podman = (folder: string): string => `#!/bin/sh
here="--root ${folder}/store --runroot ${folder}/run --storage-driver vfs --cgroup-manager cgroupfs --runtime crun"
if [ "$1" = run ]; then
  shift
  exec /usr/bin/podman $here run --network host --cgroups disabled --ulimit nofile=20000:20000 --ulimit nproc=20000:20000 "$@"
fi
exec /usr/bin/podman $here "$@"
`

/** Runs the image as the page says, looks at it from inside and outside, and stops it. */
export const walkContainer = async (release: string): Promise<void> => {
  console.log('\nIn a container')
  const missing = whatIsMissing(release)
  if (missing !== undefined) {
    console.log(`  This machine cannot run it (${missing}): nothing was tested.`)
    return
  }
  const commands = stepsOf(readPage()).flatMap((step) =>
    step.kind === 'run' && step.place === 'container' ? [step.commands] : [],
  )
  const folder = mkdtempSync(join(tmpdir(), 'practicum-container-'))
  try {
    mkdirSync(join(folder, 'bin'))
    writeFileSync(join(folder, 'bin/podman'), podman(folder))
    chmodSync(join(folder, 'bin/podman'), 0o755)
    const script = `
      ip link set lo up
      ! mountpoint -q /sys/fs/cgroup/unified || umount /sys/fs/cgroup/unified
      cd ${release}
      trap 'podman rm --force practicum >/dev/null 2>&1 || true' EXIT
      ${commands.join('\n')}
      echo "user $(podman exec practicum id -u)"
      podman exec practicum touch /usr/there 2>&1 || true
      curl --silent --output /dev/null --write-out 'page %{http_code}\\n' http://127.0.0.1:8080/new/login
      podman logs practicum 2>&1 | sed 's/^/log /'
      podman stop --time 30 practicum >/dev/null
      podman inspect practicum --format 'ended {{.State.ExitCode}}'`
    console.log(commands.join('').trim().replace(/^/gm, '  $ '))
    const { status, stdout, stderr } = spawnSync('unshare', ['--mount', '--net', 'sh', '-e', '-c', script], {
      encoding: 'utf8',
      env: { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}` },
    })
    if (status !== 0) throw new NotTrue(`The container does not run: ${stdout}${stderr}`)
    mustBe(/Made the super admin anna/.test(stdout), 'the first super admin is made inside', stdout)
    mustBe(/Backed up and read back/.test(stdout), 'a backup goes into its volume', stdout)
    mustBe(/^user 990$/m.test(stdout), 'it does not run as root', stdout)
    mustBe(/Read-only file system/.test(stdout), 'its root file system is read-only', stdout)
    mustBe(/^page 200$/m.test(stdout), 'it answers', stdout)
    const log = [...stdout.matchAll(/^log (.*)$/gm)].map(([, line]) => line ?? '')
    mustBe(log.length > 0 && log.every((line) => /^\{.*\}$/.test(line)), 'every line of the log is JSON', log)
    mustBe(/^ended 0$/m.test(stdout), 'it ends in order when it is told to', stdout)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
