// What may wait until the person has seen an answer.
import { useEffect, useState } from 'react'

/** A tab that is not painted at all does not wait longer than this. */
const AT_LAST_MS = 1_000

/** One for all: what is sent from a frame's callback arrives after that frame. */
let channel: MessageChannel | null = null
const waiting: (() => void)[] = []

function afterFrame(task: () => void): void {
  if (channel === null) {
    channel = new MessageChannel()
    channel.port1.onmessage = () => waiting.shift()?.()
  }
  waiting.push(task)
  channel.port2.postMessage(null)
}

/** Runs `task` once the next frame stands on the screen; in a hidden tab, which has no frames, at once after the current work. */
export function afterPaint(task: () => void): void {
  let run: (() => void) | null = () => {
    run = null
    clearTimeout(timer)
    task()
  }
  const timer = setTimeout(() => run?.(), document.hidden ? 0 : AT_LAST_MS)
  requestAnimationFrame(() => afterFrame(() => run?.()))
}

/** False until the component's first frame stands, and again until that of another `what`: the rest is drawn then. */
export function useDrawn(what = ''): boolean {
  const [drawn, setDrawn] = useState<string | null>(null)
  useEffect(() => {
    let gone = false
    afterPaint(() => {
      if (!gone) setDrawn(what)
    })
    return () => {
      gone = true
    }
  }, [what])
  return drawn === what
}
