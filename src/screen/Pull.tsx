/* Pull to refresh, on phones: a finger's way to ask again. It lies over the page, so that nothing moves; keyboards and readers have their own ways. */
import { useEffect, useRef, useState } from 'react'
import { Icon } from '#ui/Icon.tsx'
import { useData } from './data.tsx'
import css from './Pull.module.css'
import { usePull } from './use-pull.ts'
import { useWide } from './use-wide.ts'

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
      className={css.pull}
      data-pull=""
      data-word={word}
      data-shown={shown || undefined}
      aria-hidden="true"
    >
      <span className={css.pill}>
        {word && (
          <Icon name={word === 'silent' ? 'offline' : word === 'fresh' ? 'check' : 'refresh'} size={16} />
        )}
        {word && WORDS[word]}
      </span>
    </div>
  )
}
