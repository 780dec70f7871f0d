// What was thrown, for people who report it; and whether only the page's code is missing.

/** A lazy chunk that could not be fetched: offline before it was stored, or a new version has replaced it. */
const CHUNK =
  /dynamically imported module|Importing a module script failed|error loading dynamically|Unable to preload/i

/** The thrown thing as an error; `missing`: offline, and this page's code is not on the device yet. */
export function readError(thrown: unknown): { error: Error; missing: boolean } {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  return { error, missing: CHUNK.test(error.message) && !navigator.onLine }
}

export function ErrorDetails({ error }: { error: Error }) {
  return (
    <details>
      <summary>錯誤內容</summary>
      <pre>{[error.name, error.message, error.stack].filter(Boolean).join('\n')}</pre>
    </details>
  )
}
