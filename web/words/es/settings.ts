export const settings = {
  agreement: 'Acuerdo de licencia',
  agreementIntro: 'Léalo y acéptelo para continuar.',
  agreementNone: 'No hay acuerdo de licencia que aceptar.',
  agreementAcceptedOn: 'Lo aceptó el {date}.',
  agreementChanged: 'El texto acaba de cambiar. Lea la versión nueva y luego acéptela.',
  accept: 'Aceptar',
  logOut: 'Cerrar sesión',
  goOn: 'Continuar',
}
