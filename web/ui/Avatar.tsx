import classes from './Avatar.module.css'

/** Initials of 'Adebayo-Fitzgerald, Oluwaseun' or 'Dana Whitfield': OA, DW. */
export function initialsOf(name: string): string {
  const [last, first] = name.split(',').map((part) => part.trim())
  // Splitting always gives a first part.
  const words = first ? [first, last!] : name.trim().split(/\s+/)
  const letters = words.length > 1 ? [words[0]!, words.at(-1)!] : words
  return letters.map((word) => [...word][0]?.toUpperCase() ?? '').join('')
}

/** A person's initials; the name is beside them, so they are hidden from screen readers. */
export function Avatar({ name, size = 28 }: { name: string; size?: number }) {
  return (
    <span
      className={classes.avatar}
      style={{ width: `${size / 16}rem`, height: `${size / 16}rem` }}
      data-initials={initialsOf(name)}
      aria-hidden
      title={name}
    />
  )
}
