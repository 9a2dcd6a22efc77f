export function typeCheck(project: string): string[]
