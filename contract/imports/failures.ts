import { failure, failures, missing } from '#contract/core/failure.ts'

export const importFailures = failures({
  changed_meanwhile: failure(409, {
    en: 'Nothing was imported: row {Row}{Column}: {Reason}{More}. Their change was kept. Check it, then import again.',
  }),
  taken_meanwhile: failure(409, {
    en: 'A name or key of the file was taken by someone else in this moment. Nothing was imported. Import again.',
    code: 'changed_meanwhile',
  }),
  import_not_allowed: failure(403, {
    en: 'Your role does not allow to import {Kind}. Ask your program’s coordinator.',
    code: 'not_allowed',
  }),
  import_running: failure(409, {
    en: 'Another import is running. Nothing was imported. Wait until it is done, then import again.',
  }),
  rows_refused: failure(422, 'Nothing was imported: row {Row}{Column}: {Reason}{More}'),
  no_file: failure(400, { en: 'Choose a file. Nothing was imported.', code: 'invalid' }),
  in_use: failure(409, 'Nothing was undone: {Reason}{More}. Take that away first, or keep the import.'),
  no_import: missing('This import'),
  undone_already: failure(409, {
    en: 'The import of {FileName} is undone already. Nothing was changed.',
    code: 'undone',
  }),
  undo_running: failure(409, {
    en: 'The import of {FileName} is being undone already. Nothing was changed. Look again when that is done.',
  }),
  not_done: failure(409, 'The import of {FileName} is not done, so there is nothing to undo yet.'),
  undo_waits: failure(409, {
    en: 'Another import is running. Nothing was undone. Wait until it is done, then undo again.',
    code: 'import_running',
  }),
  undo_not_allowed: failure(403, {
    en: 'Your role does not allow to undo this import.',
    code: 'not_allowed',
  }),
  people_in_use: failure(409, {
    en: 'Nothing was undone: people of this import have records of their own. Deactivate them instead.',
    code: 'in_use',
  }),
  id_in_use: failure(409, {
    en: 'Nothing was undone: an id that the import replaced belongs to another record now.',
    code: 'in_use',
  }),
  key_of_no_program: failure(422, {
    en: 'Data sync needs a key of one program. Nothing was changed.',
    code: 'program',
  }),
  row_refused: failure(422, { en: 'Row {Row}: {Reason}', code: 'rows_refused' }),
})
