import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { findPostgresProgram, postgresEnvironment } from '#server/core/database/postgres-program.ts'

export interface Standby {
  /** As the superuser, for pausing its replay. */
  superuser: pg.Pool
  /** As the role that serves. */
  appUrl: string
  /** Ends it at once, as a lost machine does. */
  kill(): Promise<void>
}

/** The address of the same server as its superuser. */
export const asSuperuser = (ownerUrl: string): string => ownerUrl.replace('//owner@', '//postgres@')

/**
 * A real standby of an embedded server: a copy of its running data folder, taken between `pg_backup_start` and `pg_backup_stop`,
 * that follows it by streaming.
 *
 * @param dataDir of the primary
 * @param folder short, since the path of a socket is
 */
export const startStandby = async (ownerUrl: string, dataDir: string, folder: string): Promise<Standby> => {
  const program = findPostgresProgram(dataDir, join(dataDir, 'postgres'))
  const data = join(folder, 'data')
  const socket = join(folder, 'socket')
  const primary = new pg.Client({ connectionString: asSuperuser(ownerUrl) })
  await primary.connect()
  await primary.query("select pg_backup_start('standby', true)")
  cpSync(join(dataDir, 'postgres'), data, { recursive: true })
  const { rows } = await primary.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
  const { host, port } = primary
  await primary.end()
  rmSync(join(data, 'postmaster.pid'), { force: true })
  writeFileSync(join(data, 'backup_label'), rows[0]!.labelfile)
  writeFileSync(join(data, 'standby.signal'), '')
  mkdirSync(socket)
  for (const path of [data, socket]) program.ownFolder(path)
  const settings = {
    primary_conninfo: `host=${host} port=${port} user=postgres`,
    hot_standby: 'on',
    listen_addresses: '',
    port: '5432',
    unix_socket_directories: socket,
    fsync: 'off',
    shared_buffers: '32MB',
    max_connections: '200',
    logging_collector: 'off',
  }
  const { command, args, uid, gid } = program.invocation(program.postgres, [
    '-D',
    data,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ])
  const child: ChildProcess = spawn(command, [...args], {
    uid,
    gid,
    cwd: folder,
    env: postgresEnvironment(),
    stdio: 'ignore',
  })
  const urlOf = (user: string): string =>
    `postgresql://${user}@${encodeURIComponent(socket)}:5432/practicum?sslmode=disable`
  const superuser = new pg.Pool({ connectionString: urlOf('postgres'), max: 1 })
  superuser.on('error', () => {})
  return {
    superuser,
    appUrl: urlOf('app'),
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      await superuser.end()
      const ended = new Promise((resolve) => child.once('exit', resolve))
      // Immediate shutdown: as after a crash, but without leaving its memory behind.
      child.kill('SIGQUIT')
      await ended
    },
  }
}
