// Paths of this origin that are no page of the app.

/** What the server answers itself: index.html must never stand in for it, and a window that shows it tells nobody anything. */
export const NOT_THE_APP = [
  /^\/api\//,
  /^\/hooks\//,
  /^\/oidc\//,
  /^\/files\//,
  /^\/unsubscribe\//,
  /^\/demo-receivers/,
]
