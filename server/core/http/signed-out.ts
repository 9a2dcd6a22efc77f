import type { Language } from '#contract/language/language.ts'
import type { SignedOutReason } from '#server/core/auth/session.ts'

const texts: Record<SignedOutReason, Record<Language, string>> = {
  access: {
    en: 'You were signed out because your access has ended. If that is a mistake, ask your program.',
    es: 'Se cerró su sesión porque su acceso terminó. Si es un error, pregunte a su programa.',
  },
  ended: {
    en: 'You were signed out: this session was ended from another device or by staff. You can sign in again.',
    es: 'Se cerró su sesión desde otro dispositivo o por el personal. Puede iniciar sesión de nuevo.',
  },
  password: {
    en: 'You were signed out because the password of your account was changed. Sign in with the new one.',
    es: 'Se cerró su sesión porque cambió la contraseña de su cuenta. Inicie sesión con la nueva.',
  },
  authenticator: {
    en: 'You were signed out because two-factor authentication was changed for your account. You can sign in again.',
    es: 'Se cerró su sesión porque cambió la autenticación de dos factores de su cuenta. Puede iniciar sesión de nuevo.',
  },
  college: {
    en: 'You were signed out by your college. You can sign in again.',
    es: 'Su universidad cerró su sesión. Puede iniciar sesión de nuevo.',
  },
  program: {
    en: 'You were signed out because your program was closed. If that is a mistake, ask your college.',
    es: 'Se cerró su sesión porque su programa se cerró. Si es un error, pregunte a su universidad.',
  },
}

/**
 * What the login page tells a browser whose session was ended from elsewhere. The sentence comes with the page, since few need it and the
 * page is the first that a phone loads.
 */
export const signedOutMeta = (reason: SignedOutReason, language: Language): string =>
  `<meta name="signed-out" content="${texts[reason][language]}" />`
