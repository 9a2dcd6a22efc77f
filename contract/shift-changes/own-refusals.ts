import { type DeclaredFailure, failure, failures, failuresOf } from '#contract/core/failure.ts'
import { type PlacementRule, placementRules } from '#contract/scheduling/scheduling-rules.ts'

const shiftIsOff = failure(422, {
  en: 'The shift no longer runs on that day.',
  es: 'El turno ya no existe ese día.',
})

/** What a student reads where a rule of placement keeps them off a shift. */
export const ownRefusals = failures({
  last_day: failure(422, {
    en: 'The day is after your last day in the program.',
    es: 'El día es posterior a su último día en el programa.',
  }),
  rotation_dates: failure(422, {
    en: 'The shift is outside the dates of its rotation.',
    es: 'El turno está fuera de las fechas de su rotación.',
  }),
  rotation_level: failure(422, {
    en: 'This rotation is not for your level or cohort.',
    es: 'Esta rotación no es para su nivel o cohorte.',
  }),
  shift_dates: shiftIsOff,
  shift_weekday: shiftIsOff,
  program_dates: failure(422, {
    en: 'The day is outside the dates of your program.',
    es: 'El día está fuera de las fechas de su programa.',
  }),
  day_off: failure(422, { en: 'That day is a day off.', es: 'Ese día es libre.' }),
  compliance: failure(422, {
    en: 'A requirement is missing, or will have expired by that day.',
    es: 'Falta un requisito, o para ese día ya habrá vencido.',
  }),
  agreement: failure(422, {
    en: 'The site has no agreement in force on that day.',
    es: 'El sitio no tiene un convenio vigente ese día.',
  }),
  overlap: failure(422, { en: 'You have another shift at that time.', es: 'Tiene otro turno a esa hora.' }),
  capacity: failure(422, { en: 'The shift is full.', es: 'El turno está lleno.' }),
  hours_per_day: failure(422, {
    en: 'You would be over the hours allowed in a day.',
    es: 'Pasaría de las horas permitidas en un día.',
  }),
  hours_per_week: failure(422, {
    en: 'You would be over the hours allowed in a week.',
    es: 'Pasaría de las horas permitidas en una semana.',
  }),
}) satisfies Readonly<Record<PlacementRule, DeclaredFailure>>

/** The same for whoever decides a change, with the student whom the rule refuses. */
export const handoverRefusals = failuresOf(
  placementRules,
  failure(422, {
    en: '{Student}: {Refusal} Nothing was changed.',
    es: '{Student}: {Refusal} No se cambió nada.',
  }),
)

/** The same for whoever offers their own shift in return: what keeps the other student off it is not theirs to know. */
export const returnRefusals = failuresOf(
  placementRules,
  failure(422, {
    en: '{Student} cannot take that shift. Choose another one.',
    es: '{Student} no puede tomar ese turno. Elija otra opción.',
  }),
)
