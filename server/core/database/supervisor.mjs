/**
 * Runs one PostgreSQL and holds the reading end of a pipe to the program that wanted it. However that program ends, even
 * by kill -9, the pipe closes, and PostgreSQL gets SIGINT, its fast shutdown. (SIGTERM would wait for idle clients.)
 *
 * Plain JavaScript without imports of our own: it starts in a few milliseconds and depends on nothing that could break.
 * The one argument is JSON: `{command, args, uid?, gid?, stopCommand?, stopArgs?}`; the stop command is for Windows,
 * which has no SIGINT. It ends with the exit code of PostgreSQL.
 */
import { spawn } from 'node:child_process'

/** PostgreSQL writes a checkpoint while it stops; past this time SIGQUIT leaves the rest to crash recovery. */
const patienceMs = 60_000

const { command, args, uid, gid, stopCommand, stopArgs } = JSON.parse(process.argv[2])
const server = spawn(command, args, { uid, gid, stdio: ['ignore', 'inherit', 'inherit'] })

let isStopping = false
function stop() {
  if (isStopping) return
  isStopping = true
  if (stopCommand) spawn(stopCommand, stopArgs, { stdio: 'ignore' })
  else server.kill('SIGINT')
  setTimeout(() => server.kill('SIGQUIT'), patienceMs).unref()
}

server.on('error', (error) => {
  console.error(error.message)
  process.exit(1)
})
server.on('exit', (code) => process.exit(code ?? 1))
process.stdin.on('end', stop).on('error', stop).resume()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
