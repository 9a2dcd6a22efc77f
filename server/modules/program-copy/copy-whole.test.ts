import { afterAll, beforeAll, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { copyCodes, copyProgram } from '#contract/programs/program-copy.ts'
import { fillProgram } from '#server/test/copy-source.ts'
import { type MadeProgram, makePerson, makeProgram, makeRow } from '#server/test/factories.ts'
import { type Installation, startInstallation } from '#server/test/installation.ts'

/** Tables of a program that a copy leaves where they are, by the reason. */
const excusedTables: Record<string, readonly string[]> = {
  'is about people, who belong to one program': [
    'account',
    'account_seen',
    'announcement_reader',
    'calendar_feed',
    'competency_list_cohort',
    'competency_list_link',
    'competency_list_move',
    'competency_term_target',
    'employee',
    'employment',
    'former_assignment',
    'evaluation_template_person',
    'notification',
    'exam_examiner',
    'exam_exclusion',
    'notification_copy',
    'lti_roster',
    'lti_roster_member',
    'saml_user',
    'scim_group',
    'scim_group_member',
    'scim_user',
    'session',
    'placement_plan',
    'placement_rotation',
    'placement_student',
    'placement_site',
    'placement_preference',
    'placement_draft',
    'placement_cell',
    'placement_acceptance',
    'placement_points',
    'remediation_plan',
    'remediation_task',
    'student_note',
    'student_progress',
    'supervision_link',
    'supervisor_site',
    'verification',
  ],
  'is what people of the program did': [
    'audit',
    'background_task',
    'evaluation',
    'evaluation_answer',
    'evaluation_form',
    'evaluation_link',
    'exam_attempt',
    'exam_attempt_item',
    'exam_proof',
    'exam_recheck',
    'exam_signature',
    'account_merge',
    'account_merge_row',
    'import_memory',
    'import_run',
    'lab_check',
    'open_shift',
    'open_shift_signup',
    'procedure_log',
    'procedure_log_change',
    'disclosure_consent',
    'requirement_exemption',
    'dose_reading',
    'incident_report',
    'pregnancy_declaration',
    'proof_retention',
    'radiation_officer',
    'requirement_proof',
    'requirement_request',
    'requirement_proof_file',
    'requirement_version',
    'scoped_link',
    'scoped_link_device',
    'scoped_link_use',
    'inbox_exclusion',
    'leaving',
    'shift_assignment',
    'place_request',
    'shared_site_program',
    'shared_site_code',
    'placement_list',
    'placement_list_student',
    'shift_request',
    'shift_request_event',
    'shift_request_person',
    'shift_request_site',
    'site_packet',
    'site_packet_student',
    'student_requirement',
    'sync_log',
    'time_record',
  ],
  'is added up from what is there': [
    'attendance_day',
    'evaluation_item_day',
    'evaluation_item_month',
    'evaluation_sum',
    'evaluation_three',
    'plan_until',
    'progress_count',
    'rotation_student',
    'competency_standing',
    'procedure_site_week',
    'procedure_sum',
    'shift_day',
    'shift_kept',
    'event_seen',
    'student_hours',
    'time_sum',
    'verification_day',
    'verification_named_item',
    'verification_standing',
  ],
  'is emails, and which of them were sent': [
    'agreement_reminder',
    'email_notice',
    'evaluation_digest',
    'evaluation_reminder',
    'feature_email',
    'mail',
    'punch_reminder',
    'requirement_digest',
    'requirement_reminder',
  ],
  'is agreed with one program, or opens the way to it': [
    'affiliate_agreement',
    'api_key',
    'inbox_setting',
    'push_choice',
    'push_device',
    'push_message',
    'domain_event',
    'change_horizon',
    'webhook_delivery',
    'webhook_endpoint',
    'webhook_event',
    'webhook_subject',
    'site_disclosure',
    'invoice',
    'payment_arrangement',
    'payment_evidence_question',
    'saml_program',
    'scim_connection',
  ],
  'is set by those who run the installation': ['retention_policy'],
  'seals the audit': ['audit_seal_part'],
  'holds files, which have one program': ['picture', 'site_file', 'stored_file'],
  'has no entry in the tree of what is copied': [
    'announcement',
    'custom_report',
    'custom_report_email',
    'document',
    'document_category',
    'document_site',
    'document_student_level',
    'email_block',
    'email_text',
    'plan_goal',
    'plan_outcome',
    'site_part_removed',
    'cohort_end',
    'risk_rule',
    'risk_rule_level',
    'clearance',
    'clinical_record',
    'site_requirement',
    'graduate',
    'outcome_measure',
    'outcome_year',
    'published_outcomes',
  ],
}

/** Columns of copied tables that a copy leaves out, by the reason. */
const excusedColumns: Record<string, readonly string[]> = {
  'is what makes the program another one': [
    'program.active_from',
    'program.active_through',
    'program.college_id',
    'program.has_credit',
    'program.is_payment_enabled',
    'program.modality_id',
    'program.name',
    'program.program_class_id',
    'program.program_type_id',
    'program.registration_token',
    'program.requires_totp',
    'program.state',
    'program.time_zone',
  ],
  'a copied template is switched off until somebody of the program starts it': [
    'evaluation_template.automatic_from',
    'evaluation_template.is_automatic',
    'evaluation_template.made_through',
  ],
  'is said of the students of one program': ['competency_list.is_for_others'],
  'counts the changes of this menu': ['program_menu.version'],
}

/** What every row is given when it is made. Deleted rows stay where they are. */
const ownColumns = [
  'id',
  'program_id',
  'created_at',
  'created_by',
  'updated_at',
  'updated_by',
  'import_id',
  'deleted_at',
]

/** Values of the source that are no defaults, where the type alone does not say one. */
const values: Record<string, string> = {
  'competency_list.examiners': "'{faculty}'",
  'competency_list.geriatric_min_age': '70',
  'evaluation_template.due_rule': "'fixed'",
  'evaluation_template.make_each': "'student'",
  'evaluation_template.make_on': "'rotation_end'",
  'requirement.kind': "'training'",
  'requirement.rule': `'{"Kind": "season", "DoseFrom": "01-01", "AskedFrom": "01-02", "AskedThrough": "03-04"}'`,
  'requirement.scope': "'site'",
  'site.precision_m': '90',
}
const valueOfType: Record<string, string> = {
  text: "'Marked'",
  boolean: 'not %',
  smallint: '9',
  integer: '9',
  bigint: '9',
  numeric: '9',
  'double precision': '41.5',
  date: "'2026-03-04'",
  'timestamp with time zone': "'2026-03-04T05:06:07Z'",
  'time without time zone': "'05:06'",
  jsonb: `'["Marked"]'`,
  ARRAY: "'{1}'",
  cidr: "'10.9.0.0/16'",
}

interface Column {
  table: string
  name: string
  type: string
  /** An expression; null where there is none. */
  initial: string | null
  isReference: boolean
}

let installation: Installation
let source: MadeProgram
let destination: MadeProgram
let columns: Column[]

const ask = async (text: string, ...parameters: unknown[]): Promise<any[]> =>
  (await installation.owner.query(text, parameters)).rows

const keyOf = (table: string): string => (table === 'program' ? 'id' : 'program_id')

/** The values of a column in the rows of a program that count. */
const valuesIn = async ({ table, name }: Column, program: MadeProgram): Promise<(string | null)[]> => {
  const isLive = columns.some((other) => other.table === table && other.name === 'deleted_at')
  const live = isLive && table !== 'score_type' ? 'and deleted_at is null' : ''
  const rows = await ask(
    `select distinct ${name}::text as value from ${table} where ${keyOf(table)} = $1 ${live} order by 1`,
    program.Id,
  )
  return rows.map(({ value }) => value)
}

const defaultOf = async ({ initial }: Column): Promise<string | null> =>
  initial === null ? null : (await ask(`select (${initial})::text as value`))[0].value

beforeAll(async () => {
  installation = await startInstallation()
  source = await makeProgram(installation.owner)
  destination = await makeProgram(installation.owner)
  await fillProgram(installation.owner, source)
  await makeRow(installation.owner, 'student_level', { program_id: source.Id, id: 9, name: 'Residents' })
  columns = await ask(`select c.table_name as table, c.column_name as name, c.data_type as type,
      c.column_default as initial,
      exists (select from pg_constraint k where k.contype = 'f' and k.conrelid = to_regclass(c.table_name)
        and c.ordinal_position = any (k.conkey)) as "isReference"
    from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and (c.table_name = 'program'
      or exists (select from information_schema.columns p where p.table_schema = 'public'
        and p.table_name = c.table_name and p.column_name = 'program_id'))
    order by 1, c.ordinal_position`)
})
afterAll(() => installation?.stop())

test('D3-173 every table and every column of a program is copied, or excused by a reason', async () => {
  const isExcused = new Set([...Object.values(excusedTables).flat(), ...Object.values(excusedColumns).flat()])
  const plain = columns.filter(
    ({ table, name }) =>
      !isExcused.has(table) && !isExcused.has(`${table}.${name}`) && !ownColumns.includes(name),
  )
  for (const column of plain) {
    const { table, name, type } = column
    const initial = await defaultOf(column)
    const there = await valuesIn(column, source)
    if (column.isReference || there.some((value) => value !== null && value !== initial)) continue
    const value = values[`${table}.${name}`] ?? valueOfType[type]?.replace('%', name)
    await ask(
      `update ${table} set ${name} = ${value} where ctid = (
        select ctid from ${table} where ${keyOf(table)} = $1 order by to_jsonb(${table}) ->> 'deleted_at' nulls first limit 1)`,
      source.Id,
    ).catch((error) => {
      throw new Error(`${table}.${name} needs a value of its own in this test: ${error.message}`)
    })
  }

  const superAdmin = await installation.as(await makePerson(installation.owner, Level.SuperAdmin))
  await superAdmin.ok(copyProgram, {
    query: {
      sourceProgramId: source.Id,
      destinationProgramId: destination.Id,
      dataTypes: [...copyCodes],
    },
  })

  const left: string[] = []
  for (const column of plain) {
    const before = await valuesIn(column, source)
    const after = await valuesIn(column, destination)
    const isThere = column.isReference
      ? after.some((value) => value !== null)
      : before.length > 0 && before.every((value) => after.includes(value))
    if (!isThere) left.push(`${column.table}.${column.name}`)
  }
  expect(left, 'neither copied by program-copy.commands.ts nor excused here').toEqual([])
})

test('nothing is excused that is not there', () => {
  const tables = new Set(columns.map(({ table }) => table))
  const names = new Set(columns.map(({ table, name }) => `${table}.${name}`))
  for (const table of Object.values(excusedTables).flat()) expect(tables, table).toContain(table)
  for (const column of Object.values(excusedColumns).flat()) expect(names, column).toContain(column)
})
