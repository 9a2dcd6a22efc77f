import { difference, type Judge, run, versionOf } from './judge.ts'

const age: Judge = async ({ backup: { file, identity, content } }) => {
  const version = await versionOf('age')
  const { text, problem } = await run('age', ['--decrypt', '--identity', identity, file])
  return { judge: 'age', version, what: 'Encrypted backup', problem: problem || difference(text, content) }
}

/** The readers of backups. */
export const backupJudges: readonly Judge[] = [age]
