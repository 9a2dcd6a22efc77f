import { formatDate } from '#contract/core/calendar.ts'
import { type Sentence, sentence, type Text, text } from '#contract/language/texts.ts'
import type { Missing, NotExaminer, NotSimulated, Obstacle } from './exam-rules.ts'

const obstacles = {
  unscored: text(
    '{Items} {Items|item has|items have} no score yet.',
    '{Items} {Items|criterio aún no tiene|criterios aún no tienen} puntaje.',
  ),
  uncommented: text(
    '{Items} low {Items|score needs|scores need} a comment.',
    '{Items} {Items|puntaje bajo necesita|puntajes bajos necesitan} un comentario.',
  ),
  critical: text(
    '{Items} critical {Items|item is|items are} not passed.',
    '{Items} {Items|criterio crítico no está aprobado|criterios críticos no están aprobados}.',
  ),
  points: text(
    '{Score} points are below the passing score of {PassesFrom}.',
    '{Score} puntos es menos que el mínimo de {PassesFrom}.',
  ),
  simulation: text(
    'A coordinator has not approved simulation for this exam.',
    'Un coordinador aún no aprobó la simulación de este examen.',
  ),
  comment: text('Say why it is not approved.', 'Indique por qué no se aprueba.'),
}

/** An obstacle in words. */
export const obstacleSentence = (obstacle: Obstacle): Sentence => {
  switch (obstacle.Kind) {
    case 'points':
      return sentence(obstacles.points, { Score: obstacle.Score, PassesFrom: obstacle.PassesFrom })
    case 'simulation':
    case 'comment':
      return sentence(obstacles[obstacle.Kind])
    default:
      return sentence(obstacles[obstacle.Kind], { Items: obstacle.Items })
  }
}

const missingTexts = {
  items: text(
    'Your program has not set exam items for this procedure yet.',
    'Su programa aún no definió los criterios del examen de este procedimiento.',
  ),
  waiting: text(
    '{Logs} {Logs|log waits|logs wait} for verification.',
    '{Logs} {Logs|anotación espera|anotaciones esperan} verificación.',
  ),
  logs: text(
    '{Logs} more verified {Logs|log|logs} needed.',
    '{Logs|Falta|Faltan} {Logs} {Logs|anotación verificada|anotaciones verificadas} más.',
  ),
  lab: text(
    'Faculty has not checked this procedure in the lab yet.',
    'Los docentes aún no revisaron este procedimiento en el laboratorio.',
  ),
  open: text('An attempt is under way.', 'Hay un intento en curso.'),
  suspended: text(
    'Your program is looking into the last attempt.',
    'Su programa está revisando el último intento.',
  ),
  passed: text('This exam is passed.', 'Este examen está aprobado.'),
  remediation: text(
    'Your program has not written down remediation after the last attempt yet.',
    'Su programa aún no registró la recuperación después del último intento.',
  ),
  retry: text('The next attempt is possible from {Day}.', 'El siguiente intento es posible desde el {Day}.'),
}

/** What is missing before an exam, in words. */
export const missingSentence = (missing: Missing): Sentence => {
  switch (missing.Kind) {
    case 'logs':
      return sentence(missing.Waiting === missing.Logs ? missingTexts.waiting : missingTexts.logs, {
        Logs: missing.Logs,
      })
    case 'retry':
      return sentence(missingTexts.retry, { Day: formatDate(missing.From) })
    default:
      return sentence(missingTexts[missing.Kind])
  }
}

/** Why an exam cannot be simulated, in words. */
export const notSimulatedTexts: Readonly<Record<NotSimulated, Text>> = {
  'patient-care': text('Patient care is never simulated.', 'El cuidado del paciente nunca se simula.'),
  procedure: text('This procedure may not be simulated.', 'Este procedimiento no se puede simular.'),
  limit: text(
    'You have used all the simulated exams that your program allows.',
    'Ya usó todos los exámenes simulados que su programa permite.',
  ),
}

/** Why a person may not examine, in words. */
export const notExaminerTexts: Readonly<Record<NotExaminer, Text>> = {
  role: text('Your program lets other people examine.', 'En su programa examinan otras personas.'),
  roster: text(
    'Not on the list of examiners of this site.',
    'No está en la lista de examinadores de este sitio.',
  ),
  expired: text('The credential on file has expired.', 'La credencial registrada venció.'),
  scope: text('Examines patient care only.', 'Solo examina el cuidado del paciente.'),
  excluded: text('May not examine you.', 'No puede examinarle.'),
  email: text('No email address on file.', 'Sin correo electrónico registrado.'),
}
