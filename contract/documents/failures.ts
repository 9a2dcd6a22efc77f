import { failure, failures, missing } from '#contract/core/failure.ts'

export const documentFailures = failures({
  no_document_category: missing('This document category'),
  name_taken: failure(409, '{Name} already exists. Choose another name; nothing was saved.'),
  name_taken_again: failure(409, {
    en: '{Name} exists again. Rename that one first; the deleted category was kept as it is.',
    code: 'name_taken',
  }),
  file_taken_again: failure(409, {
    en: 'Another document has the file {FileName} now. Rename its file first; the deleted category was kept as it is.',
    code: 'file_taken',
  }),
  no_document: missing('This document'),
  file_taken: failure(409, 'File with name {FileName} already exists. Please rename file and try again.'),
  category_gone: failure(422, {
    en: 'This category does not exist. Choose another; nothing was saved.',
    code: 'category',
  }),
  site_gone: failure(422, { en: 'A site does not exist. Choose again; nothing was saved.', code: 'site' }),
  student_level_gone: failure(422, {
    en: 'A student level does not exist. Choose again; nothing was saved.',
    code: 'student_level',
  }),
  category_deleted: failure(409, {
    en: 'Its category was deleted. Bring the category back; the document was kept as it is.',
  }),
})
