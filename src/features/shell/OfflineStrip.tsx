// Phones: one line over the tabs that says how old everything is while offline, and what waits to be sent. It lies over the page, so that nothing jumps.
import type { ReactNode } from 'react'
import { useLost } from '#screen/Connection.tsx'
import { useRecords } from '#screen/data.tsx'
import { useGo } from '#screen/go.ts'
import { panelHref, useAsks, useOutbox } from '#screen/outbox.ts'
import { serverNow } from '#text/now.ts'
import { when } from '#text/time.ts'
import { StaleNote } from '#ui/Banner.tsx'
import { opens } from '#ui/open.ts'
import { useRootMark } from '#ui/root-mark.ts'
import css from './OfflineStrip.module.css'

export function OfflineStrip() {
  const lost = useLost()
  const { as_of } = useRecords()
  const { open } = useGo()
  const { rows } = useOutbox()
  const asks = useAsks()
  if (!lost && !asks) return null
  return (
    <Strip>
      {lost && <StaleNote word={lost} time={as_of && when(as_of, serverNow())} />}
      {rows.length > 0 && (
        <a href="?panel=outbox" onClick={opens(() => open(panelHref()))}>
          {rows.length} 筆{asks ? '待處理' : '待送'}
        </a>
      )}
    </Strip>
  )
}

function Strip({ children }: { children: ReactNode }) {
  useRootMark('strip')
  return <div className={`${css.root} mob`}>{children}</div>
}
