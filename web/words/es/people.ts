export const people = {
  viewAs: 'Ver como',
  reactivate: 'Reactivar',
  reactivated: '{name} puede volver a iniciar sesión',
  shiftsBack_one: 'Se restauró {count} turno.',
  shiftsBack_other: 'Se restauraron {count} turnos.',
  shiftsLost: 'No se restauraron, porque el lugar está ocupado: {shifts}',
}
