import type { AttemptState, Obstacle, Proof, RecheckKind } from '#contract/competencies/exam-rules.ts'
import type { Attempt } from '#contract/competencies/exams.ts'
import type { Status } from '#web/ui/StatusTag.tsx'
import type { WordKey, Words } from '#web/words/plain-words.ts'

export const attemptTags: Readonly<Record<AttemptState, { status: Status; word: WordKey }>> = {
  open: { status: 'pending', word: 'exams.stateOpen' },
  passed: { status: 'approved', word: 'exams.statePassed' },
  failed: { status: 'rejected', word: 'exams.stateFailed' },
  withdrawn: { status: 'unmatched', word: 'exams.stateWithdrawn' },
  suspended: { status: 'careful', word: 'exams.stateSuspended' },
  voided: { status: 'unmatched', word: 'exams.stateVoided' },
}

export const kindWords: Readonly<Record<RecheckKind, WordKey>> = {
  continued: 'exams.continued',
  challenge: 'exams.challenge',
  terminal: 'exams.terminal',
}

export const proofWords: Readonly<Record<Proof, WordKey>> = {
  account: 'exams.howAccount',
  link: 'exams.howLink',
  code: 'exams.howCode',
}

const obstacleWords: Readonly<Record<Obstacle['Kind'], WordKey>> = {
  unscored: 'exams.obstacleUnscored',
  uncommented: 'exams.obstacleUncommented',
  critical: 'exams.obstacleCritical',
  points: 'exams.obstaclePoints',
  simulation: 'exams.obstacleSimulation',
  comment: 'exams.obstacleComment',
}

/** What keeps an examiner from a decision, as the server would refuse it. */
export const obstacleText = (words: Words, obstacle: Obstacle): string =>
  words(obstacleWords[obstacle.Kind], {
    ...('Items' in obstacle && { count: obstacle.Items }),
    ...('Score' in obstacle && { score: obstacle.Score, least: obstacle.PassesFrom }),
  })

export const attemptName = (words: Words, number: number): string =>
  number === 1 ? words('exams.first') : words('exams.attempt', { count: number })

/** What an attempt was for, and how it was done. */
export const attemptLine = (words: Words, attempt: Attempt): string =>
  [
    attempt.RecheckKind ? words(kindWords[attempt.RecheckKind]) : attemptName(words, attempt.Number),
    attempt.Site,
    attempt.IsSimulated && words('exams.simulated'),
    attempt.Patient !== 'adult' && words(`exams.${attempt.Patient}`),
  ]
    .filter(Boolean)
    .join(' · ')

export const scoreText = (words: Words, { Score, Highest }: Pick<Attempt, 'Score' | 'Highest'>): string =>
  Score === null || Highest === null
    ? words('exams.noScore')
    : words('exams.scoreOf', { score: Score, highest: Highest })
