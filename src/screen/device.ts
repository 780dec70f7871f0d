// This browser's own storage behind the two owners of its keys: the session and the preferences.
import { createPreferences } from '#state/preferences.ts'
import { createSession } from '#state/session.ts'
import { openStorage } from '#state/storage.ts'

/** localStorage, or memory where the browser forbids it. */
export const storage = openStorage(
  () => localStorage,
  (error) => console.warn('localStorage', error),
)

/** Token, user and context: spec §4. */
export const session = createSession(storage, () => Date.now())

const dark = matchMedia('(prefers-color-scheme: dark)')

/** Theme, privacy, colours, the look of the list. */
export const prefs = createPreferences(storage, () => dark.matches)

dark.addEventListener('change', () => prefs.system_changed())
