/* Right above the key of what needs the network: that it cannot be sent now, and why the last try was refused, which takes the focus. */
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { Banner } from '#ui/Banner.tsx'
import css from './Refused.module.css'

function follow(changed: () => void): () => void {
  addEventListener('online', changed)
  addEventListener('offline', changed)
  return () => {
    removeEventListener('online', changed)
    removeEventListener('offline', changed)
  }
}

/** `text` whole sentences, empty while nothing was refused; nothing stands there then, as long as the device is online. */
export function Refused({ text }: { text: string | false | null | undefined }) {
  const online = useSyncExternalStore(follow, () => navigator.onLine)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (text) box.current?.focus()
  }, [text])
  return (
    <div ref={box} tabIndex={-1} className={css.root}>
      {text ? (
        <Banner tone="danger" icon="warning" urgent>
          {text}
        </Banner>
      ) : (
        !online && (
          <Banner tone="warn" icon="offline">
            目前離線，連上網路才送得出去。
          </Banner>
        )
      )}
    </div>
  )
}
