interface Opened {
  elements: {
    reference: { getBoundingClientRect: () => { top: number; bottom: number } }
    floating: HTMLElement
  }
}

/** What opens is no higher than the larger room above or below its field, and is put there: with what one side has it would seem to fit that. */
const fitHeight = ({ elements: { reference, floating } }: Opened): void => {
  const { top, bottom } = reference.getBoundingClientRect()
  floating.style.maxHeight = `${Math.max(top - 16, innerHeight - bottom - 16, 120)}px`
}

/** Keeps a list on the screen: what is beyond its end nobody can scroll to. On phones it is wider than its field, on either side. */
export const placing = { flip: { crossAxis: false }, shift: true, size: { padding: 8, apply: fitHeight } }
