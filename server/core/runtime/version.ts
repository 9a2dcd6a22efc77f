import packageFile from '../../../package.json' with { type: 'json' }

/** The version of the product, as `AppVersion` shows it. */
export const version: string = packageFile.version
