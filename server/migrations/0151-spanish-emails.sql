-- The first Spanish texts of the emails that students, graduates, supervisors and people with an account of theirs get. Emails to staff, sites and
-- registrants are in English.

call add_spanish_mail('TIME_unmatched',
  'Registros incompletos: {{record.count}}',
  '<p>Hola, {{student.firstName}}:</p><p>las horas de estos registros aún no cuentan:</p><p>{{record.list}}</p><a href="{{link}}">Informe una excepción de {time}</a> con la hora que falta.');
call add_spanish_mail('TIME_missed',
  'Turnos sin registro de horas: {{shift.count}}',
  '<p>Hola, {{student.firstName}}:</p><p>no se registró nada para estos turnos:</p><p>{{shift.list}}</p><a href="{{link}}">Informe las horas como excepción de {time}, o la ausencia</a>.');
call add_spanish_mail('EVALUATION_due',
  '{Evaluations} por completar: {{evaluation.count}}',
  '<p>{Evaluations} por completar: {{evaluation.count}}. El primer plazo vence: {{evaluation.due}}.</p><p>{{evaluation.list}}</p><a href="{{link}}">Abrirlas</a>');
call add_spanish_mail('EVALUATION_late',
  'Plazo vencido: {{evaluation.count}} {evaluations}',
  '<p>Hola, {{evaluator.firstName}}:</p><p>venció el plazo de estas {evaluations}:</p><p>{{evaluation.list}}</p><a href="{{link}}">Abrir las {evaluations}</a>');
call add_spanish_mail('EVALUATION_requested',
  '{{requester.name}} le pide: {evaluation}',
  '<p>Hola, {{evaluator.firstName}}:</p><p>{{requester.name}} le pide esto: {{evaluation.title}} ({evaluation}). El plazo vence: {{evaluation.due}}.</p><p>{{request.note}}</p><a href="{{link}}">Abrir</a>');
call add_spanish_mail('PLACEMENT_made',
  '{{change.summary}}',
  '<p>Hola, {{student.firstName}}:</p><p>se agregaron estos turnos a su horario:</p><p>{{change.list}}</p><a href="{{link}}">Ver su horario</a>');
call add_spanish_mail('PLACEMENT_changed',
  '{{change.summary}}',
  '<p>Hola, {{student.firstName}}:</p><p>su horario cambió:</p><p>{{change.list}}</p><a href="{{link}}">Ver su horario</a>');
call add_spanish_mail('PLACEMENT_removed',
  '{{change.summary}}',
  '<p>Hola, {{student.firstName}}:</p><p>se quitaron estos turnos de su horario:</p><p>{{change.list}}</p><a href="{{link}}">Ver su horario</a>');
call add_spanish_mail('SHIFT_swap',
  '{{change.summary}}',
  '<p>Hola, {{student.firstName}}:</p><p>{{change.list}}</p><a href="{{link}}">Ver sus solicitudes</a>');
call add_spanish_mail('SHIFT_open',
  '{{change.summary}}',
  '<p>Hola, {{student.firstName}}:</p><p>puede apuntarse a:</p><p>{{change.list}}</p><p>Las plazas son para quienes se apunten primero.</p><a href="{{link}}">Ver los turnos abiertos</a>');
call add_spanish_mail('TIME_change_decided',
  '{{change.summary}}',
  '<p>Hola, {{student.firstName}}:</p><p>{{change.list}}</p><a href="{{link}}">Ver sus horas</a>');
call add_spanish_mail('TIME_approved',
  '{{change.summary}}',
  '<p>Hola, {{student.firstName}}:</p><p>se aprobaron estos registros de {time}:</p><p>{{change.list}}</p><a href="{{link}}">Ver sus horas</a>');
call add_spanish_mail('DOCUMENT_added',
  '{{change.summary}}',
  '<p>Hola, {{reader.firstName}}:</p><p>se agregaron estos documentos:</p><p>{{change.list}}</p><a href="{{link}}">Ver los documentos</a>');
call add_spanish_mail('REQUIREMENT_expiring',
  '{{change.summary}}',
  '<p>Hola, {{student.firstName}}:</p><p>estos requisitos vencen pronto:</p><p>{{change.list}}</p><p>Pregunte a su {program} qué debe enviar.</p>');
call add_spanish_mail('REQUIREMENT_expired',
  '{{change.summary}}',
  '<p>Hola, {{student.firstName}}:</p><p>estos requisitos vencieron:</p><p>{{change.list}}</p><p>Pregunte a su {program} qué debe enviar. Algunos requisitos impiden que se le asignen turnos.</p>');
call add_spanish_mail('REQUIREMENT_returned',
  '{{change.summary}}',
  '<p>Hola, {{student.firstName}}:</p><p>{{change.list}}</p><a href="{{link}}">Sus requisitos</a>');
call add_spanish_mail('REQUIREMENT_accepted',
  '{{change.summary}}',
  '<p>Hola, {{student.firstName}}:</p><p>{{change.list}}</p><a href="{{link}}">Sus requisitos</a>');
call add_spanish_mail('REQUIREMENT_answered',
  '{{change.summary}}',
  '<p>Hola, {{student.firstName}}:</p><p>{{change.list}}</p><a href="{{link}}">Sus requisitos</a>');
call add_spanish_mail('PROCEDURES_returned',
  '{{change.summary}}',
  '<p>Hola, {{student.firstName}}:</p><p>{{change.list}}</p><a href="{{link}}">Corregir su registro</a>');
call add_spanish_mail('CLINICAL_RECORD_issued',
  'Su constancia clínica está lista',
  '<p>Hola, {{student.firstName}}:</p><p>{{record.program}} emitió su constancia clínica <strong>{{record.number}}</strong>. Descárguela y guárdela: se puede verificar siempre, también cuando su cuenta esté cerrada.</p><a href="{{link}}">Abrir su constancia clínica</a>');
call add_spanish_mail('REMEDIATION_started',
  'Su plan de recuperación: {{plan.title}}',
  '<p>Hola, {{student.firstName}}:</p><p>Empezó un plan de recuperación: <strong>{{plan.title}}</strong>, con plazo hasta el {{plan.due}}.</p><a href="{{link}}">Ver su avance</a>');
call add_spanish_mail('REMEDIATION_closed',
  'Se cerró su plan de recuperación: {{plan.title}}',
  '<p>Hola, {{student.firstName}}:</p><p>Se cerró su plan de recuperación <strong>{{plan.title}}</strong>: {{plan.outcome}}</p><a href="{{link}}">Ver su avance</a>');
call add_spanish_mail('ANNOUNCEMENT_published',
  'Anuncio: {{announcement.summary}}',
  '<p>Hola, {{reader.firstName}}:</p><p>{{announcement.text}}</p><a href="{{link}}">Abrir la página de inicio</a>');
call add_spanish_mail('ACCOUNT_created',
  'Su cuenta',
  '<p>Hola, {{user.firstName}}:</p><p>Se creó una cuenta para usted. Su nombre de usuario es <strong>{{account.userName}}</strong>.</p><a href="{{link}}">Crear su contraseña</a><p>{{parameter.Help}}</p>');
call add_spanish_mail('ACCOUNT_invited',
  'Su cuenta',
  '<p>Hola, {{user.firstName}}:</p><p>{{sender.name}} creó una cuenta para usted. Su nombre de usuario es <strong>{{account.userName}}</strong>.</p><a href="{{link}}">Crear su contraseña</a><p>El enlace funciona una vez, durante 7 días. Después, elija “¿La olvidó?” en la página de inicio de sesión.</p>');
call add_spanish_mail('ACCOUNT_password_reset',
  'Crear una contraseña nueva',
  '<p>Alguien, probablemente usted, pidió una contraseña nueva para el nombre de usuario <strong>{{account.name}}</strong>.</p><a href="{{link}}">Crear una contraseña nueva</a><p>El enlace funciona una vez, durante 10 minutos. Si no fue usted, no haga nada: su contraseña sigue igual.</p>');
call add_spanish_mail('ACCOUNT_password_link',
  'Crear una contraseña nueva',
  '<p>{{sender.name}} le envía este enlace para crear una contraseña para el nombre de usuario <strong>{{account.userName}}</strong>.</p><a href="{{link}}">Crear una contraseña nueva</a><p>El enlace funciona una vez, durante 10 minutos.</p>');
call add_spanish_mail('ACCOUNT_sign_in_link',
  'Su código de acceso: {{code}}',
  '<p>Abra <a href="{{link}}">este enlace para iniciar sesión</a> o escriba este código donde lo pidió:</p><h2>{{code}}</h2><p>Ambos funcionan una vez, durante {{minutes}} minutos, y solo valen los más recientes. Si no los pidió, no haga nada: sin este correo nadie puede entrar.</p>');
call add_spanish_mail('ACCOUNT_email_confirmation',
  'Confirme su correo electrónico',
  '<p>Se escribió esta dirección para la cuenta <strong>{{account.name}}</strong>.</p><a href="{{link}}">Confirmar esta dirección</a><p>El enlace funciona una vez, durante 10 minutos. Si no es su cuenta, no haga nada.</p>');
call add_spanish_mail('ACCOUNT_notice_password',
  'Su contraseña cambió',
  '<p>La contraseña de su cuenta <strong>{{account.name}}</strong> cambió.</p><p>Si fue usted, no tiene que hacer nada. Si no, cree una contraseña nueva de inmediato y avise a su {program}.</p>');
call add_spanish_mail('ACCOUNT_notice_email',
  'Su correo electrónico está por cambiar',
  '<p>Se escribió otro correo electrónico para su cuenta <strong>{{account.name}}</strong>; aún no está confirmado.</p><p>Si fue usted, no tiene que hacer nada. Si no, cree una contraseña nueva de inmediato y avise a su {program}.</p>');
call add_spanish_mail('ACCOUNT_notice_authenticator_on',
  'Su autenticador está activado',
  '<p>Ahora su cuenta <strong>{{account.name}}</strong> pide el código de un autenticador.</p><p>Si fue usted, no tiene que hacer nada. Si no, cree una contraseña nueva de inmediato y avise a su {program}.</p>');
call add_spanish_mail('ACCOUNT_notice_authenticator_off',
  'Su autenticador está desactivado',
  '<p>Su cuenta <strong>{{account.name}}</strong> ya no pide el código de un autenticador.</p><p>Si fue usted, no tiene que hacer nada. Si no, cree una contraseña nueva de inmediato y avise a su {program}.</p>');
call add_spanish_mail('ACCOUNT_notice_recovery_code',
  'Se usó un código de recuperación',
  '<p>Alguien inició sesión en su cuenta <strong>{{account.name}}</strong> con un código de recuperación.</p><p>Si fue usted, no tiene que hacer nada. Si no, cree una contraseña nueva de inmediato y avise a su {program}.</p>');
call add_spanish_mail('LINK_code',
  'Su código es {{code}}',
  '<p>Hola, {{recipient.name}}:</p><p>Escriba este código en la página que abrió: <strong>{{code}}</strong></p><p>Funciona una vez, durante {{minutes}} minutos. Si no abrió un enlace nuestro, ignore este correo: sin el código el enlace no abre nada.</p>');
call add_spanish_mail('EXAM_asked',
  'Le piden un examen de competencia',
  '<p>Hola, {{examiner.name}}:</p><p>{{student.name}} le pide que califique un examen de competencia: {{exam.procedure}}.</p><a href="{{link}}">Abrir el examen</a><p>En una computadora compartida, abra {{exam.page}} y escriba {{exam.code}}. Nada queda en esa computadora.</p>');
call add_spanish_mail('EXAM_decided',
  'Su examen de competencia fue calificado',
  '<p>Hola, {{student.firstName}}:</p><p>{{exam.procedure}}: {{exam.result}}.</p><p>{{exam.comment}}</p><a href="{{link}}">Ver el examen</a>');
call add_spanish_mail('PLACEMENT_ranking_open',
  'Ordene sus {sites}: {{plan.name}}',
  '<p>Hola, {{student.firstName}}:</p><p>Puede ordenar sus {sites} para <strong>{{plan.name}}</strong> hasta el {{plan.closes}}.</p><a href="{{link}}">Ordenar sus {sites}</a>');
call add_spanish_mail('PLACEMENT_ranking_reminder',
  'Su elección cierra el {{plan.closes}}: {{plan.name}}',
  '<p>Hola, {{student.firstName}}:</p><p>Aún no ha enviado su elección para <strong>{{plan.name}}</strong>. Cierra el {{plan.closes}}.</p><a href="{{link}}">Ordenar sus {sites}</a>');
call add_spanish_mail('PLACEMENT_ranking_receipt',
  'Su elección para {{plan.name}}',
  '<p>Hola, {{student.firstName}}:</p><p>Recibimos su elección para <strong>{{plan.name}}</strong>:</p><p>{{ranking}}</p><p>Puede cambiarla hasta el {{plan.closes}}.</p><a href="{{link}}">Abrir su elección</a>');
call add_spanish_mail('PLACEMENT_published',
  'Sus prácticas: {{plan.name}}',
  '<p>Hola, {{student.firstName}}:</p><p>Ya se publicaron sus prácticas de <strong>{{plan.name}}</strong>:</p><p>{{placements}}</p><a href="{{link}}">Ver sus prácticas y por qué</a>');
call add_spanish_mail('INBOX_weekly',
  '{{inbox.summary}}',
  '<p>Hola, {{supervisor.firstName}}:</p><p>{{inbox.list}}</p><a href="{{link}}">Abrir su bandeja</a><p>No tiene que iniciar sesión. La primera vez le enviamos un código por correo. El enlace funciona 7 días, en un dispositivo y solo para usted.</p>');
