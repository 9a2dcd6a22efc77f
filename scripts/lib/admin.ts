import type pg from 'pg'
import { Level } from '#contract/core/levels.ts'
import { areaNames, areasOf, maskOf } from '#contract/identity/super-admins.ts'
import { hashPassword } from '#server/core/auth/password.ts'
import { newWrittenSecret } from '#server/core/auth/written-secret.ts'
import { transaction } from '#server/core/database/pool.ts'
import { acceptSecretKey } from '#server/core/database/secret-key-mark.ts'
import { openFileStore } from '#server/core/files/files.ts'
import { verifyAudit } from '#server/core/runtime/audit-chain.ts'
import { runRetention } from '#server/core/runtime/retention.ts'
import { findWrongSums } from '#server/core/runtime/sum-check.ts'
import { storedSums } from '#server/stored-sums.ts'
import { keepStandings } from '../../server/modules/requirements/standings.commands.ts'
import { countWrongStandings, lockRules } from '../../server/modules/requirements/standings.queries.ts'
import { printArchived, retention } from './retention.ts'

/** What is said to whoever asks for something unknown. */
export const usage = `Say what to do:
  super-admin USERNAME EMAIL   makes a super admin and prints the password
  super-admins                 lists the super admins with their areas
  super-admin-areas USERNAME AREA …
                               sets the areas of a super admin: all, or some of
                               Roles, Payments, CustomReports, RolesLimited, Email, AdminNews
  reset-password USERNAME      sets a new password, prints it, and ends all sessions of the account
  ip-access-off                lets every address in again, when nobody can reach the switch
  jobs                         lists the background jobs that wait or failed
  rerun JOB                    runs a failed job again, by its number in that list
  retention                    lists how long rows are kept, and which months are archived
  retention KIND MONTHS [--program ID]
                               sets how long rows of audit or mail are kept; forever instead of MONTHS takes it back
  retention-run                archives, drops and deletes now what is not kept any longer; a job does so every night
  archive-read KIND [--program ID] [--person ID] [--from DATE] [--before DATE]
                               prints lines of months that were archived
  retire-signing-key COLLEGE   the college with this number signs its next records with a new key; the old public key stays
                               published, and what it signed stays valid
  real-one [--send-old]        says that an installation restored from a backup is the real one now: emails, webhooks and notifications
                               leave again; with --send-old also those that were due before the backup was made
  go-back                      puts the backup from before the last update in the place of the installation, which is laid aside; run it
                               with the version to go back to in place
  rotate-secret                takes a new SECRET_KEY and seals anew what is sealed under the one of now; the product has to be stopped, and
                               NEW_SECRET_KEY or NEW_SECRET_KEY_FILE has the new key where SECRET_KEY is in the environment
  accept-secret-key            takes SECRET_KEY as it is now, after it was changed or lost: what was sealed under the one before stays
                               unreadable and has to be entered again
  audit-verify                 proves that no row of the audit was changed, deleted or added since it was sealed
  recount                      checks the stored sums of every program, and recounts those that are wrong`

/** The installation that a command works on. */
export interface Reached {
  /** Connects as the owner. */
  client: pg.Client
  pool: pg.Pool
  filesUrl: string
  secretKey: string
}

/** About 100 bits. */
const newPassword = (): string => newWrittenSecret(4)

const makeSuperAdmin = async (client: pg.Client, userName = '', email = ''): Promise<string> => {
  if (!/^[A-Za-z0-9]{1,50}$/.test(userName))
    return 'The user name is 1 to 50 letters and digits. Nothing was made.'
  if (!/^[^@\s]+@[^@\s]+$/.test(email)) return 'The second word is the email address. Nothing was made.'
  const taken = await client.query(
    'select exists (select from account where lower(user_name) = lower($1)) as taken',
    [userName],
  )
  if (taken.rows[0].taken) return `The user name ${userName} is taken. Nothing was made.`
  const password = newPassword()
  await client.query(
    `insert into account (user_name, password_hash, access_level, email, is_email_confirmed, first_name, last_name)
     values ($1, $2, $3, $4, true, $1, '')`,
    [userName, await hashPassword(password), Level.SuperAdmin, email],
  )
  return `Made the super admin ${userName}. Password: ${password}`
}

const listSuperAdmins = async (client: pg.Client): Promise<string> => {
  const { rows } = await client.query(
    `select user_name, email, coalesce(super_admin_areas, 0) as areas, deactivated_at is not null as is_inactive
     from account where access_level = $1 and deleted_at is null order by lower(user_name)`,
    [Level.SuperAdmin],
  )
  if (rows.length === 0) return 'There are no super admins. Make one with super-admin USERNAME EMAIL.'
  return rows
    .map(({ user_name, email, areas, is_inactive }) => {
      const names = areasOf(areas).join(' ') || 'all'
      return `${user_name}  ${email}  ${names}${is_inactive ? '  deactivated' : ''}`
    })
    .join('\n')
}

const setSuperAdminAreas = async (
  client: pg.Client,
  userName = '',
  names: string[] = [],
): Promise<string> => {
  const chosen = areaNames.filter((area) => names.some((name) => name.toLowerCase() === area.toLowerCase()))
  const isAll = names.length === 1 && names[0] === 'all'
  if (!isAll && (chosen.length === 0 || chosen.length !== names.length))
    return `Name the areas: all, or some of ${areaNames.join(', ')}. Nothing was changed.`
  const { rows } = await client.query(
    `with before as (select id, coalesce(super_admin_areas, 0) as areas from account
       where lower(user_name) = lower($1) and access_level = $2 and deleted_at is null),
     changed as (update account a set super_admin_areas = nullif($3::integer, 0) from before b where a.id = b.id returning a.id)
     insert into audit (action, subject_id, detail)
     select 'npm run admin -- super-admin-areas', b.id, jsonb_build_object('Areas',
       jsonb_build_object('Before', b.areas, 'After', $3::integer))
     from before b join changed c on c.id = b.id returning subject_id`,
    [userName, Level.SuperAdmin, maskOf(chosen)],
  )
  if (!rows[0]) return `There is no super admin ${userName}. Nothing was changed.`
  return `The areas of ${userName}: ${isAll ? 'all' : chosen.join(', ')}`
}

const resetPassword = async (client: pg.Client, userName = ''): Promise<string> => {
  const { rows } = await client.query(
    'select id from account where lower(user_name) = lower($1) and deleted_at is null',
    [userName],
  )
  if (!rows[0]) return `There is no account ${userName}. Nothing was changed.`
  const password = newPassword()
  await client.query('select set_password($1, $2, false), end_freeze($1)', [
    rows[0].id,
    await hashPassword(password),
  ])
  await client.query('update session set ended_at = now() where account_id = $1 and ended_at is null', [
    rows[0].id,
  ])
  return `The new password of ${userName}: ${password}`
}

const switchIpAccessOff = async (client: pg.Client): Promise<string> => {
  const { rowCount } = await client.query(
    'update ip_access set mode = 0, version = version + 1 where mode <> 0',
  )
  return rowCount
    ? 'Every address is let in again.'
    : 'Every address was let in already. Nothing was changed.'
}

const retireSigningKey = async (client: pg.Client, college = ''): Promise<string> => {
  if (!/^[1-9]\d{0,8}$/.test(college)) return 'Say the number of the college, as its page shows it.'
  const { rowCount } = await client.query(
    'update signing_key set retired_at = now() where college_id = $1 and retired_at is null',
    [college],
  )
  return rowCount
    ? `College ${college} signs its next clinical record with a new key. What was signed stays valid.`
    : `College ${college} has no key yet: it gets one with its first clinical record. Nothing was changed.`
}

const listJobs = async (client: pg.Client): Promise<string> => {
  const { rows } = await client.query(
    `select id, task_identifier, attempts, max_attempts, split_part(last_error, E'\\n', 1) as error,
       to_char(run_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as due,
       case when locked_at is not null then '  runs since ' || to_char(locked_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
         else '' end as running
     from graphile_worker.jobs order by run_at limit 200`,
  )
  if (rows.length === 0) return 'No job waits.'
  return rows
    .map((job) =>
      `${job.id}  ${job.task_identifier}  ${job.attempts} of ${job.max_attempts} tries  due ${job.due}${job.running}  ${job.error ?? ''}`.trim(),
    )
    .join('\n')
}

const rerunJob = async (client: pg.Client, id = ''): Promise<string> => {
  if (!/^\d{1,18}$/.test(id)) return 'Say the number of the job, as `jobs` lists it.'
  const { rows } = await client.query(
    'select id from graphile_worker.reschedule_jobs(array[$1::bigint], now(), null, 0, null)',
    [id],
  )
  return rows.length > 0 ? `Job ${id} runs again now.` : `There is no job ${id} that could run again.`
}

/** Judges anew what students have shown for their requirements, which no function of the database can; answers how many rows were wrong. */
const recountStandings = (pool: pg.Pool, programId: number): Promise<number> =>
  transaction(pool, { accountId: null, programIds: [programId] }, async (db) => {
    await lockRules(db, programId)
    const wrong = await countWrongStandings(db, programId)
    if (wrong > 0) await keepStandings(db, programId, {})
    return wrong
  })

/** Adds to the kept sums what they miss, a program at a time, and names what was wrong. */
const recount = async ({ client, pool }: Reached): Promise<string> => {
  const { rows: programs } = await client.query<{ id: string; name: string }>(
    'select id, name from program order by id',
  )
  const said: string[] = []
  for (const { id, name } of programs) {
    for (const sums of storedSums) {
      const wrong = await transaction(pool, { accountId: null, programIds: [Number(id)] }, async (db) => {
        const found = await findWrongSums(db, sums, Number(id))
        if (found.length > 0) await sums.recount(db, Number(id))
        return found
      })
      if (wrong.length > 0)
        said.push(`${name} (${id}): ${wrong.map((row) => `${row.keys} of ${row.name}`).join(', ')}`)
    }
    const wrong = await recountStandings(pool, Number(id))
    if (wrong > 0) said.push(`${name} (${id}): ${wrong} of student_requirement`)
  }
  return said.length === 0
    ? `The sums of ${programs.length} programs are right. Nothing was changed.`
    : `Recounted, with the number of sums that were wrong:\n${said.join('\n')}`
}

const verifyChain = async ({ client, filesUrl, secretKey }: Reached): Promise<string> => {
  const { seals, rows, retired, problems } = await verifyAudit(
    client,
    await openFileStore(filesUrl),
    secretKey,
  )
  if (problems.length > 0) {
    process.exitCode = 1
    return [...problems, 'The audit is not as it was sealed.'].join('\n')
  }
  if (seals === 0) return 'Nothing is sealed yet: the worker seals each night.'
  const taken = retired === 0 ? '' : ` ${retired} rows were taken by retention.`
  return `The audit is as it was sealed: ${rows} rows in ${seals} seals.${taken}`
}

const endCopy = async (client: pg.Client, [option, ...more]: string[]): Promise<string> => {
  if (more.length > 0 || (option !== undefined && option !== '--send-old'))
    return 'Say real-one, or real-one --send-old. Nothing was changed.'
  const { rows } = await client.query<{ is_copy: boolean }>(
    'select exists (select from restored_copy) as is_copy',
  )
  if (!rows[0]!.is_copy) return 'This installation is the real one already. Nothing was changed.'
  await client.query('select end_copy($1)', [option !== undefined])
  await client.query("insert into audit (action, detail) values ('npm run admin -- real-one', $1)", [
    { SendsOld: option !== undefined },
  ])
  return `This installation is the real one now. ${
    option === undefined
      ? 'What was due before the backup was made is not sent.'
      : 'What waited is sent within a minute.'
  }`
}

/** What the words ask for; it answers the lines to be printed. Undefined where nobody knows them. */
export const commandOf = ([command = '', ...words]: readonly string[]):
  | ((reached: Reached) => Promise<string>)
  | undefined => {
  const commands: Record<string, (reached: Reached) => Promise<string>> = {
    'super-admin': ({ client }) => makeSuperAdmin(client, words[0], words[1]),
    'super-admins': ({ client }) => listSuperAdmins(client),
    'super-admin-areas': ({ client }) => setSuperAdminAreas(client, words[0], words.slice(1)),
    'reset-password': ({ client }) => resetPassword(client, words[0]),
    'ip-access-off': ({ client }) => switchIpAccessOff(client),
    'retire-signing-key': ({ client }) => retireSigningKey(client, words[0]),
    jobs: ({ client }) => listJobs(client),
    rerun: ({ client }) => rerunJob(client, words[0]),
    recount,
    'accept-secret-key': async ({ client, secretKey }) => {
      await acceptSecretKey(client, secretKey)
      return 'SECRET_KEY is the one of this installation now. What was sealed under another has to be entered again.'
    },
    'real-one': ({ client }) => endCopy(client, words),
    retention: ({ client }) => retention(client, words),
    'retention-run': async ({ client, filesUrl }) =>
      (await runRetention(client, await openFileStore(filesUrl))).join('\n') || 'Nothing is due.',
    'audit-verify': verifyChain,
    'archive-read': ({ client, filesUrl }) => printArchived(client, filesUrl, words),
  }
  return Object.hasOwn(commands, command) ? commands[command] : undefined
}
