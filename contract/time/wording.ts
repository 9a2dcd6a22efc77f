import { type Sentence, sentence, text } from '#contract/language/texts.ts'

const at = text(' at {Site}', ' en {Site}')

/** Where something was, behind when it was; nothing without a site. */
export const atSite = (name: string | null | undefined): Sentence | string =>
  name ? sentence(at, { Site: name }) : ''

/** Why records are left out of an approval. */
export const leftOut = {
  running: text(
    '{Record}: the shift still runs. It can be approved after the clock-out.',
    '{Record}: el turno sigue en curso. Se puede aprobar después de la salida.',
  ),
  unmatched: text(
    '{Record}: the {IsIn|clock-out|clock-in} is missing, so no hours count. Add it first.',
    '{Record}: falta la {IsIn|salida|entrada}; no cuenta ninguna hora. Agréguela primero.',
  ),
  change_asked: text(
    '{Record}: a time change is requested for this shift. Accept or decline it first.',
    '{Record}: hay una solicitud de cambio de hora para este turno. Acéptela o rechácela primero.',
  ),
  overlaps: text(
    '{Record}: it overlaps {Other}, so the hours would count twice. Edit or reject one of them.',
    '{Record}: coincide con {Other}; las horas contarían dos veces. Corrija o rechace uno de los dos.',
  ),
  overlaps_other: text(
    '{Record}: it overlaps other time, so the hours would count twice. Edit or reject one of them.',
    '{Record}: coincide con otras horas, que contarían dos veces. Corrija o rechace uno de los dos.',
  ),
  ended: text(
    '{Record}: the account has ended, so its hours count no longer. Reject it.',
    '{Record}: la cuenta terminó, así que sus horas ya no cuentan. Rechácelo.',
  ),
  careful: text(
    '{Record}: it is in Careful Review. Look at it and approve it by itself.',
    '{Record}: está en revisión cuidadosa. Revíselo y apruébelo por separado.',
  ),
  decided: text(
    '{Record}: it was {IsApproved|approved|rejected} before.',
    '{Record}: ya estaba {IsApproved|aprobado|rechazado}.',
  ),
}
