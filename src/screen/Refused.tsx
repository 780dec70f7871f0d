/* Right above the key of what needs the network: that it cannot be sent now, and why the last try was refused, which takes the focus. */
import { useEffect, useRef } from 'react'
import { Banner } from '#ui/EmptyState.tsx'
import { useOnline } from './browser.ts'
import { saysOffline } from './failure.ts'
import css from './frame.module.css'

/** `text` whole sentences, empty while nothing was refused; nothing stands there then, as long as the device is online. */
export function Refused({ text }: { text: string | false | null | undefined }) {
  const online = useOnline()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (text) box.current?.focus()
  }, [text])
  return (
    <div ref={box} tabIndex={-1} className={css.Refused}>
      {text && online && saysOffline(text) ? (
        <Banner tone="info">已恢復連線，可以再送一次。</Banner>
      ) : text ? (
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
