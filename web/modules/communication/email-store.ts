/**
 * The composed e-mail on its way to the preview's window: the sender's screen stores it in the browser's local storage, and
 * the preview takes it out again (specification 2 §2.3).
 */
const subjectKey = 'email-preview-subject'
const bodyKey = 'email-preview-body'

export interface StoredEmail {
  subject: string
  /** HTML of the editor, not cleaned yet. */
  body: string
}

/** The limit of the number that makes each address of a preview another one (D2-216). */
const mostRandom = 2_147_483_648

/** Stores the e-mail and answers where its preview is, below `/new/`. */
export const storeEmail = ({ subject, body }: StoredEmail): string => {
  localStorage.setItem(subjectKey, subject)
  localStorage.setItem(bodyKey, body)
  return previewPath()
}

/** The preview's address with a random whole number below 2147483648. */
export const previewPath = (random: () => number = Math.random): string =>
  `admin/emails/preview?rnd=${Math.floor(random() * mostRandom)}`

/** The stored e-mail; undefined when there is none. */
export const readEmail = (): StoredEmail | undefined => {
  const [subject, body] = [localStorage.getItem(subjectKey), localStorage.getItem(bodyKey)]
  return subject === null && body === null ? undefined : { subject: subject ?? '', body: body ?? '' }
}

export const removeEmail = (): void => {
  localStorage.removeItem(subjectKey)
  localStorage.removeItem(bodyKey)
}
