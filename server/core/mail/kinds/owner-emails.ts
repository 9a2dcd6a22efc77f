import { email } from '../email-kind.ts'
import { account, link, text } from '../mail-fields.ts'

const notMe = link('The page “This was not me”, which freezes the account')

const notice = { person: 'user', fields: { 'account.name': account, link: notMe } } as const
const ifNot = 'If this was you, there is nothing to do. If not: <a href="{{link}}">this was not me</a>.'
const ifNotSpanish = 'Si fue usted, no tiene que hacer nada. Si no: <a href="{{link}}">no fui yo</a>.'
const freezes = `${ifNot} The link ends all sessions and freezes the account.` as const
const freezesSpanish = `${ifNotSpanish} El enlace cierra todas las sesiones y bloquea la cuenta.` as const

/** Emails that tell the owner of an account of what a thief would do. */
export const ownerEmails = {
  ACCOUNT_notice_password: email({
    ...notice,
    about: 'Password changed. Tells the owner of an account, who would otherwise not notice a thief.',
    en: [
      'Your password was changed',
      'The password of your account <strong>{{account.name}}</strong> was changed.',
      freezes,
    ],
    es: [
      'Su contraseña cambió',
      'La contraseña de su cuenta <strong>{{account.name}}</strong> cambió.',
      freezesSpanish,
    ],
  }),
  ACCOUNT_notice_email: email({
    ...notice,
    about:
      'Email address changes. Tells the owner of an account at the old address, who would otherwise not notice a thief.',
    en: [
      'Your email address is about to change',
      'Another email address was entered for your account <strong>{{account.name}}</strong>, and is not confirmed yet.',
      freezes,
    ],
    es: [
      'Su correo electrónico está por cambiar',
      'Se escribió otro correo electrónico para su cuenta <strong>{{account.name}}</strong>; aún no está confirmado.',
      freezesSpanish,
    ],
  }),
  ACCOUNT_notice_authenticator_on: email({
    ...notice,
    about:
      'Authenticator on. Tells the owner of an account that it asks for the code of an authenticator now.',
    en: [
      'Your authenticator is on',
      'Your account <strong>{{account.name}}</strong> asks for the code of an authenticator now.',
      freezes,
    ],
    es: [
      'Su autenticador está activado',
      'Ahora su cuenta <strong>{{account.name}}</strong> pide el código de un autenticador.',
      freezesSpanish,
    ],
  }),
  ACCOUNT_notice_authenticator_off: email({
    ...notice,
    about:
      'Authenticator off. Tells the owner of an account that it no longer asks for the code of an authenticator.',
    en: [
      'Your authenticator is off',
      'Your account <strong>{{account.name}}</strong> no longer asks for the code of an authenticator.',
      freezes,
    ],
    es: [
      'Su autenticador está desactivado',
      'Su cuenta <strong>{{account.name}}</strong> ya no pide el código de un autenticador.',
      freezesSpanish,
    ],
  }),
  ACCOUNT_notice_recovery_code: email({
    ...notice,
    about: 'Recovery code used. Tells the owner of an account that someone signed in with a recovery code.',
    en: [
      'A recovery code was used',
      'Someone signed in to your account <strong>{{account.name}}</strong> with a recovery code.',
      freezes,
    ],
    es: [
      'Se usó un código de recuperación',
      'Alguien inició sesión en su cuenta <strong>{{account.name}}</strong> con un código de recuperación.',
      freezesSpanish,
    ],
  }),
  ACCOUNT_notice_areas: email({
    ...notice,
    about:
      'Super-admin areas changed. Tells super admins that another one granted or removed areas of their account.',
    en: [
      'Your access was changed',
      'The super-admin areas of your account <strong>{{account.name}}</strong> were changed by another super admin.',
      freezes,
    ],
  }),
  ACCOUNT_notice_recovery_codes: email({
    ...notice,
    about: 'Recovery codes made. Tells the owner of an account that new recovery codes were made.',
    en: [
      'New recovery codes were made',
      'New recovery codes were made for your account <strong>{{account.name}}</strong>; the older ones no longer work.',
      freezes,
    ],
    es: [
      'Se crearon códigos de recuperación nuevos',
      'Se crearon códigos de recuperación nuevos para su cuenta <strong>{{account.name}}</strong>; los anteriores ya no funcionan.',
      freezesSpanish,
    ],
  }),
  ACCOUNT_notice_key: email({
    ...notice,
    about:
      'Key made. Tells the owner of an account that a key was made by which another system acts with their rights.',
    en: [
      'A key with your rights was made',
      'A key by which another system acts with your rights was made from your account <strong>{{account.name}}</strong>.',
      `${ifNot} The link ends all sessions and freezes the account with its keys.`,
    ],
    es: [
      'Se creó una clave con sus permisos',
      'Desde su cuenta <strong>{{account.name}}</strong> se creó una clave con la que otro sistema actúa con sus permisos.',
      `${ifNotSpanish} El enlace cierra todas las sesiones y bloquea la cuenta con sus claves.`,
    ],
  }),
  ACCOUNT_notice_device: email({
    person: 'user',
    fields: {
      'account.name': account,
      'sign_in.what': text('What is new: a device or a country', 'a new device'),
      'sign_in.device': text('What the browser says of itself', 'Firefox on Linux'),
      link: notMe,
    },
    about:
      'Sign-in from a new device or country. Tells the owner of an account, who would otherwise not notice a thief.',
    en: [
      'Somebody signed in from {{sign_in.what}}',
      'Somebody signed in to your account <strong>{{account.name}}</strong> from {{sign_in.what}}: {{sign_in.device}}.',
      freezes,
    ],
    es: [
      'Alguien inició sesión desde {{sign_in.what}}',
      'Alguien inició sesión en su cuenta <strong>{{account.name}}</strong> desde {{sign_in.what}}: {{sign_in.device}}.',
      freezesSpanish,
    ],
  }),
  ACCOUNT_notice_address: email({
    person: 'user',
    fields: { 'account.name': account, link: notMe },
    about:
      'Email address changed by somebody else. Tells the owner of an account at the old address that staff, an import or the college’s directory has entered another one.',
    en: [
      'Your email address was changed',
      'The email address of your account <strong>{{account.name}}</strong> was changed to another one.',
      'If that is right, you need not do anything. If not: <a href="{{link}}">this was not me</a>. The link puts this address back, ends all sessions and freezes the account.',
    ],
    es: [
      'Su correo electrónico cambió',
      'El correo electrónico de su cuenta <strong>{{account.name}}</strong> se cambió por otro.',
      'Si es correcto, no tiene que hacer nada. Si no: <a href="{{link}}">no fui yo</a>. El enlace restablece esta dirección, cierra todas las sesiones y bloquea la cuenta.',
    ],
  }),
  ACCOUNT_frozen: email({
    person: 'user',
    fields: { 'account.name': account, 'user.name': text('Whose account it is', 'Ada Example') },
    about:
      'Account frozen. Tells administrators that somebody has said that a change of their account was not theirs.',
    en: [
      'An account was frozen: {{account.name}}',
      '{{user.name}} says that a change of the account <strong>{{account.name}}</strong> was not theirs. All its sessions were ended, and nobody can sign in or use its keys until a new password is set by the link from that mailbox, or you open the account again on the person’s page.',
      'Emails that it had caused in the last hour before the change, or since, and that were not sent yet are held. Scheduled Emails shows them as not sent: a super admin sends them from there, or leaves them. Links and codes of them stay dead.',
      'Look in the audit for what was done with it.',
    ],
  }),
  ACCOUNT_notice_file: email({
    ...notice,
    about:
      'Files downloaded. Tells the owner of an account that files with everybody’s records were downloaded, at most one message in ten minutes.',
    en: [
      'Files with everybody’s records were downloaded',
      'Files with the records of a whole list were downloaded from your account <strong>{{account.name}}</strong>.',
      freezes,
    ],
    es: [
      'Se descargaron archivos con los registros de todos',
      'Desde su cuenta <strong>{{account.name}}</strong> se descargaron archivos con los registros de una lista completa.',
      freezesSpanish,
    ],
  }),
  ACCOUNT_notice_view: email({
    ...notice,
    about:
      'Somebody viewed as another person. Tells the owner of an account that somebody else’s pages were opened as that person sees them.',
    en: [
      'You viewed the product as somebody else',
      'Somebody with your account <strong>{{account.name}}</strong> viewed the product as another person sees it.',
      freezes,
    ],
    es: [
      'Se vio el producto como otra persona',
      'Con su cuenta <strong>{{account.name}}</strong> alguien vio el producto como lo ve otra persona.',
      freezesSpanish,
    ],
  }),
  ACCOUNT_notice_provider: email({
    ...notice,
    about:
      'Sign-in connection changed. Tells the owner of an account that how people of a college sign in was changed.',
    en: [
      'How people sign in was changed',
      'With your account <strong>{{account.name}}</strong> a connection by which people sign in or come from a directory or a learning system was changed.',
      freezes,
    ],
    es: [
      'Cambió la forma de iniciar sesión',
      'Con su cuenta <strong>{{account.name}}</strong> se cambió una conexión con la que las personas inician sesión o llegan desde un directorio o un sistema de aprendizaje.',
      freezesSpanish,
    ],
  }),
  ACCOUNT_notice_webhook: email({
    ...notice,
    about:
      'Webhook made or changed. Tells the owner of an account that a webhook or a new secret of one was made, or that one was changed.',
    en: [
      'A webhook was made or changed',
      'With your account <strong>{{account.name}}</strong> an address to which events are sent was added or changed, or its secret was made anew.',
      freezes,
    ],
    es: [
      'Se creó o cambió un webhook',
      'Con su cuenta <strong>{{account.name}}</strong> se agregó o cambió una dirección a la que se envían eventos, o se creó de nuevo su secreto.',
      freezesSpanish,
    ],
  }),
  ACCOUNT_notice_calendar: email({
    ...notice,
    about:
      'Calendar address made. Tells the owner of an account that a secret calendar address of their shifts was made.',
    en: [
      'A calendar address was made',
      'From your account <strong>{{account.name}}</strong> a secret address was made under which a calendar reads your shifts.',
      `${ifNot} The link ends all sessions and the address, and freezes the account.`,
    ],
    es: [
      'Se creó una dirección de calendario',
      'Desde su cuenta <strong>{{account.name}}</strong> se creó una dirección secreta con la que un calendario lee sus turnos.',
      `${ifNotSpanish} El enlace cierra todas las sesiones y la dirección, y bloquea la cuenta.`,
    ],
  }),
}
