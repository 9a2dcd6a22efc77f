import { failure, failures, failuresOf, missing } from '#contract/core/failure.ts'
import { missingKinds } from './exam-rules.ts'

export const competencyFailures = failures({
  no_competency_list: missing('This competency list'),
  no_procedure_of_list: missing("This procedure of the student's list"),
  name_taken: failure(409, '{Name} already exists.'),
  nobody_else: failure(422, {
    en: 'Students whose cohort has no list need one. Choose this on the list that they should have instead; nothing was saved.',
  }),
  section_gone: failure(422, {
    en: 'A section was deleted in the meantime. Load the page again; nothing was saved.',
    code: 'gone',
  }),
  not_undone: failure(409, {
    en: 'There is nothing to undo, or these cohorts were given another list since. Everybody keeps the list they have; choose the cohorts on the list that they should have.',
  }),
  list_in_use: failure(409, {
    en: '{Name} is the list of students. Give them another list first; nothing was deleted.',
    code: 'in_use',
  }),
  parent_deleted: failure(409, 'Bring {Name} back first; nothing was changed.'),
  name_taken_again: failure(409, {
    en: '{Name} exists again. Rename that one first; nothing was changed.',
    code: 'name_taken',
  }),
  not_siblings: failure(422, {
    en: 'These are not parts of one thing anymore. Load the page again; nothing was changed.',
  }),
  no_exam: missing('This exam'),
  not_failed: failure(409, 'Only a failed attempt has a note of remediation. Nothing was saved.'),
  not_simulated: failure(409, 'This is no simulated exam that waits to be graded. Nothing was changed.'),
  exam_over_already: failure(409, {
    en: 'This exam is {State} already. Nothing was changed.',
    code: 'over',
  }),
  not_suspended: failure(409, 'This exam is not suspended. Nothing was changed.'),
  no_waiting_recheck: missing('A recheck that waits'),
  exam_passed: failure(409, {
    en: 'This exam is decided already: approved. Nothing was changed.',
    es: 'Este examen ya está decidido: aprobado. No se cambió nada.',
    code: 'decided',
  }),
  exam_failed: failure(409, {
    en: 'This exam is decided already: not approved. Nothing was changed.',
    es: 'Este examen ya está decidido: no aprobado. No se cambió nada.',
    code: 'decided',
  }),
  exam_withdrawn: failure(409, {
    en: 'The student withdrew this exam. Nothing was changed.',
    es: 'El estudiante retiró este examen. No se cambió nada.',
    code: 'decided',
  }),
  exam_suspended: failure(409, {
    en: 'This exam is suspended until the program has looked into it. Nothing was changed.',
    es: 'Este examen está suspendido hasta que el programa lo revise. No se cambió nada.',
    code: 'decided',
  }),
  exam_voided: failure(409, {
    en: 'The program voided this exam. Nothing was changed.',
    es: 'El programa anuló este examen. No se cambió nada.',
    code: 'decided',
  }),
  examiner_left: failure(422, {
    en: 'Whoever was asked no longer examines here. The student has to ask someone else.',
    es: 'La persona elegida ya no examina aquí. El estudiante debe pedirlo a otra persona.',
    code: 'examiner',
  }),
  may_not_examine: failure(422, {
    en: '{Person} may not examine this: {Why} The student has to ask someone else.',
    es: '{Person} no puede examinar esto: {Why} El estudiante debe pedirlo a otra persona.',
    code: 'examiner',
  }),
  score_of_other_item: failure(422, {
    en: 'This score is not one of the item. Nothing was saved.',
    es: 'Este puntaje no es del criterio. No se guardó nada.',
    code: 'Items',
  }),
  statement_changed: failure(409, {
    en: 'The statement to sign has changed. Load the page again. Nothing was signed.',
    es: 'La declaración por firmar cambió. Vuelva a cargar la página. No se firmó nada.',
    code: 'statement',
  }),
  item_missing: failure(422, {
    en: 'An item of this exam is missing. Load the page again. Nothing was signed.',
    es: 'Falta un criterio de este examen. Vuelva a cargar la página. No se firmó nada.',
    code: 'Items',
  }),
  not_open_to_grade: failure(409, {
    en: 'This exam is no longer open: it was decided, withdrawn or voided.',
    es: 'Este examen ya no está abierto: se decidió, se retiró o se anuló.',
    code: 'decided',
  }),
  no_open_exam: missing('An open exam with this code'),
  exam_token: failure(401, {
    en: 'The time for grading on this device is over. Ask for a new code to go on; what you scored is kept.',
    es: 'Se acabó el tiempo para calificar en este dispositivo. Pida un código nuevo para continuar; lo que calificó se conserva.',
  }),
  wrong_code: failure(422, {
    en: 'This code is wrong, was used, or has expired. Type the newest one, or have another one sent.',
    es: 'Este código no es correcto, ya se usó o venció. Escriba el más reciente o pida otro.',
  }),
  no_link: missing('This link'),
  exam_voided_before: failure(409, {
    en: 'The program has voided this exam already.',
    es: 'El programa ya anuló este examen.',
    code: 'decided',
  }),
  no_score: missing('This score'),
  label_twice: failure(422, {
    en: '{Label} is listed twice. Give each value its own label; nothing was saved.',
    code: 'twice',
  }),
  none_passes: failure(422, 'Mark at least one value as passing; nothing was saved.'),
  value_gone: failure(422, {
    en: '{Label} was removed in the meantime. Load the page again; nothing was saved.',
    code: 'gone',
  }),
  no_procedure: missing('This procedure'),
  not_offered: failure(422, 'This score is no longer offered. Choose another one.'),
  not_of_score: failure(422, 'Choose a value of {Name}.'),
  critical_default: failure(422, 'The examiner decides every critical item. Leave its default empty.'),
  no_exam_item: missing('This exam item'),
  copied_procedure_gone: failure(422, {
    en: 'A procedure was deleted in the meantime. Nothing was copied.',
    code: 'gone',
  }),
  no_examiner: missing('This examiner'),
  not_a_supervisor: failure(422, {
    en: 'Choose a supervisor, or staff of your program. Nothing was saved.',
    code: 'AccountId',
  }),
  on_roster: failure(409, {
    en: 'This {IsEmail|email|account} is on the roster of {Site} already. Nothing was saved.',
    code: 'taken',
  }),
  on_roster_by_now: failure(409, {
    en: 'Someone at {Site} has the email or the account by now. Nothing was changed.',
    code: 'taken',
  }),
  no_exclusion: missing('This exclusion'),
  may_not_be_asked: failure(422, {
    en: '{Person} may not examine this: {Why} Nothing was saved.',
    es: '{Person} no puede examinar esto: {Why} No se guardó nada.',
    code: 'examiner',
  }),
  no_account: failure(422, {
    en: '{Person} has no account. Ask by email, or hand over your phone.',
    es: '{Person} no tiene cuenta. Pida por correo o entregue su teléfono.',
    code: 'way',
  }),
  grading_begun: failure(409, {
    en: 'The examiner has begun to grade this exam, so it stays as it is. Ask your program if it has to be stopped.',
    es: 'El examinador ya empezó a calificar este examen; queda como está. Si hay que detenerlo, pregunte a su programa.',
    code: 'grading',
  }),
  not_visited: failure(422, {
    en: 'You have had no shift at this site in the last {Days} {Days|day|days}. Nothing was saved.',
    es: 'No ha tenido turno en este sitio en {Days|el último|los últimos} {Days} {Days|día|días}. No se guardó nada.',
    code: 'visited',
  }),
  exam_under_way: failure(409, {
    en: 'An attempt at this exam is under way. Nothing was saved.',
    es: 'Hay un intento de este examen en curso. No se guardó nada.',
    code: 'open',
  }),
  may_not_simulate: failure(422, {
    en: '{Why} Nothing was saved.',
    es: '{Why} No se guardó nada.',
    code: 'simulation',
  }),
  day_ahead: failure(422, {
    en: 'This day is still to come. Nothing was saved.',
    es: 'This day aún no llega. No se guardó nada.',
    code: 'Date',
  }),
  no_lab_check: missing('A lab check'),
  checked_again: failure(409, {
    en: 'The student was checked again by now. Nothing was changed.',
    code: 'taken',
  }),
  mapping_gone: failure(422, {
    en: 'A procedure of the mapping was deleted in the meantime, or is of another list. Open the preview again; nothing was saved.',
  }),
  entry_changed: failure(409, {
    en: '{By} changed {Procedure} after you opened it. Nothing was saved; look at it again.',
    es: '{By} cambió {Procedure} después de que usted lo abrió. No se guardó nada; revíselo de nuevo.',
    code: 'stale',
  }),
  entry_decided: failure(409, {
    en: '{By} has {IsVerified|verified|returned} {Procedure} already. Nothing was changed.',
    es: '{By} ya {IsVerified|verificó|devolvió} {Procedure}. No se cambió nada.',
    code: 'decided',
  }),
  no_entry: missing('This entry'),
  nothing_waits: missing('What waited of this day'),
  no_such_entry: missing('An entry'),
  one_day: failure(422, {
    en: 'Verify one student’s day at a time, after you have seen it. Nothing was verified.',
    es: 'Verifique un día de una persona a la vez, después de verlo. No se verificó nada.',
  }),
  has_repeats: failure(422, {
    en: '{Procedure} has repeats, which are confirmed one at a time. Nothing was verified.',
    es: '{Procedure} tiene repeticiones, que se confirman una por una. No se verificó nada.',
    code: 'repeats',
  }),
  undo_too_late: failure(409, {
    en: 'Only what you verified within a day can be taken back. Nothing was changed; ask your program to reopen it.',
    es: 'Solo se puede deshacer lo que usted verificó en el último día. No se cambió nada; pida a su programa que lo abra de nuevo.',
    code: 'not_verified',
  }),
  no_radiographer_to_verify: failure(422, {
    en: 'Name the radiographer who was present at the repeats. Nothing was verified.',
    es: 'Indique el radiólogo que estuvo presente en las repeticiones. No se verificó nada.',
    code: 'Radiographer',
  }),
  no_radiographer_to_correct: failure(422, {
    en: 'Name the radiographer who was present at the repeats. Nothing was saved.',
    es: 'Indique el radiólogo que estuvo presente en las repeticiones. No se guardó nada.',
    code: 'Radiographer',
  }),
  not_verified: failure(409, {
    en: 'This entry is not verified, so there is nothing to take back.',
    es: 'Esta anotación no está verificada; no hay nada que retirar.',
  }),
  entry_verified: failure(409, {
    en: '{By} has verified this entry, so it stays as it is. Ask your program to correct it.',
    es: '{By} verificó esta anotación; queda como está. Pida a su programa que la corrija.',
    code: 'decided',
  }),
  day_to_come: failure(422, {
    en: '{Day} is still to come. Nothing was saved.',
    es: '{Day} aún no llega. No se guardó nada.',
    code: 'Date',
  }),
  day_too_long_ago: failure(422, {
    en: '{Day} is more than a year ago. Nothing was saved.',
    es: '{Day} fue hace más de un año. No se guardó nada.',
    code: 'Date',
  }),
  day_before_program: failure(422, {
    en: 'Your program began on {Day}. Nothing was saved.',
    es: 'Su programa empezó el {Day}. No se guardó nada.',
    code: 'Date',
  }),
  day_before_entry: failure(422, {
    en: 'You entered the program on {Day}. Nothing was saved.',
    es: 'Usted ingresó al programa el {Day}. No se guardó nada.',
    code: 'Date',
  }),
  name_taken_here: failure(409, {
    en: '{Name} already exists here. Choose another name; nothing was saved.',
    code: 'name_taken',
  }),
  no_sections: failure(422, 'Add a major study first; levels belong to major studies.'),
  major_study_gone: failure(422, {
    en: 'A major study was deleted in the meantime. Nothing was saved.',
    code: 'gone',
  }),
  participation_gone: failure(422, {
    en: 'A participation level is not of this major study anymore. Nothing was saved.',
    code: 'gone',
  }),
  procedure_gone: failure(422, {
    en: 'A procedure was deleted in the meantime. Nothing was saved.',
    code: 'gone',
  }),
  code_over: failure(404, {
    en: 'This code was replaced or has ended. Ask the program for the new one.',
    es: 'Este código se reemplazó o terminó. Pida el nuevo al programa.',
    code: 'link',
  }),
  no_page: missing('This page'),
  no_list_of_student: missing('A competency list of this student'),
  no_list_of_a_student: missing('The list of a student'),
  line_gone: failure(422, {
    en: 'This procedure is not in your list anymore. Remove it or choose another one. Nothing was saved.',
    es: 'Este procedimiento ya no está en su lista. Quítelo o elija otro. No se guardó nada.',
    code: 'gone',
  }),
  no_level: failure(422, {
    en: 'Choose how you took part in {Procedure}. Nothing was saved.',
    es: 'Elija cómo participó en {Procedure}. No se guardó nada.',
  }),
  level_gone: failure(422, {
    en: 'This participation level is not one of {Procedure} anymore. Choose another one. Nothing was saved.',
    es: 'Este nivel de participación ya no es de {Procedure}. Elija otra opción. No se guardó nada.',
    code: 'gone',
  }),
  no_reason: failure(422, {
    en: 'Say why {Procedure} was repeated. Nothing was saved.',
    es: 'Indique por qué se repitió {Procedure}. No se guardó nada.',
  }),
  pathology_gone: failure(422, {
    en: 'This pathology is not one of {Procedure} anymore. Choose another one. Nothing was saved.',
    es: 'Esta patología ya no es de {Procedure}. Elija otra opción. No se guardó nada.',
    code: 'gone',
  }),
  listed_pathologies_only: failure(422, {
    en: 'Your program only takes pathologies of its list. Nothing was saved.',
    es: 'Su programa solo admite patologías de su lista. No se guardó nada.',
    code: 'not_allowed',
  }),
  no_pathology: failure(422, {
    en: 'Choose the pathology of {Procedure}. Nothing was saved.',
    es: 'Elija la patología de {Procedure}. No se guardó nada.',
  }),
  nothing_taken: failure(422, '{Line} {Reason}. Nothing was added.'),
  no_lines: failure(422, { en: 'Enter at least one line.', code: 'nothing_taken' }),
  no_major_study: missing('This major study'),
  no_participation_level: missing('This participation level'),
  no_such_pathology: missing('This pathology'),
})

/** Why an exam cannot be declared, by the first of what is missing. */
export const undeclaredFailures = failuresOf(
  missingKinds,
  failure(422, { en: '{Missing} Nothing was saved.', es: '{Missing} No se guardó nada.' }),
)

/** Why an exam cannot be decided. */
export const unsignedFailures = failuresOf(
  ['unscored', 'uncommented', 'critical', 'points', 'simulation', 'comment'],
  failure(422, { en: '{Obstacle} Nothing was signed.', es: '{Obstacle} No se firmó nada.' }),
)
