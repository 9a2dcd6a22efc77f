import { failure, failures, missing } from '#contract/core/failure.ts'

export const shiftChangeFailures = failures({
  no_open_shift: missing('This open shift'),
  no_student_level: missing('A student level'),
  above_capacity: failure(422, {
    en: 'The shift takes {Places} {Places|student|students} on {Date}, so {Wanted} places cannot be opened. Nothing was saved. Open at most {Places}, or raise what the shift takes.',
  }),
  no_levels: failure(422, {
    en: '{Name} is for none of these levels, so nobody could sign up. Nothing was saved. Choose other levels, or add one to the rotation.',
    code: 'levels',
  }),
  day_refused: failure(422, { en: '{Reason} Nothing was opened.', code: 'day' }),
  day_off: failure(422, {
    en: '{Date} is a day off: {Name}. Nothing was opened. Pick another day.',
    code: 'day',
  }),
  sign_up_too_late: failure(422, {
    en: 'Sign-up for {Date} would be over already. Pick a later day, or let sign-up end closer to the shift.',
    code: 'late',
  }),
  too_few_places: failure(409, {
    en: '{Taken} students have signed up, more than {Places}. Remove some first, or keep at least {Taken} places.',
    code: 'places',
  }),
  closed_before: failure(409, { en: 'This open shift was closed before.', code: 'closed' }),
  not_closed: failure(409, 'This open shift cannot be opened again: it is open, over, or was opened anew.'),
  full: failure(409, {
    en: 'No place is left on this shift. You can join the waiting list.',
    es: 'No queda ninguna plaza en este turno. Puede apuntarse en la lista de espera.',
  }),
  offered_to_others: failure(409, {
    en: 'You have offered this shift to others, or asked to drop it. Take that back first.',
    es: 'Usted ofreció este turno a otras personas o pidió dejarlo. Primero retire eso.',
    code: 'asked',
  }),
  signed_up: failure(409, {
    en: 'You have signed up for this shift before.',
    es: 'Ya se apuntó a este turno.',
  }),
  sign_up_over: failure(409, {
    en: 'Sign-up for this shift is over.',
    es: 'La inscripción para este turno terminó.',
    code: 'closed',
  }),
  no_sign_up: missing('Your sign-up'),
  started_before_drop: failure(409, {
    en: 'The shift has started, so it cannot be dropped.',
    es: 'El turno ya empezó; no se puede dejar.',
    code: 'started',
  }),
  over: failure(409, {
    en: 'This request is closed: someone else was faster, or it was withdrawn.',
    es: 'Esta solicitud ya terminó: alguien se adelantó o se retiró.',
  }),
  no_request: missing('This request'),
  changes_off: failure(422, {
    en: 'Your program has no swaps and covers at present.',
    es: 'Su programa no tiene intercambios ni coberturas por ahora.',
    code: 'off',
  }),
  started: failure(409, {
    en: 'The shift has started, so nothing can be changed.',
    es: 'El turno ya empezó; no se puede cambiar nada.',
  }),
  no_shift_of_yours: missing('This shift of yours'),
  no_offer: missing('This offer'),
  offered_or_promised: failure(409, {
    en: 'This shift is offered already, or promised in return for another.',
    es: 'Este turno ya se ofrece o está prometido a cambio de otro.',
    code: 'offered',
  }),
  no_taker: missing('A student who could take this shift'),
  offered: failure(409, { en: 'This shift is offered already.', es: 'Este turno ya se ofrece.' }),
  no_return: failure(422, {
    en: 'Choose the shift that you give in return.',
    es: 'Elija el turno que da a cambio.',
    code: 'return',
  }),
  offered_by_taker: failure(409, {
    en: 'You have offered this shift already, or promised it in return for another.',
    es: 'Usted ya ofreció este turno o lo prometió a cambio de otro.',
    code: 'promised',
  }),
  no_proposal: missing('This proposal'),
  return_gone: failure(409, {
    en: 'The other shift can no longer be given. Choose somebody else.',
    es: 'El otro turno ya no se puede dar. Elija a otra persona.',
    code: 'gone',
  }),
  over_meanwhile: failure(409, {
    en: 'This request is closed: it was withdrawn, or the shift was changed in the meantime.',
    es: 'Esta solicitud ya terminó: se retiró o el turno cambió mientras tanto.',
    code: 'over',
  }),
  answered_before: failure(409, {
    en: 'This request was answered before.',
    es: 'Esta solicitud ya se respondió.',
    code: 'answered',
  }),
})
