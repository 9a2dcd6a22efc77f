import { email } from '../email-kind.ts'
import { account, html, line, lines, link, signInPage, text, userName } from '../mail-fields.ts'

const registrant = { 'account.userName': userName }

/** Emails that let people in. */
export const accountEmails = {
  REGISTRANT_received: email({
    person: 'registrant',
    fields: registrant,
    about: 'Registration received. Goes to someone who has registered and confirmed the email address.',
    en: [
      'Your registration was received',
      'Your registration for {{program.name}} was received, and your address is confirmed. We will email you when it is approved or declined.',
    ],
  }),
  REGISTRANT_approved: email({
    person: 'registrant',
    fields: { ...registrant, link: signInPage },
    parameters: [lines('FirstSteps', 'What to do first, for everyone who is approved')],
    about: 'Registration approved. Welcomes a registrant who has become a student.',
    en: [
      'Welcome to {{program.name}}',
      'Your registration for {{program.name}} is approved. Your user name is <strong>{{account.userName}}</strong>.',
      '{{parameter.FirstSteps}}',
      '<a href="{{link}}">Sign in</a>',
    ],
  }),
  REGISTRANT_declined: email({
    person: 'registrant',
    fields: {
      ...registrant,
      'decision.reason': html('The reason that was typed', '<p>The places of this year are taken.</p>'),
    },
    parameters: [lines('Closing', 'Text below the reason, such as when to apply again')],
    about: 'Registration declined. Tells a registrant the decision and its reason.',
    en: [
      'Your registration was not accepted',
      'Your registration for {{program.name}} was not accepted.',
      '{{decision.reason}}',
      '{{parameter.Closing}}',
    ],
  }),
  REGISTRANT_confirm: email({
    person: 'registrant',
    fields: {
      ...registrant,
      link: link('The page that confirms the address and sets the password; it works once, for 10 minutes'),
    },
    isAlwaysSent: true,
    needed: ['link'],
    about:
      'Finish the registration. Lets someone who registers confirm the address and set a password. Always sent, and only to that person: no one could register without it.',
    en: [
      'Finish your registration',
      'You registered for {{program.name}}. Your user name is <strong>{{account.userName}}</strong>.',
      '<a href="{{link}}">Confirm your address and set a password</a>',
      'The link works once, for 10 minutes; if it has expired, register again. If it was not you, do nothing.',
    ],
  }),
  REGISTRANT_known: email({
    person: 'registrant',
    fields: { ...registrant, link: signInPage },
    isAlwaysSent: true,
    about:
      'Registered before. Goes to someone who registers with the address of an account that exists. Always sent, and only to that person: the screen must not tell who has an account, so this email does.',
    en: [
      'You have an account already',
      'Someone, probably you, registered for {{program.name}} with this address. It belongs to the account <strong>{{account.userName}}</strong> there, so nothing was changed.',
      '<a href="{{link}}">Sign in</a>',
    ],
  }),
  ACCOUNT_created: email({
    person: 'user',
    fields: {
      'user.firstName': text('The first name', 'Ada'),
      'account.userName': userName,
      link: link('The page that mails a link for setting the password'),
    },
    parameters: [
      line('Help', 'Whom to ask', 'If you did not expect this email, ask the coordinator of your program.'),
    ],
    needed: ['link'],
    about: 'Account created. Goes to the people of an import, if chosen during the import.',
    en: [
      'Your account',
      'Hello {{user.firstName}},',
      'An account was made for you. Your user name is <strong>{{account.userName}}</strong>.',
      '<a href="{{link}}">Set your password</a>',
      '{{parameter.Help}}',
    ],
    es: [
      'Su cuenta',
      'Hola, {{user.firstName}}:',
      'Se creó una cuenta para usted. Su nombre de usuario es <strong>{{account.userName}}</strong>.',
      '<a href="{{link}}">Crear su contraseña</a>',
      '{{parameter.Help}}',
    ],
  }),
  ACCOUNT_password_reset: email({
    person: 'user',
    fields: {
      'account.name': account,
      link: link('The page that sets the password; it works once, for 10 minutes'),
    },
    isAlwaysSent: true,
    needed: ['link'],
    about:
      'Password reset. The link for someone who forgot the password. Always sent, and only to that person: no one could sign in again without it.',
    en: [
      'Set a new password',
      'Someone, probably you, asked for a new password for the user name <strong>{{account.name}}</strong>.',
      '<a href="{{link}}">Set a new password</a>',
      'The link works once, for 10 minutes. If this was not you, do nothing. Your password stays the same.',
    ],
    es: [
      'Crear una contraseña nueva',
      'Alguien, probablemente usted, pidió una contraseña nueva para el nombre de usuario <strong>{{account.name}}</strong>.',
      '<a href="{{link}}">Crear una contraseña nueva</a>',
      'El enlace funciona una vez, durante 10 minutos. Si no fue usted, no haga nada: su contraseña sigue igual.',
    ],
  }),
  ACCOUNT_password_link: email({
    person: 'user',
    fields: {
      'sender.name': text('Who sends it', 'Grace Sample'),
      'account.userName': userName,
      link: link('The page that sets the password; it works once, for 10 minutes'),
    },
    isAlwaysSent: true,
    needed: ['link'],
    about:
      'Password link from staff. The link that staff send from Manage users. Always sent, and only to that person: no one could sign in again without it.',
    en: [
      'Set a new password',
      '{{sender.name}} sends you this link to set a password for the user name <strong>{{account.userName}}</strong>.',
      '<a href="{{link}}">Set a new password</a>',
      'The link works once, for 10 minutes.',
    ],
    es: [
      'Crear una contraseña nueva',
      '{{sender.name}} le envía este enlace para crear una contraseña para el nombre de usuario <strong>{{account.userName}}</strong>.',
      '<a href="{{link}}">Crear una contraseña nueva</a>',
      'El enlace funciona una vez, durante 10 minutos.',
    ],
  }),
  ACCOUNT_sign_in_link: email({
    person: 'user',
    fields: {
      code: text('The code to type', '123456'),
      minutes: text('How many minutes link and code work', '10'),
      link: link('The page that signs in; it works once'),
    },
    isAlwaysSent: true,
    needed: ['link', 'code'],
    about:
      'Sign-in link and code. Signs someone in without a password. Always sent, and only to that person: no one could sign in this way without it.',
    en: [
      'Your sign-in code: {{code}}',
      'Open <a href="{{link}}">this link to sign in</a>, or type this code where you asked for it:',
      '<h2>{{code}}</h2>',
      'Both work once, for {{minutes}} minutes, and only the newest ones work. If you did not ask for this, do nothing: no one can sign in without this email.',
    ],
    es: [
      'Su código de acceso: {{code}}',
      'Abra <a href="{{link}}">este enlace para iniciar sesión</a> o escriba este código donde lo pidió:',
      '<h2>{{code}}</h2>',
      'Ambos funcionan una vez, durante {{minutes}} minutos, y solo valen los más recientes. Si no los pidió, no haga nada: sin este correo nadie puede entrar.',
    ],
  }),
  ACCOUNT_email_confirmation: email({
    person: 'user',
    fields: {
      'account.name': account,
      link: link('The page that confirms the address; it works once, for 10 minutes'),
    },
    isAlwaysSent: true,
    needed: ['link'],
    about:
      'Email confirmation. Goes to a new address, to confirm that it is the person’s own. Always sent, and only to that address: it could not be confirmed without it.',
    en: [
      'Confirm your email address',
      'This address was entered for the account <strong>{{account.name}}</strong>.',
      '<a href="{{link}}">Confirm this address</a>',
      'The link works once, for 10 minutes. If it is not your account, do nothing.',
    ],
    es: [
      'Confirme su correo electrónico',
      'Se escribió esta dirección para la cuenta <strong>{{account.name}}</strong>.',
      '<a href="{{link}}">Confirmar esta dirección</a>',
      'El enlace funciona una vez, durante 10 minutos. Si no es su cuenta, no haga nada.',
    ],
  }),
  ACCOUNT_invited: email({
    person: 'user',
    fields: {
      'user.firstName': text('The first name', 'Ada'),
      'sender.name': text('Who added the person', 'Grace Sample'),
      'account.userName': userName,
      link: link('The page that sets the password; it works once, for 7 days'),
    },
    isAlwaysSent: true,
    needed: ['link'],
    about:
      'Invitation. Goes to a person whom staff add without a password. Always sent, and only to that person, who could not sign in without it.',
    en: [
      'Your account',
      'Hello {{user.firstName}},',
      '{{sender.name}} made an account for you. Your user name is <strong>{{account.userName}}</strong>.',
      '<a href="{{link}}">Set your password</a>',
      'The link works once, for 7 days. After that, choose “Forgot password” on the sign-in page.',
    ],
    es: [
      'Su cuenta',
      'Hola, {{user.firstName}}:',
      '{{sender.name}} creó una cuenta para usted. Su nombre de usuario es <strong>{{account.userName}}</strong>.',
      '<a href="{{link}}">Crear su contraseña</a>',
      'El enlace funciona una vez, durante 7 días. Después, elija “¿La olvidó?” en la página de inicio de sesión.',
    ],
  }),
  ACCOUNT_address_entered: email({
    person: 'user',
    fields: { 'account.name': account, link: link('The page that confirms the address') },
    isAlwaysSent: true,
    needed: ['link'],
    about:
      'Confirm an address that was entered. Goes to an address that staff, an import or the college’s directory has entered in place of a confirmed one. Always sent: links to set a password go to the address before until this one is confirmed.',
    en: [
      'Confirm your email address',
      'This address was entered for the account <strong>{{account.name}}</strong>.',
      '<a href="{{link}}">Confirm this address</a>',
      'The link works once, for 7 days. Until then, links to sign in or to set a password go to the address before. If it is not your account, do nothing.',
    ],
    es: [
      'Confirme su correo electrónico',
      'Se escribió esta dirección para la cuenta <strong>{{account.name}}</strong>.',
      '<a href="{{link}}">Confirmar esta dirección</a>',
      'El enlace funciona una vez, durante 7 días. Hasta entonces, los enlaces para iniciar sesión o crear una contraseña van a la dirección anterior. Si no es su cuenta, no haga nada.',
    ],
  }),
  ACCOUNT_proof_code: email({
    person: 'user',
    fields: { code: text('The code', '123456') },
    isAlwaysSent: true,
    needed: ['code'],
    about:
      'Code to confirm that it is you. Goes to people without a password, before a change that a thief would make. Always sent, and only to that person.',
    en: [
      'Your code is {{code}}',
      'Type this code where you were asked for it: <strong>{{code}}</strong>',
      'It works once, for 10 minutes. If you did not ask for it, somebody sits at a session of yours: sign out everywhere.',
    ],
    es: [
      'Su código es {{code}}',
      'Escriba este código donde se lo pidieron: <strong>{{code}}</strong>',
      'Funciona una vez, durante 10 minutos. Si no lo pidió, alguien usa una sesión suya: cierre todas las sesiones.',
    ],
  }),
}
