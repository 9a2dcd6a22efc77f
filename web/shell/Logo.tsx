/** The ring is the hours ledger, its dot is now. `name` is read aloud; leave it out where the name is beside it. */
export function Logo({ size = 26, name }: { size?: number; name?: string }) {
  const described = name ? { role: 'img', 'aria-label': name } : { 'aria-hidden': true }
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: named by its attributes, or hidden beside the written name
    <svg width={size} height={size} viewBox="0 0 32 32" {...described}>
      <circle cx="16" cy="16" r="11" fill="none" stroke="var(--p-softline)" strokeWidth="4.5" />
      <path
        d="M16 5 A11 11 0 1 1 5.6 19.6"
        fill="none"
        stroke="var(--p-brand)"
        strokeWidth="4.5"
        strokeLinecap="round"
      />
      <circle cx="5.6" cy="19.6" r="3.9" fill="var(--p-now)" stroke="var(--p-canvas)" strokeWidth="1.6" />
    </svg>
  )
}
