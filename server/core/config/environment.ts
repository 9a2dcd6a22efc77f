/** A value of the environment cannot be used. The message is one sentence that names the variable. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

export type Environment = Readonly<Record<string, string | undefined>>
