import { type PrivateDetail, privateDetailIn } from '#contract/competencies/log-rules.ts'
import { plainWords, type WordKey } from '#web/words/plain-words.ts'

const reasons: Readonly<Record<PrivateDetail, WordKey>> = {
  ssn: 'procedureLog.looksLikeSsn',
  phone: 'procedureLog.looksLikePhone',
  birth: 'procedureLog.looksLikeBirth',
  record: 'procedureLog.looksLikeRecord',
}

/** Why the server would refuse a text, in words; undefined where it may be kept. */
export const whyPrivate = (text: string): string | undefined => {
  const detail = privateDetailIn(text)
  return detail && plainWords(reasons[detail])
}
