export function typeCheck(project: string): { args: string[]; env: Record<string, string> }
