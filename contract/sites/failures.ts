import { failure, failures, missing, missingAmong } from '#contract/core/failure.ts'

export const siteFailures = failures({
  no_such_site: missing('A site'),
  no_site: missing('This site'),
  no_sites: missingAmong('sites'),
  no_chosen_site: missing('The site'),
  no_agreement: missing('This agreement'),
  site_gone: failure(422, {
    en: 'This site does not exist. Choose another; nothing was saved.',
    code: 'site',
  }),
  not_later: failure(422, 'The new end must be after {Date}, the old one. Nothing was changed.'),
  before_renewal: failure(422, {
    en: 'The new end must not be before the day of the renewal. Nothing was changed.',
  }),
  before_initial: failure(422, 'The renewal must not be before the initial date. Nothing was changed.'),
  no_agreement_document: missing('The document of this agreement'),
  no_document: missing('This document'),
  wrong_type: failure(415, {
    en: '{Name} is no PDF, picture, text or office file by its content. Nothing was kept.',
    es: '{Name} no es un PDF, imagen, texto ni archivo de Office por su contenido. No se guardó nada.',
  }),
  area_gone: failure(422, { en: 'This area no longer exists. Choose another one.', code: 'no_area' }),
  half_place: failure(422, { en: 'A site has both coordinates or neither. Send both; nothing was saved.' }),
  external_id_taken: failure(409, {
    en: '{Name} has the external location id {Id}. Nothing was saved.',
  }),
  in_use: failure(409, {
    en: '{Name} cannot be deleted: {FirstStudent}{Others} {Students|is|are} placed here from {FirstDate} on ({Assignments} {Assignments|assignment|assignments}). Remove or change these assignments first.',
  }),
  external_id_taken_since: failure(409, {
    en: '{Name} cannot be restored: {Other} has its external location id {Id} now.',
    code: 'external_id_taken',
  }),
  chosen_site_gone: failure(422, {
    en: 'A chosen site no longer exists. Nothing was saved; choose again.',
    code: 'no_site',
  }),
  chosen_person_gone: failure(422, {
    en: 'A chosen person no longer exists, or cannot be tied to sites. Nothing was saved; choose again.',
    code: 'no_person',
  }),
})
