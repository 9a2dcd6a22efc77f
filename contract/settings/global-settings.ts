import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'

/** Settings that were once in a file: whether changing calls must carry the session's token. */
export const FileSettings = z.strictObject({ EnableAntiForgery: z.boolean() })
export type FileSettings = z.infer<typeof FileSettings>

export const getFileSettings = endpoint({
  method: 'GET',
  path: '/global-settings/file',
  may: 'settings.manage',
  summary: 'Whether changing calls must carry the token against request forgery',
  answer: FileSettings,
})

export const saveFileSettings = endpoint({
  method: 'POST',
  path: '/global-settings/file',
  may: 'settings.manage',
  summary: 'Switch the token against request forgery on or off, for everybody at once',
  body: FileSettings,
  answer: FileSettings,
  basis: { read: getFileSettings },
})
