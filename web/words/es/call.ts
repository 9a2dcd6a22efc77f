export const call = {
  unanswered: 'El servidor no respondió. Revise la conexión e intente de nuevo.',
  unreadable: 'El servidor no pudo responder. Intente de nuevo.',
  unconfirmed: 'No pudimos confirmar que esto se guardó. Puede pulsar otra vez sin riesgo.',
}
