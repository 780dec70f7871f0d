// Whether the window is wide enough for tables; below it they are cards (spec §2: phones are narrower than 768).
import { useEffect, useState, useSyncExternalStore } from 'react'
import { MOBILE_BELOW_PX } from '#contract/limits.ts'
import { onServerOffset, serverNow, serverNowIso } from '#text/now.ts'

const query = matchMedia(`(min-width: ${MOBILE_BELOW_PX}px)`)

function subscribe(changed: () => void) {
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}

/** True from 768 px on; changes with the window. */
export function useWide(): boolean {
  return useSyncExternalStore(subscribe, () => query.matches)
}

// Whether the device says it has a network: for what needs one and should say so before it is pressed.

function follow(changed: () => void): () => void {
  addEventListener('online', changed)
  addEventListener('offline', changed)
  return () => {
    removeEventListener('online', changed)
    removeEventListener('offline', changed)
  }
}

export const useOnline = (): boolean =>
  useSyncExternalStore(
    follow,
    () => navigator.onLine,
    // whom a page reaches that was drawn at build has a network
    () => true,
  )

// The present moment for words that age on the screen (距收盤, 3 分鐘前): a new one every half minute, none while the page is hidden.

const STEP_MS = 30_000

/** ISO instant, at most half a minute old while the page is in sight. */
export function useNow(): string {
  const [now, setNow] = useState(() => serverNowIso())
  useEffect(() => {
    const tick = () => {
      if (document.visibilityState === 'visible') setNow(serverNowIso())
    }
    const timer = setInterval(tick, STEP_MS)
    document.addEventListener('visibilitychange', tick)
    const stop = onServerOffset(tick)
    // the server's clock may have become known while this was being drawn
    setNow((old) => (Math.abs(Date.parse(old) - serverNow()) > 1_000 ? serverNowIso() : old))
    return () => {
      stop()
      clearInterval(timer)
      document.removeEventListener('visibilitychange', tick)
    }
  }, [])
  return now
}

// A file that the server gave, saved under its name.

/** The browser may read the address a while after the press. */
const KEPT_MS = 60_000

export function saveFile({ filename, blob }: { filename: string; blob: Blob }): void {
  const href = URL.createObjectURL(blob)
  Object.assign(document.createElement('a'), { href, download: filename }).click()
  setTimeout(() => URL.revokeObjectURL(href), KEPT_MS)
}
