import type { Pair } from '#contract/language/language.ts'

/** As `spanishFailures`: what the work itself says, from the clock to placement. */
export const spanishWorkFailures: readonly Pair[] = [
  // The clock and hours
  [
    'This punch was kept before, and your program has deleted it since.',
    'Esta marcación ya se había guardado y su programa la eliminó después.',
  ],
  ['Ask your coordinator about it.', 'Pregunte a su coordinador.'],
  [
    'You have no shift on {date}, so choose the site where you were.',
    'No tiene turno el {date}; elija el sitio donde estuvo.',
  ],
  ['Say when it began.', 'Indique cuándo empezó.'],
  [
    'The last day in the program is {date}, so nothing can be planned after it.',
    'El último día en el programa es el {date}, así que no se puede planificar nada después.',
  ],
  ['{date} is more than a year away.', '{date} está a más de un año.'],
  ['Nothing was saved; check the date.', 'No se guardó nada; revise la fecha.'],
  ['A time exception is for time that has passed.', 'Una excepción de horas es para horas ya pasadas.'],
  ['Nothing was saved; report it after the shift.', 'No se guardó nada; infórmela después del turno.'],
  [
    'Only a clock-in or clock-out can be given another time.',
    'Solo a una entrada o salida se le puede cambiar la hora.',
  ],
  ['That is the time it has now.', 'Esa es la hora que ya tiene.'],
  ['That time is still to come.', 'Esa hora aún no llega.'],
  [
    'This punch is older than {days} days, so it was not counted.',
    'Esta marcación tiene más de {days} días y no se contó.',
  ],
  ['Report a time exception for that day.', 'Informe una excepción de horas para ese día.'],
  [
    'You are not clocked in, so there is nothing to take back.',
    'No ha marcado la entrada, así que no hay nada que retirar.',
  ],
  [
    'Your program has already reviewed this clock-in, so it stays as it is.',
    'Su programa ya decidió sobre esta entrada, así que queda como está.',
  ],
  [
    'This report has been decided or changed since, so it stays as it is.',
    'Este informe ya se decidió o cambió, así que queda como está.',
  ],
  [
    'This request has been decided or changed since, so it stays as it is.',
    'Esta solicitud ya se decidió o cambió, así que queda como está.',
  ],
  [
    'Your program entered this record, so only your program can take it back.',
    'Su programa ingresó este registro, así que solo su programa puede retirarlo.',
  ],
  [
    'You are not clocked in, so there is nothing to clock out of.',
    'No ha marcado entrada; no hay de qué marcar salida.',
  ],
  [
    'Report a time exception for hours that are missing.',
    'Informe una excepción de horas por las que faltan.',
  ],
  [
    '{site} takes no shifts past midnight, so your clock-in of {time} cannot be closed now.',
    '{site} no admite turnos después de medianoche; su entrada de {time} no se puede cerrar ahora.',
  ],
  [
    'It is kept; report a time exception for its end.',
    'Se conserva; informe una excepción de horas para su fin.',
  ],
  ['No site fits your schedule and position.', 'Ningún sitio concuerda con su horario y ubicación.'],
  [
    'Choose the site where you are, then clock in again.',
    'Elija el sitio donde está y marque entrada de nuevo.',
  ],
  [
    '{site} takes one clock-in a day, and you clocked in and out on {date} already.',
    '{site} admite una entrada por día, y el {date} ya marcó entrada y salida.',
  ],
  ['Report a time exception for further hours.', 'Informe una excepción de horas por las demás.'],
  [
    'Your location is accurate to {distance} only; {site} requires {needed} or better.',
    'Su ubicación solo es precisa a {distance}; {site} exige {needed} o menos.',
  ],
  ['Step outside or near a window and try again.', 'Salga o acérquese a una ventana e intente de nuevo.'],
  [
    'On {date} the clocks go from {from} to {to}, so {time} does not exist.',
    'El {date} los relojes pasan de {from} a {to}; las {time} no existen.',
  ],
  ['Nothing was saved; pick another time.', 'No se guardó nada; elija otra hora.'],
  ['The clock-out must come after the clock-in.', 'La salida debe ser posterior a la entrada.'],
  [
    'Clock-in and clock-out would lie more than {hours} hours apart.',
    'Entre la entrada y la salida habría más de {hours} horas.',
  ],
  [
    'On {date} the clocks go back, so {time} comes twice.',
    'El {date} se atrasan los relojes; las {time} ocurren dos veces.',
  ],
  [
    'Nothing was saved; say whether it was the first or the second one.',
    'No se guardó nada; indique si fue la primera o la segunda.',
  ],
  ['It begins and ends at {time}.', 'Empieza y termina a las {time}.'],
  ['Nothing was saved; check the end.', 'No se guardó nada; revise el fin.'],
  [
    'From {from} to {to} on the next day are {long}, and hours over midnight are {most} at most here.',
    'De las {from} a las {to} del día siguiente son {long}, y aquí las horas que pasan de medianoche son {most} como máximo.',
  ],
  ['Nothing was saved; check both times.', 'No se guardó nada; revise ambas horas.'],
  [
    'Hours that begin on {date} at {time} end later on that day, or on the day after.',
    'Las horas que empiezan el {date} a las {time} terminan más tarde ese día o el día siguiente.',
  ],
  ['Nothing was saved; check both days.', 'No se guardó nada; revise ambos días.'],
  [
    'A clock-in of {time} is still running, and these hours lie in it.',
    'Hay una entrada de {time} que sigue abierta y estas horas caen en ella.',
  ],
  [
    'Nothing was saved; clock out first, then correct the time.',
    'No se guardó nada; marque salida primero y luego corrija la hora.',
  ],
  [
    'This clock-in has its clock-out already, or does not count.',
    'Esta entrada ya tiene su salida o no cuenta.',
  ],
  ['Nothing was saved; request a correction instead.', 'No se guardó nada; pida una corrección.'],
  ['This Idempotency-Key belongs to another request.', 'Esta clave pertenece a otra solicitud.'],
  ['{record}: the shift still runs.', '{record}: el turno sigue en curso.'],
  ['It can be approved after the clock-out.', 'Se puede aprobar después de la salida.'],
  [
    '{record}: the clock-out is missing, so no hours count.',
    '{record}: falta la salida; no cuenta ninguna hora.',
  ],
  [
    '{record}: the clock-in is missing, so no hours count.',
    '{record}: falta la entrada; no cuenta ninguna hora.',
  ],
  ['Add it first.', 'Agréguela primero.'],
  [
    '{record}: a time change is requested for this shift.',
    '{record}: hay una solicitud de cambio de hora para este turno.',
  ],
  ['Accept or decline it first.', 'Acéptela o rechácela primero.'],
  [
    '{record}: it overlaps {other}, so the hours would count twice.',
    '{record}: coincide con {other}; las horas contarían dos veces.',
  ],
  ['Edit or reject one of them.', 'Corrija o rechace uno de los dos.'],
  [
    '{record}: the account has ended, so its hours count no longer.',
    '{record}: la cuenta terminó, así que sus horas ya no cuentan.',
  ],
  ['Reject it.', 'Rechácelo.'],
  ['{record}: it is in Careful Review.', '{record}: está en revisión cuidadosa.'],
  ['Look at it and approve it by itself.', 'Revíselo y apruébelo por separado.'],
  ['{record}: it was approved before.', '{record}: ya estaba aprobado.'],
  ['{record}: it was rejected before.', '{record}: ya estaba rechazado.'],
  [
    'Verify one student’s day at a time, after you have seen it.',
    'Verifique un día de una persona a la vez, después de verlo.',
  ],
  [
    'An inbox link adds a missing clock-in or clock-out only.',
    'Un enlace solo agrega una entrada o salida que falta.',
  ],
  [
    '{site} leaves changes of clock records to the program.',
    '{site} deja los cambios de registros al programa.',
  ],
  [
    'Reject the record with a reason, or ask the coordinator.',
    'Rechace el registro con un motivo o pregunte al coordinador.',
  ],
  ['This record is approved.', 'Este registro está aprobado.'],
  ['Only the program can change it now.', 'Ahora solo el programa puede cambiarlo.'],
  [
    'This record has no open time change request.',
    'Este registro no tiene una solicitud de cambio de hora abierta.',
  ],
  ['Someone else may have decided it.', 'Tal vez alguien más ya la decidió.'],
  ['Choose the site: the student has no shift on that day.', 'Elija el sitio: no hay turno ese día.'],
  ['Ask the coordinator to add the record.', 'Pida al coordinador que agregue el registro.'],
  ['The other half of this record is approved.', 'La otra parte de este registro está aprobada.'],
  ['There is already a clock-in on {date} at {time}.', 'Ya hay una entrada el {date} a las {time}.'],
  ['There is already a clock-out on {date} at {time}.', 'Ya hay una salida el {date} a las {time}.'],
  ['Nothing was saved; change that record instead.', 'No se guardó nada; cambie ese registro.'],
  [
    '{student} has another clock-in on {date} at {time}.',
    '{student} tiene otra entrada el {date} a las {time}.',
  ],
  [
    '{student} has another clock-out on {date} at {time}.',
    '{student} tiene otra salida el {date} a las {time}.',
  ],
  [
    'The clock-in of {student} on {date} would not come before the clock-out on {other}.',
    'La entrada de {student} el {date} no sería anterior a la salida el {other}.',
  ],
  [
    'The clock-in of {student} on {date} would be too far from the clock-out on {other}.',
    'La entrada de {student} el {date} estaría demasiado lejos de la salida el {other}.',
  ],
  ['Nothing was changed; edit the clock-in first.', 'No se cambió nada; edite primero la entrada.'],
  ['Nothing was changed; edit the clock-out first.', 'No se cambió nada; edite primero la salida.'],
  [
    'Nothing was changed; edit or delete that record first.',
    'No se cambió nada; edite o elimine primero ese registro.',
  ],
  ['Someone else already added the other half.', 'Alguien más ya agregó la otra parte.'],

  // Shift changes
  [
    'This request is closed: someone else was faster, or it was withdrawn.',
    'Esta solicitud ya terminó: alguien se adelantó o se retiró.',
  ],
  [
    'Your program has no swaps and covers at present.',
    'Su programa no tiene intercambios ni coberturas por ahora.',
  ],
  ['The shift has started, so nothing can be changed.', 'El turno ya empezó; no se puede cambiar nada.'],
  ['The shift is outside the dates of its rotation.', 'El turno está fuera de las fechas de su rotación.'],
  ['This rotation is not for your level or cohort.', 'Esta rotación no es para su nivel o cohorte.'],
  ['The shift no longer runs on that day.', 'El turno ya no existe ese día.'],
  ['The day is after your last day in the program.', 'El día es posterior a su último día en el programa.'],
  ['The day is outside the dates of your program.', 'El día está fuera de las fechas de su programa.'],
  ['That day is a day off.', 'Ese día es libre.'],
  [
    'A requirement is missing, or will have expired by that day.',
    'Falta un requisito, o para ese día ya habrá vencido.',
  ],
  ['The site has no agreement in force on that day.', 'El sitio no tiene un convenio vigente ese día.'],
  ['You have another shift at that time.', 'Tiene otro turno a esa hora.'],
  ['The shift is full.', 'El turno está lleno.'],
  ['You would be over the hours allowed in a day.', 'Pasaría de las horas permitidas en un día.'],
  ['You would be over the hours allowed in a week.', 'Pasaría de las horas permitidas en una semana.'],

  // Procedures and exams
  ['This procedure is not in your list anymore.', 'Este procedimiento ya no está en su lista.'],
  ['Remove it or choose another one.', 'Quítelo o elija otro.'],
  ['Choose how you took part in {name}.', 'Elija cómo participó en {name}.'],
  [
    'This participation level is not one of {name} anymore.',
    'Este nivel de participación ya no es de {name}.',
  ],
  ['Say why {name} was repeated.', 'Indique por qué se repitió {name}.'],
  ['This pathology is not one of {name} anymore.', 'Esta patología ya no es de {name}.'],
  ['Your program only takes pathologies of its list.', 'Su programa solo admite patologías de su lista.'],
  ['Choose the pathology of {name}.', 'Elija la patología de {name}.'],
  ['{date} is still to come.', '{date} aún no llega.'],
  ['{date} is more than a year ago.', '{date} fue hace más de un año.'],
  ['Your program began on {date}.', 'Su programa empezó el {date}.'],
  ['You entered the program on {date}.', 'Usted ingresó al programa el {date}.'],
  ['This looks like a social security number.', 'Esto parece un número de seguro social.'],
  ['This looks like a telephone number.', 'Esto parece un número de teléfono.'],
  ['This looks like a date of birth.', 'Esto parece una fecha de nacimiento.'],
  ['This looks like a record number.', 'Esto parece un número de expediente.'],
  [
    "Never enter a patient's name, number or date of birth.",
    'Nunca escriba el nombre, número ni fecha de nacimiento de un paciente.',
  ],
  [
    '{name} has verified this entry, so it stays as it is.',
    '{name} verificó esta anotación; queda como está.',
  ],
  ['Ask your program to correct it.', 'Pida a su programa que la corrija.'],
  [
    '{name} changed {procedure} after you opened it.',
    '{name} cambió {procedure} después de que usted lo abrió.',
  ],
  ['Nothing was saved; look at it again.', 'No se guardó nada; revíselo de nuevo.'],
  ['{name} has verified {procedure} already.', '{name} ya verificó {procedure}.'],
  ['{name} has returned {procedure} already.', '{name} ya devolvió {procedure}.'],
  [
    '{procedure} has repeats, which are confirmed one at a time.',
    '{procedure} tiene repeticiones, que se confirman una por una.',
  ],
  [
    'Name the radiographer who was present at the repeats.',
    'Indique el radiólogo que estuvo presente en las repeticiones.',
  ],
  [
    'This entry is not verified, so there is nothing to take back.',
    'Esta anotación no está verificada; no hay nada que retirar.',
  ],
  [
    'Only what you verified within a day can be taken back.',
    'Solo se puede deshacer lo que usted verificó en el último día.',
  ],
  [
    'Nothing was changed; ask your program to reopen it.',
    'No se cambió nada; pida a su programa que lo abra de nuevo.',
  ],
  ['This code was replaced or has ended.', 'Este código se reemplazó o terminó.'],
  ['Ask the program for the new one.', 'Pida el nuevo al programa.'],
  [
    'Your program has not set exam items for this procedure yet.',
    'Su programa aún no definió los criterios del examen de este procedimiento.',
  ],
  ['{count} log waits for verification.', '{count} anotación espera verificación.'],
  ['{count} logs wait for verification.', '{count} anotaciones esperan verificación.'],
  ['{count} more verified log needed.', 'Falta {count} anotación verificada más.'],
  ['{count} more verified logs needed.', 'Faltan {count} anotaciones verificadas más.'],
  [
    'Faculty has not checked this procedure in the lab yet.',
    'Los docentes aún no revisaron este procedimiento en el laboratorio.',
  ],
  ['An attempt is under way.', 'Hay un intento en curso.'],
  ['An attempt at this exam is under way.', 'Hay un intento de este examen en curso.'],
  ['Your program is looking into the last attempt.', 'Su programa está revisando el último intento.'],
  ['This exam is passed.', 'Este examen está aprobado.'],
  [
    'Your program has not written down remediation after the last attempt yet.',
    'Su programa aún no registró la recuperación después del último intento.',
  ],
  ['The next attempt is possible from {date}.', 'El siguiente intento es posible desde el {date}.'],
  ['Patient care is never simulated.', 'El cuidado del paciente nunca se simula.'],
  ['This procedure may not be simulated.', 'Este procedimiento no se puede simular.'],
  [
    'You have used all the simulated exams that your program allows.',
    'Ya usó todos los exámenes simulados que su programa permite.',
  ],
  ['Your program lets other people examine.', 'En su programa examinan otras personas.'],
  ['Not on the list of examiners of this site.', 'No está en la lista de examinadores de este sitio.'],
  ['The credential on file has expired.', 'La credencial registrada venció.'],
  ['Examines patient care only.', 'Solo examina el cuidado del paciente.'],
  ['May not examine you.', 'No puede examinarle.'],
  ['No email address on file.', 'Sin correo electrónico registrado.'],
  ['{name} may not examine this: {reason}', '{name} no puede examinar esto.'],
  ['{name} has no account.', '{name} no tiene cuenta.'],
  ['Ask by email, or hand over your phone.', 'Pida por correo o entregue su teléfono.'],
  [
    'The examiner has begun to grade this exam, so it stays as it is.',
    'El examinador ya empezó a calificar este examen; queda como está.',
  ],
  ['Ask your program if it has to be stopped.', 'Si hay que detenerlo, pregunte a su programa.'],
  [
    'You have had no shift at this site in the last {days} day.',
    'No ha tenido turno en este sitio en el último día.',
  ],
  [
    'You have had no shift at this site in the last {days} days.',
    'No ha tenido turno en este sitio en los últimos {days} días.',
  ],
  ['This exam is decided already: approved.', 'Este examen ya está decidido: aprobado.'],
  ['This exam is decided already: not approved.', 'Este examen ya está decidido: no aprobado.'],
  ['The student withdrew this exam.', 'El estudiante retiró este examen.'],
  [
    'This exam is suspended until the program has looked into it.',
    'Este examen está suspendido hasta que el programa lo revise.',
  ],
  ['The program voided this exam.', 'El programa anuló este examen.'],
  ['The program has voided this exam already.', 'El programa ya anuló este examen.'],
  ['Whoever was asked no longer examines here.', 'La persona elegida ya no examina aquí.'],
  ['The student has to ask someone else.', 'El estudiante debe pedirlo a otra persona.'],
  ['This score is not one of the item.', 'Este puntaje no es del criterio.'],
  ['The statement to sign has changed.', 'La declaración por firmar cambió.'],
  ['An item of this exam is missing.', 'Falta un criterio de este examen.'],
  [
    'This exam is no longer open: it was decided, withdrawn or voided.',
    'Este examen ya no está abierto: se decidió, se retiró o se anuló.',
  ],
  ['The time for grading on this device is over.', 'Se acabó el tiempo para calificar en este dispositivo.'],
  [
    'Ask for a new code to go on; what you scored is kept.',
    'Pida un código nuevo para continuar; lo que calificó se conserva.',
  ],
  ['{count} item has no score yet.', '{count} criterio aún no tiene puntaje.'],
  ['{count} items have no score yet.', '{count} criterios aún no tienen puntaje.'],
  ['{count} low score needs a comment.', '{count} puntaje bajo necesita un comentario.'],
  ['{count} low scores need a comment.', '{count} puntajes bajos necesitan un comentario.'],
  ['{count} critical item is not passed.', '{count} criterio crítico no está aprobado.'],
  ['{count} critical items are not passed.', '{count} criterios críticos no están aprobados.'],
  [
    '{score} points are below the passing score of {from}.',
    '{score} puntos es menos que el mínimo de {from}.',
  ],
  [
    'A coordinator has not approved simulation for this exam.',
    'Un coordinador aún no aprobó la simulación de este examen.',
  ],
  ['Say why it is not approved.', 'Indique por qué no se aprueba.'],

  // Requirements
  ['{name} comes from the vendor or your program.', '{name} viene del proveedor o de su programa.'],
  ['There is nothing to send.', 'No hay nada que enviar.'],
  ['{name} is signed here, not sent.', '{name} se firma aquí, no se envía.'],
  ['Take a photo of the proof, or choose a file.', 'Tome una foto del comprobante o elija un archivo.'],
  [
    'Your program has already reviewed this proof, so it stays as it is.',
    'Su programa ya decidió sobre este comprobante; queda como está.',
  ],
  ['{name} is not signed here.', '{name} no se firma aquí.'],
  ['The text has changed meanwhile.', 'El texto cambió mientras tanto.'],
  ['Read it again before you sign.', 'Léalo de nuevo antes de firmar.'],
  ['Type your name as it is in your account: {name}.', 'Escriba su nombre como está en su cuenta: {name}.'],
  ['{name} asks for something else.', '{name} pide otra cosa.'],
  ['{date} has not come yet.', '{date} aún no llega.'],
  [
    '{date} is more than five years ago. Check the year.',
    '{date} fue hace más de cinco años. Revise el año.',
  ],
  ['Enter the date on the proof.', 'Escriba la fecha del comprobante.'],
  ['{date} is before you were born.', '{date} es anterior a su nacimiento.'],
  ['Check the year.', 'Revise el año.'],
  [
    'Enter the last day on the card or document.',
    'Escriba el último día que indica la tarjeta o el documento.',
  ],
  ['It would end on {until}, before {on}.', 'Terminaría el {until}, antes del {on}.'],
  ['Choose what the titer says.', 'Elija el resultado del título de anticuerpos.'],
  ['Choose what the vendor says.', 'Elija lo que dice el proveedor.'],

  // Safety
  ['{name} has reviewed this reading.', '{name} ya revisó esta lectura.'],
  [
    'This reading is below the limit: there is nothing to review.',
    'Esta lectura está por debajo del límite: no hay nada que revisar.',
  ],
  [
    '{date} cannot be the estimated date of conception.',
    '{date} no puede ser la fecha estimada de concepción.',
  ],
  ['Your declaration holds already.', 'Su declaración ya está vigente.'],
  ['{name} has closed this report.', '{name} ya cerró este informe.'],

  // Evaluations
  [
    'This evaluation was already submitted, so nothing was changed.',
    'Esta evaluación ya se envió; no se cambió nada.',
  ],
  [
    'This evaluation was stopped, so nothing more is kept.',
    'Esta evaluación se detuvo; ya no se guarda nada más.',
  ],
  [
    'What you answered before is; ask your coordinator to resume it.',
    'Lo que respondió antes se conserva; pida a su coordinador que la reanude.',
  ],
  [
    'Nothing of this step was kept; earlier answers are.',
    'Nada de este paso se guardó; las respuestas anteriores sí.',
  ],
  ['{item}: must be a number.', '{item}: debe ser un número.'],
  ['{item}: must be 0 or more.', '{item}: debe ser 0 o más.'],
  ['{item}: must be a date.', '{item}: debe ser una fecha.'],
  ['{item}: must be yes or no.', '{item}: debe ser sí o no.'],
  ['{item}: is not one of the choices.', '{item}: no es una de las opciones.'],
  [
    '{item}: is not one of the scores of this item.',
    '{item}: no es una de las calificaciones de esta pregunta.',
  ],
  [
    '{item}: must be one line of at most 255 characters.',
    '{item}: debe ser una sola línea de 255 caracteres como máximo.',
  ],
  ['{count} still missing, first {what}: {item}.', 'Faltan {count}; la primera: {item}.'],
  ['This person does not exist.', 'Esta persona no existe.'],
  ['Choose another; nothing was saved.', 'Elija otra; no se guardó nada.'],
  ['{name} is no {role}, as this template asks.', '{name} no tiene la función que pide esta plantilla.'],
  ['{title} is not for the level of {name} ({level}).', '{title} no es para el nivel de {name}.'],
  [
    'Choose another template or person; nothing was saved.',
    'Elija otra plantilla u otra persona; no se guardó nada.',
  ],
  ['Choose whom it is about; nothing was saved.', 'Elija de quién se trata; no se guardó nada.'],
  ['Choose the site it is about; nothing was saved.', 'Elija el sitio; no se guardó nada.'],
  ['In a self-evaluation both are the same person.', 'En una autoevaluación ambas personas son la misma.'],
  ['It must not be due before its date.', 'El plazo no puede ser anterior a su fecha.'],
  [
    'Results of an anonymous form show from three answers on.',
    'Los resultados de un formulario anónimo se muestran a partir de tres respuestas.',
  ],

  // Placement
  ['Rank at most {count} sites.', 'Ordene como máximo {count} sitios.'],
  ['Rank at least one site before you submit.', 'Ordene al menos un sitio antes de enviar.'],
  ['This plan asks for a ranking of each block now.', 'Este plan ahora pide un orden para cada bloque.'],
  [
    'This plan asks for one ranking of all blocks now.',
    'Este plan ahora pide un solo orden para todos los bloques.',
  ],
  ['The ranking has not opened yet.', 'La elección aún no se abre.'],
  [
    'The placements are out, so the ranking has closed.',
    'Las asignaciones ya se publicaron, así que la elección cerró.',
  ],
  ['The ranking has closed.', 'La elección ya cerró.'],
  ['Nothing was saved; what you ranked before counts.', 'No se guardó nada; vale lo que ordenó antes.'],
  ['There was no place for you in this block.', 'No hubo plaza para usted en este bloque.'],
  ['Your first choice.', 'Su primera opción.'],
  ['Placed by the rules of the plan.', 'Asignado según las reglas del plan.'],
  ['Everyone goes through every site in turn.', 'Todos pasan por todos los sitios por turno.'],

  // What is told in the product
  ['A new dosimeter reading is there.', 'Hay una lectura de dosímetro nueva.'],
  ['Please read it.', 'Léala, por favor.'],
  ['Something is there for you to read under Declarations.', 'Hay algo que leer en Declaraciones.'],
  [
    '{count} shift without a time record: report your hours or the absence.',
    '{count} turno sin registro de horas: informe sus horas o la ausencia.',
  ],
  [
    '{count} shifts without a time record: report your hours or the absence.',
    '{count} turnos sin registro de horas: informe sus horas o la ausencia.',
  ],
  [
    '{count} punch without the other half: report the missing time.',
    '{count} marcación incompleta: informe la hora que falta.',
  ],
  [
    '{count} punches without the other half: report the missing time.',
    '{count} marcaciones incompletas: informe la hora que falta.',
  ],
  ['{name} is ready.', '{name}: listo.'],
  ['Download it until {moment}.', 'Puede descargarlo hasta el {moment}.'],
]
