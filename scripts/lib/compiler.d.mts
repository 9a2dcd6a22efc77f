export function findCompiler(): string
