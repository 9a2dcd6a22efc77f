import { createHash } from 'node:crypto'
import { Level } from '#contract/core/levels.ts'
import type { FileStore } from '#server/core/runtime/file-store.ts'
import type { MadeSite, Maker, ProgramPlan } from './maker.ts'

interface Planned {
  name: string
  file: string
  description: string
  /** Null is everyone. */
  access: number[] | null
  /** Places among the program's sites. */
  sites?: number[]
  levels?: number[]
  lines: string[]
}

const siteLevels = [Level.Supervisor, Level.SiteEmployee, Level.GenericEmployee]

const planned: Readonly<Record<string, readonly Planned[]>> = {
  Handbooks: [
    {
      name: 'Student handbook',
      file: 'student-handbook.pdf',
      description: 'Attendance, dress, conduct and what to do when you are ill.',
      access: [Level.Student, Level.Faculty, Level.Coord, Level.Director, Level.Admin],
      lines: ['Be at the door ten minutes early.', 'Call the site and the program when you are ill.'],
    },
    {
      name: 'Guide for supervisors',
      file: 'supervisor-guide.pdf',
      description: 'How hours are approved and evaluations filled, on two pages.',
      access: [...siteLevels, Level.CCUnderHood, Level.Faculty, Level.Coord, Level.Director, Level.Admin],
      lines: ['Approve hours within a week.', 'An evaluation takes two minutes.'],
    },
    {
      name: 'Welcome to the program',
      file: 'welcome.pdf',
      description: '',
      access: null,
      lines: ['Whom to ask, and where to find what.'],
    },
  ],
  Forms: [
    {
      name: 'Incident report',
      file: 'incident-report.pdf',
      description: 'To be filled within 24 hours of anything that hurt or might have hurt someone.',
      access: null,
      lines: ['What happened?', 'Who was there?', 'What was done?'],
    },
    {
      name: 'Competency checklist, second level',
      file: 'competency-checklist-2.pdf',
      description: '',
      access: [Level.Student, Level.Faculty],
      levels: [2],
      lines: ['Chest, two views', 'Hand and wrist', 'Portable chest'],
    },
  ],
  'Site orientation': [
    {
      name: 'Parking and entrances',
      file: 'parking-and-entrances.pdf',
      description: 'For the people of one site: where to park, which door, whom to ask for a badge.',
      access: [Level.Supervisor, Level.SiteEmployee, Level.GenericEmployee, Level.Faculty],
      sites: [0],
      lines: ['Staff garage, level 2.', 'Badges at the front desk.'],
    },
  ],
  Internal: [
    {
      name: 'Minutes of the advisory committee',
      file: 'advisory-committee-minutes.txt',
      description: '',
      access: [],
      lines: ['Approved the minutes of the last meeting.', 'Two new sites are to be visited in spring.'],
    },
  ],
}

const escapePdf = (text: string): string => text.replace(/[\\()]/g, '\\$&')

/** A page of plain text as a PDF, by hand: it takes no time at the first start. */
const plainPdf = (title: string, lines: readonly string[]): Buffer => {
  const text = [
    'BT /F1 20 Tf 72 720 Td',
    `(${escapePdf(title)}) Tj`,
    '/F1 12 Tf 0 -12 Td',
    ...lines.map((line) => `0 -20 Td (${escapePdf(line)}) Tj`),
    'ET',
  ].join('\n')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let file = '%PDF-1.4\n'
  const places = objects.map((object, index) => {
    const place = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return place
  })
  const start = file.length
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`
  for (const place of places) file += `${String(place).padStart(10, '0')} 00000 n \n`
  file += `trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}

/** Where files of the demo go, and whose they are. */
export interface DemoFiles {
  files: FileStore
  by: number
}

/** Stores a page of text under its own key and answers the file's number: the same demo has the same files. */
export const addFile = async (
  maker: Maker,
  plan: ProgramPlan,
  { files, by }: DemoFiles,
  { file, title, lines }: { file: string; title: string; lines: readonly string[] },
): Promise<number> => {
  const isPdf = file.endsWith('.pdf')
  const bytes = isPdf ? plainPdf(title, lines) : Buffer.from(`${title}\n\n${lines.join('\n')}\n`)
  const key = createHash('sha1').update(`demo ${plan.id} ${file}`).digest('hex')
  const storeKey = `${key.slice(0, 2)}/${key.slice(2)}`
  await files.place(storeKey, [bytes])
  return maker.add('stored_file', {
    program_id: plan.id,
    store_key: storeKey,
    name: file,
    media_type: isPdf ? 'application/pdf' : 'text/plain',
    byte_count: bytes.length,
    sha256: `\\x${createHash('sha256').update(bytes).digest('hex')}`,
    created_at: new Date(maker.now).toISOString(),
    created_by: by,
  })
}

/** Documents of every kind of reader, with their files: for everyone, a role, a site, a student level and nobody. */
export const makeDocuments = async (
  maker: Maker,
  plan: ProgramPlan,
  sites: readonly MadeSite[],
  store: DemoFiles,
): Promise<void> => {
  const stamp = new Date(maker.now).toISOString()
  const made = { created_at: stamp, created_by: store.by, updated_at: stamp, updated_by: store.by }
  for (const [category, documents] of Object.entries(planned)) {
    const categoryId = await maker.add('document_category', { program_id: plan.id, name: category, ...made })
    for (const { name, file, description, access, sites: places = [], levels = [], lines } of documents) {
      const fileId = await addFile(maker, plan, store, { file, title: name, lines })
      const documentId = await maker.add('document', {
        program_id: plan.id,
        category_id: categoryId,
        name,
        description,
        file_id: fileId,
        file_name: file,
        access,
        ...made,
      })
      for (const place of places)
        await maker.put('document_site', {
          program_id: plan.id,
          document_id: documentId,
          site_id: sites[place]!.id,
        })
      for (const level of levels)
        await maker.put('document_student_level', {
          program_id: plan.id,
          document_id: documentId,
          student_level_id: level,
        })
    }
  }
}

/** The papers of one site, by what they are called. */
const papersOf = ({ name }: MadeSite): Readonly<Record<string, readonly string[]>> => ({
  'Orientation sheet': [
    `Welcome to ${name}.`,
    'Report to the front desk 15 minutes before your shift, with your badge.',
    'Fire, code and spill procedures are on the back of your badge.',
  ],
  'Dress code and badges': [
    'Navy scrubs, closed shoes, hair tied back.',
    'Badges above the waist at all times.',
  ],
})

/** What staff keep at a site: orientation and dress code of those that students see most. */
export const makeSitePapers = async (
  maker: Maker,
  plan: ProgramPlan,
  sites: readonly MadeSite[],
  store: DemoFiles,
): Promise<void> => {
  for (const site of sites.slice(0, 8))
    for (const [name, lines] of Object.entries(papersOf(site))) {
      const file = `${site.code.toLowerCase()}-${name.toLowerCase().replaceAll(' ', '-')}.pdf`
      await maker.add('site_file', {
        program_id: plan.id,
        site_id: site.id,
        file_id: await addFile(maker, plan, store, { file, title: name, lines }),
        name,
        created_at: new Date(maker.now).toISOString(),
        created_by: store.by,
      })
    }
}
