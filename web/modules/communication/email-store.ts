import type { EmailSelection } from '#contract/communication/emails.ts'

/**
 * The composed email on its way to the preview's window: the sender's screen stores it in the browser's local storage, and
 * the preview takes it out again.
 */
const subjectKey = 'email-preview-subject'
const bodyKey = 'email-preview-body'
const selectionKey = 'email-preview-recipients'

export interface StoredEmail {
  subject: string
  /** HTML of the editor, not cleaned yet. */
  body: string
  /** Whom it is for, once somebody is chosen. */
  selection?: EmailSelection | undefined
}

/** The limit of the number that makes each address of a preview another one. */
const maxRandom = 2_147_483_648

/** Stores the email and answers where its preview is, below `/new/`. */
export const storeEmail = ({ subject, body, selection }: StoredEmail): string => {
  localStorage.setItem(subjectKey, subject)
  localStorage.setItem(bodyKey, body)
  if (selection) localStorage.setItem(selectionKey, JSON.stringify(selection))
  else localStorage.removeItem(selectionKey)
  return previewPath()
}

/** The preview's address with a random whole number below 2147483648. */
export const previewPath = (random: () => number = Math.random): string =>
  `admin/emails/preview?rnd=${Math.floor(random() * maxRandom)}`

/** The stored email; undefined when there is none. */
export const readEmail = (): StoredEmail | undefined => {
  const [subject, body] = [localStorage.getItem(subjectKey), localStorage.getItem(bodyKey)]
  if (subject === null && body === null) return undefined
  return { subject: subject ?? '', body: body ?? '', selection: readSelection() }
}

const readSelection = (): EmailSelection | undefined => {
  try {
    return (JSON.parse(localStorage.getItem(selectionKey) ?? 'null') as EmailSelection | null) ?? undefined
  } catch {
    return undefined
  }
}

export const removeEmail = (): void => {
  localStorage.removeItem(subjectKey)
  localStorage.removeItem(bodyKey)
  localStorage.removeItem(selectionKey)
}
