export const links = {
  for: 'Para {name}',
  until: 'Este enlace funciona hasta el {date}.',
  why: 'La primera vez en un dispositivo, enviamos un código a {email}.',
  mail: 'Enviarme un código',
  mailed: 'Enviamos un código de 6 dígitos a {email}.',
  code: 'Código',
  codeShort: 'Escriba los 6 dígitos del correo.',
  open: 'Abrir',
  another: 'Enviar otro código',
  over: 'Este enlace ya no funciona',
  own: 'Se abre solo en este dispositivo. No reenvíe el enlace.',
}
