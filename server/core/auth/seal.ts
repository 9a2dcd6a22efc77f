import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { deriveKey } from '#server/core/config/config.ts'

const ivBytes = 12
const tagBytes = 16

/**
 * Encrypts a secret that must be read again (AES-256-GCM, a key derived from `SECRET_KEY`). `context` names whose it is and
 * what for; the sealed text opens under no other, so it cannot be moved to another row.
 */
export const seal = (secretKey: string, context: string, text: string): string => {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(secretKey, 'seal'), iv).setAAD(Buffer.from(context))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return `v1.${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')}`
}

/** Whose the secret of a webhook is: it opens for this endpoint of this program alone. */
export const webhookContext = (programId: number, webhookId: number): string =>
  `webhook ${programId} ${webhookId}`

/** @throws Error when the text was changed, belongs to another context, or was sealed under another `SECRET_KEY` */
export const unseal = (secretKey: string, context: string, text: string): string => {
  const bytes = Buffer.from(text.replace(/^v1\./, ''), 'base64url')
  const decipher = createDecipheriv(
    'aes-256-gcm',
    deriveKey(secretKey, 'seal'),
    bytes.subarray(0, ivBytes),
  ).setAAD(Buffer.from(context))
  decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
  return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString(
    'utf8',
  )
}

/**
 * The hash of a code short enough to be guessed from a plain hash: whoever has only the database cannot try them out.
 */
export const hashCode = (secretKey: string, context: string, code: string): Buffer =>
  createHmac('sha256', deriveKey(secretKey, 'codes')).update(`${context}:${code}`).digest()
