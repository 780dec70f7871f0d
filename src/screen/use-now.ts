// The present moment for words that age on the screen (距收盤, 3 分鐘前): a new one every half minute, none while the page is hidden.

import { useEffect, useState } from 'react'
import { onServerOffset, serverNowIso } from '#text/now.ts'

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
    return () => {
      stop()
      clearInterval(timer)
      document.removeEventListener('visibilitychange', tick)
    }
  }, [])
  return now
}
