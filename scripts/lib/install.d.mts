/** Installs packages that only one command needs, once, in a temporary folder, and answers it; its packages are in `node_modules`. */
export function installApart(what: string, packages: readonly string[]): Promise<string>
