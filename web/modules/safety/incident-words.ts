import type { IncidentKind } from '#contract/safety/incidents.ts'

export const kindWords = {
  sharps: 'safety.kindSharps',
  bodyFluid: 'safety.kindBodyFluid',
  radiation: 'safety.kindRadiation',
  injury: 'safety.kindInjury',
  patient: 'safety.kindPatient',
  equipment: 'safety.kindEquipment',
  other: 'safety.kindOther',
} as const satisfies Record<IncidentKind, string>
