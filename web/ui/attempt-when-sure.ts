import { attempt } from './attempt.ts'
import { confirm, type Question } from './confirm.ts'

/** Does work as `attempt` does, once the question is answered by its verb: for what ends something and has no Undo. */
export const attemptWhenSure = async (
  question: Question,
  work: () => Promise<unknown>,
  failed?: string,
): Promise<boolean> => (await confirm(question)) && attempt(work, failed)
