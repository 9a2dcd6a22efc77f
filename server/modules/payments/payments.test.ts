import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AdminArea, Level } from '#contract/core/levels.ts'
import * as contract from '#contract/payments/payments.ts'
import { searchPrograms } from '#contract/programs/programs.ts'
import { getAdminData, saveState } from '#contract/session/session.ts'
import { type MadeProgram, makePerson, makeProgram, makeStudent } from '#server/test/factories.ts'
import { addressOf, type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
let program: MadeProgram
let admin: Caller
let director: Caller

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())

beforeEach(async () => {
  const { owner } = installation
  await owner.query('delete from tax_rate')
  program = await makeProgram(owner, { time_zone: 'America/New_York' })
  admin = await installation.as(
    await makePerson(owner, Level.SuperAdmin, { super_admin_areas: AdminArea.Payments }),
  )
  director = await installation.as(await makePerson(owner, Level.Director, { program }))
})

const params = (more: object = {}) => ({ params: { programId: program.Id, ...more } as never })
const one = (arrangementId: number) => params({ arrangementId })
const input = (more: Partial<contract.ArrangementInput> = {}): contract.ArrangementInput => ({
  Payer: 'college',
  PayerName: 'Harbor College, Accounts Payable',
  PayerEmail: 'ap@harbor.example',
  PayerAddress: '1 Pier Road\nNew Bedford, MA 02740',
  CentsPerStudent: 12_550,
  State: 'MA',
  StartsOn: '2020-01-01',
  ...more,
})
const add = (more: Partial<contract.ArrangementInput> = {}) =>
  admin.ok(contract.createArrangement, { ...params(), body: input(more) })
const addRate = (State: string, StartsOn: string, Rate: number) =>
  admin.ok(contract.createTaxRate, { body: { State, StartsOn, Rate } })
const paper = { field: 'file', name: 'exemption.pdf', content: '%PDF-1.7\nST-2 certificate' }
const upload = (caller: Caller, arrangementId: number, files = [paper]) =>
  caller.call(contract.saveEvidence, one(arrangementId), { files })
const message = (body: unknown): string => (body as { Message: string }).Message
const today = async (days = 0): Promise<string> => {
  const { rows } = await installation.owner.query(
    `select ((now() at time zone 'America/New_York')::date + $1::integer)::text as day`,
    [days],
  )
  return rows[0].day
}

describe('arrangements', () => {
  test('D1-291 a super admin adds one to a program, changes it, and its director reads it', async () => {
    const made = await add({ Notes: 'Renewed by phone.' })
    expect(made).toEqual({
      ...input(),
      Id: expect.any(Number),
      ProgramId: program.Id,
      Program: program.Name,
      College: expect.stringMatching(/^College/),
      IsExempt: false,
      Evidence: null,
      EndsOn: null,
      Notes: 'Renewed by phone.',
      Standing: 'active',
      InvoiceCount: 0,
      InvoicedCents: 0,
    })
    const changed = await admin.ok(contract.updateArrangement, {
      ...one(made.Id),
      body: input({ CentsPerStudent: 9_900, EndsOn: '2020-12-31' }),
    })
    expect(changed).toMatchObject({ CentsPerStudent: 9_900, Standing: 'ended' })
    expect(await director.ok(contract.getArrangement, one(made.Id))).toEqual(changed)
    const { rows } = await installation.owner.query(
      "select detail from audit where program_id = $1 and action like 'POST %/payment-arrangements/:arrangementId'",
      [program.Id],
    )
    expect(rows[0].detail).toMatchObject({
      Before: { CentsPerStudent: 12_550 },
      After: { CentsPerStudent: 9_900 },
    })
  })

  test('money is whole cents, states are states, and the end is not before the start', async () => {
    for (const [field, more] of [
      ['CentsPerStudent', { CentsPerStudent: 10.5 }],
      ['CentsPerStudent', { CentsPerStudent: -1 }],
      ['State', { State: 'ZZ' }],
      ['PayerName', { PayerName: ' ' }],
      ['PayerEmail', { PayerEmail: 'nobody' }],
      ['EndsOn', { EndsOn: '2019-12-31' }],
    ] as const) {
      const { status, body } = await admin.call(contract.createArrangement, {
        ...params(),
        body: input(more),
      })
      expect(status, field).toBe(400)
      expect((body as any).Errors[0].Field).toBe(field)
    }
  })

  test('the list holds those of all programs for super admins, those of the own one for a director', async () => {
    const own = await add({ PayerName: 'Payer one' })
    const first = program
    program = await makeProgram(installation.owner)
    const other = await add({ PayerName: 'Payer two', StartsOn: '2099-01-01' })
    const ids = async (caller: Caller, query: object = {}) =>
      (await caller.ok(contract.listArrangements, { query: { pageSize: 500, ...query } })).Items.map(
        ({ Id }) => Id,
      )
    expect(await ids(admin)).toEqual(expect.arrayContaining([own.Id, other.Id]))
    expect(await ids(admin, { ProgramId: first.Id })).toEqual([own.Id])
    expect(await ids(admin, { search: 'payer TWO' })).toEqual([other.Id])
    expect(await ids(admin, { Standing: 'upcoming' })).toContain(other.Id)
    expect(await ids(admin, { Standing: 'upcoming' })).not.toContain(own.Id)
    expect(await ids(director)).toEqual([own.Id])
    expect(
      (await director.call(contract.listArrangements, { query: { ProgramId: program.Id } })).status,
    ).toBe(404)
  })

  test('one of another program does not exist, and only super admins with the Payments area manage them', async () => {
    const { Id } = await add()
    const other = await makeProgram(installation.owner)
    expect(
      (await admin.call(contract.getArrangement, { params: { programId: other.Id, arrangementId: Id } }))
        .status,
    ).toBe(404)
    expect(
      (await admin.call(contract.createArrangement, { params: { programId: 999_999 }, body: input() }))
        .status,
    ).toBe(404)
    const foreign = await installation.as(
      await makePerson(installation.owner, Level.Director, { program: other }),
    )
    expect((await foreign.call(contract.getArrangement, one(Id))).status).toBe(404)
    const coordinator = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
    expect((await coordinator.call(contract.getArrangement, one(Id))).status).toBe(403)
    expect((await director.call(contract.updateArrangement, { ...one(Id), body: input() })).status).toBe(403)
    const mailer = await installation.as(
      await makePerson(installation.owner, Level.SuperAdmin, { super_admin_areas: AdminArea.Email }),
    )
    expect((await mailer.call(contract.getArrangement, one(Id))).status).toBe(403)
    expect((await mailer.call(contract.listTaxRates)).status).toBe(403)
  })

  test('one without invoices is deleted and comes back; one with invoices stays', async () => {
    const { Id } = await add()
    await admin.ok(contract.deleteArrangement, one(Id))
    expect((await admin.call(contract.getArrangement, one(Id))).status).toBe(404)
    expect(await admin.ok(contract.restoreArrangement, one(Id))).toMatchObject({ Id })
    await addRate('MA', '2020-01-01', 6250)
    await admin.ok(contract.issueInvoice, { ...one(Id), body: { CountedOn: await today() } })
    const refused = await admin.call(contract.deleteArrangement, one(Id))
    expect([refused.status, (refused.body as any).Code]).toEqual([409, 'in_use'])
  })

  test('D3-025 the programs table shows the state of each program’s arrangement', async () => {
    const rowOf = async () =>
      (await admin.ok(searchPrograms, { query: { search: program.Name, pageSize: 500 } })).Items.find(
        ({ Id }) => Id === program.Id,
      )!.Arrangement
    expect(await rowOf()).toBeNull()
    await add({ EndsOn: '2021-01-01' })
    expect(await rowOf()).toMatchObject({ Standing: 'ended' })
    const next = await add({ StartsOn: '2098-01-01' })
    await add({ StartsOn: '2099-01-01' })
    expect(await rowOf()).toEqual({ Id: next.Id, Standing: 'upcoming' })
    const now = await add({ IsExempt: true })
    expect(await rowOf()).toEqual({ Id: now.Id, Standing: 'evidence' })
    await upload(admin, now.Id)
    expect(await rowOf()).toEqual({ Id: now.Id, Standing: 'active' })
  })
})

describe('evidence of Tax Exemption', () => {
  test('D1-291 is uploaded by a director, downloaded, replaced, and taken away by a super admin', async () => {
    const { Id } = await add({ IsExempt: true })
    const { body } = await upload(director, Id)
    expect(body).toMatchObject({
      Standing: 'active',
      Evidence: { Name: 'exemption.pdf', ByteCount: paper.content.length },
    })
    const file = await director.send('GET', addressOf(contract.downloadEvidence, one(Id)))
    expect(file.body).toBe(paper.content)
    expect(file.headers.get('content-disposition')).toMatch(/^attachment;/)
    const other = await upload(director, Id, [{ ...paper, name: 'second.pdf' }])
    expect(other.body.Evidence?.Name).toBe('second.pdf')
    expect((await director.call(contract.deleteEvidence, one(Id))).status).toBe(403)
    await admin.ok(contract.deleteEvidence, one(Id))
    expect((await director.send('GET', addressOf(contract.downloadEvidence, one(Id)))).status).toBe(404)
  })

  test('is refused without an exemption, without a file and for a program', async () => {
    const taxed = await add()
    expect((await upload(director, taxed.Id)).status).toBe(422)
    const exempt = await add({ IsExempt: true })
    expect((await upload(director, exempt.Id, [])).status).toBe(400)
    const bad = await upload(director, exempt.Id, [
      { field: 'file', name: 'a.pdf', content: 'MZ\u0000\u0001' },
    ])
    expect([bad.status, message(bad.body)]).toEqual([415, expect.stringContaining('Nothing was kept')])
  })

  test('D1-290 admin data name the new arrangement whose evidence is missing, to each person until they were asked', async () => {
    const named = async (caller: Caller) => (await caller.ok(getAdminData)).NewArrangementId
    expect(await named(director)).toBeNull()
    await add()
    await add({ IsExempt: true, EndsOn: '2021-01-01' })
    expect(await named(director)).toBeNull()
    const { Id } = await add({ IsExempt: true })
    expect(await named(director)).toBe(Id)
    const coordinator = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
    expect(await named(coordinator)).toBeNull()
    expect(await named(admin)).toBeNull()
    await admin.ok(saveState, { body: { ProgramId: program.Id } })
    expect(await named(admin)).toBe(Id)

    await director.ok(contract.answerEvidenceQuestion, one(Id))
    await director.ok(contract.answerEvidenceQuestion, one(Id))
    expect(await named(director)).toBeNull()
    expect(await named(admin)).toBe(Id)
    await upload(director, Id)
    expect(await named(admin)).toBeNull()
  })
})

describe('tax rates', () => {
  test('D1-169 super admins add, correct and delete dated rates; a day has one rate', async () => {
    const first = await addRate('MA', '2020-01-01', 6250)
    const second = await addRate('MA', '2026-07-01', 6500)
    await addRate('AL', '2020-01-01', 4000)
    const list = () => admin.ok(contract.listTaxRates)
    expect((await list()).map(({ State, Rate }) => [State, Rate])).toEqual([
      ['AL', 4000],
      ['MA', 6500],
      ['MA', 6250],
    ])
    const taken = await admin.call(contract.createTaxRate, {
      body: { State: 'MA', StartsOn: '2020-01-01', Rate: 1 },
    })
    expect([taken.status, message(taken.body)]).toEqual([
      409,
      'MA has a rate of 6.25% from this day on. Change that one; nothing was saved.',
    ])
    const at = { params: { rateId: second.Id } }
    expect(
      await admin.ok(contract.updateTaxRate, {
        ...at,
        body: { State: 'MA', StartsOn: '2026-08-01', Rate: 6300 },
      }),
    ).toMatchObject({ StartsOn: '2026-08-01', Rate: 6300 })
    await admin.ok(contract.deleteTaxRate, at)
    expect((await admin.call(contract.deleteTaxRate, at)).status).toBe(404)
    expect((await list()).map(({ Id }) => Id)).toContain(first.Id)
    for (const bad of [{ Rate: 1.5 }, { Rate: 100_001 }, { State: 'XX' }, { StartsOn: '2026-02-31' }])
      expect(
        (
          await admin.call(contract.createTaxRate, {
            body: { State: 'MA', StartsOn: '2020-02-01', Rate: 1, ...bad },
          })
        ).status,
      ).toBe(400)
    expect((await director.call(contract.listTaxRates)).status).toBe(403)
  })
})

describe('invoices', () => {
  const student = (row: object = {}) =>
    makeStudent(installation.owner, program, { created_at: '2025-01-01T12:00:00Z', ...row })

  test('count the students of a day, add the tax of that day, and get numbers without a gap', async () => {
    await addRate('MA', '2020-01-01', 6250)
    await addRate('MA', await today(), 10_000)
    await student()
    await student()
    await student({ deactivated_at: '2025-06-15T12:00:00Z' })
    await student({ deleted_at: '2025-03-01T12:00:00Z' })
    const { Id } = await add()
    const preview = (CountedOn: string) =>
      admin.ok(contract.previewInvoice, { ...one(Id), query: { CountedOn } })
    expect(await preview('2025-06-01')).toEqual({
      StudentCount: 3,
      CentsPerStudent: 12_550,
      SubtotalCents: 37_650,
      State: 'MA',
      IsExempt: false,
      TaxRate: 6250,
      TaxCents: 2_353,
      TotalCents: 40_003,
    })
    expect(await preview('2024-12-31')).toMatchObject({ StudentCount: 0, TotalCents: 0 })
    expect(await preview('2025-02-01')).toMatchObject({ StudentCount: 4 })
    expect(await preview(await today())).toMatchObject({ StudentCount: 2, TaxRate: 10_000 })

    const issue = () => admin.ok(contract.issueInvoice, { ...one(Id), body: { CountedOn: '2025-06-01' } })
    const [first, second, third] = await Promise.all([issue(), issue(), issue()])
    const numbers = [first, second, third].map((invoice) => Number(invoice!.Number.slice(-5))).toSorted()
    expect(numbers).toEqual([numbers[0], numbers[0]! + 1, numbers[0]! + 2])
    expect(first!.Number).toMatch(/^INV-\d{4}-\d{5}$/)
    expect(first).toMatchObject({ TotalCents: 40_003, IssuedOn: await today(), VoidedAt: null })
    const page = await director.ok(contract.listInvoices, { ...one(Id), query: { pageSize: 2 } })
    expect([page.Total, page.Items.length]).toEqual([3, 2])
    expect(await director.ok(contract.getArrangement, one(Id))).toMatchObject({
      InvoiceCount: 3,
      InvoicedCents: 3 * 40_003,
    })
  })

  test('are refused for days ahead or outside, without evidence, and without a rate', async () => {
    const refusal = async (arrangementId: number, CountedOn: string) => {
      const { status, body } = await admin.call(contract.issueInvoice, {
        ...one(arrangementId),
        body: { CountedOn },
      })
      return [status, (body as any).Code]
    }
    const taxed = await add({ EndsOn: '2099-12-31' })
    expect(await refusal(taxed.Id, '2025-06-01')).toEqual([422, 'no_rate'])
    expect(await refusal(taxed.Id, '2019-06-01')).toEqual([422, 'outside'])
    expect(await refusal(taxed.Id, await today(2))).toEqual([422, 'ahead'])
    const exempt = await add({ IsExempt: true })
    expect(await refusal(exempt.Id, '2025-06-01')).toEqual([422, 'no_evidence'])
    await upload(director, exempt.Id)
    await student()
    const invoice = await admin.ok(contract.issueInvoice, {
      ...one(exempt.Id),
      body: { CountedOn: '2025-06-01' },
    })
    expect(invoice).toMatchObject({ IsExempt: true, TaxCents: 0, TotalCents: 12_550 })
    expect(
      (await director.call(contract.issueInvoice, { ...one(exempt.Id), body: { CountedOn: '2025-06-01' } }))
        .status,
    ).toBe(403)
  })

  test('never change: not with the arrangement, not in the database; they are voided once, with a reason', async () => {
    await addRate('MA', '2020-01-01', 6250)
    const { Id } = await add()
    const invoice = await admin.ok(contract.issueInvoice, { ...one(Id), body: { CountedOn: '2025-06-01' } })
    await admin.ok(contract.updateArrangement, {
      ...one(Id),
      body: input({ PayerName: 'Somebody else', CentsPerStudent: 1 }),
    })
    const kept = async () => (await admin.ok(contract.listInvoices, one(Id))).Items[0]
    expect(await kept()).toEqual(invoice)
    for (const statement of [
      'update invoice set total_cents = total_cents + 1, tax_cents = tax_cents + 1',
      "update invoice set number = 'INV-1'",
      'delete from invoice',
    ])
      await expect(installation.owner.query(`${statement} where id = ${invoice.Id}`)).rejects.toThrow(/never/)

    const at = params({ arrangementId: Id, invoiceId: invoice.Id })
    expect((await admin.call(contract.voidInvoice, { ...at, body: { Reason: ' ' } })).status).toBe(400)
    expect((await director.call(contract.voidInvoice, { ...at, body: { Reason: 'No' } })).status).toBe(403)
    const voided = await admin.ok(contract.voidInvoice, { ...at, body: { Reason: 'Wrong day.' } })
    expect(voided).toEqual({ ...invoice, VoidedAt: expect.any(String), VoidReason: 'Wrong day.' })
    expect((await admin.call(contract.voidInvoice, { ...at, body: { Reason: 'Again' } })).status).toBe(409)
    expect(await admin.ok(contract.getArrangement, one(Id))).toMatchObject({
      InvoicedCents: 0,
      InvoiceCount: 1,
    })
    await expect(
      installation.owner.query(`update invoice set void_reason = 'x' where id = ${invoice.Id}`),
    ).rejects.toThrow(/never/)
  })

  test('come as PDF, for the director too, and from no other program', async () => {
    await addRate('MA', '2020-01-01', 6250)
    const { Id } = await add()
    const invoice = await admin.ok(contract.issueInvoice, { ...one(Id), body: { CountedOn: '2025-06-01' } })
    const path = addressOf(contract.downloadInvoice, params({ arrangementId: Id, invoiceId: invoice.Id }))
    const file = await director.send('GET', path)
    expect(file.status).toBe(200)
    expect(file.headers.get('content-disposition')).toContain(`${invoice.Number}.pdf`)
    expect(file.body).toMatch(/^%PDF-/)
    const other = await makeProgram(installation.owner)
    const foreign = path.replace(`/programs/${program.Id}/`, `/programs/${other.Id}/`)
    expect((await admin.send('GET', foreign)).status).toBe(404)
  })
})
