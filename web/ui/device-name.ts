/** The browser and system in the words of people, out of the agent a browser sends. */
export const deviceOf = (agent: string): string => {
  const browser = /Edg\//.test(agent)
    ? 'Edge'
    : /Firefox\//.test(agent)
      ? 'Firefox'
      : /Chrome\//.test(agent)
        ? 'Chrome'
        : /Safari\//.test(agent)
          ? 'Safari'
          : ''
  const system = /iPhone/.test(agent)
    ? 'iPhone'
    : /iPad/.test(agent)
      ? 'iPad'
      : /Android/.test(agent)
        ? 'Android'
        : /Windows/.test(agent)
          ? 'Windows'
          : /Mac OS/.test(agent)
            ? 'Mac'
            : /Linux/.test(agent)
              ? 'Linux'
              : ''
  return [browser, system].filter(Boolean).join(', ') || agent.slice(0, 60) || '–'
}
