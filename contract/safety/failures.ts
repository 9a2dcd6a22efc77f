import { failure, failures, missing } from '#contract/core/failure.ts'

export const safetyFailures = failures({
  wrong_name: failure(422, {
    en: 'Type your name as it is in your account: {Name}.',
    es: 'Escriba su nombre como está en su cuenta: {Name}.',
    code: 'name',
  }),
  no_reading: missing('This reading'),
  date_ahead: failure(422, { en: '{Date} has not come yet.', es: '{Date} aún no llega.', code: 'ahead' }),
  conceived: failure(422, {
    en: '{Date} cannot be the estimated date of conception. Check the year.',
    es: '{Date} no puede ser la fecha estimada de concepción. Revise el año.',
  }),
  declared: failure(409, { en: 'Your declaration holds already.', es: 'Su declaración ya está vigente.' }),
  no_declaration: missing('A declaration that holds'),
  not_officer: failure(403, 'Declarations are for the director and the radiation safety officer alone.'),
  no_such_staff: missing('Somebody of the staff'),
  long_ago: failure(422, {
    en: '{Date} is more than five years ago. Check the year.',
    es: '{Date} fue hace más de cinco años. Revise el año.',
  }),
  no_report: missing('This report'),
  report_closed: failure(409, {
    en: '{By} has closed this report. Nothing was changed.',
    es: '{By} ya cerró este informe. No se cambió nada.',
    code: 'closed',
  }),
  reading_taken: failure(409, {
    en: 'A reading of this student, period and badge is there already. Correct that one. Nothing was saved.',
    code: 'taken',
  }),
  reading_reviewed: failure(409, {
    en: '{By} has reviewed this reading. Nothing was changed.',
    code: 'reviewed',
  }),
  reading_below_limit: failure(409, {
    en: 'This reading is below the limit: there is nothing to review.',
    code: 'reviewed',
  }),
})
