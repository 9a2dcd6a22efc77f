import { failure, failures, missing, missingAmong } from '#contract/core/failure.ts'

export const placementListFailures = failures({
  no_request_for_places: missing('This request for places'),
  too_long: failure(422, 'A request is for at most two years. Nothing was saved.'),
  not_fewer: failure(422, {
    en: 'The school asks for {Places}. Say how many fewer you can take.',
    es: 'La escuela pide {Places}. Indique cuántas menos puede recibir.',
  }),
  past_dates: failure(422, {
    en: 'These dates are over. Choose dates to come.',
    es: 'Estas fechas ya pasaron. Elija fechas futuras.',
    code: 'past',
  }),
  past_answer_date: failure(422, {
    en: 'This date is over. Choose the day by which sites are to answer.',
    code: 'past',
  }),
  no_level: missing('This level'),
  request_over: failure(409, {
    en: 'This request is answered or was withdrawn, so there is nothing to remind of.',
    code: 'over',
  }),
  request_decided: failure(409, {
    en: 'This request was decided or withdrawn before. Nothing was changed.',
    code: 'over',
  }),
  not_open: failure(409, 'This request has no answer that waits for a decision. Nothing was changed.'),
  answered_anew: failure(409, '{Site} has changed its answer. Nothing was changed. Read it, then decide.'),
  decided_by_school: failure(409, {
    en: 'The school has already responded. Call them to change your answer.',
    es: 'La escuela ya respondió. Llame para cambiar su respuesta.',
    code: 'decided',
  }),
  no_placement_list: missing('This placement list'),
  no_sites_with_students: missingAmong('sites, or their students in this rotation from today on,'),
  list_over: failure(409, {
    en: 'This list is answered or was withdrawn, so there is nothing to remind of.',
    code: 'over',
  }),
  withdrawn_before: failure(409, { en: 'This list was withdrawn before.', code: 'withdrawn' }),
  list_replaced: failure(409, {
    en: 'The school has withdrawn this list or sent a newer one. Use the link in its last email.',
    es: 'La escuela retiró esta lista o envió una más reciente. Use el enlace de su último correo.',
    code: 'replaced',
  }),
  not_listed: failure(422, {
    en: 'This student is not on the list. Load the page again.',
    es: 'Esta persona no está en la lista. Vuelva a cargar la página.',
  }),
  no_reason: failure(422, {
    en: 'Say why for each student whom you decline.',
    es: 'Indique el motivo por cada estudiante que rechaza.',
    code: 'reason',
  }),
  overfull: failure(409, {
    en: '{Placed} students are placed on {Shift} on {Date}, more than {Places}. Nothing was changed. Move some first, or decline.',
    code: 'capacity',
  }),
  others_placing: failure(409, {
    en: 'Others are placing students on {Shift} right now. Nothing was changed. Try again in a moment.',
    code: 'capacity',
  }),
})
