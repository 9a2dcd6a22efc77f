import { failure, failures } from '#contract/core/failure.ts'

export const linkFailures = failures({
  wrong_code: failure(422, {
    en: 'This code is wrong, was used, or has expired. Type the newest one, or have another one sent.',
    es: 'Este código no es correcto, ya se usó o venció. Escriba el más reciente o pida otro.',
  }),
  link_code: failure(401, {
    en: 'Type the code from the email to open this link on this device.',
    es: 'Para abrir este enlace en este dispositivo, escriba el código del correo.',
  }),
})
