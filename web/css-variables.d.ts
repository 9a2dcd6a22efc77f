import 'react'

declare module 'react' {
  /** A style may set variables of the style sheets too. */
  interface CSSProperties {
    [variable: `--${string}`]: string | number | undefined
  }
}
