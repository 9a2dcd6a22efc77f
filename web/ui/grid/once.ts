/** For a press: the second of a double click does not do the thing again. */
export const once =
  (run: () => void) =>
  ({ detail }: { detail: number }): void => {
    if (detail < 2) run()
  }
