import { failure, failures, missing } from '#contract/core/failure.ts'

export const timeFailures = failures({
  site_leaves_changes: failure(422, {
    en: '{Site} leaves changes of clock records to the program. Reject the record with a reason, or ask the coordinator.',
    es: '{Site} deja los cambios de registros al programa. Rechace el registro con un motivo o pregunte al coordinador.',
    code: 'ForbidCsLogclockEditing',
  }),
  approved_already: failure(409, {
    en: '{IsApproved|This record|The other half of this record} is approved. Only the program can change it now.',
    es: '{IsApproved|Este registro está aprobado|La otra parte de este registro está aprobada}. Ahora solo el programa puede cambiarlo.',
    code: 'decided',
  }),
  no_change: failure(409, {
    en: 'This record has no open time change request. Someone else may have decided it.',
    es: 'Este registro no tiene una solicitud de cambio de hora abierta. Tal vez alguien más ya la decidió.',
  }),
  repeated_time: failure(422, {
    en: 'On {Date} the clocks go back, so {Time} comes twice. Nothing was saved; say whether it was the first or the second one.',
    es: 'El {Date} se atrasan los relojes; las {Time} ocurren dos veces. No se guardó nada; indique si fue la primera o la segunda.',
  }),
  skipped_time: failure(422, {
    en: 'On {Date} the clocks go from {SkippedFrom} to {SkippedTo}, so {Time} does not exist. Nothing was saved; pick another time.',
    es: 'El {Date} los relojes pasan de {SkippedFrom} a {SkippedTo}; las {Time} no existen. No se guardó nada; elija otra hora.',
  }),
  same_time: failure(422, {
    en: 'It begins and ends at {Time}. Nothing was saved; check the end.',
    es: 'Empieza y termina a las {Time}. No se guardó nada; revise el fin.',
  }),
  ends_too_late: failure(422, {
    en: 'Hours that begin on {Date} at {Time} end later on that day, or on the day after. Nothing was saved; check both days.',
    es: 'Las horas que empiezan el {Date} a las {Time} terminan más tarde ese día o el día siguiente. No se guardó nada; revise ambos días.',
    code: 'EndDate',
  }),
  too_long_overnight: failure(422, {
    en: 'From {Time} to {EndTime} on the next day are {Length}, and hours over midnight are {Longest} at most here. Nothing was saved; check both times.',
    es: 'De las {Time} a las {EndTime} del día siguiente son {Length}, y aquí las horas que pasan de medianoche son {Longest} como máximo. No se guardó nada; revise ambas horas.',
    code: 'too_long',
  }),
  clock_in_runs: failure(409, {
    en: 'A clock-in of {Date} {Time}{At} is still running, and these hours lie in it. Nothing was saved; clock out first, then correct the time.',
    es: 'Hay una entrada de {Date} {Time}{At} que sigue abierta y estas horas caen en ella. No se guardó nada; marque salida primero y luego corrija la hora.',
    code: 'overlap',
  }),
  overlap: failure(409, {
    en: 'There is already time on {Date} from {Time} to {EndTime}{At}. Nothing was saved; change that record instead.',
    es: 'Ya hay horas el {Date} de {Time} a {EndTime}{At}. No se guardó nada; cambie ese registro.',
  }),
  out_before_in: failure(422, {
    en: 'The clock-out must come after the clock-in. Nothing was saved.',
    es: 'La salida debe ser posterior a la entrada. No se guardó nada.',
    code: 'order',
  }),
  too_long: failure(422, {
    en: 'Clock-in and clock-out would lie more than {Longest} hours apart. Nothing was saved.',
    es: 'Entre la entrada y la salida habría más de {Longest} horas. No se guardó nada.',
  }),
  no_clock_in: missing('This clock-in'),
  punch_deleted: failure(409, {
    en: 'This punch was kept before, and your program has deleted it since. Ask your coordinator about it.',
    es: 'Esta marcación ya se había guardado y su programa la eliminó después. Pregunte a su coordinador.',
    code: 'deleted',
  }),
  no_shift_then: failure(422, {
    en: 'You have no shift on {Date}, so choose the site where you were. Nothing was saved.',
    es: 'No tiene turno el {Date}; elija el sitio donde estuvo. No se guardó nada.',
    code: 'SiteId',
  }),
  no_begin: failure(422, {
    en: 'Say when it began. Nothing was saved.',
    es: 'Indique cuándo empezó. No se guardó nada.',
    code: 'Time',
  }),
  too_far_ahead: failure(422, {
    en: '{Date} is more than a year away. Nothing was saved; check the date.',
    es: '{Date} está a más de un año. No se guardó nada; revise la fecha.',
    code: 'Date',
  }),
  not_past: failure(422, {
    en: 'A time exception is for time that has passed. Nothing was saved; report it after the shift.',
    es: 'Una excepción de horas es para horas ya pasadas. No se guardó nada; infórmela después del turno.',
    code: 'Date',
  }),
  matched: failure(409, {
    en: 'This clock-in has its clock-out already, or does not count. Nothing was saved; request a correction instead.',
    es: 'Esta entrada ya tiene su salida o no cuenta. No se guardó nada; pida una corrección.',
  }),
  time_ahead: failure(422, {
    en: 'That time is still to come. Nothing was saved.',
    es: 'Esa hora aún no llega. No se guardó nada.',
    code: 'Time',
  }),
  not_a_punch: failure(422, {
    en: 'Only a clock-in or clock-out can be given another time. Nothing was saved.',
    es: 'Solo a una entrada o salida se le puede cambiar la hora. No se guardó nada.',
    code: 'Kind',
  }),
  same_time_as_now: failure(422, {
    en: 'That is the time it has now. Nothing was saved.',
    es: 'Esa es la hora que ya tiene. No se guardó nada.',
    code: 'Time',
  }),
  approved_meanwhile: failure(409, {
    en: '{Count} of these records {Count|was|were} approved since you looked. Nothing was rejected. Load the page again and look at {Count|it|them} first.',
    code: 'approved',
  }),
  after_last_day: failure(422, {
    en: 'The last day in the program is {Day}, so nothing can be planned after it. Nothing was saved.',
    es: 'El último día en el programa es el {Day}, así que no se puede planificar nada después. No se guardó nada.',
    code: 'last_day',
  }),
  same_punch: failure(409, {
    en: 'There is already a {IsIn|clock-in|clock-out} on {Date} at {Time}. Nothing was saved; change that record instead.',
    es: 'Ya hay una {IsIn|entrada|salida} el {Date} a las {Time}. No se guardó nada; cambie ese registro.',
    code: 'overlap',
  }),
  same_punch_of_restored: failure(409, {
    en: '{Student} has another {IsIn|clock-in|clock-out} on {Date} at {Time}. Nothing was changed; edit or delete that record first.',
    es: '{Student} tiene otra {IsIn|entrada|salida} el {Date} a las {Time}. No se cambió nada; edite o elimine primero ese registro.',
    code: 'overlap',
  }),
  overlap_of_restored: failure(409, {
    en: '{Student} has other time on {Date} from {Time} to {EndTime}{At}, so this would count twice. Nothing was changed; edit or delete that record first.',
    es: '{Student} tiene otras horas el {Date} de {Time} a {EndTime}{At}, que contarían dos veces. No se cambió nada; edite o elimine primero ese registro.',
    code: 'overlap',
  }),
  left_out: failure(409, { en: '{Reason} Nothing was changed.', es: '{Reason} No se cambió nada.' }),
  taken_back: failure(409, {
    en: 'The student withdrew this record. Nothing was saved. Add a new record if it is to count after all.',
  }),
  not_by_link: failure(403, {
    en: 'An inbox link adds a missing clock-in or clock-out only. Nothing was saved. Sign in.',
    es: 'Un enlace solo agrega una entrada o salida que falta. No se guardó nada. Inicie sesión.',
  }),
  no_other_half: missing('The other half'),
  no_shift_of_student: failure(422, {
    en: 'Choose the site: the student has no shift on that day. Nothing was saved.',
    es: 'Elija el sitio: no hay turno ese día. No se guardó nada.',
    code: 'SiteId',
  }),
  site_leaves_additions: failure(422, {
    en: '{Name} leaves changes of clock records to the program. Ask the coordinator to add the record.',
    es: '{Name} deja los cambios de registros al programa. Pida al coordinador que agregue el registro.',
    code: 'ForbidCsLogclockEditing',
  }),
  half_added: failure(409, {
    en: 'Someone else already added the other half. Nothing was saved.',
    es: 'Alguien más ya agregó la otra parte. No se guardó nada.',
    code: 'matched',
  }),
  past_rule: failure(422, {
    en: '{From} is over, and hours that were worked keep what they count. Nothing was saved; choose today or a later day.',
    code: 'From',
  }),
  repeats_too_often: failure(422, {
    en: 'A break that repeats must be shorter than the hours after which it repeats. Nothing was saved.',
    code: 'MealMinutes',
  }),
  too_many_rules: failure(422, {
    en: 'A program can have {Most} rules. Nothing was saved; remove one first.',
    code: 'From',
  }),
  no_rule: missing('This rule'),
  already_out: failure(409, {
    en: 'You are not clocked in, so there is nothing to take back. Nothing was changed.',
    es: 'No ha marcado la entrada, así que no hay nada que retirar. No se cambió nada.',
  }),
  clock_in_reviewed: failure(409, {
    en: 'Your program has already reviewed this clock-in, so it stays as it is. Ask your coordinator about it.',
    es: 'Su programa ya decidió sobre esta entrada, así que queda como está. Pregunte a su coordinador.',
    code: 'decided',
  }),
  report_decided: failure(409, {
    en: 'This report has been decided or changed since, so it stays as it is. Ask your coordinator about it.',
    es: 'Este informe ya se decidió o cambió, así que queda como está. Pregunte a su coordinador.',
    code: 'decided',
  }),
  by_staff: failure(409, {
    en: 'Your program entered this record, so only your program can take it back. Ask your coordinator about it.',
    es: 'Su programa ingresó este registro, así que solo su programa puede retirarlo. Pregunte a su coordinador.',
  }),
  request_decided: failure(409, {
    en: 'This request has been decided or changed since, so it stays as it is. Ask your coordinator about it.',
    es: 'Esta solicitud ya se decidió o cambió, así que queda como está. Pregunte a su coordinador.',
    code: 'decided',
  }),
  decided: failure(409, {
    en: '{IsApproved|Approved|Rejected} already, so it stays as it is. Ask your coordinator to edit it.',
    es: 'Ya se {IsApproved|aprobó|rechazó}, así que queda como está. Pida a su coordinador que lo corrija.',
  }),
  decided_by: failure(409, {
    en: '{IsApproved|Approved|Rejected} by {By} already, so it stays as it is. Ask your coordinator to edit it.',
    es: '{By} ya lo {IsApproved|aprobó|rechazó}, así que queda como está. Pida a su coordinador que lo corrija.',
    code: 'decided',
  }),
  restored_out_before_in: failure(422, {
    en: 'The clock-in of {Student} on {Begin} would not come before the clock-out on {End}. Nothing was changed; edit the {IsOut|clock-in|clock-out} first.',
    es: 'La entrada de {Student} el {Begin} no sería anterior a la salida el {End}. No se cambió nada; edite primero la {IsOut|entrada|salida}.',
    code: 'order',
  }),
  restored_too_long: failure(422, {
    en: 'The clock-in of {Student} on {Begin} would be too far from the clock-out on {End}. Nothing was changed; edit the {IsOut|clock-in|clock-out} first.',
    es: 'La entrada de {Student} el {Begin} estaría demasiado lejos de la salida el {End}. No se cambió nada; edite primero la {IsOut|entrada|salida}.',
    code: 'too_long',
  }),
  too_old: failure(422, {
    en: 'This punch is older than {Days} days, so it was not counted. Report a time exception for that day.',
    es: 'Esta marcación tiene más de {Days} días y no se contó. Informe una excepción de horas para ese día.',
    code: 'OccurredAt',
  }),
  already_in: failure(409, {
    en: 'You are clocked in since {Since}{At}. Clock out first.',
    es: 'Su entrada está marcada desde {Since}{At}. Marque primero la salida.',
  }),
  nothing_to_clock_out: failure(409, {
    en: 'You are not clocked in, so there is nothing to clock out of. Report a time exception for hours that are missing.',
    es: 'No ha marcado entrada; no hay de qué marcar salida. Informe una excepción de horas por las que faltan.',
    code: 'already_out',
  }),
  no_nights: failure(422, {
    en: '{Site} takes no shifts past midnight, so your clock-in of {Since} cannot be closed now. It is kept; report a time exception for its end.',
    es: '{Site} no admite turnos después de medianoche; su entrada de {Since} no se puede cerrar ahora. Se conserva; informe una excepción de horas para su fin.',
    code: 'AllowOvernight',
  }),
  no_site_fits: failure(422, {
    en: 'No site fits your schedule and position. Choose the site where you are, then clock in again.',
    es: 'Ningún sitio concuerda con su horario y ubicación. Elija el sitio donde está y marque entrada de nuevo.',
    code: 'SiteId',
  }),
  one_clock_in_a_day: failure(422, {
    en: '{Site} takes one clock-in a day, and you clocked in and out on {Date} already. Report a time exception for further hours.',
    es: '{Site} admite una entrada por día, y el {Date} ya marcó entrada y salida. Informe una excepción de horas por las demás.',
    code: 'AllowMulticlock',
  }),
  inaccurate: failure(422, {
    en: 'Your location is accurate to {Accuracy} only; {Site} requires {Needed} or better. Step outside or near a window and try again.',
    es: 'Su ubicación solo es precisa a {Accuracy}; {Site} exige {Needed} o menos. Salga o acérquese a una ventana e intente de nuevo.',
    code: 'RejectInaccuratePins',
  }),
})
