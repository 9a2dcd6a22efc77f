/** Does nothing else meanwhile, as a process that works something out. */
export const work = (ms: number): void => {
  const end = performance.now() + ms
  while (performance.now() < end);
}
