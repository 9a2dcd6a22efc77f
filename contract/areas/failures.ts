import { failure, failures, missing, missingAmong } from '#contract/core/failure.ts'

export const areaFailures = failures({
  no_area: missing('This area'),
  name_taken: failure(409, '{Name} already exists.'),
  in_use: failure(409, {
    en: '{Name} cannot be set inactive or deleted because {People} assigned to it. Reset them to another area first.',
  }),
  no_areas: missingAmong('areas'),
})
