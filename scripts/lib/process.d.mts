/** The folder of the repository, without a slash behind. */
export const root: string
