import { type RawBuilder, sql } from 'kysely'

type Column = RawBuilder<unknown>

/** The entry of the blacklist that keeps an address from being written to by a program; null when there is none. */
export const blockOf = (programId: Column, recipient: Column) => sql<string | null>`(
  select b.address from email_block b
  where b.removed_at is null and (b.program_id is null or b.program_id = ${programId})
    and b.address in (mail_address(${recipient}), '@' || split_part(mail_address(${recipient}), '@', 2))
  order by b.address like '@%' limit 1)`

/**
 * The entry that keeps an email from its recipient. Security emails go to whoever they are for, whatever is on the list: without them somebody
 * could not sign in, or would not hear of a thief.
 */
export const emailBlockOf = (label: Column, programId: Column, recipient: Column) => sql<string | null>`
  case when ${label} like 'ACCOUNT\\_%' and ${label} <> 'ACCOUNT_created' or ${label} in ('REGISTRANT_confirm', 'REGISTRANT_known')
    then null else ${blockOf(programId, recipient)} end`
