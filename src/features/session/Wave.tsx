// The one stroke that becomes a signal, behind the sign-in form.

export function Wave() {
  return (
    <svg className="login-wave" viewBox="0 0 390 240" aria-hidden="true" preserveAspectRatio="xMidYMid meet">
      <path
        d="M-400 168C-330 168-310 96-240 96s70 72 130 72c20 0 60 0 100 0C40 168 48 96 104 96s62 96 122 96c52 0 66-70 88-124"
        fill="none"
        stroke="var(--chart-line)"
        strokeWidth="2.5"
        strokeLinecap="round"
      />
      <circle cx="320" cy="52" r="18" fill="var(--brand)" opacity=".14" />
      <circle cx="320" cy="52" r="7" fill="var(--brand)" />
    </svg>
  )
}
