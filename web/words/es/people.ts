export const people = {
  viewAs: 'Ver como',
}
