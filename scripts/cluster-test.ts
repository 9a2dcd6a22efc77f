import { writeFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { createPool } from '#server/core/database/pool.ts'
import { type Cluster, startCluster } from './cluster/cluster.ts'
import { install, MissingError, until, versions } from './cluster/parts.ts'
import { type Answered, type People, startPeople } from './cluster/people.ts'
import { harms } from './cluster/rounds.ts'

const usage = 'Say how many rounds: npm run cluster-test [-- --rounds 20] [--write]'
/** How long an installation has to be whole again, with all nodes, before the next round. */
const wholeMs = 120_000

interface Round {
  what: string
  writes: number
  reads: number
  writesBar: number
  readsBar: number
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(1)

/** The longest time without an answer since then. */
const longestGap = (answers: readonly Answered[], since: number): number => {
  const times = [since, ...answers.map(({ at }) => at).filter((at) => at > since)]
  return Math.max(...times.slice(1).map((at, index) => at - times[index]!))
}

const isWorkDone = async (owner: pg.Pool): Promise<boolean> => {
  const { rows } = await owner
    .query<{ open: number }>(
      "select count(*)::integer as open from graphile_worker.jobs where key = 'cluster-test'",
    )
    .catch(() => ({ rows: [{ open: 1 }] }))
  return rows[0]?.open === 0
}

const runRound = async (cluster: Cluster, people: People, owner: pg.Pool, number: number): Promise<Round> => {
  // There are fewer kinds than rounds.
  const harm = harms[number % harms.length]!
  const began = performance.now()
  const { since = began, repair } = await harm.begin(cluster)
  const harmedAt = performance.now()
  const isAnswered = (answers: readonly Answered[]): boolean =>
    answers.some(({ askedAt }) => askedAt >= harmedAt)
  await until(
    'a punch is acknowledged and a list read',
    () => isAnswered(people.punched) && isAnswered(people.read),
  )
  repair?.()
  await until('the cluster is whole again', async () => (await cluster.members())?.isWhole === true, wholeMs)
  await people.hearPunches()
  await until(
    'the queue takes a job',
    () =>
      owner.query("select graphile_worker.add_job('time:fold-sums', '{}', job_key => 'cluster-test')").then(
        () => true,
        () => false,
      ),
    30_000,
  )
  await until('the worker has done it', () => isWorkDone(owner), 60_000)
  return {
    what: harm.what,
    writes: longestGap(people.punched, since),
    reads: longestGap(people.read, since),
    writesBar: harm.writes,
    readsBar: harm.reads,
  }
}

const isMissed = ({ writes, reads, writesBar, readsBar }: Round): boolean =>
  writes > writesBar * 1_000 || reads > readsBar * 1_000

/** @returns the modes of the pooler that the product did not refuse */
const acceptedModes = async (cluster: Cluster): Promise<string[]> => {
  const accepted: string[] = []
  for (const mode of ['transaction', 'statement']) {
    const { url, part } = await cluster.poolerIn(mode)
    const product = cluster.productWith(url, `refused-${mode}`)
    await until('the product refuses the pooler', () => !product.isRunning(), 30_000).catch(() => {})
    if (product.isRunning() || !product.log.includes('pooler in transaction or statement mode'))
      accepted.push(mode)
    await part.end('SIGTERM')
  }
  return accepted
}

const page = (rounds: readonly Round[], proof: string, took: number): string => `# High availability

Written by \`npm run cluster-test -- --write\` on ${new Date().toISOString().slice(0, 10)}; do not edit by hand. The configuration is in
[cluster/](cluster/), and [operations.md](operations.md) tells how it is used.

Machine: ${availableParallelism()} processor cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB of memory, Node.js ${process.versions.node}; all parts and
the people share it. ${versions()}.

| round | what happened | writes back after | asked | reads back after | asked |
|---|---|---|---|---|---|
${rounds
  .map(
    (round, index) =>
      `| ${index + 1} | ${round.what} | ${seconds(round.writes)} s | ${round.writesBar} s | ${seconds(round.reads)} s | ${round.readsBar} s |`,
  )
  .join('\n')}

${proof} The whole run took ${Math.round(took / 1_000)} seconds.

- Eight students punch in and out, each again with the same key until it is acknowledged; a coordinator reads a list. A round
  begins when all three nodes follow again, both web processes tell their streams of punches, and the worker has done a job.
- The time is the longest without an answer, from the harm until all of it is well. Where there is no way around a link, it counts
  from when the link is whole again.
- Reads go to the primary; while it is away a standby answers them, also whose session it is.
- Nobody lends a hand: killed programs are started again as a supervisor would, and a lost node when writes are back.
`

const run = async (): Promise<number> => {
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: '20' }, write: { type: 'boolean', default: false } },
  })
  const count = Number(values.rounds)
  if (!Number.isInteger(count) || count < 1) throw new MissingError(usage)
  install(console.log)
  const began = performance.now()
  const cluster = await startCluster(console.log, (stop) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => void stop().finally(() => process.exit(1)))
  })
  const owner = createPool(cluster.ownerUrl, { info: () => {}, warn: () => {}, error: () => {} }, 2)
  try {
    const people = await startPeople(owner, cluster.webUrls)
    const rounds: Round[] = []
    for (let number = 0; number < count; number++) {
      const round = await runRound(cluster, people, owner, number)
      rounds.push(round)
      console.log(
        `${isMissed(round) ? 'MISSED' : 'ok'}  ${number + 1}. ${round.what}: writes back after ${seconds(round.writes)} s, reads after ${seconds(round.reads)} s`,
      )
    }
    const { acknowledged, lost, doubled, unasked } = await people.finish(owner)
    const accepted = await acceptedModes(cluster)
    const wrong = [...new Set(people.wrong)]
    const proof = `${acknowledged} punches were acknowledged, ${people.repeats} times after a repeat: ${lost} lost, ${doubled} doubled, ${unasked} that nobody was told of.`
    console.log(proof)
    for (const answer of wrong) console.log(`A punch was answered: ${answer}`)
    for (const mode of accepted)
      console.log(`The product did not refuse a pooler in ${mode} mode by its sentence.`)
    const isRight = !rounds.some(isMissed) && lost + doubled + unasked + wrong.length + accepted.length === 0
    if (values.write)
      writeFileSync(
        join(import.meta.dirname, '..', 'docs', 'cluster.md'),
        page(rounds, proof, performance.now() - began),
      )
    return isRight ? 0 : 1
  } catch (error) {
    for (const part of [...cluster.nodes.map(({ patroni }) => patroni), ...cluster.web, cluster.worker])
      console.error(`--- ${part.name}\n${part.log.split('\n').slice(-20).join('\n')}`)
    throw error
  } finally {
    await owner.end().catch(() => {})
    await cluster.stop()
  }
}

run().then(
  // Answers that nobody waits for may still be due.
  (code) => process.exit(code),
  (error: Error) => {
    const isMissing = error instanceof MissingError
    console.error(isMissing ? error.message : error)
    process.exit(isMissing ? 2 : 1)
  },
)
