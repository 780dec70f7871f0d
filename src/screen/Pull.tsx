/* Pull to refresh, on phones: a finger's way to ask again. It lies over the page, so that nothing moves; keyboards and readers have their own ways. */

import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Icon } from '#ui/Icon.tsx'
import { useWide } from './browser.ts'
import { useData } from './data.tsx'
import css from './frame.module.css'

/** What was said stands long enough to be read. */
const READ_MS = 1_600
const WORDS = {
  far: '下拉更新',
  ready: '放開就更新',
  asking: '更新中…',
  fresh: '已更新',
  silent: '連不上，這是存下的資料',
}

/** Stands first in the page's own box. */
export function Pull() {
  const data = useData()
  const wide = useWide()
  const node = useRef<HTMLDivElement>(null)
  const [word, setWord] = useState<keyof typeof WORDS | null>(null)
  const [shown, setShown] = useState(false)
  const asking = word === 'asking'
  usePull(node, !wide, {
    onMove(part) {
      if (asking) return
      node.current?.style.setProperty('--part', String(Math.min(1, part ?? 0)))
      if (part !== null) setWord(part >= 1 ? 'ready' : 'far')
      setShown(part !== null)
    },
    onPulled() {
      if (asking) return
      setWord('asking')
      setShown(true)
      void data.refresh().then((answered) => setWord(answered ? 'fresh' : 'silent'))
    },
  })
  const told = word === 'fresh' || word === 'silent'
  useEffect(() => {
    if (!told) return
    const timer = setTimeout(() => setShown(false), READ_MS)
    return () => clearTimeout(timer)
  }, [told])
  return (
    <div
      ref={node}
      className={css.PullPull}
      data-pull=""
      data-word={word}
      data-shown={shown || undefined}
      aria-hidden="true"
    >
      <span className={css.PullPill}>
        {word && (
          <Icon name={word === 'silent' ? 'offline' : word === 'fresh' ? 'check' : 'refresh'} size={16} />
        )}
        {word && WORDS[word]}
      </span>
    </div>
  )
}

// Pulling down at the top of a page with a finger. The page is never kept from scrolling: only a finger that goes down where nothing can scroll is taken.

/** From so many px on letting go asks again; a finger goes twice as far as the page says. */
const ENOUGH_PX = 64
const RESISTED = 2
/** A tap that trembles is none. */
const TREMBLE_PX = 3

/** `onMove` gets how far it is pulled, 0…1 and above; null when it was let go or given up. `onPulled` when it was pulled far enough. */
export interface PullHandlers {
  onMove(part: number | null): void
  onPulled(): void
}

/** Listens on the box around `node`, and on that alone: what lies over the page has its own fingers. */
export function usePull(node: RefObject<HTMLElement | null>, on: boolean, handlers: PullHandlers): void {
  const move = useEffectEvent(handlers.onMove)
  const pulled = useEffectEvent(handlers.onPulled)
  useEffect(() => {
    const box = node.current?.parentElement
    if (!on || !box) return
    let from: { x: number; y: number } | null = null
    let part: number | null = null
    const end = () => {
      from = null
      if (part === null) return
      part = null
      move(null)
    }
    const start = (event: TouchEvent) => {
      end()
      const [finger, ...more] = event.touches
      const over = event.target instanceof Element && event.target.closest('dialog, [popover]')
      const zoomed = (window.visualViewport?.scale ?? 1) > 1.01
      if (finger && more.length === 0 && !over && !zoomed && scrollY <= 0)
        from = { x: finger.clientX, y: finger.clientY }
    }
    const drag = (event: TouchEvent) => {
      const [finger, ...more] = event.touches
      if (!from || !finger) return
      if (more.length > 0) return end()
      const [across, down] = [Math.abs(finger.clientX - from.x), finger.clientY - from.y]
      if (part === null && Math.abs(down) < TREMBLE_PX && across < TREMBLE_PX) return
      if (part === null && (down <= across || scrollY > 0 || !event.cancelable)) return end()
      // the browser would take it for its own gesture, and reload the page
      if (event.cancelable) event.preventDefault()
      part = Math.max(0, down) / RESISTED / ENOUGH_PX
      move(part)
    }
    const letGo = () => {
      const enough = part !== null && part >= 1
      end()
      if (enough) pulled()
    }
    // a listener that may prevent makes the browser wait for it: there is none once the page is scrolled
    let armed = false
    const arm = () => {
      if (armed === scrollY <= 0) return
      armed = !armed
      if (armed) box.addEventListener('touchmove', drag, { passive: false })
      else box.removeEventListener('touchmove', drag)
    }
    arm()
    const root = document.documentElement
    root.style.overscrollBehaviorY = 'contain'
    addEventListener('scroll', arm, { passive: true })
    box.addEventListener('touchstart', start, { passive: true })
    box.addEventListener('touchend', letGo)
    box.addEventListener('touchcancel', end)
    return () => {
      root.style.overscrollBehaviorY = ''
      removeEventListener('scroll', arm)
      box.removeEventListener('touchmove', drag)
      box.removeEventListener('touchstart', start)
      box.removeEventListener('touchend', letGo)
      box.removeEventListener('touchcancel', end)
      end()
    }
  }, [node, on])
}
