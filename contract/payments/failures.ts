import { failure, failures, missing } from '#contract/core/failure.ts'

export const paymentFailures = failures({
  no_arrangement: missing('This arrangement'),
  in_use: failure(409, {
    en: 'This arrangement has invoices, so it was kept. Set its last day to end it; void invoices that are wrong.',
  }),
  not_exempt: failure(422, {
    en: 'This arrangement is not exempt from tax, so it needs no evidence. Nothing was kept.',
  }),
  no_evidence: missing('The evidence of this arrangement'),
  no_invoice: missing('This invoice'),
  void_already: failure(409, {
    en: '{Number} is void already: {VoidReason} Nothing was changed.',
    code: 'void',
  }),
  no_tax_rate: missing('This tax rate'),
  day_taken: failure(409, {
    en: '{State} has a rate of {Rate} from this day on. Change that one; nothing was saved.',
  }),
  ahead: failure(422, 'The day lies ahead. Choose today or a day before. No invoice was issued.'),
  outside: failure(422, {
    en: 'The arrangement holds from {StartsOn} through {EndsOn}. Choose a day in it. No invoice was issued.',
  }),
  outside_open: failure(422, {
    en: 'The arrangement holds from {StartsOn} on. Choose a day in it. No invoice was issued.',
    code: 'outside',
  }),
  evidence_missing: failure(422, {
    en: 'The evidence of Tax Exemption is missing. Upload it, or take the exemption off the arrangement. No invoice was issued.',
    code: 'no_evidence',
  }),
  no_rate: failure(422, '{State} has no tax rate on {Day}. Add it in Tax Calc. No invoice was issued.'),
})
