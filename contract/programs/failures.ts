import { failure, failures, missing } from '#contract/core/failure.ts'
import { sameProgramMessage } from './program-copy.ts'

export const programFailures = failures({
  no_class: missing('This class'),
  class_name_taken: failure(409, {
    en: 'The name provided conflicts with another active program class',
    code: 'name_taken',
  }),
  no_type: missing('This type'),
  name_taken: failure(409, '{Name} already exists.'),
  default_class_name: failure(422, {
    en: '{Name} is the default class and keeps its name.',
    code: 'default',
  }),
  default_class: failure(422, { en: '{Name} is the default class and cannot be deleted.', code: 'default' }),
  type_gone: failure(422, {
    en: 'This type no longer exists. Choose another; nothing was saved.',
    code: 'gone',
  }),
  no_college: missing('This college'),
  program_name_taken: failure(409, {
    en: 'This college already has a program named {Name}.',
    code: 'name_taken',
  }),
  college_in_use: failure(409, {
    en: '{Name} has {Count}. Delete or move them first; nothing was changed.',
    code: 'in_use',
  }),
  no_modality: missing('This modality'),
  modality_in_use: failure(409, {
    en: '{Name} is used by programs. Move them to another modality first.',
    code: 'in_use',
  }),
  same_program: failure(422, sameProgramMessage),
  no_source_program: missing('The source program'),
  no_destination_program: missing('The destination program'),
})
