/** The folder of the repository, without a slash behind. */
export const root: string
/** Something outside of the program is missing. The message is one sentence that says what to do. */
export class SetupError extends Error {}
/** Runs a script's main function; its number is the exit code, and an expected error is one line instead of a stack. */
export function script(main: () => Promise<number>): Promise<void>
