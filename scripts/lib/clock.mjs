import { spawnSync } from 'node:child_process'
import { SetupError } from './process.mjs'

/**
 * What makes every program started with it, PostgreSQL too, believe that it began at the given time of this machine's zone;
 * the clock goes on from there.
 *
 * @param {string} text a date and a time, as `2027-03-13T23:55`
 * @returns {NodeJS.ProcessEnv}
 */
export function environmentAt(text) {
  const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
  if (!isMoment) throw new SetupError('After --clock comes a date and a time, such as 2027-03-13T23:55.')
  // Set back, libfaketime now and then shows PostgreSQL the true time, and its timeouts end what has only begun.
  if (Date.parse(text) < Date.now()) throw new SetupError('The time after --clock has to be one to come.')
  const { status, stdout } = spawnSync('faketime', ['-m', '-f', '+0', 'printenv', 'LD_PRELOAD'], {
    encoding: 'utf8',
  })
  if (status !== 0)
    throw new SetupError('Another clock needs libfaketime: on Debian and Ubuntu, run "apt install faketime".')
  return {
    ...process.env,
    LD_PRELOAD: stdout.trim(),
    // A distance, so that processes that start later agree with those before them.
    FAKETIME: `+${Math.round((Date.parse(text) - Date.now()) / 1_000)}`,
    // How long something takes stays real, and processes of other users need no memory in common.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    FAKETIME_DISABLE_SHM: '1',
  }
}
