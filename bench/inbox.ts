import { createHash, randomBytes } from 'node:crypto'
import { Level } from '#contract/core/levels.ts'
import { get } from './calls.ts'
import type { Installation } from './installation.ts'
import type { Request } from './load.ts'

const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/**
 * What the inbox by link asks for its first screen, on a phone that has opened the link: whose it is, and what waits in the program,
 * hours, procedures, evaluations and what was mailed by links of its own. Of the supervisor at whose sites the most hours wait.
 */
export const inboxOf = async (at: Installation, programId: number): Promise<Request[]> => {
  const { rows } = await at.owner.query<{ id: number; email: string }>(
    `select u.id::integer, u.email from account u
      left join supervisor_site s on s.program_id = u.program_id and s.account_id = u.id
      left join time_record r on r.program_id = s.program_id and r.site_id = s.site_id and r.status = 'pending' and r.deleted_at is null
      where u.program_id = $1 and u.access_level = $2 and u.deleted_at is null and u.deactivated_at is null and u.email <> ''
      group by u.id, u.email order by count(r.id) desc, u.id limit 1`,
    [programId, Level.Supervisor],
  )
  const [supervisor] = rows
  if (!supervisor) return []
  const [token, device] = [randomBytes(32).toString('base64url'), randomBytes(32).toString('base64url')]
  await at.owner.query(
    `insert into inbox_setting (program_id, is_on) values ($1, true)
      on conflict (program_id) do update set is_on = true`,
    [programId],
  )
  const link = await at.owner.query<{ id: number }>(
    `insert into scoped_link (program_id, kind, subject_id, recipient_name, recipient_email, token_hash, expires_at)
      values ($1, 'inbox', $2, 'Bench', $3, $4, now() + interval '7 days') returning id::integer`,
    [programId, supervisor.id, supervisor.email, hashOf(token)],
  )
  const linkId = link.rows[0]!.id
  await at.owner.query(
    `insert into scoped_link_device (program_id, link_id, secret_hash, opened_at, agent) values ($1, $2, $3, now(), 'bench')`,
    [programId, linkId, hashOf(device)],
  )
  const phone = {
    accountId: supervisor.id,
    programId,
    headers: { cookie: `practicum_link_${linkId}=${device}` },
  }
  const asAccount = {
    ...phone,
    headers: { ...phone.headers, 'x-inbox': token, 'x-account': String(supervisor.id) },
  }
  return [get(phone, `/inbox-links/${token}`), get(asAccount, `/programs/${programId}/inbox`)]
}
