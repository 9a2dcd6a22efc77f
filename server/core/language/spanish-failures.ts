import type { Pair } from '#contract/language/language.ts'

/**
 * What every call, the account, links and files say to students, graduates, supervisors and people with links, in Spanish, by the English sentence. Words in braces are whatever
 * the sentence has there. A message of several sentences is said one by one, so each is here alone unless it depends on the one before.
 */
export const spanishFailures: readonly Pair[] = [
  // How a refusal ends
  ['Nothing was changed.', 'No se cambió nada.'],
  ['Nothing was saved.', 'No se guardó nada.'],
  ['Nothing was kept.', 'No se guardó nada.'],
  ['Nothing was sent.', 'No se envió nada.'],
  ['Nothing was signed.', 'No se firmó nada.'],
  ['Nothing was verified.', 'No se verificó nada.'],
  ['Nothing was canceled.', 'No se canceló nada.'],
  ['Your answers are kept.', 'Sus respuestas se conservan.'],
  ['Sign in.', 'Inicie sesión.'],
  ['Load the page again.', 'Vuelva a cargar la página.'],
  ['Try again in a moment.', 'Intente de nuevo en un momento.'],
  ['Try again in a minute.', 'Intente de nuevo en un minuto.'],
  ['Try again in a few minutes.', 'Intente de nuevo en unos minutos.'],
  ['Choose another.', 'Elija otra.'],
  ['Choose another one.', 'Elija otra opción.'],
  ['Stop viewing first.', 'Primero deje de ver como otra persona.'],

  // Every call
  ['{what} does not exist, or you do not have access to it.', 'No existe o no tiene acceso.'],
  [
    'These {things} do not exist, or you do not have access to them: {ids}.',
    'No existen o no tiene acceso a ellos: {ids}.',
  ],
  ['Load the list again.', 'Vuelva a cargar la lista.'],
  ['You are signed out.', 'Su sesión está cerrada.'],
  ['Sign in again.', 'Inicie sesión de nuevo.'],
  ['Sign in again; nothing was changed.', 'Inicie sesión de nuevo; no se cambió nada.'],
  ['Confirm that it is you, then go on.', 'Confirme que es usted y continúe.'],
  [
    'This is private to {name}: it does not open while you view as somebody else.',
    'Esto es privado de {name}: no se abre mientras usted ve como otra persona.',
  ],
  [
    'This is private. Say why you open it: the person reads your reason.',
    'Esto es privado. Diga por qué lo abre: la persona lee su motivo.',
  ],
  [
    'Too many refused calls came from your network.',
    'Llegaron demasiadas solicitudes rechazadas desde su red.',
  ],
  ['The server is very busy at the moment.', 'El servidor está muy ocupado en este momento.'],
  ['The request did not arrive in time.', 'La solicitud no llegó a tiempo.'],
  [
    'The password is not right. Check it and try again.',
    'La contraseña no es correcta. Revísela e intente de nuevo.',
  ],
  [
    'Sign in again to prove who you are, then go on.',
    'Vuelva a iniciar sesión para confirmar quién es y continúe.',
  ],
  [
    'That code is not right, or it has expired. Ask for a new one.',
    'Ese código no es correcto o venció. Pida uno nuevo.',
  ],
  [
    'No code can be mailed: the account has a password or no confirmed address.',
    'No se puede enviar un código: la cuenta tiene contraseña o no tiene correo confirmado.',
  ],
  [
    'This account is frozen: a change of it was reported as not its owner’s.',
    'Esta cuenta está bloqueada: se avisó que un cambio no lo hizo su titular.',
  ],
  [
    'Set a new password by the link “Forgot it?”, or ask your program to open the account.',
    'Cree una contraseña nueva con el enlace “¿La olvidó?” o pida a su programa que abra la cuenta.',
  ],
  [
    'If something is wrong, set a new password and tell your program; nothing was changed.',
    'Si algo está mal, cree una contraseña nueva y avise a su programa; no se cambió nada.',
  ],
  [
    'This request came from another site and was refused.',
    'Esta solicitud vino de otro sitio web y se rechazó.',
  ],
  ['The page is out of date, so nothing was changed.', 'La página está desactualizada y no se cambió nada.'],
  ['Load it again and repeat what you did.', 'Vuelva a cargarla y repita lo que hizo.'],
  ['You are viewing as {name}, so nothing was changed.', 'Está viendo como {name}; no se cambió nada.'],
  ['You are viewing as {name}.', 'Está viendo como {name}.'],
  [
    'This was kept for another account, so nothing was changed.',
    'Esto se guardó para otra cuenta; no se cambió nada.',
  ],
  ['It is sent when that account signs in.', 'Se enviará cuando esa cuenta inicie sesión.'],
  ['An inbox link does not open this.', 'Un enlace a la bandeja no abre esto.'],
  ['Your role no longer allows this.', 'Su función ya no permite esto.'],
  ['Your role no longer allows this file.', 'Su función ya no permite este archivo.'],
  ['Your role does not allow this.', 'Su función no permite esto.'],
  [
    'Ask your program’s coordinator if you need it.',
    'Si lo necesita, pregunte al coordinador de su programa.',
  ],
  ['The license agreement has changed.', 'El acuerdo de licencia cambió.'],
  ['Read and accept it first.', 'Primero léalo y acéptelo.'],
  ['There is nothing at this address.', 'No hay nada en esta dirección.'],
  ['There is nothing at this address: check the link.', 'No hay nada en esta dirección: revise el enlace.'],
  ['This was deleted after you opened it.', 'Esto se eliminó después de que usted lo abrió.'],
  ['Your text is still here.', 'Su texto sigue aquí.'],
  ['Someone changed this after you opened it.', 'Alguien cambió esto después de que usted lo abrió.'],
  ['{name} changed this after you opened it.', '{name} cambió esto después de que usted lo abrió.'],
  ['Your changes are not saved yet.', 'Sus cambios aún no están guardados.'],
  ['Too many attempts.', 'Demasiados intentos.'],
  ['Try again in {minutes} minute.', 'Intente de nuevo en {minutes} minuto.'],
  ['Try again in {minutes} minutes.', 'Intente de nuevo en {minutes} minutos.'],
  ['The database did not answer in time.', 'La base de datos no respondió a tiempo.'],
  [
    'Your change may have been saved: load the page again before you repeat it.',
    'Tal vez su cambio se guardó: vuelva a cargar la página antes de repetirlo.',
  ],
  [
    'The database did not answer, so nothing was saved.',
    'La base de datos no respondió y no se guardó nada.',
  ],
  ['The database did not answer.', 'La base de datos no respondió.'],
  [
    'The database has run out of disk space or memory, so nothing was saved.',
    'La base de datos se quedó sin espacio en disco o sin memoria y no se guardó nada.',
  ],
  [
    'The database has run out of disk space or memory.',
    'La base de datos se quedó sin espacio en disco o sin memoria.',
  ],
  [
    'Tell your administrator, and try again in a few minutes.',
    'Avise a su administrador e intente de nuevo en unos minutos.',
  ],
  [
    'This conflicts with something it refers to, or that refers to it.',
    'Esto no concuerda con algo relacionado.',
  ],
  ['Load the page again; nothing was changed.', 'Vuelva a cargar la página; no se cambió nada.'],
  ['Someone else has just saved the same.', 'Alguien más acaba de guardar lo mismo.'],
  [
    'Something went wrong on the server, and nothing was saved.',
    'Algo falló en el servidor y no se guardó nada.',
  ],
  ['Something went wrong on the server.', 'Algo falló en el servidor.'],
  [
    'It is recorded as {number}: give support this number if it happens again.',
    'Quedó registrado como {number}: dé este número a soporte si vuelve a ocurrir.',
  ],
  ['That is larger than this call takes.', 'Es más grande de lo permitido.'],
  ['The form that was sent could not be read.', 'No se pudo leer el formulario enviado.'],
  ['A part of the form is too large.', 'Una parte del formulario es demasiado grande.'],
  ['The file is larger than {limit} MiB.', 'El archivo pesa más de {limit} MiB.'],
  ['The file is empty.', 'El archivo está vacío.'],
  ['Something that was sent cannot be used.', 'Algo de lo enviado no se puede usar.'],
  [
    'Practicum cannot be reached from your address, {address}.',
    'No se puede entrar a Practicum desde su dirección, {address}.',
  ],
  [
    'Use the network of your college, or give the address to your administrator.',
    'Use la red de su universidad o dé la dirección a su administrador.',
  ],
  ['You have several large pages or exports running.', 'Tiene varias páginas o descargas grandes en curso.'],
  ['Wait for one of them to end, then try again.', 'Espere a que termine una e intente de nuevo.'],
  [
    'Many large pages and exports are running at the moment.',
    'Hay muchas páginas y descargas grandes en curso en este momento.',
  ],
  [
    'This kind of email is switched off for the whole installation, so nothing was sent.',
    'Este tipo de correo está desactivado en toda la instalación y no se envió nada.',
  ],
  ['Ask your administrator.', 'Pregunte a su administrador.'],
  [
    'Practicum is open in too many windows for live updates.',
    'Practicum está abierto en demasiadas ventanas.',
  ],
  ['Close one; everything else works on.', 'Cierre una; todo lo demás sigue funcionando.'],

  // Fields
  ['{label} is required.', 'Este campo es obligatorio.'],
  ['{label} are required.', 'Este campo es obligatorio.'],
  ['This field is required', 'Este campo es obligatorio'],
  ['Please enter a valid email address', 'Escriba un correo electrónico válido'],
  ['Please enter a valid email address.', 'Escriba un correo electrónico válido.'],
  ['Enter a date as mm/dd/yyyy.', 'Escriba la fecha como mm/dd/aaaa.'],
  ['{label} is not a day of the calendar.', 'Esa fecha no existe.'],
  ['{label} must be between {from} and {to}.', 'Debe estar entre {from} y {to}.'],
  ['{label} must be a time such as 07:30.', 'Escriba una hora como 07:30.'],
  ['{label} can have at most {count} characters.', 'Como máximo {count} caracteres.'],
  ['{label} must have at least {count} characters.', 'Al menos {count} caracteres.'],
  ['{label} can have at most {count} entries.', 'Como máximo {count} elementos.'],
  ['{label} needs at least {count} entry.', 'Hace falta al menos {count} elemento.'],
  ['{label} needs at least {count} entries.', 'Hacen falta al menos {count} elementos.'],
  ['{label} must be at least {count}.', 'Debe ser al menos {count}.'],
  ['{label} must be at most {count}.', 'Debe ser como máximo {count}.'],
  ['{label} must be more than {count}.', 'Debe ser más de {count}.'],
  ['{label} must be less than {count}.', 'Debe ser menos de {count}.'],
  ['{label} must be text.', 'Debe ser un texto.'],
  ['{label} must be a number.', 'Debe ser un número.'],
  ['{label} must be a whole number.', 'Debe ser un número entero.'],
  ['{label} must be a smaller number.', 'Debe ser un número menor.'],
  ['{label} must be a date.', 'Debe ser una fecha.'],
  ['{label} must be an email address.', 'Debe ser un correo electrónico.'],
  [
    '{label} must be a phone number of at least 7 digits such as (508) 555-0142 or +44 20 7946 0958 ext. 12.',
    'Debe ser un número de teléfono de al menos 7 dígitos, como (508) 555-0142 o +44 20 7946 0958 ext. 12.',
  ],
  [
    '{label} must be a ZIP or postal code such as 02740 or K1A 0B1.',
    'Debe ser un código postal como 02740 o K1A 0B1.',
  ],
  ['{label} must have at least one letter or digit.', 'Debe tener al menos una letra o un dígito.'],
  ['{label} must be a web address.', 'Debe ser una dirección web.'],
  ['{label} is not one of the choices.', 'No es una de las opciones.'],
  ['{label} is not valid.', 'No es válido.'],
  ['{label} is not in the right format.', 'El formato no es correcto.'],
  ['{label} must be one line without control characters.', 'Debe ser una sola línea de texto.'],
  ['{label} must not contain control characters.', 'Tiene caracteres que no se pueden usar.'],
  ['{label} contains characters that cannot be used.', 'Tiene caracteres que no se pueden usar.'],
  ['{count} more field needs attention.', 'Falta corregir {count} campo más.'],
  ['{count} more fields need attention.', 'Falta corregir {count} campos más.'],

  // Signing in and the account
  [
    'User name, email or password is not right.',
    'El nombre de usuario, el correo electrónico o la contraseña no es correcto.',
  ],
  ['Check them and try again.', 'Revíselos e intente de nuevo.'],
  [
    'If several accounts have your email, type the user name.',
    'Si varias cuentas tienen su correo electrónico, escriba el nombre de usuario.',
  ],
  [
    'Type the 6-digit code of your authenticator, or one of your recovery codes.',
    'Escriba el código de 6 dígitos de su autenticador o uno de sus códigos de recuperación.',
  ],
  ['That code is not right, or it was used already.', 'Ese código no es correcto o ya se usó.'],
  ['Wait for the next one and type that.', 'Espere el siguiente y escríbalo.'],
  ['This password is among the most used ones.', 'Esta contraseña es de las más usadas.'],
  [
    'This password repeats itself or follows the keyboard, so it is easy to guess.',
    'Esta contraseña se repite o sigue el teclado y es fácil de adivinar.',
  ],
  ['The password must not contain the user name.', 'La contraseña no debe contener el nombre de usuario.'],
  ['This password is easy to guess.', 'Esta contraseña es fácil de adivinar.'],
  [
    'The old password is not right, so nothing was changed.',
    'La contraseña actual no es correcta; no se cambió nada.',
  ],
  ['The password is not right, so nothing was changed.', 'La contraseña no es correcta; no se cambió nada.'],
  ['Choose a page of the list.', 'Elija una página de la lista.'],
  ['This link has expired or was used before.', 'Este enlace venció o ya se usó.'],
  ['Ask for a new one.', 'Pida uno nuevo.'],
  ['Ask for a new one; nothing was changed.', 'Pida uno nuevo; no se cambió nada.'],
  ['Ask for a new one; your password is unchanged.', 'Pida uno nuevo; su contraseña no cambió.'],
  ['Set a password as well.', 'Escriba también una contraseña.'],
  ['Enter the 6-digit code from the email.', 'Escriba el código de 6 dígitos del correo.'],
  [
    'Something went wrong.  Please check your code and try again.',
    'Algo salió mal. Revise el código e intente de nuevo.',
  ],
  ['This sign-in has expired or was used before.', 'Este acceso venció o ya se usó.'],
  ['Begin again at your college.', 'Empiece de nuevo en su universidad.'],
  [
    'This account cannot be linked to your college sign-in: it is outside what your college may open, or it is linked already.',
    'Esta cuenta no se puede vincular con el acceso de su universidad: no le corresponde o ya está vinculada.',
  ],
  [
    'Sign in by password, or ask your program’s coordinator.',
    'Entre con contraseña o pregunte al coordinador de su programa.',
  ],
  [
    'The email address of a demo account cannot be changed.',
    'El correo de una cuenta de demostración no se puede cambiar.',
  ],
  ['That code is not right.', 'Ese código no es correcto.'],
  [
    'Check that the clock of your phone is, wait for the next code and type that.',
    'Revise que el reloj de su teléfono lo sea, espere el siguiente código y escríbalo.',
  ],
  ['This secret has expired.', 'Esta clave venció.'],
  ['Choose Cancel and Enable Authenticator again.', 'Elija Cancelar y luego Activar autenticador otra vez.'],
  ['You have an authenticator already.', 'Ya tiene un autenticador.'],
  ['Disable it first.', 'Desactívelo primero.'],
  [
    'Type your password or a code of your authenticator to disable it.',
    'Para desactivarlo, escriba su contraseña o un código del autenticador.',
  ],
  ['That is not right, so your authenticator is still on.', 'No es correcto; su autenticador sigue activo.'],
  ['Check your password, or wait for the next code.', 'Revise su contraseña o espere el siguiente código.'],
  ['Recovery codes come with an authenticator.', 'Los códigos de recuperación vienen con un autenticador.'],
  ['Enable one first.', 'Active uno primero.'],
  [
    'The license agreement has just changed, so nothing was accepted.',
    'El acuerdo de licencia acaba de cambiar; no se aceptó nada.',
  ],
  ['Read the new text.', 'Lea el texto nuevo.'],

  // Links
  [
    'This link no longer works: it has expired or was withdrawn.',
    'Este enlace ya no funciona: venció o se retiró.',
  ],
  ['Ask the person who sent it for a new one.', 'Pida uno nuevo a quien lo envió.'],
  [
    'This link no longer works: it was used, or it was ended.',
    'Este enlace ya no funciona: ya se usó o se cerró.',
  ],
  ['Ask the person who sent it.', 'Pregunte a quien lo envió.'],
  ['Open the link again to go on.', 'Abra el enlace otra vez para continuar.'],
  ['This inbox no longer reaches that program.', 'Esta bandeja ya no da acceso a ese programa.'],
  [
    'Type the code from the email to open this link on this device.',
    'Para abrir este enlace en este dispositivo, escriba el código del correo.',
  ],
  ['This code is wrong, was used, or has expired.', 'Este código no es correcto, ya se usó o venció.'],
  ['Type the newest one, or have another one sent.', 'Escriba el más reciente o pida otro.'],
  [
    'This program does not use the inbox by link, so nothing was sent.',
    'Este programa no usa la bandeja por enlace; no se envió nada.',
  ],
  [
    'Your account has no email address, so nothing was sent.',
    'Su cuenta no tiene correo electrónico; no se envió nada.',
  ],

  // Files
  ['Choose a file.', 'Elija un archivo.'],
  ['{name} is larger than {limit} MiB.', '{name} pesa más de {limit} MiB.'],
  ['Make it smaller; nothing was kept.', 'Redúzcalo; no se guardó nada.'],
  [
    '{name} is no PDF, picture, text or office file by its content.',
    '{name} no es un PDF, imagen, texto ni archivo de Office por su contenido.',
  ],
  [
    '{name} cannot be read: it is damaged or incomplete.',
    '{name} no se puede leer: está dañada o incompleta.',
  ],
  ['Open it, save it again, and send that file.', 'Ábrala, guárdela de nuevo y envíe ese archivo.'],
  ['{name} has more than {count} million pixels.', '{name} tiene más de {count} millones de píxeles.'],
  ['Make it smaller and send it again.', 'Redúzcala y envíela de nuevo.'],
  [
    'A PDF cannot show all letters of “{text}”, so none was made.',
    'Un PDF no puede mostrar todas las letras de “{text}”, así que no se hizo ninguno.',
  ],
  [
    'Write it in other letters, or take the file as Excel or CSV.',
    'Escríbalo con otras letras o descargue el archivo como Excel o CSV.',
  ],
  ['{name} is no PDF, JPEG or PNG by its content.', '{name} no es un PDF, JPEG ni PNG por su contenido.'],
  [
    '{name} is a HEIC photo, which many computers cannot show.',
    '{name} es una foto HEIC, que muchas computadoras no pueden mostrar.',
  ],
  [
    'Set the camera to “Most Compatible”, or take a screenshot of the photo and send that.',
    'Ponga la cámara en “Más compatible” o haga una captura de pantalla de la foto y envíela.',
  ],
  [
    '{name} could not be read, because many photos are being read now.',
    '{name} no se pudo leer, porque se están leyendo muchas fotos ahora.',
  ],
  ['Send at most {count} files at a time.', 'Envíe como máximo {count} archivos a la vez.'],
  ['{name} contains a virus ({found}).', '{name} contiene un virus ({found}).'],
  [
    '{name} could not be checked for viruses, so it was not kept.',
    'No se pudo revisar {name} contra virus; no se guardó.',
  ],
  ['{name} was kept for {hours} hours and is deleted.', '{name} se conservó {hours} horas y se eliminó.'],
  ['Start it again.', 'Empiece de nuevo.'],
  ['This file is for {name} alone.', 'Este archivo es solo para {name}.'],
  ['{name} is not ready.', '{name} no está listo.'],
  ['Its progress is under Notifications.', 'Su avance está en Notificaciones.'],
  ['{name} is finished already.', '{name} ya terminó.'],
  ['{count} of your files are being prepared.', 'Se están preparando {count} de sus archivos.'],
  ['Wait for one of them, or cancel one under Notifications.', 'Espere uno o cancele uno en Notificaciones.'],

  // Push notifications
  [
    'Push notifications are switched off for this installation.',
    'Las notificaciones están desactivadas en esta instalación.',
  ],
  ['The keys of this installation have changed.', 'Cambiaron las claves de esta instalación.'],
  [
    'Load the page again and turn notifications on once more.',
    'Vuelva a cargar la página y active de nuevo las notificaciones.',
  ],
  [
    'This browser’s push service cannot be used.',
    'No se puede usar el servicio de notificaciones de este navegador.',
  ],
  ['Your role gets no notifications of this kind.', 'Su función no recibe notificaciones de este tipo.'],
  [
    'Quiet hours end at another time than they begin.',
    'Las horas de silencio terminan a otra hora de la que empiezan.',
  ],
  [
    'Your email address comes from {directory}, so nothing was changed.',
    'Su correo electrónico viene de {directory}, así que no se cambió nada.',
  ],
  [
    'Ask there, or ask your program’s coordinator to take it over here.',
    'Pregunte allí o pida al coordinador de su programa que lo administre aquí.',
  ],
  ['This is a shared computer.', 'Esta es una computadora compartida.'],
  [
    'Turn notifications on with your own device; nothing was changed.',
    'Active las notificaciones en su propio dispositivo; no se cambió nada.',
  ],
  [
    'Notifications were turned off for this device.',
    'Se desactivaron las notificaciones de este dispositivo.',
  ],
  ['It stays that way.', 'Así se queda.'],
  [
    'Notifications go to {most} devices at most.',
    'Las notificaciones llegan a {most} dispositivos como máximo.',
  ],
  ['Remove one that you no longer use; nothing was changed.', 'Quite uno que ya no use; no se cambió nada.'],
  ['This device belongs to another account.', 'Este dispositivo pertenece a otra cuenta.'],
  ['Turn notifications on once more.', 'Active de nuevo las notificaciones.'],
]
