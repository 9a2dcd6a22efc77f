import { failure, failures, missing } from './failure.ts'

export const coreFailures = failures({
  unknown_key: failure(401, {
    en: 'This call brought no key that is in use. Nothing was changed. Send “Authorization: Bearer” and a key made on the page API Keys.',
  }),
  key_network: failure(403, 'The key {Name} may not be used from {Address}. Nothing was changed.'),
  expired_key: failure(401, {
    en: 'The key {Name} has expired. Nothing was changed. Rotate it on the page API Keys, or make another.',
  }),
  key_owner: failure(403, {
    en: 'The person whose rights the key {Name} has may no longer keep keys. Nothing was changed.',
  }),
  frozen: failure(403, {
    en: 'This account is frozen: a change of it was reported as not its owner’s. Set a new password by the link “Forgot it?”, or ask your program to open the account.',
    es: 'Esta cuenta está bloqueada: se avisó que un cambio no lo hizo su titular. Cree una contraseña nueva con el enlace “¿La olvidó?” o pida a su programa que abra la cuenta.',
  }),
  link_over: failure(404, {
    en: 'This link no longer works: it has expired or was withdrawn. Ask the person who sent it for a new one.',
    es: 'Este enlace ya no funciona: venció o se retiró. Pida uno nuevo a quien lo envió.',
    code: 'link',
  }),
  link_needs_opening: failure(401, {
    en: 'Open the link again to go on.',
    es: 'Abra el enlace otra vez para continuar.',
    code: 'link_code',
  }),
  inbox_account: failure(403, {
    en: 'This inbox no longer reaches that program. Nothing was changed. Load the page again.',
    es: 'Esta bandeja ya no da acceso a ese programa. No se cambió nada. Vuelva a cargar la página.',
  }),
  password_most_used: failure(422, {
    en: 'This password is among the most used ones. Choose another.',
    es: 'Esta contraseña es de las más usadas. Elija otra.',
    code: 'password_common',
  }),
  password_run: failure(422, {
    en: 'This password repeats itself or follows the keyboard, so it is easy to guess. Choose another.',
    es: 'Esta contraseña se repite o sigue el teclado y es fácil de adivinar. Elija otra.',
  }),
  password_name: failure(422, {
    en: 'The password must not contain the user name. Choose another.',
    es: 'La contraseña no debe contener el nombre de usuario. Elija otra.',
  }),
  password_easy: failure(422, {
    en: 'This password is easy to guess. Choose another.',
    es: 'Esta contraseña es fácil de adivinar. Elija otra.',
    code: 'password_common',
  }),
  unreadable_picture: failure(415, {
    en: '{Name} cannot be read: it is damaged or incomplete. Open it, save it again, and send that file. Nothing was kept.',
    es: '{Name} no se puede leer: está dañada o incompleta. Ábrala, guárdela de nuevo y envíe ese archivo. No se guardó nada.',
  }),
  too_many_pixels: failure(413, {
    en: '{Name} has more than {Millions} million pixels. Make it smaller and send it again. Nothing was kept.',
    es: '{Name} tiene más de {Millions} millones de píxeles. Redúzcala y envíela de nuevo. No se guardó nada.',
  }),
  photos_busy: failure(503, {
    en: '{Name} could not be read, because many photos are being read now. Nothing was kept. Try again in a minute.',
    es: '{Name} no se pudo leer, porque se están leyendo muchas fotos ahora. No se guardó nada. Intente de nuevo en un minuto.',
    code: 'busy',
  }),
  heic: failure(415, {
    en: '{Name} is a HEIC photo, which many computers cannot show. Set the camera to “Most Compatible”, or take a screenshot of the photo and send that. Nothing was kept.',
    es: '{Name} es una foto HEIC, que muchas computadoras no pueden mostrar. Ponga la cámara en “Más compatible” o haga una captura de pantalla de la foto y envíela. No se guardó nada.',
  }),
  undrawable: failure(422, {
    en: 'A PDF cannot show all letters of “{Text}”, so none was made. Nothing was changed. Write it in other letters, or take the file as Excel or CSV.',
    es: 'Un PDF no puede mostrar todas las letras de “{Text}”, así que no se hizo ninguno. No se cambió nada. Escríbalo con otras letras o descargue el archivo como Excel o CSV.',
  }),
  no_file: failure(400, {
    en: 'Choose a file. Nothing was saved.',
    es: 'Elija un archivo. No se guardó nada.',
    code: 'invalid',
  }),
  file_too_large: failure(413, {
    en: '{Name} is larger than {Limit} MiB. Make it smaller; nothing was kept.',
    es: '{Name} pesa más de {Limit} MiB. Redúzcalo; no se guardó nada.',
    code: 'too_large',
  }),
  wrong_file_type: failure(415, {
    en: '{Name} is no PDF, picture, text or office file by its content. Nothing was kept.',
    es: '{Name} no es un PDF, imagen, texto ni archivo de Office por su contenido. No se guardó nada.',
    code: 'wrong_type',
  }),
  virus: failure(422, {
    en: '{Name} contains a virus ({Virus}). Nothing was kept.',
    es: '{Name} contiene un virus ({Virus}). No se guardó nada.',
  }),
  scanner: failure(503, {
    en: '{Name} could not be checked for viruses, so it was not kept. Try again in a few minutes.',
    es: 'No se pudo revisar {Name} contra virus; no se guardó. Intente de nuevo en unos minutos.',
  }),
  key_throttled: failure(429, {
    en: 'The key {Name} may make {Limit} calls a minute. Nothing was changed. Call again in {Seconds} seconds.',
    code: 'throttled',
  }),
  network_throttled: failure(429, {
    en: 'Too many refused calls came from your network. Try again in a minute.',
    es: 'Llegaron demasiadas solicitudes rechazadas desde su red. Intente de nuevo en un minuto.',
    code: 'throttled',
  }),
  deleted_meanwhile: failure(404, {
    en: 'This was deleted after you opened it. Your text is still here.',
    es: 'Esto se eliminó después de que usted lo abrió. Su texto sigue aquí.',
    code: 'not_found',
  }),
  stale: failure(409, {
    en: '{By} changed this after you opened it. Your changes are not saved yet.',
    es: '{By} cambió esto después de que usted lo abrió. Sus cambios aún no están guardados.',
  }),
  stray_cursor: failure(400, {
    en: 'This cursor belongs to another list. Begin again with the first page.',
    code: 'invalid',
  }),
  foreign_origin: failure(403, {
    en: 'This request came from another site and was refused. Nothing was changed.',
    es: 'Esta solicitud vino de otro sitio web y se rechazó. No se cambió nada.',
  }),
  csrf: failure(403, {
    en: 'The page is out of date, so nothing was changed. Load it again and repeat what you did.',
    es: 'La página está desactualizada y no se cambió nada. Vuelva a cargarla y repita lo que hizo.',
  }),
  no_program: missing('This program'),
  viewing: failure(403, {
    en: 'You are viewing as {Name}, so nothing was changed. Stop viewing first.',
    es: 'Está viendo como {Name}; no se cambió nada. Primero deje de ver como otra persona.',
  }),
  proof_required: failure(403, {
    en: 'Confirm that it is you, then go on.{Changes| Nothing was changed.|}',
    es: 'Confirme que es usted y continúe.{Changes| No se cambió nada.|}',
  }),
  other_account: failure(403, {
    en: 'This was kept for another account, so nothing was changed. It is sent when that account signs in.',
    es: 'Esto se guardó para otra cuenta; no se cambió nada. Se enviará cuando esa cuenta inicie sesión.',
  }),
  not_for_keys: failure(403, 'No key opens this call. Nothing was changed.'),
  key_right: failure(403, {
    en: 'The key {Name} does not have the right {Right}, or its person no longer does. Nothing was changed.',
  }),
  not_by_link: failure(403, {
    en: 'An inbox link does not open this. Nothing was changed. Sign in.',
    es: 'Un enlace a la bandeja no abre esto. No se cambió nada. Inicie sesión.',
  }),
  no_longer_allowed: failure(403, {
    en: 'Your role no longer allows this. Nothing was changed.',
    es: 'Su función ya no permite esto. No se cambió nada.',
    code: 'not_allowed',
  }),
  signed_out: failure(401, {
    en: 'You are signed out. Sign in again{Changes|; nothing was changed|}.',
    es: 'Su sesión está cerrada. Inicie sesión de nuevo{Changes|; no se cambió nada|}.',
  }),
  not_allowed: failure(403, {
    en: 'Your role does not allow this. Ask your program’s coordinator if you need it.',
    es: 'Su función no permite esto. Si lo necesita, pregunte al coordinador de su programa.',
  }),
  key_required: failure(400, {
    en: 'The header Idempotency-Key is required. Nothing was changed.',
    code: 'invalid',
  }),
  key_malformed: failure(400, {
    en: 'The header Idempotency-Key must be 8 to 200 printable characters. Nothing was changed.',
    code: 'invalid',
  }),
  key_reused: failure(422, {
    en: 'This Idempotency-Key belongs to another request. Nothing was changed.',
    es: 'Esta clave pertenece a otra solicitud. No se cambió nada.',
  }),
  rows_added: failure(409, {
    en: 'Someone added rows to this that you have not seen. Your changes are not saved yet.',
    code: 'stale',
  }),
  viewing_long_work: failure(403, {
    en: '{Name} takes long, and it would be prepared for {Person}. Stop viewing first.',
    code: 'viewing',
  }),
  unreadable_form: failure(400, {
    en: 'The form that was sent could not be read. Nothing was changed.',
    es: 'No se pudo leer el formulario enviado. No se cambió nada.',
    code: 'invalid',
  }),
  not_multipart: failure(415, {
    en: 'Send the file as multipart/form-data. Nothing was changed.',
    code: 'wrong_type',
  }),
  invalid_part: failure(400, { en: '{Label} is not valid JSON. Nothing was changed.', code: 'invalid' }),
  part_too_large: failure(413, {
    en: 'A part of the form is too large. Nothing was changed.',
    es: 'Una parte del formulario es demasiado grande. No se cambió nada.',
    code: 'too_large',
  }),
  wrong_content_type: failure(415, {
    en: 'The content type of the request is not one this call takes.{Changes| Nothing was changed.|}',
    code: 'wrong_type',
  }),
  not_octets: failure(415, {
    en: 'Send the file as application/octet-stream. Nothing was changed.',
    code: 'wrong_type',
  }),
  octets_too_large: failure(413, {
    en: 'The file is larger than {Limit} MiB. Nothing was changed.',
    es: 'El archivo pesa más de {Limit} MiB. No se cambió nada.',
    code: 'too_large',
  }),
  empty_file: failure(400, {
    en: 'The file is empty. Nothing was changed.',
    es: 'El archivo está vacío. No se cambió nada.',
    code: 'invalid',
  }),
  too_many_fields: failure(400, {
    en: 'A form has {Most} fields at most. Nothing was changed.',
    code: 'invalid',
  }),
  task_not_allowed: failure(403, {
    en: 'Your role no longer allows this, so it was ended. Nothing was kept.',
    code: 'not_allowed',
  }),
  viewing_private: failure(403, {
    en: 'This is private to {Name}: it does not open while you view as somebody else.',
    es: 'Esto es privado de {Name}: no se abre mientras usted ve como otra persona.',
  }),
  private_key_right: failure(403, {
    en: 'The key {Name} does not have the right private.{Class}.{Changes| Nothing was changed.|}',
    code: 'key_right',
  }),
  reason_required: failure(403, {
    en: 'This is private. Say why you open it: the person reads your reason.{Changes| Nothing was changed.|}',
    es: 'Esto es privado. Diga por qué lo abre: la persona lee su motivo.{Changes| No se cambió nada.|}',
  }),
  throttled: failure(429, {
    en: 'Too many attempts. Try again in {Minutes} {Minutes|minute|minutes}.',
    es: 'Demasiados intentos. Intente de nuevo en {Minutes} {Minutes|minuto|minutos}.',
  }),
  unconfirmed: failure(503, {
    en: 'The database did not answer in time. Your change may have been saved: load the page again before you repeat it.',
    es: 'La base de datos no respondió a tiempo. Tal vez su cambio se guardó: vuelva a cargar la página antes de repetirlo.',
  }),
  database_silent: failure(503, {
    en: '{Changes|The database did not answer, so nothing was saved.|The database did not answer.} Try again in a moment.',
    es: '{Changes|La base de datos no respondió y no se guardó nada.|La base de datos no respondió.} Intente de nuevo en un momento.',
    code: 'unavailable',
  }),
  no_room: failure(503, {
    en: 'The database has run out of disk space or memory{Changes|, so nothing was saved|}. Tell your administrator, and try again in a few minutes.',
    es: 'La base de datos se quedó sin espacio en disco o sin memoria{Changes| y no se guardó nada|}. Avise a su administrador e intente de nuevo en unos minutos.',
  }),
  others_changing: failure(503, {
    en: 'Others were changing the same at that moment, so nothing was saved. Try again in a moment.',
    es: 'Otras personas estaban cambiando lo mismo en ese momento y no se guardó nada. Intente de nuevo en un momento.',
    code: 'busy',
  }),
  too_large: failure(413, {
    en: 'That is larger than this call takes.{Changes| Nothing was changed.|}',
    es: 'Es más grande de lo permitido.{Changes| No se cambió nada.|}',
  }),
  too_many_parts: failure(413, {
    en: 'The form has more parts than this call takes.{Changes| Nothing was changed.|}',
    es: 'El formulario tiene más partes de lo permitido.{Changes| No se cambió nada.|}',
    code: 'too_large',
  }),
  bad_address: failure(400, {
    en: 'There is nothing at this address: check the link.{Changes| Nothing was changed.|}',
    es: 'No hay nada en esta dirección: revise el enlace.{Changes| No se cambió nada.|}',
    code: 'invalid',
  }),
  refers: failure(409, {
    en: 'This conflicts with something it refers to, or that refers to it. Load the page again; nothing was changed.',
    es: 'Esto no concuerda con algo relacionado. Vuelva a cargar la página; no se cambió nada.',
    code: 'reference',
  }),
  duplicate: failure(409, {
    en: 'Someone else has just saved the same. Load the page again; nothing was changed.',
    es: 'Alguien más acaba de guardar lo mismo. Vuelva a cargar la página; no se cambió nada.',
  }),
  unusable: failure(400, {
    en: 'Something that was sent cannot be used.{Changes| Nothing was changed.|}',
    es: 'Algo de lo enviado no se puede usar.{Changes| No se cambió nada.|}',
    code: 'invalid',
  }),
  malformed_json: failure(400, {
    en: 'The request is not well-formed JSON.{Changes| Nothing was changed.|}',
    code: 'invalid',
  }),
  nothing_there: failure(404, {
    en: 'There is nothing at this address.',
    es: 'No hay nada en esta dirección.',
    code: 'not_found',
  }),
  fault: failure(500, {
    en: 'Something went wrong on the server{Changes|, and nothing was saved|}. It is recorded as {Reference}: give support this number if it happens again.',
    es: 'Algo falló en el servidor{Changes| y no se guardó nada|}. Quedó registrado como {Reference}: dé este número a soporte si vuelve a ocurrir.',
  }),
  import_changed: failure(409, {
    en: 'Nothing was undone: someone changed a record of this import just now. Their change was kept. Try again to see which record it is.',
    code: 'in_use',
  }),
  switched_off: failure(409, {
    en: 'This kind of email is switched off for the whole installation, so nothing was sent. Ask your administrator.',
    es: 'Este tipo de correo está desactivado en toda la instalación y no se envió nada. Pregunte a su administrador.',
  }),
  parent_deleted: failure(409, 'Bring {Name} back first; nothing was changed.'),
  person_ended: failure(409, {
    en: 'The account that this belonged to has ended: its import was undone, or it was merged into another one. Nothing was changed. Add it to the account that the person has now.',
  }),
  file_missing: failure(404, 'This file is no longer in the file store. Tell your administrator.'),
  too_many_heavy_calls: failure(429, {
    en: 'You have several large pages or exports running. Wait for one of them to end, then try again.',
    es: 'Tiene varias páginas o descargas grandes en curso. Espere a que termine una e intente de nuevo.',
  }),
  heavy_calls_busy: failure(503, {
    en: 'Many large pages and exports are running at the moment. Try again in a moment.',
    es: 'Hay muchas páginas y descargas grandes en curso en este momento. Intente de nuevo en un momento.',
    code: 'busy',
  }),
  writing: failure(409, {
    en: 'Something long is being saved in this program, such as an import. Nothing was changed. Try again when it is done.',
    es: 'Algo largo se está guardando en este programa, como una importación. No se cambió nada. Intente de nuevo cuando termine.',
  }),
  signed_out_meanwhile: failure(401, {
    en: 'You are signed out. Sign in again; nothing was changed.',
    es: 'Su sesión está cerrada. Inicie sesión de nuevo; no se cambió nada.',
    code: 'signed_out',
  }),
  restored_copy: failure(503, {
    en: 'This installation was restored from a backup and takes no changes from other systems until an administrator says on System Status that it is the real one. Nothing was changed.',
  }),
  too_many_tasks: failure(429, {
    en: '{Count} of your files are being prepared. Wait for one of them, or cancel one under Notifications.',
    es: 'Se están preparando {Count} de sus archivos. Espere uno o cancele uno en Notificaciones.',
  }),
  busy: failure(503, {
    en: 'The server is very busy at the moment. Try again in a moment.',
    es: 'El servidor está muy ocupado en este momento. Intente de nuevo en un momento.',
  }),
  no_record: missing('This record'),
  no_own_program: missing('Your program'),
  step: failure(403, {
    en: '{Step}{Changes| Nothing was changed.|}',
    es: '{Step}{Changes| No se cambió nada.|}',
  }),
  ip_refused: failure(403, {
    en: 'Practicum cannot be reached from your address, {Address}. Use the network of your college, or give the address to your administrator.',
    es: 'No se puede entrar a Practicum desde su dirección, {Address}. Use la red de su universidad o dé la dirección a su administrador.',
  }),
  malformed_http: failure(400, {
    en: 'The request is not well-formed HTTP. Nothing was changed.',
    code: 'invalid',
  }),
  headers_too_large: failure(431, {
    en: 'The browser sent more cookies or headers than fit. Nothing was changed. Delete the cookies of this site and try again.',
  }),
  expectation: failure(417, {
    en: 'The header Expect asks for something that this server does not do. Nothing was changed.',
  }),
  too_slow: failure(408, 'The request did not arrive in time. Nothing was changed. Send it again.'),
  unwritable_store: failure(503, {
    en: 'The file store cannot be written to, so nothing was saved. Try again in a minute; if it happens again, tell your administrator.',
    es: 'No se pudo escribir en el almacén de archivos y no se guardó nada. Intente de nuevo en un minuto; si vuelve a ocurrir, avise a su administrador.',
    code: 'file_store',
  }),
  unreadable_store: failure(503, {
    en: 'The file cannot be read from the file store. Try again in a minute; if it happens again, tell your administrator.',
    es: 'No se pudo leer el archivo. Intente de nuevo en un minuto; si vuelve a ocurrir, avise a su administrador.',
    code: 'file_store',
  }),
  invalid: failure(400, {
    en: '{Problem}{Others}{Changes| Nothing was changed.|}',
    es: '{Problem}{Others}{Changes| No se cambió nada.|}',
  }),
})
