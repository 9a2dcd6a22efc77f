import { failure, failures, missing } from '#contract/core/failure.ts'

export const identityFailures = failures({
  wrong_old_password: failure(422, {
    en: 'The old password is not right, so nothing was changed.',
    es: 'La contraseña actual no es correcta; no se cambió nada.',
    code: 'wrong_password',
  }),
  no_account: missing('This account'),
  start_page: failure(422, {
    en: 'Choose a page of the list. Nothing was saved.',
    es: 'Elija una página de la lista. No se guardó nada.',
  }),
  no_authenticator: failure(422, {
    en: 'Recovery codes come with an authenticator. Enable one first.',
    es: 'Los códigos de recuperación vienen con un autenticador. Active uno primero.',
  }),
  sign_in_expired: failure(422, {
    en: 'This sign-in has expired or was used before. Begin again at your college.',
    es: 'Este acceso venció o ya se usó. Empiece de nuevo en su universidad.',
    code: 'link_expired',
  }),
  no_sign_in: missing('This sign-in'),
  not_linked: failure(422, {
    en: 'This account cannot be linked to your college sign-in: it is outside what your college may open, or it is linked already. Nothing was changed. Sign in by password, or ask your program’s coordinator.',
    es: 'Esta cuenta no se puede vincular con el acceso de su universidad: no le corresponde o ya está vinculada. No se cambió nada. Entre con contraseña o pregunte al coordinador de su programa.',
  }),
  demo_email: failure(422, {
    en: 'The email address of a demo account cannot be changed. Nothing was sent.',
    es: 'El correo de una cuenta de demostración no se puede cambiar. No se envió nada.',
    code: 'demo',
  }),
  wrong_password: failure(422, {
    en: 'The password is not right, so nothing was changed.',
    es: 'La contraseña no es correcta; no se cambió nada.',
  }),
  no_link: missing('This link'),
  email_link_expired: failure(422, {
    en: 'This link has expired or was used before. Ask for a new one; nothing was changed.',
    es: 'Este enlace venció o ya se usó. Pida uno nuevo; no se cambió nada.',
    code: 'link_expired',
  }),
  password_required: failure(422, {
    en: 'Set a password as well.',
    es: 'Escriba también una contraseña.',
    code: 'password',
  }),
  not_me_link_expired: failure(422, {
    en: 'This link has expired or was used before. If something is wrong, set a new password and tell your program; nothing was changed.',
    es: 'Este enlace venció o ya se usó. Si algo está mal, cree una contraseña nueva y avise a su programa; no se cambió nada.',
    code: 'link_expired',
  }),
  of_directory: failure(409, {
    en: 'Your email address comes from {Name}, so nothing was changed. Ask there, or ask your program’s coordinator to take it over here.',
    es: 'Su correo electrónico viene de {Name}, así que no se cambió nada. Pregunte allí o pida al coordinador de su programa que lo administre aquí.',
  }),
  wrong_credentials: failure(401, {
    en: 'User name, email or password is not right. Check them and try again. If several accounts have your email, type the user name.',
    es: 'El nombre de usuario, el correo electrónico o la contraseña no es correcto. Revíselos e intente de nuevo. Si varias cuentas tienen su correo electrónico, escriba el nombre de usuario.',
  }),
  link_expired: failure(422, {
    en: 'This link has expired or was used before. Ask for a new one.',
    es: 'Este enlace venció o ya se usó. Pida uno nuevo.',
  }),
  code_missing: failure(422, {
    en: 'Enter the 6-digit code from the email.',
    es: 'Escriba el código de 6 dígitos del correo.',
  }),
  wrong_code: failure(422, {
    en: 'Something went wrong.  Please check your code and try again.',
    es: 'Algo salió mal. Revise el código e intente de nuevo.',
  }),
  no_mailbox: failure(422, {
    en: 'No code can be mailed: the account has a password or no confirmed address. Nothing was sent.',
    es: 'No se puede enviar un código: la cuenta tiene contraseña o no tiene correo confirmado. No se envió nada.',
  }),
  no_first_account: failure(404, {
    en: 'Someone has an account here already. Sign in, or ask a super admin for one; nothing was made.',
    es: 'Aquí ya hay una cuenta. Inicie sesión o pida una a un superadministrador; no se creó nada.',
    code: 'not_found',
  }),
  wrong_first_code: failure(422, {
    en: 'The code is not right. Use the one that the log of the last start shows; nothing was made.',
    es: 'El código no es correcto. Use el que muestra el registro del último arranque; no se creó nada.',
    code: 'wrong_code',
  }),
  no_registration_link: missing('This registration link'),
  no_registrant: missing('This registrant'),
  not_confirmed: failure(422, '{Name} has not confirmed the email address yet. Nothing was changed.'),
  student_level_gone: failure(422, {
    en: 'This level does not exist. Choose another; nothing was changed.',
    code: 'student_level',
  }),
  password_link_expired: failure(422, {
    en: 'This link has expired or was used before. Ask for a new one; your password is unchanged.',
    es: 'Este enlace venció o ya se usó. Pida uno nuevo; su contraseña no cambió.',
    code: 'link_expired',
  }),
  email_not_confirmed: failure(422, {
    en: 'The test user gets your email address, and yours is not confirmed. Confirm it first; nothing was changed.',
    code: 'email',
  }),
  wrong_password_proof: failure(422, {
    en: 'The password is not right. Check it and try again.',
    es: 'La contraseña no es correcta. Revísela e intente de nuevo.',
    code: 'wrong_proof',
  }),
  wrong_mailed_code: failure(422, {
    en: 'That code is not right, or it has expired. Ask for a new one.',
    es: 'Ese código no es correcto o venció. Pida uno nuevo.',
    code: 'wrong_proof',
  }),
  sign_in_to_prove: failure(422, {
    en: 'Sign in again to prove who you are, then go on.',
    es: 'Vuelva a iniciar sesión para confirmar quién es y continúe.',
    code: 'wrong_proof',
  }),
  wrong_second_factor: failure(422, { en: '{Reason}', es: '{Reason}', code: 'wrong_proof' }),
  code_required: failure(401, {
    en: 'Type the 6-digit code of your authenticator, or one of your recovery codes.',
    es: 'Escriba el código de 6 dígitos de su autenticador o uno de sus códigos de recuperación.',
    code: 'totp_required',
  }),
  code_wrong: failure(401, {
    en: 'That code is not right, or it was used already. Wait for the next one and type that.',
    es: 'Ese código no es correcto o ya se usó. Espere el siguiente y escríbalo.',
    code: 'totp_required',
  }),
})
