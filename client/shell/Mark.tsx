/** The logo of the console. */
export function Mark() {
  return (
    <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="var(--primary)" />
      <path
        d="M10 9h12M10 14h12M10 9h4a5 5 0 0 1 0 10h-4l8 7"
        fill="none"
        stroke="var(--primary-ink)"
        strokeWidth="2.4"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
