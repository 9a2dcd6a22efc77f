import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from './database.ts'

/**
 * A program's data could be distributed over servers by `program_id`, as a distributed PostgreSQL does it: every table, key and
 * foreign key carries it. What does not is named here with its reason, and nothing else.
 */
const tables: Record<string, readonly string[]> = {
  'is small, the same for all programs, and would be copied to every server': [
    'admin_news',
    'college',
    'college_connection_state',
    'eula',
    'language_entry',
    'language_profile',
    'lti_course',
    'lti_key',
    'lti_registration',
    'mail_template',
    'menu_item',
    'modality',
    'place',
    'program',
    'program_class',
    'program_type',
    'saml_key',
    'saml_provider',
    'setting',
    'signing_key',
    'tax_rate',
  ],
  'is about the installation': [
    'archived_partition',
    'audit_horizon',
    'audit_seal',
    'change_epoch',
    'event_cursor',
    'failure_hour',
    'first_code',
    'invoice_number',
    'ip_access',
    'ip_notice',
    'ip_whitelist',
    'migration',
    'push_service',
    'restored_copy',
    'secret_key_mark',
    'sign_in_day',
    'system_check',
    'worker_beat',
  ],
  'is about a person, who may belong to no program': [
    'account_change',
    'address_change',
    'eula_acceptance',
    'idempotency_key',
    'inbox_week',
    'known_device',
    'lti_deep_link',
    'lti_ticket',
    'one_time_token',
    'personal_filter',
    'recovery_code',
    'saml_request',
    'throttle',
  ],
  'is found by its import': ['import_change'],
  'counts for several programs, on one server': ['shared_site', 'shared_site_day'],
}

const keys: Record<string, readonly string[]> = {
  'is found before the program is known': [
    'calendar_feed_token_hash_key',
    'evaluation_link_token_hash_key',
    'exam_attempt_short_code_key',
    'exam_proof_token_hash_key',
    'exam_signature_dispute_hash_key',
    'scoped_link_token_hash_key',
    'saml_user_id_key',
    'session_pkey',
    'shared_site_code_pkey',
    'session_token_hash_key',
    'supervision_link_token_hash_key',
  ],
  'also holds rows of no program': [
    'account_pkey',
    'account_seen_pkey',
    'api_key_pkey',
    'audit_pkey',
    'audit_seal_part_pkey',
    'email_block_pkey',
    'import_run_pkey',
    'mail_pkey',
    'picture_pkey',
    'stored_file_pkey',
    'stored_file_store_key_key',
  ],
  'is asked for by people who know no program': ['clinical_record_number_key'],
  'counts through all programs, as the law asks of invoices': ['invoice_number_key'],
}

const references: Record<string, readonly string[]> = {
  'leads to a person, who may belong to no program': [
    'account_seen_account_id_fkey',
    'api_key_account_id_fkey',
    'background_task_account_id_fkey',
    'calendar_feed_account_id_fkey',
    'custom_report_owner_id_fkey',
    'custom_report_letter_account_id_fkey',
    'feature_letter_sent_by_fkey',
    'payment_evidence_question_account_id_fkey',
    'session_account_id_fkey',
    'session_viewed_account_id_fkey',
  ],
  'leads to a file, which may belong to no program': [
    'affiliate_agreement_file_id_fkey',
    'clinical_record_file_id_fkey',
    'document_file_id_fkey',
    'payment_arrangement_evidence_file_id_fkey',
    'picture_file_id_fkey',
    'requirement_proof_file_file_id_fkey',
    'site_file_file_id_fkey',
  ],
  'leads to a key, which may belong to no program': ['background_task_key_id_fkey'],
  'leads to an import, which may belong to no program': [
    'competency_list_import_id_fkey',
    'dose_reading_import_id_fkey',
    'employee_import_id_fkey',
    'graduate_import_id_fkey',
    'major_study_import_id_fkey',
    'requirement_import_id_fkey',
    'requirement_proof_import_id_fkey',
    'shift_assignment_import_id_fkey',
    'skill_import_id_fkey',
    'verification_import_id_fkey',
  ],
}

const namesOf = (groups: Record<string, readonly string[]>): string[] =>
  Object.values(groups).flat().toSorted()

let database: TestDatabase
let client: Client
beforeAll(async () => {
  database = await createTestDatabase()
  client = new Client({ connectionString: database.ownerUrl })
  await client.connect()
})
afterAll(async () => {
  await client?.end()
  await database?.drop()
})

const listNames = async (statement: string): Promise<string[]> =>
  (await client.query<{ name: string }>(statement)).rows.map(({ name }) => name).toSorted()

/** Tables, and constraints with the names of their columns, of which some have `program_id`. */
const catalog = `
  with tables as (
    select c.oid, c.relname::text as name, exists (
      select from pg_attribute a where a.attrelid = c.oid and a.attname = 'program_id' and not a.attisdropped) as has_program
    from pg_class c where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace),
  keys as (
    select k.conname::text as name, k.contype, k.confrelid, t.has_program, (
      select array_agg(a.attname::text order by u.place) from unnest(k.conkey) with ordinality u (number, place)
      join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.number) as columns
    from tables t join pg_constraint k on k.conrelid = t.oid)`

test('every table of a program says whose row it is', async () => {
  expect(await listNames(`${catalog} select name from tables where not has_program`)).toEqual(namesOf(tables))
})

test('every key of a table of a program holds the program, and a primary key begins with it', async () => {
  expect(
    await listNames(`${catalog} select name from keys
      where has_program and contype in ('p', 'u', 'x') and not 'program_id' = any (columns)`),
  ).toEqual(namesOf(keys))
  expect(
    await listNames(`${catalog} select name from keys
      where contype = 'p' and 'program_id' = any (columns) and columns[1] <> 'program_id'`),
  ).toEqual([])
})

test('no row of a program can point into another program', async () => {
  expect(
    await listNames(`${catalog} select k.name from keys k join tables t on t.oid = k.confrelid and t.has_program
      where k.contype = 'f' and k.has_program and not 'program_id' = any (k.columns)`),
  ).toEqual(namesOf(references))
})
