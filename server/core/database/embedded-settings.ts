import { totalmem } from 'node:os'

/** Where the server listens and writes its log. */
export type ServerPlace = {
  port: number
  /** Empty where only the socket is listened on. */
  listenAddress: string
  /** Empty on Windows. */
  socketFolder: string
  logFolder: string
}

/**
 * Settings of a server that shares its machine with the app and is reached by it alone. `tests` trades durability for
 * speed.
 */
export function embeddedSettings(
  { port, listenAddress, socketFolder, logFolder }: ServerPlace,
  tests: boolean,
): Record<string, string | number> {
  const mebibyte = 2 ** 20
  // A container may have less than its machine.
  const memory = Math.min(totalmem(), process.constrainedMemory() || totalmem())
  const sharedMiB = Math.round(Math.min(Math.max(memory / 8 / mebibyte, 128), 4096))
  return {
    port,
    listen_addresses: listenAddress,
    unix_socket_directories: socketFolder && `"${socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    // Several installations share the one of tests.
    max_connections: tests ? 200 : 100,
    shared_buffers: tests ? '64MB' : `${sharedMiB}MB`,
    effective_cache_size: `${Math.max(256, Math.round(memory / 2 / mebibyte))}MB`,
    work_mem: '16MB',
    maintenance_work_mem: '128MB',
    // What a killed server has to read and write again before it answers: with more, minutes of writing cost 10 s and longer.
    checkpoint_timeout: '1min',
    max_wal_size: '512MB',
    random_page_cost: 1.1,
    // Compiling costs more than most of our statements.
    jit: 'off',
    fsync: tests ? 'off' : 'on',
    synchronous_commit: tests ? 'off' : 'on',
    full_page_writes: tests ? 'off' : 'on',
    autovacuum: tests ? 'off' : 'on',
    timezone: 'UTC',
    log_timezone: 'UTC',
    logging_collector: tests ? 'off' : 'on',
    log_directory: logFolder,
    // One file a weekday, each overwritten after a week.
    log_filename: 'postgres-%a.log',
    log_truncate_on_rotation: 'on',
    log_rotation_age: '1d',
    log_rotation_size: 0,
    log_line_prefix: '%m [%p] %q%u@%d ',
    log_checkpoints: 'off',
    // Details and statements contain people's data.
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
  }
}
