import { failure, failures, missing } from '#contract/core/failure.ts'

export const requirementFailures = failures({
  until_past: failure(422, { en: '{Until} has passed. Choose a later day.', code: 'until' }),
  no_request: missing('This request'),
  no_requirement: missing('This requirement'),
  exempt_already: failure(409, { en: 'You are exempt from {Name} already.', code: 'exempt' }),
  exemption_asked: failure(409, {
    en: 'You have asked to be exempt from {Name} already. Wait for the answer.',
    code: 'asked',
  }),
  no_waiting_request: missing('A request that waits'),
  not_sent: failure(422, {
    en: '{Name} comes from the vendor or your program. There is nothing to send.',
    es: '{Name} viene del proveedor o de su programa. No hay nada que enviar.',
    code: 'result',
  }),
  signed_here: failure(422, {
    en: '{Name} is signed here, not sent.',
    es: '{Name} se firma aquí, no se envía.',
    code: 'signed',
  }),
  proof_file_required: failure(422, {
    en: 'Take a photo of the proof, or choose a file.',
    es: 'Tome una foto del comprobante o elija un archivo.',
    code: 'file',
  }),
  no_proof: missing('This proof'),
  proof_reviewed: failure(409, {
    en: 'Your program has already reviewed this proof, so it stays as it is.',
    es: 'Su programa ya decidió sobre este comprobante; queda como está.',
    code: 'decided',
  }),
  no_file: missing('This file'),
  not_signed_here: failure(422, {
    en: '{Name} is not signed here.',
    es: '{Name} no se firma aquí.',
    code: 'signed',
  }),
  text_changed: failure(409, {
    en: 'The text has changed meanwhile. Read it again before you sign.',
    es: 'El texto cambió mientras tanto. Léalo de nuevo antes de firmar.',
    code: 'changed',
  }),
  wrong_name: failure(422, {
    en: 'Type your name as it is in your account: {Name}.',
    es: 'Escriba su nombre como está en su cuenta: {Name}.',
    code: 'name',
  }),
  no_packet: missing('This packet'),
  no_officials_days: failure(422, {
    en: 'For school officials enter the day of the annual notice and the day of the agreement.',
    code: 'basis',
  }),
  no_purpose: failure(422, { en: 'Enter the purpose that students consent to.', code: 'basis' }),
  no_such_requirement: missing('A requirement'),
  no_basis: failure(422, {
    en: '{Site} has no legal basis for a disclosure. Set it with the site’s requirements; nothing was sent.',
    code: 'basis',
  }),
  no_student_with_shifts: missing('A student with shifts at the site'),
  without_consent: failure(422, {
    en: '{Student}{Others} did not consent. Leave them out, or ask them to sign on their page; nothing was sent.',
    code: 'consent',
  }),
  packet_withdrawn: failure(409, { en: 'This packet was withdrawn before.', code: 'withdrawn' }),
  consented_before: failure(409, { en: 'You have consented to this before.', code: 'given' }),
  no_consent: missing('This consent'),
  pre_adverse_day: failure(422, 'The notice is sent now: enter today’s date.'),
  pre_adverse: failure(422, {
    en: 'Record “Pre-adverse notice sent” first: the student is told and can answer. Nothing was saved.',
  }),
  pre_adverse_open: failure(422, {
    en: 'The student may answer the notice through {AnswerBy}. Record “Not eligible” after that day; nothing was saved.',
  }),
  wrong_type: failure(415, {
    en: '{Name} is no PDF, JPEG or PNG by its content. Nothing was kept.',
    es: '{Name} no es un PDF, JPEG ni PNG por su contenido. No se guardó nada.',
  }),
  too_many: failure(413, {
    en: 'Send at most {Most} files at a time. Nothing was kept.',
    es: 'Envíe como máximo {Most} archivos a la vez. No se guardó nada.',
  }),
  too_large: failure(413, {
    en: '{Name} is larger than {Limit} MiB. Make it smaller; nothing was kept.',
    es: '{Name} pesa más de {Limit} MiB. Redúzcalo; no se guardó nada.',
  }),
  proof_decided: failure(409, {
    en: '{By} has {State} this proof. Nothing was changed.',
    code: 'decided',
  }),
  proof_waits: failure(409, { en: 'This proof waits already. Nothing was changed.', code: 'open' }),
  directors_only: failure(403, {
    en: 'Results of background checks and drug screens are for directors.',
    code: 'background',
  }),
  signed_by_student: failure(422, { en: '{Name} is signed by the student.', code: 'signed' }),
  site_required: failure(422, { en: 'Choose the site that it is for.', code: 'site' }),
  no_exemption: missing('This exemption'),
  other_event: failure(422, {
    en: '{Name} asks for something else. Nothing was saved.',
    es: '{Name} pide otra cosa. No se guardó nada.',
    code: 'event',
  }),
  date_ahead: failure(422, {
    en: '{Date} has not come yet. Enter the date on the proof.',
    es: '{Date} aún no llega. Escriba la fecha del comprobante.',
    code: 'ahead',
  }),
  before_birth: failure(422, {
    en: '{Date} is before you were born. Check the year.',
    es: '{Date} es anterior a su nacimiento. Revise el año.',
  }),
  no_last_day: failure(422, {
    en: 'Enter the last day on the card or document.',
    es: 'Escriba el último día que indica la tarjeta o el documento.',
    code: 'until',
  }),
  ends_too_early: failure(422, {
    en: 'It would end on {Until}, before {On}.',
    es: 'Terminaría el {Until}, antes del {On}.',
    code: 'until',
  }),
  no_titer_result: failure(422, {
    en: 'Choose what the titer says.',
    es: 'Elija el resultado del título de anticuerpos.',
    code: 'result',
  }),
  no_vendor_result: failure(422, {
    en: 'Choose what the vendor says.',
    es: 'Elija lo que dice el proveedor.',
    code: 'result',
  }),
  name_taken: failure(409, 'A requirement named {Name} exists. Choose another name.'),
  titer_days: failure(422, 'The titer’s last day lies before its first one.'),
  schedule_twice: failure(422, { en: 'Two schedules have the same name.', code: 'schedules' }),
  needs_file: failure(422, 'A text that is signed in the product needs no file.'),
  request_withdrawn: failure(409, {
    en: '{Student} has withdrawn the request. Nothing was changed.',
    code: 'decided',
  }),
  request_decided: failure(409, {
    en: '{By} has {State} this request. Nothing was changed.',
    code: 'decided',
  }),
  proof_changed: failure(409, {
    en: 'This proof was changed meanwhile. Look at it again; nothing was decided.',
    code: 'changed',
  }),
  proof_decided_meanwhile: failure(409, {
    en: '{By} has {State} this proof meanwhile. Nothing was changed.',
    code: 'changed',
  }),
})
