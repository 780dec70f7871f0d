// Desktops: the wave comes in from the left and ends as a point on the edge of the card.

export function Inflow() {
  return (
    <svg className="login-inflow" viewBox="0 0 884 560" width="884" height="560" aria-hidden="true">
      <path
        d="M-480 474c120 0 150 0 220-30s150-60 240 30C110 474 166 400 296 400s186 100 320 100c150 0 222-150 268-335"
        fill="none"
        stroke="var(--chart-line)"
        strokeWidth="3"
        strokeLinecap="round"
      />
      <circle cx="884" cy="165" r="18" fill="var(--brand)" opacity=".14" />
      <circle cx="884" cy="165" r="7" fill="var(--brand)" />
    </svg>
  )
}
