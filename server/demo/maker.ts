import type pg from 'pg'
import type { Random } from './random.ts'
import { TableWriter } from './writer.ts'

export interface ProgramPlan {
  id: number
  collegeId: number
  name: string
  field: string
  students: number
  timeZone: string
  latitude: number
  longitude: number
  city: string
  state: string
  /** Behind the demo's user names: '' in the first program, '2' in Nursing. Undefined: no demo accounts. */
  suffix?: string
}

export interface MadeSite {
  id: number
  name: string
  code: string
  latitude: number
  longitude: number
  network: string
  /** Most students of a day that the site and its agreement allow. */
  maxStudents: number
  agreementEnds: string
}
export interface MadeShift {
  id: number
  site: MadeSite
  type: 'day' | 'evening' | 'night' | 'weekend' | 'other'
  code: string
  start: string
  end: string
  weekdays: number[]
  capacity: number
}
export interface MadeStudent {
  id: number
  level: number
  first: string
  last: string
}
export interface MadeRotation {
  id: number
  name: string
  from: string
  to: string
}
/** A shift that a student was placed on. */
export interface Duty {
  id: number
  rotation: number
  shift: MadeShift
  student: MadeStudent
  date: string
  startsAt: string
  endsAt: string
}
/** A procedure of the competency list, with its participation levels in their order. */
export interface MadeProcedure {
  id: number
  isPatientCare: boolean
  levels: readonly number[]
}
/** What evaluations and logs of procedures need to know of a program. */
export interface MadeProgram {
  plan: ProgramPlan
  students: MadeStudent[]
  supervisors: { id: number; sites: number[] }[]
  faculty: number
  sites: MadeSite[]
  duties: Duty[]
}

/** Every table that is filled, parents before children: the order in which rows are written. */
const tables = [
  'college',
  'modality',
  'program_class',
  'program_type',
  'language_profile',
  'language_entry',
  'program',
  'tax_rate',
  'payment_arrangement',
  'student_level',
  'area',
  'account',
  'site',
  'site_network',
  'site_contact',
  'site_department',
  'stored_file',
  'document_category',
  'document',
  'document_site',
  'document_student_level',
  'site_file',
  'affiliate_agreement',
  'supervisor_site',
  'rotation',
  'rotation_level',
  'site_shift',
  'shift_assignment',
  'open_shift',
  'open_shift_signup',
  'placement_list',
  'placement_list_student',
  'place_request',
  'shift_request',
  'shift_request_event',
  'placement_plan',
  'placement_rotation',
  'placement_student',
  'placement_preference',
  'placement_draft',
  'placement_cell',
  'placement_acceptance',
  'placement_points',
  'day_off',
  'requirement',
  'site_requirement',
  'requirement_proof',
  'requirement_proof_file',
  'requirement_exemption',
  'student_requirement',
  'site_disclosure',
  'site_packet',
  'site_packet_student',
  'scoped_link',
  'scoped_link_device',
  'scoped_link_use',
  'inbox_setting',
  'verification',
  'employment',
  'graduate',
  'outcome_measure',
  'outcome_year',
  'published_outcomes',
  'admin_news',
  'email_block',
  'time_record',
  'form_type',
  'evaluation_template',
  'evaluation_template_person',
  'score_type',
  'score_value',
  'evaluation_category',
  'item_group',
  'evaluation_item',
  'evaluation_form',
  'evaluation',
  'evaluation_answer',
  'mail',
  'notification',
  'announcement',
  'announcement_reader',
  'program_menu_item',
  'program_menu',
  'employee',
  'notification_copy',
  'competency_score',
  'competency_score_value',
  'competency_list',
  'competency_term_target',
  'major_study',
  'participation_level',
  'skill',
  'comp_exam_item',
  'pathology',
  'pathology_setting',
  'procedure_log',
  'sync_log',
  'plan_goal',
  'plan_outcome',
  'custom_report',
  'email_text',
  'student_note',
] as const
type TableName = (typeof tables)[number]
/** Tables without their own number. */
const unnumbered: readonly TableName[] = [
  'document_site',
  'document_student_level',
  'language_entry',
  'student_level',
  'supervisor_site',
  'rotation_level',
  'site_requirement',
  'requirement_proof_file',
  'student_requirement',
  'site_disclosure',
  'site_packet_student',
  'placement_list_student',
  'inbox_setting',
  'employment',
  'outcome_year',
  'published_outcomes',
  'evaluation_template_person',
  'evaluation_answer',
  'announcement_reader',
  'program_menu_item',
  'program_menu',
  'pathology_setting',
  'placement_student',
  'placement_preference',
  'placement_rotation',
  'placement_cell',
  'placement_points',
]

const batch = 2_000

/** Everything that makes rows: writers by table, ids, chance and the day. */
export class Maker {
  readonly random: Random
  readonly today: string
  readonly now: number
  private readonly writers = new Map<TableName, TableWriter>()
  private readonly ids = new Map<TableName, number>()
  private readonly client: pg.ClientBase

  constructor(client: pg.ClientBase, random: Random, today: string, now: number) {
    this.client = client
    this.random = random
    this.today = today
    this.now = now
  }

  /** Adds a row under the table's next id and answers it. */
  async add(table: TableName, row: Record<string, unknown>): Promise<number> {
    const id = (this.ids.get(table) ?? 0) + 1
    this.ids.set(table, id)
    await this.put(table, { id, ...row })
    return id
  }

  /** The id that the next row of the table gets. */
  nextId(table: TableName): number {
    return (this.ids.get(table) ?? 0) + 1
  }

  async put(table: TableName, row: Record<string, unknown>): Promise<void> {
    if (this.writer(table).add(row) >= batch) await this.flush()
  }

  private writer(table: TableName): TableWriter {
    let writer = this.writers.get(table)
    if (!writer) {
      writer = new TableWriter(this.client, table)
      this.writers.set(table, writer)
    }
    return writer
  }

  async flush(): Promise<void> {
    for (const table of tables) await this.writers.get(table)?.flush()
  }

  async finish(): Promise<void> {
    await this.flush()
    for (const table of tables) if (!unnumbered.includes(table)) await this.writers.get(table)?.continueIds()
  }
}
