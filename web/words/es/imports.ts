export const imports = {
  run_one: 'Importar {count} fila',
  run_other: 'Importar {count} filas',
}
