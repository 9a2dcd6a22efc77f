/**
 * A command as whoever runs this installation types it: `practicum admin recount` where it was installed as a release, whose launcher
 * says so, else `npm run admin -- recount`.
 */
export const ownCommand = (command: 'admin' | 'backup' | 'restore', words: string): string =>
  process.env.PRACTICUM_COMMAND
    ? `${process.env.PRACTICUM_COMMAND} ${command} ${words}`
    : `npm run ${command} -- ${words}`
