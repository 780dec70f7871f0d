/* 待辦: what waits for the person; on phones one line that opens the rest. */

import { useState } from 'react'
import { useGo } from '#screen/go.ts'
import { Card, CardRows } from '#ui/Card.tsx'
import { Icon } from '#ui/Icon.tsx'
import { opens } from '#ui/open.ts'
import { Sheet } from '#ui/Sheet.tsx'
import css from './Todos.module.css'
import type { TodoLine } from './todo.ts'

function Lines({ lines }: { lines: readonly TodoLine[] }) {
  const { open } = useGo()
  return (
    <CardRows className={css.root}>
      {lines.map(({ kind, icon, tone, title, note, link }) => (
        <li key={kind}>
          <a className={css.todo} href={link} onClick={opens(() => open(link))}>
            <Icon name={icon} className={tone} />
            <span className="sp">
              <b className="el">{title}</b>
              <small className="el">{note}</small>
            </span>
            <Icon name="chevron-right" size={16} className="ink3" />
          </a>
        </li>
      ))}
    </CardRows>
  )
}

/** Nothing when nothing waits. `phone` the one-line form. */
export function Todos({ lines, phone = false }: { lines: readonly TodoLine[]; phone?: boolean }) {
  const [all, setAll] = useState(false)
  const { open } = useGo()
  const [first, ...rest] = lines
  if (!first) return null
  if (!phone)
    return (
      <Card title="待辦" count={lines.length}>
        <Lines lines={lines} />
      </Card>
    )
  return (
    <>
      <button
        type="button"
        className={`card ${css.todoLine}`}
        onClick={() => (rest.length > 0 ? setAll(true) : open(first.link))}
      >
        <Icon name={first.icon} className={first.tone} />
        <span className="sp el">{first.title}</span>
        {rest.length > 0 && <span className="t13 ink3 nowrap">另有 {rest.length} 件待辦</span>}
        <Icon name="chevron-right" size={16} className="ink3" />
      </button>
      <Sheet open={all} onClose={() => setAll(false)} title="待辦">
        <Lines lines={lines} />
      </Sheet>
    </>
  )
}
