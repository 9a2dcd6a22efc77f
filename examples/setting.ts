/**
 * A setting of the environment.
 *
 * @throws Error with its name when it is not there
 */
export const setting = (name: string): string => {
  const value = process.env[name]
  if (value === undefined || value === '') throw new Error(`Set ${name}.`)
  return value
}
