import { formatDate } from '#contract/core/calendar.ts'
import { requirementFailures } from '#contract/requirements/failures.ts'
import * as contract from '#contract/requirements/packets.ts'
import { siteFailures } from '#contract/sites/failures.ts'
import { isSignedAs } from '#server/core/auth/signed-name.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { FileAnswer } from '#server/core/files/file-answer.ts'
import { type PdfTable, pdfFile, pdfsOf } from '#server/core/files/pdf.ts'
import { zipFile } from '#server/core/files/zip.ts'
import { handle } from '#server/core/http/handle.ts'
import { queueTemplatedEmails } from '#server/core/mail/template-emails.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { momentIn } from '#server/core/runtime/today.ts'
import { withdrawLinks } from '../links/links.commands.ts'
import { listLinks, type ScopedLink } from '../links/links.queries.ts'
import { auditByLink, createLink, openedLink } from '../links/links.service.ts'
import { findProgramContext } from '../programs/context.queries.ts'
import { insertConsent, insertPacket, revokeConsent } from './packets.commands.ts'
import {
  draftPacket,
  listConsents,
  listDisclosuresOf,
  listPacketStudents,
  listSiteContacts,
  pagePackets,
} from './packets.queries.ts'
import { readToday } from './proofs.queries.ts'
import { saveDisclosure, saveSiteRequirements } from './site-rules.commands.ts'
import { findSiteRules, pageSiteRules } from './site-rules.queries.ts'

/** What whoever gets education records has to be told (34 CFR 99.33). */
const redisclosureNotice =
  'Education records, protected by FERPA (34 CFR 99.33): use them for placing and supervising these students only, and do not disclose them to anybody else without the student’s consent.'

/** A student's program; the account of a student always has one. */
const programOf = (user: { ProgramId: number | null }): number => user.ProgramId!
const dayMs = 86_400_000

const getSite = async (db: Db, programId: number, siteId: number): Promise<contract.SiteRules> => {
  const site = await findSiteRules(db, programId, siteId)
  if (!site) throw fail(siteFailures.no_site)
  return site
}

/** Packets with what their links know. */
const withLinks = async (
  db: Db,
  programId: number,
  rows: Awaited<ReturnType<typeof pagePackets>>['rows'],
): Promise<contract.Packet[]> => {
  const links = await listLinks(
    db,
    programId,
    'packet',
    rows.map(({ Id }) => Id),
  )
  return rows.map((row) => {
    const link = links.find(({ SubjectId }) => SubjectId === row.Id)
    return {
      ...row,
      ExpiresAt: link?.ExpiresAt ?? row.CreatedAt,
      WithdrawnAt: link?.WithdrawnAt ?? null,
      IsOpenable: link?.IsOpenable ?? false,
      Openings: link?.Openings ?? 0,
      LastOpenedAt: link?.LastOpenedAt ?? null,
    }
  })
}

const getPacket = async (db: Db, programId: number, id: number): Promise<contract.Packet> => {
  const { rows } = await pagePackets(db, programId, { id })
  const [packet] = await withLinks(db, programId, rows)
  if (!packet) throw fail(requirementFailures.no_packet)
  return packet
}

type Paper = Pick<contract.Packet, 'Id' | 'Site' | 'OnDay' | 'RecipientName'>

/** What a packet says on paper, of some of its students or of all. */
const paperOf = async (
  db: Db,
  programId: number,
  packet: Paper,
): Promise<(students: readonly contract.PacketStudent[]) => PdfTable> => {
  const program = await findProgramContext(db, programId)
  return (students) => ({
    title: `Requirements met: ${packet.Site}`,
    lines: [
      `${program?.Name ?? ''}, ${program?.CollegeName ?? ''} · for ${packet.RecipientName}`,
      `As of ${formatDate(packet.OnDay)}. Proofs stay with the program.`,
      redisclosureNotice,
    ],
    columns: [
      { title: 'Student' },
      { title: 'Requirement' },
      { title: 'Met' },
      { title: 'Completed' },
      { title: 'Valid to' },
    ],
    rows: students.flatMap(({ Name, Lines }) =>
      Lines.map((line) => [
        Name,
        line.Name,
        line.IsMet ? (line.IsExempt ? 'Exempt' : 'Met') : 'Not met',
        formatDate(line.CompletedOn),
        formatDate(line.ValidTo),
      ]),
    ),
    by: program?.Name ?? '',
    at: momentIn(program?.TimeZone ?? 'UTC'),
  })
}

/** A packet on paper: a line for each student and requirement, with the notice on top. */
const packetFile = async (db: Db, programId: number, packet: Paper): Promise<FileAnswer> => {
  const paper = await paperOf(db, programId, packet)
  return pdfFile(`Packet for ${packet.Site}`, paper(await listPacketStudents(db, programId, packet.Id)))
}

/** A packet as sites file it: on a paper of their own for each student. */
const packetZip = async (db: Db, programId: number, packet: Paper): Promise<FileAnswer> => {
  const paper = await paperOf(db, programId, packet)
  const students = await listPacketStudents(db, programId, packet.Id)
  async function* files() {
    let at = 0
    // There is a file for each student.
    for await (const bytes of pdfsOf(students.map((student) => paper([student]))))
      yield { name: `${students[at++]!.Name}.pdf`, bytes }
  }
  return { name: `Packet for ${packet.Site}.zip`, type: 'application/zip', chunks: zipFile(files()) }
}

const openedPacket = async (db: Db, link: ScopedLink) => {
  const { rows } = await pagePackets(db, link.programId, { id: link.subjectId })
  // The link was made with it.
  return rows[0]!
}

export const packetRoutes = [
  handle(contract.listSiteRules, ({ db, params: { programId }, query }) =>
    pageSiteRules(db, programId, query),
  ),

  handle(contract.getSiteRules, ({ db, params: { programId, siteId } }) => getSite(db, programId, siteId)),

  handle(contract.saveSiteRules, async ({ db, params: { programId, siteId }, body, user, audit }) => {
    const before = await getSite(db, programId, siteId)
    if (body.Basis === 'schoolOfficial' && (body.NoticeOn === null || body.AgreementOn === null))
      throw fail(requirementFailures.no_officials_days, body.NoticeOn === null ? 'NoticeOn' : 'AgreementOn')
    if (body.Basis === 'consent' && body.Purpose === '') throw fail(requirementFailures.no_purpose, 'Purpose')
    const known = new Set(before.Requirements.map(({ RequirementId }) => RequirementId))
    if (body.Requirements.some(({ RequirementId }) => !known.has(RequirementId)))
      throw fail(requirementFailures.no_such_requirement)
    await saveDisclosure(db, programId, siteId, body, user.Id)
    await saveSiteRequirements(db, programId, siteId, body.Requirements, user.Id)
    audit.detail = {
      Site: before.Site,
      Before: { Basis: before.Basis, Purpose: before.Purpose },
      After: { Basis: body.Basis, Purpose: body.Purpose },
    }
    return getSite(db, programId, siteId)
  }),

  handle(contract.listPackets, async ({ db, params: { programId }, query: { SiteId, page, pageSize } }) => {
    const { rows, total } = await pagePackets(db, programId, { siteId: SiteId, page, pageSize })
    return { Items: await withLinks(db, programId, rows), Total: total, Page: page, PageSize: pageSize }
  }),

  handle(contract.getPacketDraft, async ({ db, params: { programId }, query: { SiteId } }) => {
    const site = await getSite(db, programId, SiteId)
    const OnDay = await readToday(db, programId)
    const students = await draftPacket(db, { programId, siteId: SiteId, today: OnDay })
    return {
      Basis: site.Basis,
      OnDay,
      Contacts: await listSiteContacts(db, programId, SiteId),
      Students: students.map(({ Id, Student, FirstDate, HasConsent, Lines }) => ({
        Id,
        Student,
        FirstDate,
        OpenCount: Lines.filter(({ IsMet }) => !IsMet).length,
        IsCovered: site.Basis === 'schoolOfficial' || (site.Basis === 'consent' && HasConsent),
      })),
    }
  }),

  handle(contract.createPacket, async ({ db, params: { programId }, body, user, services, audit }) => {
    const site = await getSite(db, programId, body.SiteId)
    if (!site.Basis) throw fail(requirementFailures.no_basis, { Site: site.Site }, 'SiteId')
    const today = await readToday(db, programId)
    const ids = [...new Set(body.StudentIds)]
    const students = await draftPacket(db, { programId, siteId: body.SiteId, today }, ids)
    if (students.length < ids.length) throw fail(requirementFailures.no_student_with_shifts)
    const without = site.Basis === 'consent' ? students.filter(({ HasConsent }) => !HasConsent) : []
    if (without.length > 0)
      throw fail(
        requirementFailures.without_consent,
        { Student: without[0]!.Student, Others: without.length > 1 ? ` and ${without.length - 1} more` : '' },
        'StudentIds',
      )
    const id = await insertPacket(
      db,
      {
        programId,
        siteId: body.SiteId,
        basis: site.Basis,
        onDay: today,
        recipientName: body.RecipientName,
        recipientEmail: body.RecipientEmail,
        by: user.Id,
      },
      students,
    )
    const expiresAt = new Date(Date.now() + body.Days * dayMs).toISOString()
    const { address } = await createLink(db, services, {
      programId,
      kind: 'packet',
      subjectId: id,
      recipientName: body.RecipientName,
      recipientEmail: body.RecipientEmail,
      expiresAt,
      createdBy: user.Id,
    })
    await queueTemplatedEmails(db, [
      {
        programId,
        label: 'PACKET_shared',
        recipient: body.RecipientEmail,
        values: {
          'recipient.name': body.RecipientName,
          'writer.name': user.Name,
          'site.name': site.Site,
          'student.count': String(students.length),
          'packet.until': formatDate(momentIn(user.TimeZone, new Date(expiresAt)).slice(0, 10)),
          link: address,
        },
      },
    ])
    audit.detail = {
      PacketId: id,
      Site: site.Site,
      Basis: site.Basis,
      Recipient: `${body.RecipientName} <${body.RecipientEmail}>`,
      Students: students.map(({ Id }) => Id).slice(0, 200),
    }
    return getPacket(db, programId, id)
  }),

  handle(contract.withdrawPacket, async ({ db, params: { programId, packetId }, user, audit }) => {
    const packet = await getPacket(db, programId, packetId)
    const ended = await withdrawLinks(db, { programId, kind: 'packet', subjectId: packetId, by: user.Id })
    if (ended.length === 0) throw fail(requirementFailures.packet_withdrawn)
    audit.detail = { PacketId: packetId, Site: packet.Site, Recipient: packet.RecipientName }
    return getPacket(db, programId, packetId)
  }),

  handle(contract.downloadPacket, async ({ db, params: { programId, packetId }, audit }) => {
    const packet = await getPacket(db, programId, packetId)
    audit.detail = { PacketId: packetId, Site: packet.Site }
    return packetFile(db, programId, packet)
  }),

  handle(contract.downloadPacketZip, async ({ db, params: { programId, packetId }, audit }) => {
    const packet = await getPacket(db, programId, packetId)
    audit.detail = { PacketId: packetId, Site: packet.Site }
    return packetZip(db, programId, packet)
  }),
]

export const packetLinkRoutes = [
  handle(contract.openPacket, async (call) => {
    const { db } = call
    const link = await openedLink(call, call.params.token, 'packet')
    const packet = await openedPacket(db, link)
    return {
      Program: link.program,
      College: link.college,
      Site: packet.Site,
      OnDay: packet.OnDay,
      By: packet.CreatedBy,
      ExpiresAt: link.expiresAt,
      Students: await listPacketStudents(db, link.programId, packet.Id),
    }
  }),

  handle(contract.downloadPacketByLink, async (call) => {
    const link = await openedLink(call, call.params.token, 'packet')
    const packet = await openedPacket(call.db, link)
    await auditByLink(call, link, 'downloaded')
    return packetFile(call.db, link.programId, packet)
  }),

  handle(contract.downloadPacketZipByLink, async (call) => {
    const link = await openedLink(call, call.params.token, 'packet')
    const packet = await openedPacket(call.db, link)
    await auditByLink(call, link, 'downloaded')
    return packetZip(call.db, link.programId, packet)
  }),
]

export const disclosureRoutes = [
  handle(contract.getOwnDisclosures, async ({ db, user }) => {
    const programId = programOf(user)
    const today = await readToday(db, programId)
    return {
      Consents: await listConsents(db, programId, user.Id, today),
      Disclosures: await listDisclosuresOf(db, programId, user.Id),
    }
  }),

  handle(contract.giveConsent, async ({ db, user, params: { siteId }, body, from, audit }) => {
    const programId = programOf(user)
    const today = await readToday(db, programId)
    const asked = (await listConsents(db, programId, user.Id, today)).find(({ SiteId }) => SiteId === siteId)
    if (!asked) throw fail(siteFailures.no_site)
    if (!isSignedAs(body.Name, user.Name))
      throw fail(requirementFailures.wrong_name, { Name: user.Name }, 'Name')
    const Id = await insertConsent(db, {
      programId,
      studentId: user.Id,
      siteId,
      text: asked.Text,
      name: body.Name,
      from: from.address,
    })
    if (Id === undefined) throw fail(requirementFailures.consented_before)
    audit.subjectId = user.Id
    audit.detail = { Site: asked.Site }
    return { Id }
  }),

  handle(contract.revokeConsent, async ({ db, user, params: { siteId }, audit }) => {
    const programId = programOf(user)
    const packets = await revokeConsent(db, { programId, studentId: user.Id, siteId })
    if (packets === undefined) throw fail(requirementFailures.no_consent)
    for (const subjectId of packets)
      await withdrawLinks(db, { programId, kind: 'packet', subjectId, by: user.Id })
    audit.subjectId = user.Id
    audit.detail = { SiteId: siteId, Packets: packets.length }
  }),
]
