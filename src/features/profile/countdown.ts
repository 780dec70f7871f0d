// Seconds that run down to zero, by the clock and not by counting ticks: a sleeping tab stays right.

import { useEffect, useState } from 'react'
import { serverNow } from '#text/now.ts'

/** `left` whole seconds, 0 when idle; `start(seconds)` begins anew. */
export function useCountdown() {
  const [until, setUntil] = useState(0)
  const [now, setNow] = useState(0)
  useEffect(() => {
    if (until <= serverNow()) return
    const timer = setInterval(() => {
      setNow(serverNow())
      if (serverNow() >= until) clearInterval(timer)
    }, 250)
    return () => clearInterval(timer)
  }, [until])
  return {
    left: Math.max(0, Math.ceil((until - now) / 1_000)),
    start(seconds: number) {
      setNow(serverNow())
      setUntil(serverNow() + seconds * 1_000)
    },
  }
}
